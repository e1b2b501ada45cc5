import { expect, test } from 'vitest';
import { mayBeIpad, type Platform, PLATFORMS, readHintedPlatform, readPlatform } from './platform.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

// Written after the forms that vendors document; collected ones are in collected-agents.tsv.
const AGENTS: Readonly<Record<Platform, readonly string[]>> = {
  fire: [
    `Mozilla/5.0 (Linux; Android 11; KFTRWI) ${CHROME} Silk/142.1.1 Safari/537.36`,
    `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Silk/142.1.1 Safari/537.36`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_6_3; en-us; Silk/1.1.0-80) ${WEBKIT}`,
    `Mozilla/5.0 (Linux; Android 9; KFMAWI Build/PS7330; wv) ${CHROME}`,
    `Mozilla/5.0 (Linux; Android 9; AFTKA Build/PS7633) ${CHROME} Mobile Safari/537.36`,
    'Mozilla/5.0 (Linux; U; Android 2.3.4; en-us; Kindle Fire Build/GINGERBREAD)',
  ],
  other: [
    'Mozilla/5.0 (X11; U; Linux armv7l like Android; en-us) Version/5.0 Safari Kindle/3.0+',
    'Mozilla/5.0 (PlayStation Vita 3.74) AppleWebKit/537.73 (KHTML, like Gecko) Silk/3.2',
    'Weather/1.0 CFNetwork/1442 Darwin/24.0.0',
    `Mozilla/5.0 (X11; Windows x86_64 10718.88.2) ${CHROME} CitrixChromeApp`,
    `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
    'Mozilla/5.0 (Mobile; Nokia_2720; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.2.1',
    `Mozilla/5.0 (Linux; Tizen 2.3; SAMSUNG SM-Z130H) ${WEBKIT} SamsungBrowser/1.0 Mobile`,
    `Mozilla/5.0 (AppleTV; CPU OS 17_0 like Mac OS X) ${WEBKIT}`,
    '',
    '<script>alert(1)</script>',
  ],
  huawei: [
    `Mozilla/5.0 (Linux; Android 12; NOH-NX9; HMSCore 6.13.0.351) ${CHROME} Mobile`,
    `Mozilla/5.0 (Linux; Android 10; ELS-NX9) ${CHROME} HuaweiBrowser/15.0.4.312 Mobile`,
    `Mozilla/5.0 (Linux; Android 12; HarmonyOS; ALN-AL00) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${CHROME} Safari/537.36 ArkWeb/4.1.6.1 Mobile`,
  ],
  android: [
    `Mozilla/5.0 (Linux; Android 8.0.0; HUAWEI ATU-L21) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 14; HONOR ELI-NX9) ${CHROME} HonorBrowser/8.0 Mobile`,
    `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`,
    'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16',
    'UCWEB/2.0 (Linux; U; Adr 4.0.4; en-US; X) U2/1.0.0 UCBrowser/8.6.0.276 Mobile',
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${CHROME} Mobile [FB_IAB/FB4A;FBAV/500.0]`,
    'JUC (Linux; U; 4.0.3; zh-cn; NOVO7; 1024*552) UCWEB1.0.1.113',
    '[FBAN/FB4A;FBAV/8.0.0.26;FBDV/HTC One_M8;FBSV/4.4.2]',
    `Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) ${CHROME} Outlook-Android/2.0`,
  ],
  ipad: [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${WEBKIT} Version/17.5 Mobile/15E148`,
    `Mozilla/5.0 (iPad; U; CPU iPhone OS 3_2 like Mac OS X; en-us) ${WEBKIT} Mobile/7B314`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} CriOS/142 Version/11.1.1`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} GSA/300.0`,
  ],
  iphone: [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148`,
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) ${WEBKIT} Mobile/15E148`,
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Outlook-iOS-Android/1.0`,
    'ViaFree-DK/3.8.3 (com.MTGx.ViaFree.dk; build:7383; iOS 12.1.0)',
  ],
  mac: [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Bloodhound/2.1 CFNetwork/673.4 Darwin/13.3.0 (x86_64)',
  ],
  windows: [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`,
    'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Lumia 520) like iPhone OS 7_0_3 Mac OS X',
    'Mozilla/5.0 (compatible; msie 9.0; windows phone os 7.5; trident/5.0; iemobile/9.0)',
  ],
};

