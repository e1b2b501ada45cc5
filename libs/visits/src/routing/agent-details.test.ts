import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as names from '@smartlink/smartlink/model';
import { BROWSERS, SYSTEMS } from './agent-details.js';
import { applyChosenPlatform, applyPlatformHint, classifyAgent } from './classify.js';

const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Safari/537.36`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`;

const agents = readFileSync(join(import.meta.dirname, 'user-agents.tsv'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

test('User-Agents have the platform, details and kind of visitor of their labels', () => {
  const read = agents.map((line) => {
    const [property = '', , userAgent = ''] = line.split('\t');
    return [property, propertyOf(userAgent, property), userAgent].join('\t');
  });
  expect(read).toEqual(agents);
  expect(agents.length).toBeGreaterThan(300);
});

function propertyOf(userAgent: string, property: string): string {
  const agent = classifyAgent(userAgent);
  if (property === 'details') return `${agent.device}, ${agent.os}, ${agent.browser}`;
  if (property !== 'visitor') return agent[property as 'platform' | 'device' | 'os' | 'browser'];
  if (agent.isPreview && agent.isBot && !agent.mayBeIpad) return 'preview';
  return agent.isBot ? 'bot' : 'person';
}

test('a blank User-Agent is a bot without details, and 8 KiB cost no more than 512 characters', () => {
  const details = { platform: 'other', device: 'other', os: 'other', browser: 'other' };
  for (const blank of ['', '  '])
    expect(classifyAgent(blank)).toMatchObject({ ...details, isBot: true, isPreview: false });
  expect(classifyAgent(`${MAC}${' x'.repeat(4_000)} Googlebot`).isBot).toBe(false);
});

test('a hint adds system and device if the User-Agent names none, and keeps the browser', () => {
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

test('the answer of a visitor to “iPad or Mac” decides the platform', () => {
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

// Fragments of the parser's patterns, combined at random: a captured name may be any text.
const FRAGMENTS = [
  'Mozilla/5.0 (', 'Android 10; ', 'droid ', ' Build/x', '; wv)', 'Version/4.0 ', 'Chrome/1 ', 'Safari/1', 'Mobile ',
  'iPhone', 'OS 1_2 like Mac OS X', 'Windows NT 10.0', 'Xbox', 'Tizen/', 'webOS', 'HbbTV/1.1.1 (', ';<b>;', 'opera ',
  'avast/1', 'AVG/2', 'oculusbrowser/3', 'kakaostory/1', 'UBUNTU', 'linux ', 'FreeBSD', 'hurd', 'netscape6/1', 'MINT/',
  'konqueror/1', 'PHX/2', 'naver(1.2)', 'playstation 5', 'nintendo wiiu', 'maemo', 'fban/fbios', 'qq/1', "'", '"', '\\0',
]; // prettier-ignore

test('no User-Agent adds an unknown name to the statistics', () => {
  let seed = 42;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const strays = new Set<string>();
  for (let round = 0; round < 2_000; round += 1) {
    const parts = Array.from({ length: 1 + next(8) }, () => FRAGMENTS[next(FRAGMENTS.length)] ?? '');
    const { device, os, browser } = classifyAgent(parts.join(' '));
    if (!(names.DEVICES as readonly string[]).includes(device)) strays.add(device);
    if (!SYSTEMS.has(os)) strays.add(os);
    if (!BROWSERS.has(browser)) strays.add(browser);
  }
  expect([...strays]).toEqual([]);
  // Names that every object has.
  for (const name of ['__proto__', 'constructor', 'toString']) expect(SYSTEMS.has(name)).toBe(false);
  expect([SYSTEMS.size < 40, BROWSERS.size < 90]).toEqual([true, true]);
});

// Texts of 512 characters that a search over such fragments found slowest. Their times are printed, not asserted.
test('the slowest known User-Agents are classified', () => {
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
    expect([isBot, names.DEVICES.includes(device)]).toEqual([false, true]);
  }
});

test('the names that rules may compare are those of the statistics', () => {
  expect([...names.SYSTEMS].sort()).toEqual([...SYSTEMS].sort());
  expect([...names.BROWSERS].sort()).toEqual([...BROWSERS].sort());
});
