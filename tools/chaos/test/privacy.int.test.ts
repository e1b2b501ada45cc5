import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, generateApiKey } from '@smartlink/smartlink/credentials';
import { createClosers } from '@smartlink/test-support/closers';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { until } from '@smartlink/test-support/until';
import {
  addEvents,
  metricsOf,
  startServiceOn,
  type TestService,
  urlSmartlink,
} from '../../../services/management/test/start-service.js';
import { LINUX, useTrial } from '../../../services/redirect/test/serve.js';
import {
  type Redirect,
  startRedirect,
  untilDelivered,
} from '../../../services/redirect/test/start-redirect.js';
import { createAddresses, findAddresses } from './privacy-addresses.js';

// Reliability goal S14: all stored data together does not identify a visitor.

const PASSWORD = 'correct horse';
// Fewer than the visits below make, all of them counted or not.
const EVENTS_MIN = 20;
// The spool, and both formats in which events are read from ClickHouse.
const CHANCE_PLACES_MAX = 3;
// Of a person who is signed in to management on the same host: browsers send its cookie to every port.
const SESSION = createToken();
const PRESS = '/-/press/card/contact:0';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const spoolDir = mkdtempSync(join(tmpdir(), 'smartlink-privacy-'));
const addresses = createAddresses();
const closers = createClosers();
const trial = useTrial({ clickhouse: 'own' }, [
  { slug: 'open', aliases: ['alias'], url: 'https://example.org/' },
  { slug: 'locked', url: 'https://example.org/', password: PASSWORD },
  { slug: 'paused', url: 'https://example.org/', status: 'Paused' },
  { slug: 'deleted', url: 'https://example.org/', status: 'Deleted' },
  { slug: 'snippet', type: 'TxtBin', content: { txtBin: { text: 'hello' } } },
  {
    slug: 'card',
    type: 'DigiCard',
    content: {
      digiCard: { title: 'Leyla' },
      digiCardButtons: [{ title: 'Call', link: 'tel:+994501234567' }],
    },
  },
  { slug: 'faultyPage', type: 'QrMenu', content: { qrMenu: { categories: 1 } } },
]);
let redirect: Redirect;
let redirectErrors = '';
let management: Omit<TestService, 'close'>;
let managementPort: number;

beforeAll(async () => {
  closers.add(() => {
    rmSync(spoolDir, { recursive: true, force: true });
  });
  management = await startServiceOn(trial.databases, { TRUSTED_PROXIES: '127.0.0.1' });
  closers.add(() => management.app.close());
  managementPort = Number(new URL(await management.app.listen({ port: 0, host: '127.0.0.1' })).port);
  redirect = await startRedirect(trial.databases, {
    REDIRECT_PROCESSES: '2',
    TRUSTED_PROXIES: '127.0.0.1',
    SPOOL_DIR: spoolDir,
    LOG_LEVEL: 'trace',
  });
  closers.add(redirect.stop);
  redirect.process.stderr?.on('data', (chunk: Buffer) => (redirectErrors += chunk.toString()));
  const damaged = await trial.links.insert({ slug: 'damaged', url: 'https://example.org/' });
  await trial.links.update(damaged, 'content = $2', {});
  const faulty = await trial.links.insert({
    slug: 'faulty',
    url: 'https://example.org/',
    password: PASSWORD,
  });
  await trial.links.update(faulty, 'password_hash = $2', 'no hash');
});
afterAll(closers.close);

type VisitOptions = {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Local address, one of 127.0.0.0/8. */
  readonly from?: string;
};

