import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { classifyAgent } from './classify.js';
import type { Agent } from './classify.js';

// The same rows as in collected-agents.test.ts, by what their labels say of system and browser.
type Row = { check: string; family: string; userAgent: string; agent: Agent };

const DATA = join(import.meta.dirname, '../../../../shared/data/user-agents.tsv');

// Labels, and our name for each; those not listed are of one row or two, or of things we tell nobody apart by.
const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  iOS: ['iOS'],
  Android: ['Android', 'Fire OS'],
  Windows: ['Windows', 'Windows Mobile'],
  'Mac OS X': ['macOS'],
  Linux: ['Linux'],
  Ubuntu: ['Linux'],
  'Windows Phone': ['Windows Phone'],
  'Windows Mobile': ['Windows Mobile'],
  'Firefox OS': ['Firefox OS'],
  'Symbian OS': ['Symbian'],
  FreeBSD: ['BSD'],
  'BlackBerry OS': ['BlackBerry'],
  'Chrome OS': ['Chrome OS'],
  KaiOS: ['KaiOS'],
  Roku: ['Roku'],
  tvOS: ['tvOS'],
  WatchOS: ['watchOS'],
};
const BROWSERS: Readonly<Record<string, readonly string[]>> = {
  Puffin: ['Puffin'],
  Facebook: ['Facebook'],
  Pinterest: ['Pinterest'],
  'WeChat Browser': ['WeChat'],
  'QQ Browser': ['QQ Browser'],
  'QQ Browser Mobile': ['QQ Browser'],
  'Opera Mini': ['Opera Mini'],
  'Opera Touch': ['Opera'],
  'Opera Mobile': ['Opera'],
  IE: ['Internet Explorer'],
  'IE Mobile': ['Internet Explorer'],
  'Edge Mobile': ['Edge'],
  'Chrome Mobile': ['Chrome'],
  'Chrome Mobile WebView': ['Android WebView'],
  'Mobile Safari UI/WKWebView': ['iOS WebView'],
  'Honor Browser': ['Honor Browser'],
  'Samsung Internet': ['Samsung Internet'],
  'Yandex Browser': ['Yandex Browser'],
  'UC Browser': ['UC Browser'],
  Brave: ['Brave'],
  Whale: ['Whale'],
  Vivaldi: ['Vivaldi'],
  KakaoTalk: ['KakaoTalk'],
  Weibo: ['Weibo'],
  'Coc Coc': ['Coc Coc'],
  TikTok: ['TikTok'],
  DuckDuckGo: ['DuckDuckGo'],
  Firefox: ['Firefox'],
};
/** Systems that one class of device has alone. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  iOS: ['mobile', 'tablet'],
  'Mac OS X': ['desktop'],
  Windows: ['desktop', 'mobile'],
  Ubuntu: ['desktop'],
  'Windows Phone': ['mobile'],
  'Symbian OS': ['mobile'],
  KaiOS: ['mobile'],
  Roku: ['tv'],
  tvOS: ['tv'],
  GoogleTV: ['tv'],
  Samsung: ['tv'],
  Sony: ['tv'],
  Panasonic: ['tv'],
  'Chromecast Linux': ['tv'],
  WatchOS: ['wearable'],
};

test.skipIf(!existsSync(DATA))(
  'of the collected User-Agents nearly all get the system that their label names',
  () => {
    expect(shareRight('system', 'os', SYSTEMS, ({ os }) => os)).toBeGreaterThan(0.95);
  },
);

test.skipIf(!existsSync(DATA))(
  'of the collected User-Agents nearly all get the browser that their label names',
  () => {
    expect(shareRight('browser', 'browser', BROWSERS, ({ browser }) => browser)).toBeGreaterThan(0.95);
  },
);

test.skipIf(!existsSync(DATA))(
  'of the collected User-Agents nearly all get the device their system is made for',
  () => {
    expect(shareRight('device', 'os', CLASSES, ({ device }) => device)).toBeGreaterThan(0.97);
  },
);

test.skipIf(!existsSync(DATA))('few of the collected User-Agents of devices are of no known class', () => {
  const rows = people.filter(({ check }) => check === 'device');
  const counts = new Map<string, number>();
  for (const { agent } of rows) counts.set(agent.device, (counts.get(agent.device) ?? 0) + 1);
  const shares = [...counts].map(
    ([device, count]) => `${device} ${((100 * count) / rows.length).toFixed(1)} %`,
  );
  process.stdout.write(`${rows.length} devices: ${shares.join(', ')}\n`);
  expect((counts.get('other') ?? 0) / rows.length).toBeLessThan(0.03);
});

const people: readonly Row[] = existsSync(DATA) ? readPeople() : [];
if (people.length === 0) process.stdout.write(`collected User-Agents skipped: ${DATA} is not there\n`);

function shareRight(
  what: string,
  check: string,
  names: Readonly<Record<string, readonly string[]>>,
  read: (agent: Agent) => string,
): number {
  let rows = 0;
  const wrong: string[] = [];
  for (const row of people) {
    const right = row.check === check ? names[row.family] : undefined;
    if (right === undefined) continue;
    rows += 1;
    if (!right.includes(read(row.agent))) wrong.push(`${row.family} as ${read(row.agent)}: ${row.userAgent}`);
  }
  const share = 1 - wrong.length / rows;
  process.stdout.write(`${what}: ${rows} rows, ${(100 * share).toFixed(1)} % right\n`);
  for (const line of wrong) process.stdout.write(`  ${line}\n`);
  return share;
}

function readPeople(): Row[] {
  return readFileSync(DATA, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => {
      const [check = '', family = '', , userAgent = ''] = line.split('\t');
      return { check, family, userAgent, agent: classifyAgent(userAgent) };
    })
    .filter(({ agent }) => !agent.isBot);
}
