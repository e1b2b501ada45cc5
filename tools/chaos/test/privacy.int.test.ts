import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { createClosers } from '@smartlink/test-support/closers';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { until } from '@smartlink/test-support/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEvents, startServiceOn, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { TestService } from '../../../services/management/test/start-service.js';
import { SET_STATUS } from '../../../services/redirect/test/link-store.js';
import { startRedirect, untilDelivered } from '../../../services/redirect/test/start-redirect.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';
import { openTrial } from '../../../services/redirect/test/trial.js';
import type { Trial } from '../../../services/redirect/test/trial.js';
import { findAddresses } from './privacy-addresses.js';
import { readEverything } from './privacy-stored.js';
import { createAddresses, sendBytes, visit } from './privacy-visitor.js';
import type { VisitOptions } from './privacy-visitor.js';

// Reliability goal S14: whoever has all that we keep cannot tell who has visited.

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const PASSWORD = 'correct horse';
// Fewer than the visits below make, all of them counted or not.
const EVENTS_MIN = 20;
// The spool, and both formats in which events are read from ClickHouse.
const CHANCE_PLACES_MAX = 3;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const spoolDir = mkdtempSync(join(tmpdir(), 'smartlink-privacy-'));
const addresses = createAddresses();
const closers = createClosers();
let trial: Trial;
let redirect: Redirect;
let redirectErrors = '';
let management: Omit<TestService, 'close'>;
let managementPort: number;

beforeAll(async () => {
  closers.add(() => {
    rmSync(spoolDir, { recursive: true, force: true });
  });
  trial = await openTrial();
  closers.add(trial.close);
  management = await startServiceOn(trial.databases);
  closers.add(() => management.app.close());
  managementPort = Number(new URL(await management.app.listen({ port: 0, host: '127.0.0.1' })).port);
  redirect = await startRedirect(trial.databases, {
    TRUSTED_PROXIES: '127.0.0.1',
    SPOOL_DIR: spoolDir,
    LOG_LEVEL: 'trace',
  });
  closers.add(redirect.stop);
  redirect.process.stderr?.on('data', (chunk: Buffer) => (redirectErrors += chunk.toString()));
  await trial.links.insert({ slug: 'open', aliases: ['alias'], url: 'https://example.org/' });
  await trial.links.insert({ slug: 'locked', url: 'https://example.org/', password: PASSWORD });
  await trial.links.insert({ slug: 'paused', url: 'https://example.org/', status: 'Paused' });
  await trial.links.insert({ slug: 'snippet', type: 'TxtBin', content: { txtBin: { text: 'hello' } } });
  await trial.links.insert({ slug: 'faultyPage', type: 'QrMenu', content: { qrMenu: { categories: 1 } } });
  const deleted = await trial.links.insert({ slug: 'deleted', url: 'https://example.org/' });
  await trial.links.update(deleted, SET_STATUS, 'Deleted');
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

/** Sends one request from a new address, through a trusted proxy and, a second time, straight from an address of ours. */
async function visitTwice(what: string, options: Omit<VisitOptions, 'port'>, port = redirect.port) {
  const headers = { Host: 'sl.example.com', 'User-Agent': BROWSER, ...options.headers };
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
    ['malformed', { path: '/a-b-c' }, 404],
    ['the root', { path: '/' }, 200],
    ['a damaged link', { path: '/damaged' }, 503],
    ['a page that cannot be made', { path: '/faultyPage' }, 503],
    ['TRACE', { path: '/open', method: 'TRACE' }, 405],
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

test('requests that are none', async () => {
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
  expect(await call('bad JSON', { path: '/smartlink', method: 'POST', body: '{' })).toContain(400);
  expect(await call('no route', { path: '/nothing' })).toContain(404);
  await trial.pool.query('alter table audit_entries rename to audit_away');
  expect(await call('a fault', { path: '/smartlink', method: 'POST', body })).toContain(500);
  await trial.pool.query('alter table audit_away rename to audit_entries');
});

test('none of these addresses is in Postgres, Redis, ClickHouse, the spool, logs or metrics', async () => {
  // What ClickHouse has not taken some seconds after a stop stays in the spool, and there would be less to look at.
  await untilDelivered(redirect, EVENTS_MIN + 1);
  const metrics = await Promise.all([
    fetch(`http://127.0.0.1:${redirect.metricsPort}/-/metrics`).then((res) => res.text()),
    fetch(`http://127.0.0.1:${managementPort}/-/metrics`).then((res) => res.text()),
  ]);
  expect(await redirect.stop()).toBe(0);
  const places = await readEverything(trial, spoolDir);
  places.set('log of redirects', Buffer.from(JSON.stringify(redirect.log) + redirectErrors));
  places.set('log of management', Buffer.from(management.logLines.join('')));
  places.set('metrics of redirects', Buffer.from(metrics[0]));
  places.set('metrics of management', Buffer.from(metrics[1]));

  // Otherwise there was nothing to find.
  const textOf = (name: string) => places.get(name)?.toString('latin1') ?? '';
  expect(textOf('ClickHouse events as JSONEachRow').split('\n').length).toBeGreaterThan(EVENTS_MIN);
  expect([...places.keys()].filter((name) => name.startsWith('spool ')).length).toBeGreaterThan(0);
  expect(textOf('Redis')).toContain('unlock-network:');
  expect(textOf('Postgres audit_entries')).not.toBe('');
  for (const log of ['log of redirects', 'log of management']) expect(textOf(log)).toContain('"error"');

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
  const places = await readEverything(trial, spoolDir);
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