const rows = (agents: Partial<typeof AGENTS>) =>
  Object.entries(agents).flatMap(([platform, list]) =>
    list.map((userAgent) => [platform, userAgent] as const),
  );

test.each(rows(AGENTS))('%s: %s', (platform, userAgent) => {
  expect(readPlatform(userAgent)).toBe(platform);
});

test('looks at a bounded part of a User-Agent', () => {
  expect(readPlatform(`${'Macintosh '.repeat(800)} CriOS/1`)).toBe('mac');
});

const AGENTS_TO_COME: Partial<typeof AGENTS> = {
  iphone: [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 31_0 like Mac OS X) ${WEBKIT} Version/31.0 Mobile/15E148`,
    `Mozilla/5.0 (iPhone Fold; CPU iPhone OS 31_0 like Mac OS X) ${WEBKIT} Mobile/29A1`,
  ],
  ipad: [
    `Mozilla/5.0 (iPad; CPU OS 31_0 like Mac OS X) ${WEBKIT} Version/31.0 Mobile/15E148`,
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 31_0) ${WEBKIT} CriOS/250 Version/31.0 Safari/605.1.15`,
  ],
  android: [
    `Mozilla/5.0 (Linux; Android 27; K) ${CHROME} Mobile Safari/537.36`,
    'Mozilla/5.0 (Android 27; Mobile; rv:300.0) Gecko/300.0 Firefox/300.0',
  ],
  huawei: [
    `Mozilla/5.0 (Phone; OpenHarmony 9.0) ${CHROME} Safari/537.36 ArkWeb/9.0.0.1 Mobile`,
    `Mozilla/5.0 (Tablet; OpenHarmony 6.0) ${CHROME} Safari/537.36 ArkWeb/6.0.0.47`,
    `Mozilla/5.0 (PC; OpenHarmony 6.0) ${CHROME} Safari/537.36 ArkWeb/6.0.0.47`,
  ],
  fire: [
    `Mozilla/5.0 (Linux; Android 16; KFZZWI) ${CHROME} Safari/537.36`,
    `Mozilla/5.0 (Linux; Android 16; KFQQWI; wv) ${CHROME} Safari/537.36`,
    `Mozilla/5.0 (X11; Linux aarch64) ${CHROME} like Chrome/250 Silk/250.1.1`,
    `Mozilla/5.0 (Linux; Android 14; AFTZZ9X) ${CHROME} Safari/537.36`,
  ],
  windows: [`Mozilla/5.0 (Windows NT 12.0; Win64; x64) ${CHROME} Safari/537.36 Edg/250.0.0.0`],
  mac: [`Mozilla/5.0 (Macintosh; Apple Silicon Mac OS X 31_0) ${CHROME} Safari/537.36`],
};

test.each(rows(AGENTS_TO_COME))(
  'an agent newer than any list is placed by its tokens: %s: %s',
  (platform, userAgent) => {
    expect(readPlatform(userAgent)).toBe(platform);
  },
);

const MACINTOSH = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

test.each([
  `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 31_0) ${WEBKIT} Version/31.0 Safari/605.1.15`,
  // DuckDuckGo, which is Safari inside, and a view of the web in an app.
  `${MACINTOSH} ${WEBKIT} Version/18.5 Safari/605.1.15 Ddg/18.5`,
  `${MACINTOSH} ${WEBKIT}`,
])('on a Macintosh %s may be an iPad', (userAgent) => {
  expect(mayBeIpad(userAgent)).toBe(true);
});

test.each([
  ...['', ' Edg/142.0.0.0', ' OPR/120.0.0.0', ' Vivaldi/7.5'].map(
    (ending) => `${MACINTOSH} ${CHROME} Safari/537.36${ending}`,
  ),
  `${MACINTOSH} ${CHROME} Electron/37.0.0 Safari/537.36`,
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
])('on a Macintosh %s is no iPad', (userAgent) => {
  expect(mayBeIpad(userAgent)).toBe(false);
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
  const hints = ['', 'Android', '"android"', '"Linux"', '"Chrome OS"', '"__proto__"'];
  for (const hint of [...hints, '"Android", "Windows"']) {
    expect(readHintedPlatform('other', hint)).toBe('other');
  }
});
