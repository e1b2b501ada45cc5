import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RawResponse, request } from '@smartlink/test-support/raw-request';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { LINUX as AGENT, useTrial } from './serve.js';
import { type Redirect, startRedirect } from './start-redirect.js';

const LINKS = trialSize(20, 60);
const UNREAD = trialSize(200, 400);
const TEXT_LENGTH_MAX = 100_000;
const MEBIBYTE = 1024 * 1024;
const PAGES_BYTES_MAX = MEBIBYTE;
const LINUX = `User-Agent: ${AGENT}`;
const LANGUAGES = ['en', 'az', 'ru', 'tr'];
const LEVELS = ['L', 'M', 'Q', 'H'];
const SIZES = [256, 512, 1024, 2048];

const trial = useTrial();
let redirect: Redirect;

beforeAll(async () => {
  redirect = await start();
  await trial.links.insert({ slug: 'hot', url: 'https://example.org/' });
  await trial.links.insert({ slug: 'menu', type: 'QrMenu', content: menuOf('<\u{1f600}') });
  await trial.links.insert({ slug: 'angles', type: 'QrMenu', content: menuOf('<') });
  for (let i = 0; i < LINKS; i += 1) {
    const landing = { title: `Bakery ${i}`, layout: 'List', theme: 'Auto' };
    await trial.links.insert({ slug: `page${i}`, type: 'Landing', content: { landing } });
  }
  expect((await get('/hot')).status).toBe(302);
});

afterAll(() => redirect.stop());

const start = () =>
  startRedirect(trial.databases, { REDIRECT_PROCESSES: '1', PAGES_BYTES_MAX: String(PAGES_BYTES_MAX) });
const get = (path: string, ...lines: string[]): Promise<RawResponse> =>
  request(redirect.port, [`GET ${path} HTTP/1.1`, 'Host: a', LINUX, ...lines], { deadlineMs: 25_000 });

/** About a mebibyte of JSON whose texts are all of `letters`. */
function menuOf(letters: string): object {
  const text = letters.repeat(512 / letters.length);
  const item = { name: letters.repeat(8), description: text, price: 1, active: true, badges: [letters] };
  const count = Math.floor(MEBIBYTE / Buffer.byteLength(JSON.stringify(item)));
  const items = Array.from({ length: Math.min(500, count) }, () => item);
  const categories = Array.from({ length: Math.ceil(count / items.length) }, () => ({
    name: letters,
    items,
  }));
  return { qrMenu: { currency: letters, categories } };
}

/** Asks for all of `attack` at once and visits a known link meanwhile; returns the statuses and prints the times. */
async function during(title: string, attack: () => Promise<RawResponse>[]): Promise<Map<number, number>> {
  const state = { isDone: false };
  const times: number[] = [];
  const running = Promise.all(attack()).finally(() => (state.isDone = true));
  while (!state.isDone) {
    const startedAt = performance.now();
    expect((await get('/hot')).status).toBe(302);
    times.push(performance.now() - startedAt);
  }
  const statuses = new Map<number, number>();
  for (const { status } of await running) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1) ?? '';
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  process.stdout.write(
    `${title}: ${answers}; ${times.length} visits, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
  );
  return statuses;
}

function residentMiB(): number {
  const [worker = 0] = redirect.workers();
  const text = readFileSync(`/proc/${worker}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024;
}

async function keptBytes(): Promise<number> {
  const bytes = await redirect.metric('smartlink_redirect_pages{measure="bytes"}');
  expect(bytes).toBeLessThanOrEqual(PAGES_BYTES_MAX);
  return bytes;
}

test('every code of many links at once: drawn, or refused for a retry that succeeds', async () => {
  const paths = Array.from({ length: LINKS }, (_, i) => `/-/qr/page${i}`).flatMap((path) =>
    LEVELS.flatMap((ecc) => [
      `${path}.svg?ecc=${ecc}`,
      ...SIZES.map((size) => `${path}.png?ecc=${ecc}&size=${size}`),
    ]),
  );
  const statuses = await during(`${paths.length} cold codes`, () => paths.map((path) => get(path)));
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect((await get(paths[0] ?? '')).status).toBe(200);
  await keptBytes();
});

test('more cold pages at once than the queue holds: some are refused for a retry, and later all are served', async () => {
  const asked = Array.from({ length: LINKS }, (_, i) => [
    `/page${i}`,
    `/-/preview/page${i}`,
    `/-/preview/none${i}`,
  ])
    .flat()
    .flatMap((path) => LANGUAGES.map((language) => [path, `Accept-Language: ${language}`] as const));
  const statuses = await during(`${asked.length} cold pages in 4 languages`, () =>
    asked.map(([path, line]) => get(path, line)),
  );
  expect([...statuses.keys()].filter((status) => ![200, 404, 503].includes(status))).toEqual([]);
  expect(statuses.get(404)).toBe(LINKS * LANGUAGES.length);
  for (const [path, line] of asked) {
    const status = path.includes('none') ? 404 : 200;
    await until(async () => (await get(path, line)).status === status, `${path} is there`);
  }
  await keptBytes();
});

