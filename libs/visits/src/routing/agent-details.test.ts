import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BROWSERS, DEVICES, SYSTEMS } from './agent-details.js';
import { applyChosenPlatform, applyPlatformHint, classifyAgent } from './classify.js';

const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Safari/537.36`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`;

test.each([
  ['mobile, Android, Chrome', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Mobile Safari/537.36`],
  ['tablet, Android, Chrome', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Safari/537.36`],
  [
    'mobile, Android, Android WebView',
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36`,
  ],
  [
    'mobile, Android, Samsung Internet',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ],
  ['mobile, Android, Firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0'],
  [
    'mobile, iOS, iOS WebView',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Mobile/15E148`,
  ],
  [
    'mobile, iOS, Chrome',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`,
  ],
  [
    'mobile, iOS, Instagram',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Mobile/15E148 Instagram 390.0.0.20 (iPhone14,5; iOS 18_5; az_AZ)`,
  ],
  ['desktop, macOS, Safari', MAC],
  ['desktop, Windows, Chrome', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36`],
  ['desktop, Windows, Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 Edg/142.0`],
  ['desktop, Windows, Opera', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 OPR/120.0`],
  ['desktop, Windows, Yandex Browser', `Mozilla/5.0 (Windows NT 10.0) ${BLINK} YaBrowser/25.8 Safari/537.36`],
  [
    'desktop, Windows, Internet Explorer',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0; ASUS A52; HPNTDF)',
  ],
  ['desktop, Chrome OS, Chrome', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Safari/537.36`],
  ['desktop, Linux, Chrome', LINUX],
  [
    'tablet, Fire OS, Silk',
    'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/142.1 like Chrome/142.0 Safari/537.36',
  ],
  [
    'mobile, HarmonyOS, Huawei Browser',
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0 Safari/537.36 ArkWeb/5.0 Mobile HuaweiBrowser/5.1',
  ],
  ['tv, webOS, Chrome', `Mozilla/5.0 (Web0S; Linux/SmartTV) ${BLINK} Safari/537.36 WebAppManager`],
  ['tv, Android, Chrome', `Mozilla/5.0 (Linux; Android 12; BRAVIA 4K VH2) ${BLINK} Safari/537.36`],
  ['tv, Fire OS, Silk', `Mozilla/5.0 (Linux; Android 9; AFTKA) Silk/142.1 like Chrome/142.0 Safari/537.36`],
  [
    'wearable, Linux, Oculus Browser',
    `Mozilla/5.0 (X11; Linux x86_64; Quest 3) OculusBrowser/35.0 ${BLINK} VR Safari/537.36`,
  ],
  [
    'console, Xbox, Edge',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${BLINK} Safari/537.36 Edge/44.18`,
  ],
  [
    'console, Nintendo, other',
    'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) NF/4.0 NintendoBrowser/5.1.0',
  ],
  ['other, other, other', 'MyQuestApp/1.0'],
  ['other, other, other', ''],
  ['other, other, other', 'curl/8.5.0'],
])('%s: %s', (expected, userAgent) => {
  const { device, os, browser } = classifyAgent(userAgent);
  expect(`${device}, ${os}, ${browser}`).toBe(expected);
});

// A sample of the test cases of uap-core, User-Agents that people have sent: what is to be read, what it says, the text.
test('collected User-Agents get the store, device, system and browser that their labels name', () => {
  const lines = readFileSync(join(import.meta.dirname, 'collected-agents.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  const read = lines.map((line) => {
    const [name = '', , userAgent = ''] = line.split('\t');
    return [name, classifyAgent(userAgent)[name as 'os'], userAgent].join('\t');
  });
  expect(read).toEqual(lines);
  expect(lines.length).toBeGreaterThan(150);
});

test('a hint keeps the browser, and says system and device where the User-Agent was silent', () => {
  expect(applyPlatformHint(classifyAgent(LINUX), '"Android"')).toMatchObject({
    platform: 'android',
    device: 'tablet',
    os: 'Android',
    browser: 'Chrome',
  });
  const mac = classifyAgent(MAC);
  expect(applyPlatformHint(mac, '"macOS"')).toEqual({ ...mac, mayBeIpad: false });
  const headset = classifyAgent(
    `Mozilla/5.0 (X11; Linux x86_64; Quest 3) OculusBrowser/35.0 ${BLINK} VR Safari/537.36`,
  );
  expect(applyPlatformHint(headset, '"Android"')).toMatchObject({ device: 'wearable', os: 'Android' });
});

test('who said on the page that they are on an iPad has one, and who said a Mac has that', () => {
  const agent = classifyAgent(MAC);
  expect(applyChosenPlatform(agent, null)).toBe(agent);
  expect(applyChosenPlatform(agent, 'ipad')).toMatchObject({
    platform: 'ipad',
    mayBeIpad: false,
    device: 'tablet',
    os: 'iOS',
    browser: 'Safari',
  });
  expect(applyChosenPlatform(agent, 'mac')).toMatchObject({
    device: 'desktop',
    os: 'macOS',
    mayBeIpad: false,
  });
  const bot = classifyAgent('curl/8.5.0');
  expect(applyChosenPlatform(bot, 'ipad')).toBe(bot);
});

// Fragments the parser's patterns look for, in any order: what it then calls a name may be any text at all.
const FRAGMENTS = [
  'Mozilla/5.0 (', 'Android 10; ', 'droid ', ' Build/x', '; wv)', 'Version/4.0 ', 'Chrome/1 ', 'Safari/1', 'Mobile ',
  'iPhone', 'OS 1_2 like Mac OS X', 'Windows NT 10.0', 'Xbox', 'Tizen/', 'webOS', 'HbbTV/1.1.1 (', ';<b>;', 'opera ',
  'avast/1', 'AVG/2', 'oculusbrowser/3', 'kakaostory/1', 'UBUNTU', 'linux ', 'FreeBSD', 'hurd', 'netscape6/1', 'MINT/',
  'konqueror/1', 'PHX/2', 'naver(1.2)', 'playstation 5', 'nintendo wiiu', 'maemo', 'fban/fbios', 'qq/1', "'", '"', '\\0',
]; // prettier-ignore

test('no User-Agent, however made, adds a name to the statistics', () => {
  let seed = 42;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const strays = new Set<string>();
  for (let round = 0; round < 2_000; round += 1) {
    const parts = Array.from({ length: 1 + next(8) }, () => FRAGMENTS[next(FRAGMENTS.length)] ?? '');
    const { device, os, browser } = classifyAgent(parts.join(' '));
    if (!(DEVICES as readonly string[]).includes(device)) strays.add(device);
    if (!SYSTEMS.has(os)) strays.add(os);
    if (!BROWSERS.has(browser)) strays.add(browser);
  }
  expect([...strays]).toEqual([]);
  // What a map does with names of its own accord.
  for (const name of ['__proto__', 'constructor', 'toString']) expect(SYSTEMS.has(name)).toBe(false);
  expect([SYSTEMS.size < 40, BROWSERS.size < 90]).toEqual([true, true]);
});

// Lines of 512 characters that a search over such fragments found slowest; the first was the worst before its pattern
// was passed over. Printed and not asserted, as times on a shared machine are.
test('the slowest User-Agents that a search could make are answered like others', () => {
  const slowest = [
    `naver(os ${'1.1.1'.repeat(60)}${'ipadHbbtv'.repeat(20)} webkit`,
    `${'hbbtv'.repeat(10)}${'Android droid kf'.repeat(30)}`,
    `${'droid ;'.repeat(30)}${' bui'.repeat(60)}`,
    `${'Hbbtv'.repeat(40)}${'technisat '.repeat(30)}`,
    `${'tb'.repeat(120)}${'trio '.repeat(50)}`,
  ];
  for (const userAgent of slowest) {
    const started = performance.now();
    const { isBot, device } = classifyAgent(`Mozilla/5.0 ${userAgent}`);
    process.stdout.write(`${(performance.now() - started).toFixed(1)} ms: ${userAgent.slice(0, 60)}…\n`);
    expect([isBot, DEVICES.includes(device)]).toEqual([false, true]);
  }
});
