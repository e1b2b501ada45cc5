import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { type BreakableProxy, startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { parseResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { createSpool, type Spool } from './events-fixtures.js';
import { isWhole, LINUX, selectEvents, useTrial } from './serve.js';
import { type Redirect, startRedirect, untilDelivered } from './start-redirect.js';

const OWN = 'sl.example.com';
const HASH =
  '$argon2id$v=19$m=256,t=1,p=1$quNrNsMzbA1RSxLWt/xmMA$8MHRtIhPeHGZ2J38glk+lA8eXM4+mPMe8LHIIN7gi00';
const PASSWORD = 'correct horse ü';
const SEEN_MS_MAX = 10_000;
const CARD = {
  digiCard: { title: 'Leyla' },
  digiCardButtons: [{ title: 'Call', link: 'tel:+994501234567' }],
};
const trial = useTrial({ clickhouse: 'shared' });
let spool: Spool;
let postgres: BreakableProxy;
let redirect: Redirect;
let askPort: number;
let alpha: number;
let gamma: number;

const start = async (env: Readonly<Record<string, string>> = {}) => {
  redirect = await startRedirect(
    { ...trial.databases, databaseUrl: postgres.url },
    {
      ...{ PUBLIC_BASE_URL: `https://${OWN}`, TLS_ASK_PORT: String(askPort), SPOOL_DIR: spool.folder },
      ...{
        ROOT_REDIRECT_URL: 'https://example.org/instance',
        ASSET_LINKS: '[{"relation":["i"],"target":{"namespace":"web"}}]',
      },
      ...{ COOKIE_SECRETS: 'a secret of 32 bytes or more for tests only' },
      ...env,
    },
  );
};

/** Adds a proven domain and returns its number. */
async function addDomain(host: string, more: Readonly<Record<string, string>> = {}): Promise<number> {
  const columns = {
    id: randomUUID(),
    user_id: trial.links.ownerId,
    host,
    status: 'Active',
    token: 'x',
    ...more,
  };
  const names = Object.keys(columns);
  const { rows } = await trial.pool.query<{ number: number }>(
    `insert into domains (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning number`,
    Object.values(columns),
  );
  return rows[0]?.number ?? 0;
}

const setDomain = (number: number, column: string, value: string) =>
  trial.pool.query(`update domains set ${column} = $2 where number = $1`, [number, value]);

async function ask(host: string, path: string, ...lines: string[]) {
  const all = [
    `GET ${path} HTTP/1.1`,
    ...(host === '' ? [] : [`Host: ${host}`]),
    `User-Agent: ${LINUX}`,
    ...lines,
  ];
  return request(redirect.port, all, { until: (text) => isWhole('GET', text), deadlineMs: 25_000 });
}

/** The target, or the status. */
async function visit(host: string, path: string, ...lines: string[]): Promise<string> {
  const { status, headers } = await ask(host, path, ...lines);
  return headers['location'] ?? String(status);
}

async function untilSeen(work: () => Promise<boolean>, name: string): Promise<number> {
  const startedAt = performance.now();
  await until(work, name);
  return performance.now() - startedAt;
}

beforeAll(async () => {
  spool = createSpool();
  postgres = await startBreakableProxy(trial.databases.databaseUrl);
  askPort = await freePort();
  alpha = await addDomain('alpha.example', {
    root_url: 'https://example.org/home',
    expired_url: 'https://example.org/over',
    apple_app_site_association: '{"applinks":{"details":[{"appIDs":["alpha"]}]}}',
  });
  const beta = await addDomain('beta.example', {
    not_found_url: 'https://example.org/missing',
    status: 'Failing',
  });
  gamma = await addDomain('gamma.example', { status: 'Suspended' });
  await addDomain('pending.example', { status: 'Pending' });
  for (const [domain, name] of [
    [undefined, 'own'],
    [alpha, 'alpha'],
    [beta, 'beta'],
  ] as const) {
    const place = domain === undefined ? {} : { domain };
    const url = (path: string) => `https://example.org/${name}${path}`;
    await trial.links.insert({ ...place, slug: 'Same', aliases: ['print-Code'], url: url('') });
    await trial.links.insert({ ...place, slug: `only${name}`, url: url('/only') });
    await trial.links.insert({ ...place, slug: 'locked', url: url('/locked'), passwordHash: HASH });
    await trial.links.insert({ ...place, slug: 'paused', url: url('/'), status: 'Paused' });
    await trial.links.insert({
      ...place,
      slug: 'over',
      url: url('/'),
      availability: { expiresAt: '2020-01-01T00:00:00.000Z' },
    });
  }
  const card = await trial.links.insert({ domain: alpha, slug: 'Card', type: 'DigiCard', content: CARD });
  // The same link, by the same slug at the instance's own host.
  await trial.pool.query(
    `insert into slugs (key, slug, user_id, smartlink_id, is_primary) values ('card', 'Card', $1, $2, false)`,
    [trial.links.ownerId, card],
  );
  await start();
});

afterAll(async () => {
  await redirect.stop();
  await postgres.close();
  spool.remove();
});

const HOSTS = [
  [OWN, 'own'],
  ['alpha.example', 'alpha'],
  ['beta.example', 'beta'],
  ['unknown.example', 'own'],
  ['pending.example', 'own'],
] as const;

test.each(HOSTS)('%s answers with the links of %s alone, however it is written', async (host, name) => {
  const spellings = [host, host.toUpperCase(), `${host}:443`, `${host}.`, `${host}.:8080`];
  for (const spelling of spellings) {
    for (const path of ['/Same', '/same/', '/q/SAME', '/print-Code'])
      expect(await visit(spelling, path)).toBe(`https://example.org/${name}`);
  }
  for (const [other] of HOSTS) {
    const lines = [
      `X-Forwarded-Host: ${other}`,
      `Forwarded: host=${other}`,
      `X-Host: ${other}`,
      `X-Original-Host: ${other}`,
    ];
    expect(await visit(host, '/Same', ...lines)).toBe(`https://example.org/${name}`);
    // The first line counts.
    expect(await visit(host, '/Same', `Host: ${other}`)).toBe(`https://example.org/${name}`);
    expect((await ask(host, `http://${other}/Same`)).status).toBe(505);
    expect((await ask(host, `https://${other}/Same`)).status).toBe(505);
    expect(await visit(host, `//${other}/Same`)).toBe('404');
  }
  for (const other of ['own', 'alpha', 'beta'].filter((each) => each !== name)) {
    const missing = name === 'beta' ? 'https://example.org/missing' : '404';
    expect(await visit(host, `/only${other}?a=1`)).toBe(missing);
  }
});

test('a request that names no host, or HTTP/1.0, is refused', async () => {
  expect((await ask('', '/Same')).status).toBe(400);
  for (const lines of ['', 'Host: alpha.example\r\n'])
    expect(parseResponse(await sendRaw(redirect.port, `GET /Same HTTP/1.0\r\n${lines}\r\n`)).status).toBe(
      505,
    );
});

test('each host has its own root, files of apps, missing and expired links; internal addresses are of all', async () => {
  const FILES = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];
  const paths = [
    '/',
    ...FILES,
    '/unknown?a=1',
    '/over',
    '/paused',
    '/robots.txt',
    '/-/live',
    '/-/preview/onlyalpha',
  ];
  const answers = async (host: string) => {
    const found: string[] = [];
    for (const path of paths) found.push(await visit(host, path));
    return found;
  };
  expect(await answers(OWN)).toEqual([
    ...['https://example.org/instance', '404', '200', '404', '410', '404', '200', '200', '404'],
  ]);
  expect(await answers('alpha.example')).toEqual([
    ...[
      'https://example.org/home',
      '200',
      '404',
      '404',
      'https://example.org/over',
      '404',
      '200',
      '200',
      '200',
    ],
  ]);
  expect(await answers('beta.example')).toEqual([
    ...['200', '404', '404', 'https://example.org/missing', '410', '404', '200', '200', '404'],
  ]);
  expect(await answers('gamma.example')).toEqual(paths.map((path) => (path === '/-/live' ? '200' : '404')));
  const file = await ask('alpha.example', '/.well-known/apple-app-site-association');
  expect([file.headers['content-type'], file.body]).toEqual([
    ...['application/json', '{"applinks":{"details":[{"appIDs":["alpha"]}]}}'],
  ]);
});

test('pages, cards and codes show the address that was asked, of a link and of its alias elsewhere', async () => {
  const paths = ['/Card', '/-/preview/Card', '/-/card/Card.vcf', '/-/qr/Card.svg'];
  for (const path of [...paths, ...paths]) {
    for (const [host, other] of [
      [OWN, 'alpha.example'],
      ['alpha.example', OWN],
    ] as const) {
      const { status, body } = await ask(host.toUpperCase(), path);
      expect([status, body.includes(`${host}/Card`), body.includes(other)]).toEqual([200, true, false]);
    }
  }
});

test('a link is unlocked under the name of its form, by a cookie of that name', async () => {
  const post = (host: string, ...lines: string[]) => {
    const body = new URLSearchParams({ password: PASSWORD }).toString();
    const head = [
      'POST /locked HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/x-www-form-urlencoded',
    ];
    return request(redirect.port, [...head, `Content-Length: ${body.length}`, ...lines, '', body]);
  };
  const unlocked = await post('alpha.example', 'Origin: https://alpha.example');
  expect([unlocked.status, unlocked.headers['location']]).toEqual([303, '/locked']);
  const cookie = unlocked.headers['set-cookie']?.split(';')[0] ?? '';
  expect(await visit('alpha.example', '/locked', `Cookie: ${cookie}`)).toBe(
    'https://example.org/alpha/locked',
  );
  expect(await visit('beta.example', '/locked', `Cookie: ${cookie}`)).toBe('200');
  for (const origin of [`https://${OWN}`, 'https://beta.example', 'null'])
    expect((await post('alpha.example', `Origin: ${origin}`)).status).toBe(403);
  expect((await post('gamma.example', 'Origin: https://gamma.example')).status).toBe(404);
});

test('events say the domain, and no own host as their referrer', async () => {
  const before = await redirect.metric('smartlink_redirect_events_total{fate="accepted"}');
  for (const host of [OWN, 'alpha.example', 'beta.example'])
    for (const [from] of HOSTS.slice(0, 4))
      await visit(host, '/Same?utm_source=told', `Referer: https://${from}/x`);
  const press = [
    'POST /-/press/Card/contact:0 HTTP/1.1',
    'Host: Alpha.Example',
    'Sec-Fetch-Site: same-origin',
  ];
  const lines = [
    'Ping-From: https://alpha.example/q/Card?utm_source=told',
    `User-Agent: ${LINUX}`,
    'Content-Length: 0',
  ];
  expect(
    (await request(redirect.port, [...press, ...lines], { until: (text) => isWhole('POST', text) })).status,
  ).toBe(204);
  await untilDelivered(redirect, before + 13);
  const rows = await selectEvents<{ row: unknown[] }>(
    trial.databases.clickhouseUrl,
    `select [slug, domain, referrer_host, exclusion, toString(count())] as row from events final
     where owner_id = {owner:UUID} and utm_source = 'told' group by slug, domain, referrer_host, exclusion order by row`,
    { owner: trial.links.ownerId },
  );
  expect(rows.map(({ row }) => row)).toEqual([
    ['Card', 'alpha.example', '', 'press', '1'],
    ...['', 'alpha.example', 'beta.example'].flatMap((domain) => [
      ['Same', domain, '', '', '3'],
      ['Same', domain, 'unknown.example', '', '1'],
    ]),
  ]);
});

test('the edge is granted certificates for proven domains and the public host, and no other', async () => {
  // From memory: Postgres is away.
  await postgres.kill();
  const asking = async (...queries: string[]) => {
    const lines = queries.map((query) => `GET /-/tls-ask${query} HTTP/1.1\r\nHost: redirect:9466\r\n\r\n`);
    const whole = await sendRaw(askPort, lines.join(''), {
      until: (text) =>
        text.split('HTTP/1.1 ').length > queries.length && /\n(?:yes|no)\n\r?\n?0?\r?\n?\r?\n?$/.test(text),
    });
    return [...whole.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  };
  expect(await asking('?domain=alpha.example', '?domain=beta.example', `?domain=${OWN}`)).toEqual([
    200, 200, 200,
  ]);
  const others = [
    'gamma.example',
    'pending.example',
    'ALPHA.example',
    'alpha.example.',
    'alpha.example:443',
    '',
    'a.alpha.example',
  ];
  const refused = [
    ...others.map((host) => `?domain=${host}`),
    '',
    '?host=alpha.example',
    '?domain=alpha.example&domain=alpha.example',
  ];
  expect(await asking(...refused)).toEqual(refused.map(() => 404));
  const count = trialSize(4_000, 100_000);
  let granted = 0;
  for (let asked = 0; asked < count; asked += 500) {
    const statuses = await asking(...Array.from({ length: 500 }, () => `?domain=${randomUUID()}.example`));
    expect(statuses).toHaveLength(500);
    granted += statuses.filter((status) => status !== 404).length;
  }
  expect(granted).toBe(0);
  for (const path of ['/', '/-/metrics', '/-/live', '/-/tls-ask/'])
    expect((await fetch(`http://127.0.0.1:${askPort}${path}`)).status).toBe(404);
  await postgres.restore();
});

test('a change of a domain is seen within ten seconds, and a host handed on starts empty', async () => {
  await setDomain(alpha, 'root_url', 'https://example.org/moved');
  await setDomain(gamma, 'status', 'Active');
  const movedMs = await untilSeen(
    async () => (await visit('alpha.example', '/')).endsWith('/moved'),
    'the root',
  );
  const resumedMs = await untilSeen(async () => (await visit('gamma.example', '/')) === '200', 'its return');
  await setDomain(alpha, 'status', 'Removed');
  const next = await addDomain('alpha.example');
  await trial.links.insert({ domain: next, slug: 'first', url: 'https://example.org/next' });
  const handedMs = await untilSeen(
    async () => (await visit('alpha.example', '/first')).endsWith('/next'),
    'the next owner',
  );
  for (const path of ['/Same', '/onlyalpha', '/locked', '/Card', '/-/preview/Card', '/-/qr/Card.svg'])
    expect(await visit('alpha.example', path)).toBe('404');
  expect(await visit('alpha.example', '/')).toBe('200');
  for (const tookMs of [movedMs, movedMs + resumedMs, handedMs]) expect(tookMs).toBeLessThan(SEEN_MS_MAX);
});

test('a restarted worker, and a service restarted without Postgres, know the domains from the start', async () => {
  await trial.links.publish('Same', 'onlyown');
  const [victim] = redirect.workers();
  process.kill(victim ?? 0, 'SIGKILL');
  const seen = new Set<string>();
  await until(async () => {
    seen.add(await visit('beta.example', '/onlyown'));
    return !redirect.workers().includes(victim ?? 0) && seen.size > 1;
  }, 'the next worker answers');
  // 0: no answer.
  expect([...seen].sort()).toEqual(['0', 'https://example.org/missing']);

  await redirect.stop();
  postgres.freeze();
  await start({ STRICT_HOSTS: 'true' });
  expect(await visit(OWN, '/onlyown')).toBe('https://example.org/own/only');
  // Redis has no link of the domain, and Postgres does not say that there is none.
  expect(await visit('beta.example', '/onlyown')).toBe('503');
  expect(await visit('beta.example', '/-/live')).toBe('200');
  expect([await visit('other.example', '/onlyown'), await visit('other.example', '/-/live')]).toEqual([
    '421',
    '200',
  ]);

  await redirect.stop();
  rmSync(join(spool.folder, 'domains.json'));
  await start();
  expect([await visit(OWN, '/onlyown'), await visit('beta.example', '/onlyown')]).toEqual([
    ...['https://example.org/own/only', '503'],
  ]);
  expect([await visit('beta.example', '/-/live'), await visit('other.example', '/onlyown')]).toEqual([
    '200',
    '503',
  ]);
  await postgres.restore();
  await until(
    async () => (await visit('beta.example', '/onlybeta')).endsWith('/beta/only'),
    'the domains are known',
  );
  expect(await visit('other.example', '/onlyown')).toBe('https://example.org/own/only');
});