test('unknown languages make no more pages than there are languages', async () => {
  // A process of its own, for what another test has had made may be counted a second later.
  await redirect.stop();
  redirect = await start();
  const odd = Array.from(
    { length: 300 },
    (_, i) => `x${i.toString(36)}-${i}, ${LANGUAGES[i % 4]};q=0.${i % 10}`,
  );
  await during('300 odd languages', () => odd.map((text) => get('/page0', `Accept-Language: ${text}`)));
  const queries = Array.from({ length: 300 }, (_, i) => `ecc=m&x=${i}${'&size=256'.repeat(800)}`);
  const statuses = await during('300 long queries', () =>
    queries.map((query) => get(`/-/qr/page0.svg?${query}`)),
  );
  expect(statuses.get(200)).toBe(300);
  await until(async () => (await get('/page0')).status === 200, 'the page is there');
  await until(
    async () => (await redirect.metric('smartlink_redirect_visits_total{outcome="link_file"}')) >= 300,
    'the codes are in the report',
  );
  const renders = await redirect.metric('smartlink_redirect_pages_total{event="renders"}');
  expect(renders).toBeGreaterThan(0);
  expect(renders).toBeLessThanOrEqual(LANGUAGES.length + 1);
});

test('the largest menu for those who take no encoding and do not read: memory has a bound', async () => {
  const menu = await get('/angles');
  expect([menu.status, menu.body.length > 800_000]).toEqual([200, true]);
  const before = residentMiB();
  const visits = redirect.metric.bind(null, 'smartlink_redirect_visits_total{outcome="page"}');
  const from = await visits();
  const sockets = Array.from({ length: UNREAD }, () => {
    const socket = connect(redirect.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET /angles HTTP/1.1\r\nHost: a\r\n${LINUX}\r\n\r\n`);
    return socket;
  });
  await until(async () => (await visits()) >= from + UNREAD * 0.9, 'they have been answered').catch(
    () => null,
  );
  const statuses = await during('12 who read it', () => Array.from({ length: 12 }, () => get('/angles')));
  const grown = residentMiB() - before;
  for (const socket of sockets) socket.destroy();
  process.stdout.write(
    `${UNREAD} unread pages of ${(menu.body.length / MEBIBYTE).toFixed(1)} MiB: memory grew by ${grown.toFixed(0)} MiB\n`,
  );
  expect(statuses.get(200)).toBe(12);
  expect(grown).toBeLessThan(Math.max(64, (UNREAD * menu.body.length) / MEBIBYTE / 4));
});

// What costs a reader of code most: quotes that never end, marks that begin something at every letter, empty lines.
const CODE = 'import x from "y";\nexport function f() {\n  return `a${1}`;\n}\n';
const WORST = [
  '"',
  '`${',
  '/*',
  '"\\',
  '<a b="',
  '<!--',
  '[{',
  '\n',
  '\r\n',
  "''",
  '&<>"\'\r',
  '$(',
  '"""',
  '1e1.',
];
const WORST_MORE = ['- : ', ...'\u202e\u2066 e\u0301 a\u200b \t {a: # +\n-\n a1"b`c/ 😀'.split(' ')];

test('the longest snippets of what is worst to colour are all made, one after the other', async () => {
  const letters = [...WORST, ...WORST_MORE].filter((_, i) => i % trialSize(2, 1) === 0);
  const texts = letters.map((text) => CODE + text.repeat((TEXT_LENGTH_MAX - CODE.length) / text.length));
  for (const [i, text] of texts.entries()) {
    await trial.links.insert({ slug: `text${i}`, type: 'TxtBin', content: { txtBin: { text } } });
  }
  const statuses = await during(`${texts.length} snippets of 100,000 characters`, () =>
    texts.map((_, i) => get(`/text${i}`, 'Accept-Encoding: br')),
  );
  for (let i = 0; i < texts.length; i += 1) {
    await until(
      async () => (await get(`/text${i}`, 'Accept-Encoding: br')).status === 200,
      `text ${i} is there`,
    );
  }
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(await redirect.metric('smartlink_redirect_faults_total')).toBe(0);
  process.stdout.write(`kept of pages: ${await keptBytes()} bytes, memory ${residentMiB().toFixed(0)} MiB\n`);
});
