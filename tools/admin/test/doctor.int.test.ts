import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Env } from '../src/addresses.js';
import type { Finding } from '../src/doctor-check.js';
import { openAdmin } from './run-admin.js';
import type { Admin } from './run-admin.js';

const SECRET = 'Zm9yLWV5ZXMtb25seS1hbmQtbG9uZw';

let admin: Admin;
let folder: string;
let stranger: Server;
let strangersPort: string;
let ports: Env;

beforeAll(async () => {
  admin = await openAdmin();
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  stranger = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangersPort = String((stranger.address() as AddressInfo).port);
  const [redirect, management, metrics] = await Promise.all([freePort(), freePort(), freePort()]);
  ports = { REDIRECT_PORT: redirect, MANAGEMENT_PORT: management, METRICS_PORT: metrics };
});
afterAll(async () => {
  await new Promise((resolve) => stranger.close(resolve));
  await rm(folder, { recursive: true });
  await admin.close();
});

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function examine(variables: Env, ...args: string[]) {
  const { exitCode, stdout, stderr } = await admin.runWith(
    { ...ports, SPOOL_DIR: folder, ...variables },
    'doctor',
    '--json',
    ...args,
  );
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  const find = (check: string) => findings.find((finding) => finding.check === check);
  return { exitCode, stdout, stderr, findings, find };
}

const withPassword = (url: string, password: string): string => {
  const changed = new URL(url);
  changed.password = password;
  return changed.href;
};

test('finds no problem in a good installation, and leaves nothing behind', async () => {
  const { exitCode, findings, find } = await examine({});
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(exitCode).toBe(0);
  for (const engine of ['Postgres', 'Redis', 'ClickHouse']) {
    expect(find(`${engine} version`)?.state).toBe('ok');
    expect(find(`${engine} privileges`)?.state).toBe('ok');
    expect(find(`${engine} clock`)?.state).toBe('ok');
  }
  expect([find('Postgres schema')?.state, find('ClickHouse schema')?.state]).toEqual(['ok', 'ok']);
  expect(find('uWebSockets.js')).toMatchObject({ state: 'ok' });
  expect(find('REDIRECT_PORT')?.seen).toContain('free');
  expect(await readdir(folder)).toEqual([]);
});

test('tells wrong passwords of all engines at once, and shows none', async () => {
  const { databaseUrl, redisUrl, clickhouseUrl } = admin.databases;
  const { exitCode, stdout, stderr, find } = await examine({
    DATABASE_URL: withPassword(databaseUrl, SECRET),
    REDIS_URL: withPassword(redisUrl, SECRET),
    CLICKHOUSE_URL: withPassword(clickhouseUrl, SECRET),
  });
  expect(exitCode).toBe(1);
  expect(find('Postgres')).toMatchObject({ state: 'problem', seen: expect.stringContaining('password') });
  expect(find('Redis')).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/WRONGPASS|password/),
  });
  expect(find('ClickHouse')).toMatchObject({ state: 'problem', seen: expect.stringContaining('password') });
  expect(stdout + stderr).not.toContain(SECRET);
});

test('tells which engines are away', async () => {
  const away = await freePort();
  const { exitCode, find } = await examine({
    DATABASE_URL: `postgres://smartlink:${SECRET}@127.0.0.1:${away}/smartlink`,
    REDIS_URL: `redis://127.0.0.1:${away}`,
    CLICKHOUSE_URL: `http://smartlink:${SECRET}@127.0.0.1:${away}/smartlink`,
  });
  expect(exitCode).toBe(1);
  for (const engine of ['Postgres', 'Redis', 'ClickHouse']) expect(find(engine)?.state).toBe('problem');
  expect(find('Node')?.state).toBe('ok');
});

test('tells a schema this build does not run on, and changes that nobody publishes', async () => {
  const { db } = admin;
  await db.query(
    `insert into publish_outbox (slug_key, version, created_at) values ('a', 1, now() - interval '2 minutes')`,
  );
  const late = await examine({});
  expect(late.find('changes to publish')).toMatchObject({
    state: 'problem',
    seen: '1 wait, the oldest for 120 s',
  });
  await db.query('delete from publish_outbox');
  const { rows } = await db.query<{ number: number }>(
    'delete from schema_migration where number = 1 returning number',
  );
  const old = await examine({});
  expect(rows).toHaveLength(1);
  expect([old.exitCode, old.find('Postgres schema')?.state]).toEqual([1, 'problem']);
});

