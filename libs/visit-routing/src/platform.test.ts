import { expect, test } from 'vitest';
import { PLATFORMS, mayBeIpad, readHintedPlatform, readPlatform } from './platform.js';
import type { Platform } from './platform.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// Written after the forms that vendors document; collected ones are in collected-agents.test.ts.
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
  [
    'windows',
    'a phone in lower case',
    'Mozilla/5.0 (compatible; msie 9.0; windows phone os 7.5; trident/5.0; iemobile/9.0)',
  ],
  [
    'android',
    'a client that writes no system',
    'JUC (Linux; U; 4.0.3; zh-cn; NOVO7; 1024*552) UCWEB1.0.1.113',
  ],
  ['android', 'an app by its own name', '[FBAN/FB4A;FBAV/8.0.0.26;FBDV/HTC One_M8;FBSV/4.4.2]'],
  ['android', 'Outlook', `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${CHROME} Outlook-Android/2.0`],
  [
    'ipad',
    'the search app as a desktop',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} GSA/300.0`,
  ],
  ['iphone', 'an app that says iOS alone', 'ViaFree-DK/3.8.3 (com.MTGx.ViaFree.dk; build:7383; iOS 12.1.0)'],
  ['mac', 'the network library', 'Bloodhound/2.1 CFNetwork/673.4 Darwin/13.3.0 (x86_64)'],
  ['other', 'the network library of no one device', 'Weather/1.0 CFNetwork/1442 Darwin/24.0.0'],
  ['other', 'a Chromebook', `Mozilla/5.0 (X11; Windows x86_64 10718.88.2) ${CHROME} CitrixChromeApp`],
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

test.each<[platform: Platform, what: string, userAgent: string]>([
  [
    'iphone',
    'iOS 31',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 31_0 like Mac OS X) ${WEBKIT} Version/31.0 Mobile/15E148`,
  ],
  [
    'iphone',
    'a folding one',
    `Mozilla/5.0 (iPhone Fold; CPU iPhone OS 31_0 like Mac OS X) ${WEBKIT} Mobile/29A1`,
  ],
  ['ipad', 'iPadOS 31', `Mozilla/5.0 (iPad; CPU OS 31_0 like Mac OS X) ${WEBKIT} Version/31.0 Mobile/15E148`],
  [
    'ipad',
    'Chrome 250 as a desktop',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 31_0) ${WEBKIT} CriOS/250 Version/31.0 Safari/605.1.15`,
  ],
  ['android', 'Android 27', `Mozilla/5.0 (Linux; Android 27; K) ${CHROME} Mobile Safari/537.36`],
  [
    'android',
    'Android 27 in Firefox',
    'Mozilla/5.0 (Android 27; Mobile; rv:300.0) Gecko/300.0 Firefox/300.0',
  ],
  [
    'huawei',
    'HarmonyOS 9',
    `Mozilla/5.0 (Phone; OpenHarmony 9.0) ${CHROME} Safari/537.36 ArkWeb/9.0.0.1 Mobile`,
  ],
  [
    'huawei',
    'a tablet of it',
    `Mozilla/5.0 (Tablet; OpenHarmony 6.0) ${CHROME} Safari/537.36 ArkWeb/6.0.0.47`,
  ],
  ['huawei', 'a computer of it', `Mozilla/5.0 (PC; OpenHarmony 6.0) ${CHROME} Safari/537.36 ArkWeb/6.0.0.47`],
  ['fire', 'a model to come', `Mozilla/5.0 (Linux; Android 16; KFZZWI) ${CHROME} Safari/537.36`],
  ['fire', 'its web view', `Mozilla/5.0 (Linux; Android 16; KFQQWI; wv) ${CHROME} Safari/537.36`],
  [
    'fire',
    'Silk 250 as a desktop',
    `Mozilla/5.0 (X11; Linux aarch64) ${CHROME} like Chrome/250 Silk/250.1.1`,
  ],
  ['fire', 'a television to come', `Mozilla/5.0 (Linux; Android 14; AFTZZ9X) ${CHROME} Safari/537.36`],
  [
    'windows',
    'Windows 12',
    `Mozilla/5.0 (Windows NT 12.0; Win64; x64) ${CHROME} Safari/537.36 Edg/250.0.0.0`,
  ],
  ['mac', 'macOS 31', `Mozilla/5.0 (Macintosh; Apple Silicon Mac OS X 31_0) ${CHROME} Safari/537.36`],
])('an agent newer than any list is placed by its tokens: %s, %s', (platform, _what, userAgent) => {
  expect(readPlatform(userAgent)).toBe(platform);
});

const MACINTOSH = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test.each([
  ['Safari', `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15`, true],
  [
    'Safari to come',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 31_0) ${WEBKIT} Version/31.0 Safari/605.1.15`,
    true,
  ],
  [
    'DuckDuckGo, which is Safari inside',
    `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15 Ddg/18.5`,
    true,
  ],
  ['a view of the web in an app', `${MACINTOSH} ${WEBKIT}`, true],
  ['Chrome', `${MACINTOSH} ${CHROME} Safari/537.36`, false],
  ['Edge', `${MACINTOSH} ${CHROME} Safari/537.36 Edg/142.0.0.0`, false],
  ['Opera', `${MACINTOSH} ${CHROME} Safari/537.36 OPR/120.0.0.0`, false],
  ['Vivaldi', `${MACINTOSH} ${CHROME} Safari/537.36 Vivaldi/7.5`, false],
  ['Firefox', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', false],
  ['a desktop app', `${MACINTOSH} ${CHROME} Electron/37.0.0 Safari/537.36`, false],
])('on a Macintosh %s may be an iPad: %#', (_what, userAgent, expected) => {
  expect(mayBeIpad(userAgent)).toBe(expected);
});

test('a hint places who names no system, and moves nobody else', () => {
  expect(readHintedPlatform('other', '"Android"')).toBe('android');
  expect(readHintedPlatform('other', '"macOS"')).toBe('mac');
  expect(readHintedPlatform('other', '"Windows"')).toBe('windows');
  for (const platform of PLATFORMS.filter((name) => name !== 'other')) {
    for (const hint of ['"Android"', '"macOS"', '"Windows"', '"iOS"']) {
      expect(readHintedPlatform(platform, hint)).toBe(platform);
    }
  }
  for (const hint of [
    '',
    'Android',
    '"android"',
    '"Linux"',
    '"Chrome OS"',
    '"__proto__"',
    '"Android", "Windows"',
  ]) {
    expect(readHintedPlatform('other', hint)).toBe('other');
  }
});
