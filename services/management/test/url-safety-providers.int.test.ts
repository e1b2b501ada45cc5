import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '@smartlink/process/config';
import { createLogger } from '@smartlink/process/lifecycle';
import { until } from '@smartlink/test-support/until';
import { configSchema } from '../src/config.js';
import { openUrlSafety, type OpenUrlSafety } from '../src/url-safety/url-safety.js';
import {
  answerAsHook,
  answerAsSafeBrowsing,
  answerAsWebRisk,
  MISBEHAVIOURS,
  type ProviderStub,
  SLOW,
  startProviderStub,
  STUB_KEY,
  type StubAnswer,
  type StubRequest,
} from './safety-stubs.js';
import { smartlink } from './smartlink-bodies.js';
import { caller, createSmartlink, startServiceOn, urlSmartlink, useService } from './start-service.js';

let stub: ProviderStub;
let provider: OpenUrlSafety;
let limits: { limitMs?: number } = {};
let metrics: Registry;
const logLines: string[] = [];

const GOOD = 'https://good.example.org/';
const BAD = 'https://bad.example.org/';
const log = createLogger({
  service: 'management',
  level: 'debug',
  destination: { write: (line: string) => logLines.push(line) },
});

// One service serves all providers: each test opens its own, as the service would, with a breaker that knows nothing yet.
const { service, api } = useService({
  env: { SAFETY_RECHECK_INTERVAL_SECONDS: '3600' },
  urlSafety: { check: (urls, options) => provider.check(urls, { ...limits, ...options }) },
});
beforeAll(async () => {
  stub = await startProviderStub();
});
beforeEach(() => {
  stub.reset();
});
afterAll(() => stub.close());

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  const config = readConfig(configSchema, {
    DATABASE_URL: 'postgres://127.0.0.1',
    REDIS_URL: 'redis://unused',
    CLICKHOUSE_URL: 'http://127.0.0.1',
    ...env,
  });
  metrics = new Registry();
  provider = (await openUrlSafety(config, log, metrics)) ?? expect.fail('no provider');
  limits = 'SAFETY_LIMIT_MS' in env ? {} : { limitMs: 30_000 }; // longer than may be configured
}

const outcomes = async (): Promise<Record<string, number>> => {
  const [counter] = (await metrics.getMetricsAsJSON()).filter(({ name }) => name.endsWith('checks_total'));
  const values = (counter?.values ?? []) as { labels: { outcome: string }; value: number }[];
  return Object.fromEntries(
    values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.outcome, value]),
  );
};
const create = (url: string) => api.post('/smartlink', urlSmartlink({}, { url }));
const document = (urls: readonly string[]) => urls.map((url, i) => ({ path: `p${i}`, url }));

type Protocol = {
  readonly env: () => Record<string, string>;
  readonly answer: StubAnswer;
  /** What the provider calls the unsafe URL. */
  readonly listed: string;
};
const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'google-web-risk': {
    env: () => ({ SAFETY_API_KEY: STUB_KEY, SAFETY_API_BASE_URL: stub.url }),
    answer: answerAsWebRisk,
    listed: BAD,
  },
  'google-safe-browsing': {
    env: () => ({ SAFETY_API_KEY: STUB_KEY, SAFETY_API_BASE_URL: stub.url }),
    answer: answerAsSafeBrowsing,
    listed: 'bad.example.org/',
  },
  http: {
    env: () => ({ SAFETY_HTTP_URL: `${stub.url}/check?v=1`, SAFETY_HTTP_TOKEN: STUB_KEY }),
    answer: answerAsHook,
    listed: BAD,
  },
};

