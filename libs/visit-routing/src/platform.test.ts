import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyAgent } from './classify.js';
import { readPlatform } from './platform.js';
import type { Platform } from './platform.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// Written after the forms that vendors document; the rows of the data folder below are collected ones.
test.each<[platform: Platform, what: string, userAgent: string]>([
  [
    'fire',
    'Silk on a tablet',
    `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${CHROME} Silk/142.1.1 Safari/537.36`,
  ],
  ['fire', 'Silk as a desktop', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Silk/142.1.1 Safari/537.36`],
  ['fire', 'Silk as a Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_6_3; en-us; Silk/1.1.0-80) ${WEBKIT}`],
  ['fire', 'a web view of a tablet', `Mozilla/5.0 (Linux; Android 9; KFMAWI Build/PS7330; wv) ${CHROME}`],
  [
    'fire',
    'a television',
    `Mozilla/5.0 (Linux; Android 9; AFTKA Build/PS7633) ${CHROME} Mobile Safari/537.36`,
  ],
  ['fire', 'the first one', 'Mozilla/5.0 (Linux; U; Android 2.3.4; en-us; Kindle Fire Build/GINGERBREAD)'],
  [
    'other',
    'a reader',
    'Mozilla/5.0 (X11; U; Linux armv7l like Android; en-us) Version/5.0 Safari Kindle/3.0+',
  ],
  [
    'other',
    'a PlayStation',
    'Mozilla/5.0 (PlayStation Vita 3.74) AppleWebKit/537.73 (KHTML, like Gecko) Silk/3.2',
  ],
  ['huawei', 'its services', `Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13.0.351) ${CHROME} Mobile`],
  [
    'huawei',
    'its browser',
    `Mozilla/5.0 (Linux; Android 10; ELS-NX9) ${CHROME} HuaweiBrowser/15.0.4.312 Mobile`,
  ],
  [
    'huawei',
    'HarmonyOS',
    `Mozilla/5.0 (Linux; Android 12; HarmonyOS; ALN-AL00) ${CHROME} Mobile Safari/537.36`,
  ],
  [
    'huawei',
    'without Android',
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${CHROME} Safari/537.36 ArkWeb/4.1.6.1 Mobile`,
  ],
  [
    'android',
    'an older Huawei',
    `Mozilla/5.0 (Linux; Android 8.0.0; HUAWEI ATU-L21) ${CHROME} Mobile Safari/537.36`,
  ],
  ['android', 'Honor', `Mozilla/5.0 (Linux; Android 14; HONOR ELI-NX9) ${CHROME} HonorBrowser/8.0 Mobile`],
  ['android', 'Chrome', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ['android', 'a tablet', `Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`],
  ['android', 'Firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  [
    'android',
    'Opera Mini',
    'Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16',
  ],
  ['android', 'UC Browser', 'UCWEB/2.0 (Linux; U; Adr 4.0.4; en-US; X) U2/1.0.0 UCBrowser/8.6.0.276 Mobile'],
  [
    'android',
    'an app',
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${CHROME} Mobile [FB_IAB/FB4A;FBAV/500.0]`,
  ],
  [
    'ipad',
    'Safari as a tablet',
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148`,
  ],
  [
    'ipad',
    'an old one',
    `Mozilla/5.0 (iPad; U; CPU iPhone OS 3_2 like Mac OS X; en-us) ${WEBKIT} Mobile/7B314`,
  ],
  [
    'ipad',
    'Chrome as a desktop',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} CriOS/142 Version/11.1.1`,
  ],
  [
    'iphone',
    'Safari',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148`,
  ],
  ['iphone', 'an iPod', `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) ${WEBKIT} Mobile/15E148`],
  [
    'iphone',
    'an app',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Outlook-iOS-Android/1.0`,
  ],
  [
    'mac',
    'Safari, or an iPad',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`,
  ],
  ['mac', 'Firefox', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['windows', 'Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`],
  [
    'windows',
    'a phone that poses as all others',
    'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Lumia 520) like iPhone OS 7_0_3 Mac OS X',
  ],
  ['other', 'Linux', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`],
  ['other', 'ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`],
  [
    'other',
    'KaiOS',
    'Mozilla/5.0 (Mobile; Nokia_2720; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.2.1',
  ],
  ['other', 'Tizen', `Mozilla/5.0 (Linux; Tizen 2.3; SAMSUNG SM-Z130H) ${WEBKIT} SamsungBrowser/1.0 Mobile`],
  ['other', 'an Apple TV', `Mozilla/5.0 (AppleTV; CPU OS 17_0 like Mac OS X) ${WEBKIT}`],
  ['other', 'nothing', ''],
  ['other', 'markup', '<script>alert(1)</script>'],
])('%s: %s', (platform, _what, userAgent) => {
  expect(readPlatform(userAgent)).toBe(platform);
});

test('looks at a bounded part of a User-Agent', () => {
  expect(readPlatform(`${'Macintosh '.repeat(800)} CriOS/1`)).toBe('mac');
});

// What the collection calls a system, and the platforms its visitors may be taken for. `other` ends in the fallback,
// which is never wrong; the wrong store would be.
const RIGHT: Readonly<Record<string, readonly Platform[]>> = {
  Android: ['android', 'fire', 'huawei', 'other'],
  HarmonyOS: ['huawei'],
  iOS: ['iphone', 'ipad', 'other'],
  'Mac OS X': ['mac', 'other'],
  Windows: ['windows', 'other'],
  'Windows Phone': ['windows', 'other'],
};
const NO_STORE = [
  'Linux',
  'Ubuntu',
  'Firefox OS',
  'KaiOS',
  'Tizen',
  'tvOS',
  'WatchOS',
  'Symbian OS',
  'webOS',
];
const DATA = join(import.meta.dirname, '../../../../shared/data/user-agents.tsv');

test('no collected User-Agent of a person is sent to the store of another system', () => {
  if (!existsSync(DATA)) {
    process.stdout.write(`collected User-Agents skipped: ${DATA} is not there\n`);
    return;
  }
  const wrong: string[] = [];
  const counts = { browsers: 0, unplaced: 0 };
  for (const line of readFileSync(DATA, 'utf8').split('\n')) {
    const [kind, system = '', , userAgent = ''] = line.split('\t');
    if (kind !== 'os' || classifyAgent(userAgent).isBot) continue;
    const right = NO_STORE.includes(system) ? ['other'] : RIGHT[system];
    if (right === undefined) continue;
    const platform = readPlatform(userAgent);
    if (!right.includes(platform)) wrong.push(`${platform} for ${system}: ${userAgent}`);
    // Apps name themselves as they like; what browsers say must be understood.
    if (right.length > 1 && userAgent.startsWith('Mozilla/5.0 (')) {
      counts.browsers += 1;
      if (platform === 'other') counts.unplaced += 1;
    }
  }
  process.stdout.write(`collected browsers: ${counts.browsers}, without a store: ${counts.unplaced}\n`);
  expect(wrong).toEqual([]);
  expect(counts.unplaced / counts.browsers).toBeLessThan(0.05);
});