/** Sends one request on a connection of its own and returns the status of its answer. */
async function visit(options: VisitOptions): Promise<number> {
  const { port, path, method = 'GET', headers = {}, body = '', from = '127.0.0.1' } = options;
  const sent = request({ host: '127.0.0.1', port, path, method, headers, localAddress: from, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

/** Sends bytes that need not be a request and waits until the other side closes. */
async function sendBytes(port: number, text: string, from = '127.0.0.1'): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  socket.end(Buffer.from(text, 'latin1'));
  await closed;
}

/** Sends one request from a new address, through a trusted proxy and, a second time, straight from an address of ours. */
async function visitTwice(what: string, options: Omit<VisitOptions, 'port'>, port = redirect.port) {
  const headers = {
    Host: 'sl.example.com',
    'User-Agent': LINUX,
    Cookie: `smartlink_session=${SESSION}`,
    ...options.headers,
  };
  const others = {
    'X-Real-IP': addresses.ipv4(`${what}: X-Real-IP`),
    Forwarded: `for="[${addresses.ipv6(`${what}: Forwarded`)}]:4711"`,
    'CF-Connecting-IP': addresses.ipv6(`${what}: CF-Connecting-IP`),
  };
  const forwarded = { ...headers, 'X-Forwarded-For': addresses.forwarded(what) };
  const statuses = [await visit({ ...options, port, headers: forwarded })];
  if (process.platform !== 'linux') return statuses;
  const from = addresses.peer(`${what}, no proxy`);
  const untrusted = addresses.ipv4(`${what}: X-Forwarded-For of a stranger`);
  statuses.push(
    await visit({ ...options, port, from, headers: { ...headers, ...others, 'X-Forwarded-For': untrusted } }),
  );
  return statuses;
}

test('visits of every kind, from addresses in every notation', async () => {
  for (let notation = 0; notation < addresses.notations; notation += 1) {
    expect(await visitTwice('a visit', { path: '/open' })).toContain(302);
  }
  const kinds: [string, Omit<VisitOptions, 'port'>, number][] = [
    ['an alias', { path: '/alias?utm_source=x&redir_url=y' }, 302],
    ['a scan', { path: '/q/open' }, 302],
    ['HEAD', { path: '/open', method: 'HEAD' }, 302],
    ['a bot', { path: '/open', headers: { 'User-Agent': 'Googlebot/2.1' } }, 302],
    ['a preview', { path: '/open', headers: { 'User-Agent': 'WhatsApp/2.23' } }, 302],
    ['a prefetch', { path: '/open', headers: { 'Sec-Purpose': 'prefetch' } }, 302],
    ['a page', { path: '/snippet' }, 200],
    ['the form', { path: '/locked' }, 200],
    ['unknown', { path: '/nobodyKnows' }, 404],
    ['paused', { path: '/paused' }, 404],
    ['deleted', { path: '/deleted' }, 410],
    ['malformed', { path: '/a.b.c' }, 404],
    ['the root', { path: '/' }, 200],
    ['a damaged link', { path: '/damaged' }, 503],
    ['a page that cannot be made', { path: '/faultyPage' }, 503],
    ['TRACE', { path: '/open', method: 'TRACE' }, 405],
    [
      'a press',
      { path: PRESS, method: 'POST', headers: { Referer: 'https://sl.example.com/card?a=b' } },
      204,
    ],
    ['a press without an id', { path: PRESS, method: 'POST', headers: { DNT: '1' } }, 204],
    ['a press of no button', { path: `${PRESS}0`, method: 'POST' }, 404],
  ];
  const statuses = [];
  for (const [what, options] of kinds) statuses.push([what, ...new Set(await visitTwice(what, options))]);
  expect(statuses).toEqual(kinds.map(([what, , status]) => [what, status]));
});

test('tries at a password, to the limit and beyond', async () => {
  const tryPassword = (password: string): Omit<VisitOptions, 'port'> => ({
    path: '/locked',
    method: 'POST',
    headers: FORM,
    body: new URLSearchParams({ password }).toString(),
  });
  for (let notation = 0; notation < 4; notation += 1) await visitTwice('a try', tryPassword('wrong'));
  expect(await visitTwice('the right password', tryPassword(PASSWORD))).toContain(303);
  await visitTwice('a try that fails', { ...tryPassword(PASSWORD), path: '/faulty' });
  const headers = { Host: 'sl.example.com', ...FORM, 'X-Forwarded-For': addresses.ipv4('too many tries') };
  const tryAgain = () => visit({ ...tryPassword('wrong'), port: redirect.port, headers });
  await until(async () => (await tryAgain()) === 429, 'the tries of a minute are used up');
});

test('malformed requests', async () => {
  for (const port of [redirect.port, managementPort]) {
    for (const bytes of [
      'nonsense\r\n\r\n',
      `GET /open HTTP/9.9\r\nHost: a\r\nX-Forwarded-For: ${addresses.ipv4('a bad version')}\r\n\r\n`,
      `GET /open HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${addresses.ipv6('too long')}\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      `POST /locked HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${addresses.ipv4('a bad length')}\r\nContent-Length: -1\r\n\r\n`,
      `GET /${'%'.repeat(50)} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${addresses.ipv4('a bad path')}\r\nConnection: close\r\n\r\n`,
    ]) {
      await sendBytes(port, bytes, process.platform === 'linux' ? addresses.peer('nonsense') : undefined);
    }
  }
});

test('calls of the API, answered, refused and broken', async () => {
  const { apiKey } = await management.createUser();
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(urlSmartlink());
  const call = (what: string, options: Omit<VisitOptions, 'port'>) =>
    visitTwice(what, { headers, ...options, path: `/api/v1${options.path}` }, managementPort);
  expect(await call('create', { path: '/smartlink', method: 'POST', body })).toContain(201);
  expect(await call('list', { path: '/smartlink' })).toContain(200);
  expect(await call('analytics', { path: '/analytics/summary' })).toContain(200);
  expect(await call('a wrong key', { path: '/smartlink', headers: { Authorization: 'Bearer x' } })).toContain(
    401,
  );
  const guess = (client: string) => {
    const key = generateApiKey(randomInt);
    const guessHeaders = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': client };
    return visit({ port: managementPort, path: '/api/v1/validate', headers: guessHeaders });
  };
  const guesser = addresses.ipv4('unknown keys');
  for (let i = 0; i < 60; i += 1) expect(await guess(guesser)).toBe(401);
  expect(await guess(guesser)).toBe(429);
  expect(await call('bad JSON', { path: '/smartlink', method: 'POST', body: '{' })).toContain(400);
  expect(await call('no route', { path: '/nothing' })).toContain(404);
  await trial.pool.query('alter table audit_entries rename to audit_away');
  expect(await call('a fault', { path: '/smartlink', method: 'POST', body })).toContain(500);
  await trial.pool.query('alter table audit_away rename to audit_entries');
});

test('none of these addresses, nor a session, is in Postgres, Redis, ClickHouse, the spool, logs or metrics', async () => {
  // What ClickHouse has not taken some seconds after a stop stays in the spool, and there would be less to look at.
  await untilDelivered(redirect, EVENTS_MIN + 1);
  const metrics = await Promise.all([
    fetch(`http://127.0.0.1:${redirect.metricsPort}/-/metrics`).then((res) => res.text()),
    metricsOf(management.app),
  ]);
  expect(await redirect.stop()).toBe(0);
  const places = await readEverything();
  places.set('log of redirects', Buffer.from(JSON.stringify(redirect.log) + redirectErrors));
  places.set('log of management', Buffer.from(management.logLines.join('')));
  places.set('metrics of redirects', Buffer.from(metrics[0]));
  places.set('metrics of management', Buffer.from(metrics[1]));

  // Otherwise there was nothing to find.
  expect(places.get('ClickHouse events as JSONEachRow')?.toString()).toContain('"button":"contact:0"');
  const textOf = (name: string) => places.get(name)?.toString('latin1') ?? '';
  expect(textOf('ClickHouse events as JSONEachRow').split('\n').length).toBeGreaterThan(EVENTS_MIN);
  expect([...places.keys()].filter((name) => name.startsWith('spool ')).length).toBeGreaterThan(0);
  expect(textOf('Redis')).toContain('unlock-network:');
  expect(textOf('Postgres audit_entries')).not.toBe('');
  for (const log of ['log of redirects', 'log of management']) expect(textOf(log)).toContain('"error"');

  expect([...places].filter(([, bytes]) => bytes.includes(SESSION)).map(([name]) => name)).toEqual([]);

  const all = findAddresses(places, addresses.used.keys());
  // The four bytes of one may stand among random ones by chance, once in some thousand runs, those of an event in each
  // place that has it, in one form; whoever keeps addresses keeps many.
  const isChance =
    new Set(all.map(({ address, form }) => `${address} ${form}`)).size === 1 &&
    new Set(all.map(({ place }) => place)).size <= CHANCE_PLACES_MAX &&
    all.every(({ address, form }) => isIPv4(address) && /^(?:bytes|hex)/.test(form));
  const found = isChance ? [] : all;
  expect(found.map((finding) => ({ ...finding, of: addresses.used.get(finding.address) }))).toEqual([]);
  const bytes = [...places.values()].reduce((sum, place) => sum + place.length, 0);
  recordFigure({
    promise: 'S14',
    trial: `${addresses.used.size} addresses, IPv4 and IPv6, visiting, trying passwords, calling the API`,
    measured: `0 of them in ${places.size} places with ${bytes} bytes, as text, number, bytes or plain hash`,
    holds: found.length === 0,
  });
});

test('an address that was put there is found, wherever and however', async () => {
  const { pool, redis, databases } = trial;
  const key = (name: string) => `${databases.redisKeyPrefix}planted:${name}`;
  await pool.query('create table planted (address inet, bytes bytea)');
  await pool.query(`insert into planted values ('203.0.113.251', '\\xcb0071fc')`);
  await redis.rpush(key('list'), 'CB0071FD');
  await redis.hset(key('hash'), 'address', '3405804030');
  await redis.set(key('2001:DB8:5CA1::1'), '');
  await addEvents(management.app, [
    makeEventRow(randomUUID(), randomUUID(), { utm_content: '2001:0db8:5ca1:0000:0000:0000:0000:0002' }),
  ]);
  appendFileSync(join(spoolDir, 'planted.open'), Buffer.from([1, 198, 51, 100, 7, 1]));
  const places = await readEverything();
  places.set('log', Buffer.from('{"peer":"::ffff:198.51.100.8","sha256":"'));
  const planted = [
    ...['203.0.113.251', '203.0.113.252', '203.0.113.253', '203.0.113.254', '2001:db8:5ca1::1'],
    ...['2001:db8:5ca1::2', '198.51.100.7', '198.51.100.8'],
  ];
  const found = findAddresses(places, planted).map(({ place, address }) => `${address}: ${place}`);
  expect([...new Set(found)]).toEqual([
    '203.0.113.251: Postgres planted',
    '203.0.113.252: Postgres planted',
    '203.0.113.253: Redis',
    '203.0.113.254: Redis',
    '2001:db8:5ca1::1: Redis',
    '2001:db8:5ca1::2: ClickHouse events as JSONEachRow',
    '2001:db8:5ca1::2: ClickHouse events as RowBinary',
    '198.51.100.7: spool planted.open',
    '198.51.100.8: log',
  ]);
});

/** All that the services have stored, by place: every row of Postgres, key of Redis, row of ClickHouse and file. */
async function readEverything(): Promise<Map<string, Buffer>> {
  const places = new Map([
    ...(await readPostgres()),
    ['Redis', await readRedis()],
    ...(await readClickhouse()),
  ]);
  for (const name of readdirSync(spoolDir, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile()) places.set(`spool ${name.name}`, readFileSync(path));
  }
  return places;
}

async function readPostgres(): Promise<[string, Buffer][]> {
  const { pool } = trial;
  const tables = await pool.query(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: [string, Buffer][] = [];
  for (const { schema, name } of tables.rows as { schema: string; name: string }[]) {
    const { rows } = await pool.query(`select t::text as row from "${schema}"."${name}" as t`);
    const lines = (rows as { row: string }[]).map(({ row }) => row);
    found.push([`Postgres ${name}`, Buffer.from(lines.join('\n'))]);
  }
  return found;
}

/** The names of all keys, whosever they are, and as bytes what stands in ours, whatever its type. */
async function readRedis(): Promise<Buffer> {
  const { redis, databases } = trial;
  const parts: Buffer[] = [];
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
    for (const key of keys) {
      parts.push(Buffer.from(key));
      if (key.startsWith(databases.redisKeyPrefix)) parts.push(...(await readKey(key)));
    }
  }
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
}

async function readKey(key: string): Promise<readonly Buffer[]> {
  const { redis } = trial;
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return [];
    case 'string':
      return [(await redis.getBuffer(key)) ?? Buffer.alloc(0)];
    case 'list':
      return redis.lrangeBuffer(key, 0, -1);
    case 'hash':
      return Object.entries(await redis.hgetallBuffer(key)).flatMap(([name, value]) => [
        Buffer.from(name),
        value,
      ]);
    case 'set':
      return redis.smembersBuffer(key);
    default:
      throw new Error(`A ${type} in Redis is not read here yet: ${key}`);
  }
}

/** Each table as text and as the bytes that its columns are kept in. */
async function readClickhouse(): Promise<[string, Buffer][]> {
  const client = createClient({ url: trial.databases.clickhouseUrl });
  try {
    const tables = await client.query({
      query: `select name from system.tables where database = currentDatabase() and engine not like '%View'`,
      format: 'JSONEachRow',
    });
    const found: [string, Buffer][] = [];
    for (const { name } of await tables.json<{ name: string }>()) {
      for (const format of ['JSONEachRow', 'RowBinary']) {
        const { stream } = await client.exec({
          query: `select * from {name:Identifier} format ${format}`,
          query_params: { name },
        });
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        found.push([`ClickHouse ${name} as ${format}`, Buffer.concat(chunks)]);
      }
    }
    return found;
  } finally {
    await client.close();
  }
}
