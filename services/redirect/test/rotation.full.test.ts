import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClosers } from '@smartlink/test-support/closers';
import { request } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { startVisitors } from './rolling-visitors.js';
import { type Redirect, startRedirect } from './start-redirect.js';
import { openTrial, type Trial } from './trial.js';

// docs/operate.md, done to the letter: a second login beside the first, the files, a rolling restart, the first one gone.

const closers = createClosers();
const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-rotation-'));
const suffix = randomBytes(4).toString('hex');
/** Of cookies: the newest first. */
const secrets: string[] = [];
let trial: Trial;
let redirect: Redirect;

beforeAll(async () => {
  trial = await openTrial();
  closers.add(async () => {
    for (const name of ['a', 'b']) await dropLogins(name);
    await trial.close();
    rmSync(folder, { recursive: true });
  });
  await trial.links.insert({ slug: 'Known', url: 'https://example.org/known' });
  await createLogins('a');
  redirect = await startRedirect(trial.databases, {
    REDIRECT_PROCESSES: '2',
    DATABASE_URL: '',
    REDIS_URL: '',
    DATABASE_URL_FILE: path.join(folder, 'DATABASE_URL'),
    REDIS_URL_FILE: path.join(folder, 'REDIS_URL'),
    COOKIE_SECRETS_FILE: path.join(folder, 'COOKIE_SECRETS'),
  });
  closers.add(redirect.stop);
});
afterAll(closers.close);

test('logins of Postgres and Redis and the cookie secret are replaced under load, and no visit on a kept connection fails', async () => {
  const visitors = await startVisitors({
    host: '127.0.0.1',
    port: redirect.port,
    slug: 'Known',
    freshPerSecond: 1,
    keepAlive: 4,
    pauseMs: 4,
    first: 0,
    visitsMax: 20_000,
  });
  closers.add(visitors.stop);
  // What no engine takes changes nothing, however often it is tried.
  const right = readFileSync(path.join(folder, 'DATABASE_URL'), 'utf8');
  writeFileSync(path.join(folder, 'DATABASE_URL'), withLogin(right, `a_${suffix}`, 'wrong'));
  redirect.process.kill('SIGUSR2');
  const failed = await until(
    () => redirect.log.find(({ msg }) => msg.startsWith('rolling restart failed')),
    'the roll is refused',
  );
  expect(failed['reason']).toBe('the login in DATABASE_URL is refused');

  await createLogins('b');
  redirect.process.kill('SIGUSR2');
  await until(
    () => redirect.log.some(({ msg }) => msg === 'rolling restart is complete'),
    'every worker is replaced',
    60_000,
  );
  // Whoever used the first ones has nothing left.
  await dropLogins('a');
  await until(async () => (await logins()).join() === `b_${suffix}`, 'all use the second ones');

  // A slug that nobody has asked for takes a worker's connection to Postgres.
  const id = await trial.links.insert({ slug: 'New', url: 'https://example.org/new' });
  await until(async () => (await visit('/New')).status === 302, 'the slug is found');
  // A change that management has left behind takes the primary's own, to Postgres and to Redis.
  await trial.links.update(id, 'status = $2', 'Paused');
  await trial.pool.query(
    `insert into publish_outbox (slug_key, version, created_at) values ('new', 2, now() - interval '6 s')`,
  );
  await until(async () => (await visit('/New')).status === 404, 'the change is seen');
  const published = 'smartlink_redirect_overdue_changes_total{event="published"}';
  // Workers may hear of it before the primary has heard that Redis took it.
  await until(async () => (await redirect.metric(published)) === 1, 'it is counted');

  const { failures, redirected } = await visitors.stop();
  expect(redirected.length).toBeGreaterThan(100);
  expect(failures.filter(({ kind }) => kind === 'kept')).toEqual([]);
});

const visit = (target: string) =>
  request(redirect.port, [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close']);

/** Makes a login of each engine, and lets the files name them. */
async function createLogins(name: string): Promise<void> {
  const login = `${name}_${suffix}`;
  const password = randomBytes(24).toString('hex');
  await trial.pool.query(`create role ${login} login password '${password}'`);
  await trial.pool.query(`grant select on all tables in schema public to ${login}`);
  await trial.redis.call('acl', 'setuser', login, 'on', `>${password}`, '~*', '&*', '+@all');
  const addresses = { DATABASE_URL: trial.databases.databaseUrl, REDIS_URL: trial.databases.redisUrl };
  for (const [variable, address] of Object.entries(addresses)) {
    writeFileSync(path.join(folder, variable), withLogin(address, login, password));
  }
  secrets.unshift(randomBytes(32).toString('hex'));
  writeFileSync(path.join(folder, 'COOKIE_SECRETS'), secrets.join(','));
}

async function dropLogins(name: string): Promise<void> {
  const login = `${name}_${suffix}`;
  const { rowCount } = await trial.pool.query('select 1 from pg_roles where rolname = $1', [login]);
  if (rowCount === 0) return;
  await trial.pool.query(`alter role ${login} nologin`);
  await trial.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
    login,
  ]);
  await trial.pool.query(`drop owned by ${login}`);
  await trial.pool.query(`drop role ${login}`);
  await trial.redis.call('acl', 'deluser', login);
}

async function logins(): Promise<readonly string[]> {
  const { rows } = await trial.pool.query<{ name: string }>(
    `select distinct usename as name from pg_stat_activity where application_name like 'smartlink-redirect%' and usename like $1`,
    [`%${suffix}`],
  );
  return rows.map((row) => row.name);
}

function withLogin(address: string, login: string, password: string): string {
  const url = new URL(address);
  url.username = login;
  url.password = password;
  return url.href;
}