describe.each(Object.entries(PROTOCOLS))('%s', (name, { env, answer, listed }) => {
  const use = (more: Record<string, string> = {}) => open({ SAFETY_PROVIDER: name, ...env(), ...more });
  beforeEach(() => {
    stub.answerWith(answer);
    stub.unsafe.add(listed);
    logLines.length = 0;
  });
  afterEach(async () => {
    await provider.close();
    expect(logLines.join('\n')).not.toContain(STUB_KEY);
    expect(logLines.join('\n')).not.toContain('example.org');
  });

  test('an unsafe URL is refused at its path, and everything else is stored', async () => {
    await use();
    const body = smartlink(
      'App',
      { openGraph: { imageUrl: GOOD } },
      { appStoreLink: BAD, fallBackLink: GOOD },
    );
    const refused = await api.post('/smartlink', body);
    expect([refused.status, refused.body.error]).toEqual([
      422,
      {
        code: 'UNSAFE_URL',
        message: 'URL is not safe',
        details: [{ path: 'configuration.appStoreLink', message: 'URL was judged unsafe' }],
      },
    ]);
    expect((await create(GOOD)).status).toBe(201);
    expect(await outcomes()).toEqual({ unsafe: 1, safe: 1 });
  });

  test.each([...Object.keys(MISBEHAVIOURS), ...Object.keys(SLOW)])(
    'one that %s has judged nothing: what it was asked about is stored, or refused when failing closed',
    async (misbehaviour) => {
      stub.answerWith({ ...MISBEHAVIOURS, ...SLOW }[misbehaviour]!);
      const limit = misbehaviour in SLOW ? { SAFETY_LIMIT_MS: '60' } : {};
      await use(limit);
      expect(await provider.check(document([BAD]))).toEqual({ unsafe: [], isChecked: false });
      expect(await outcomes()).toEqual({ failed: 1 });
      expect(stub.requests.map(({ url }) => url.pathname)).not.toContain('/elsewhere');
      await provider.close();
      await use({ ...limit, SAFETY_FAIL_CLOSED: 'true' });
      const res = await create(BAD);
      expect([res.status, res.body.error.code, res.headers['retry-after']]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '10',
      ]);
    },
  );

  test('a URL on which it answers 500 does not switch the check off for others', async () => {
    await use();
    const isOdd = ({ url: { search, searchParams }, body }: StubRequest) =>
      `${search}${body}`.includes('crash') || searchParams.getAll('hashPrefixes').length === 4;
    stub.answerWith((request, ...rest) => {
      (isOdd(request) ? MISBEHAVIOURS['answers 500']! : answer)(request, ...rest);
    });
    for (let i = 0; i < 4; i++) expect((await create('https://crash.example.net/a')).status).toBe(201);
    expect((await create(BAD)).status).toBe(422);
    expect(await outcomes()).toEqual({ failed: 4, unsafe: 1 });
  });

  test('thousands of URLs are asked about in bounded questions, a few at once, each URL once', async () => {
    await use();
    const many = Array.from({ length: 600 }, (_, i) => `https://h${i}.example.org/${i}`);
    // Six hundred questions, one for each URL, may take a busy machine longer than a create may wait.
    const verdict = await provider.check(document([...many, ...many, BAD]), { limitMs: 30_000 });
    expect(verdict).toEqual({ unsafe: [{ path: 'p1200', url: BAD }], isChecked: true });
    expect(stub.concurrencyMax()).toBeLessThanOrEqual(8);
    expect(Math.max(...stub.requests.map(({ url }) => url.href.length))).toBeLessThan(8_192);
    expect(stub.requests).toHaveLength({ 'google-web-risk': 601, http: 2 }[name] ?? 8);
  });
});

test('google-safe-browsing: its answers are cached, for safe and unsafe URLs', async () => {
  stub.answerWith(answerAsSafeBrowsing);
  stub.unsafe.add('bad.example.org/');
  await open({ SAFETY_PROVIDER: 'google-safe-browsing', ...PROTOCOLS['google-safe-browsing']!.env() });
  const urls = document([GOOD, BAD]);
  for (let i = 0; i < 2; i++) {
    expect(await provider.check(urls, limits)).toEqual({ unsafe: [urls[1]], isChecked: true });
  }
  await provider.close();
  expect(stub.requests).toHaveLength(1);
  // Three expressions of two labels and more, of which one is common to both; four bytes of each hash.
  expect(stub.requests[0]!.url.searchParams.getAll('hashPrefixes')).toHaveLength(3);
  expect(stub.requests[0]!.url.href).not.toContain('example');
});

test('google-web-risk: a URL that it refuses to read does not switch the check off', async () => {
  await open({ SAFETY_PROVIDER: 'google-web-risk', ...PROTOCOLS['google-web-risk']!.env() });
  stub.answerWith((_request, res) => res.writeHead(400).end('{}'));
  for (let i = 0; i < 4; i++) await provider.check(document([GOOD]));
  await provider.close();
  expect(stub.requests).toHaveLength(4);
});

test('http: an answer with a URL that was not sent is ignored', async () => {
  await open({ SAFETY_PROVIDER: 'http', ...PROTOCOLS['http']!.env() });
  stub.answerWith((_request, res) => res.writeHead(200).end('{"unsafe":["https://bad.example.org"]}'));
  expect(await provider.check(document([BAD]))).toEqual({ unsafe: [], isChecked: false });
  await provider.close();
  expect([stub.requests[0]!.url.pathname, stub.requests[0]!.url.search]).toEqual(['/check', '?v=1']);
});