test('tells a port that another program has, and one that is none', async () => {
  const { exitCode, find } = await examine({ REDIRECT_PORT: strangersPort, METRICS_PORT: 'x' });
  expect(exitCode).toBe(1);
  expect(find('REDIRECT_PORT')).toMatchObject({
    state: 'problem',
    seen: `another program answers at 127.0.0.1:${strangersPort}`,
  });
  expect(find('METRICS_PORT')?.state).toBe('problem');
  expect(find('configuration of redirect')?.seen).toContain('METRICS_PORT');
});

test('tells what waits in a spool, what was refused, and who else may read it', async () => {
  const spool = join(folder, 'spool');
  await mkdir(join(spool, 'quarantine'), { recursive: true, mode: 0o755 });
  await writeFile(join(spool, '1700000000000-000001-w1-1-a_b-0000beef.42.seg'), 'x');
  await writeFile(join(spool, 'quarantine', 'row0.rowbinary'), 'x');
  await writeFile(join(spool, 'quarantine', 'row0.rowbinary.json'), '{}');
  const { find } = await examine({ SPOOL_DIR: spool, SPOOL_BYTES_MAX: String(Number.MAX_SAFE_INTEGER) });
  expect(find('spool folder')?.state).toBe('warning');
  expect(find('spool waiting')).toMatchObject({
    state: 'warning',
    seen: expect.stringMatching(/^42 events in 1 /),
  });
  expect(find('spool quarantine')).toMatchObject({
    state: 'warning',
    seen: expect.stringMatching(/^1 rows/),
  });
  expect(find('spool room')?.state).toBe('warning');
});

test('tells a proxy that redirect does not believe, and that it believes everybody', async () => {
  const edge = `http://127.0.0.1:${strangersPort}`;
  const unnamed = await examine({}, '--public-url', edge);
  expect(unnamed.find('TRUSTED_PROXIES')).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('empty'),
  });
  expect(unnamed.find('public address')?.state).toBe('warning');
  const named = await examine({ TRUSTED_PROXIES: '127.0.0.1' }, '--public-url', edge);
  expect(named.find('TRUSTED_PROXIES')?.state).toBe('ok');
  const everybody = await examine({ TRUSTED_PROXIES: '0.0.0.0/0' }, '--public-url', edge);
  expect(everybody.find('TRUSTED_PROXIES')).toMatchObject({ state: 'problem', seen: 'believes everybody' });
});

test('config print shows where values come from, and no secret, of files and wrong ones neither', async () => {
  const file = join(folder, 'cookie-secrets');
  await writeFile(file, `${SECRET}-and-more,${SECRET}\n`);
  const { exitCode, stdout, stderr } = await admin.runWith(
    {
      DATABASE_URL: `postgres://app:${SECRET}@127.0.0.1/smartlink`,
      COOKIE_SECRETS_FILE: file,
      SAFETY_API_KEY: SECRET,
      SAFETY_HTTP_TOKEN: SECRET,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
      // A secret in the wrong place.
      REDIRECT_PORT: SECRET,
    },
    'config',
    'print',
    '--json',
  );
  const { variables, problems } = JSON.parse(stdout) as {
    variables: readonly { service: string; name: string; value: string | null; source: string }[];
    problems: readonly { service: string; problem: string }[];
  };
  const find = (name: string) => variables.find((variable) => variable.name === name);
  expect(find('DATABASE_URL')).toMatchObject({
    value: 'postgres://app:***@127.0.0.1/smartlink',
    source: 'given',
  });
  expect(find('SPOOL_BYTES_MAX')).toMatchObject({ value: '4294967296', source: 'default' });
  expect(find('COOKIE_SECRETS')?.source).toBe('file');
  expect(problems.map(({ problem }) => problem.split(':')[0])).toContain('REDIRECT_PORT');
  expect(exitCode).toBe(1);
  expect(stdout + stderr).not.toContain(SECRET);
});