describe('blocklist', () => {
  let directory: string;
  let file: string;
  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'blocklist-'));
    file = path.join(directory, 'hosts.txt');
  });
  afterAll(() => rm(directory, { recursive: true }));
  const env = () => ({
    SAFETY_PROVIDER: 'blocklist',
    SAFETY_BLOCKLIST_FILES: file,
    SAFETY_BLOCKLIST_RELOAD_SECONDS: '1',
    SAFETY_RECHECK_INTERVAL_SECONDS: '3600',
  });
  const write = async (content: string) => {
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
  };

  test('a running service takes a new list over, and shows how many entries it has', async () => {
    await write('# hosts\n0.0.0.0 bad.example.org\n');
    const { app } = await startServiceOn(service.databases, env());
    onTestFinished(() => app.close());
    const own = caller(app, (await service.createUser()).apiKey);
    const statusOf = async (url: string) => (await own.post('/smartlink', urlSmartlink({}, { url }))).status;
    expect([await statusOf(`https://www.bad.example.org/x`), await statusOf(GOOD)]).toEqual([422, 201]);
    await write('good.example.org\n');
    await until(async () => (await statusOf(GOOD)) === 422, 'the new list is in use');
    expect(await statusOf(BAD)).toBe(201);
    const text = await app.metrics.registry.metrics();
    expect(text).toContain('smartlink_url_blocklist_entries 1');
    expect(text).toContain('smartlink_url_blocklist_reload_failures_total 0');
    expect(text).toContain('smartlink_url_safety_checks_total{outcome="unsafe"}');
  });

  test('a changed list pauses the stored links that it names, and touches no other', async () => {
    await write('# hosts\n0.0.0.0 other.example.org\n');
    const frequent = { ...env(), SAFETY_RECHECK_INTERVAL_SECONDS: '1' };
    const { app } = await startServiceOn(service.databases, frequent);
    onTestFinished(() => app.close());
    const own = caller(app, (await service.createUser()).apiKey);
    const urls = [BAD, ...Array.from({ length: 7 }, (_, i) => `https://good${i}.example.org/`)];
    const ids = await Promise.all(
      urls.map(async (url) => (await createSmartlink(own, urlSmartlink({}, { url }))).id),
    );
    const inADay = `update smartlinks set urls_check_due_at = now() + interval '1 day' where id = any($1)`;
    await app.pg.query(inADay, [ids]);
    const dueTimes = async () => {
      const { rows } = await app.pg.query(
        'select id, urls_check_due_at from smartlinks where id = any($1) order by id',
        [ids.slice(1)],
      );
      return rows as unknown[];
    };
    const before = await dueTimes();
    const statusOf = async (id = '') => (await own.get(`/smartlink?id=${id}`)).body.data.status as string;
    await write('bad.example.org\n');
    const changedAt = performance.now();
    await until(async () => (await statusOf(ids[0])) === 'Paused', 'the link is paused');
    const seconds = (performance.now() - changedAt) / 1_000;
    process.stdout.write(`a changed blocklist pauses 1 of 8 links after ${seconds.toFixed(1)} s\n`);
    expect(await Promise.all(ids.slice(1).map(statusOf))).toEqual(Array(7).fill('Active'));
    expect(await dueTimes()).toEqual(before);
  });

  test('a service without its list does not start, and names the variable', async () => {
    const missing = path.join(directory, 'missing.txt');
    await expect(
      startServiceOn(service.databases, { ...env(), SAFETY_BLOCKLIST_FILES: missing }),
    ).rejects.toThrow(/^SAFETY_BLOCKLIST_FILES: .*missing\.txt/);
  });
});

test.each([
  ['blocklist', ['SAFETY_BLOCKLIST_FILES']],
  ['google-web-risk', ['SAFETY_API_KEY']],
  ['google-safe-browsing', ['SAFETY_API_KEY']],
  ['http', ['SAFETY_HTTP_URL', 'SAFETY_HTTP_TOKEN']],
])('%s without what it needs is an error that names the variable', async (name, variables) => {
  const error = await open({ SAFETY_PROVIDER: name }).catch((err: unknown) => String(err));
  for (const variable of variables) expect(error).toContain(`${variable} is not set`);
});
