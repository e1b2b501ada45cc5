import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { applyRoles } from '@smartlink/test-support/test-databases';
import type { Env } from '../src/cli/terminal.js';
import { type DoctorCheck, type Finding, runDoctor } from '../src/doctor/check.js';
import { postgresCheck } from '../src/doctor/databases.js';
import { configurationCheck } from '../src/doctor/host.js';
import { portsCheck, publicCheck } from '../src/doctor/network.js';
import { spoolCheck } from '../src/doctor/spool.js';
import { useAdmin } from './run-admin.js';

const SECRET = 'Zm9yLWV5ZXMtb25seS1hbmQtbG9uZw';

const admin = useAdmin();
let folder: string;
let stranger: Server;
let strangersPort: string;
let ports: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  stranger = createServer((_, response) => response.writeHead(404).end('hello'));
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  strangersPort = String((stranger.address() as AddressInfo).port);
  ports = {};
  for (const name of ['REDIRECT_PORT', 'MANAGEMENT_PORT', 'METRICS_PORT', 'MANAGEMENT_METRICS_PORT']) {
    ports[name] = String(await freePort());
  }
});
afterAll(async () => {
  await new Promise((resolve) => stranger.close(resolve));
  await rm(folder, { recursive: true });
});

function lookUp(findings: readonly Finding[]) {
  const find = (check: string) => findings.find((finding) => finding.check === check);
  return { find, said: (check: string) => `${find(check)?.state}: ${find(check)?.seen}` };
}

async function examine(variables: Env, ...args: string[]) {
  const { exitCode, stdout, stderr } = await admin.runWith(
    { ...ports, SPOOL_DIR: folder, ...variables },
    'doctor --json',
    ...args,
  );
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return { exitCode, stdout, stderr, findings, ...lookUp(findings) };
}

/** Runs some of the checks alone. */
async function look(checks: readonly DoctorCheck[], variables: Env, publicUrl?: string) {
  const { databaseUrl, redisUrl, clickhouseUrl } = admin.databases;
  const urls = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, CLICKHOUSE_URL: clickhouseUrl };
  const env = { ...ports, ...urls, SPOOL_DIR: folder, ...variables };
  const findings = await runDoctor(checks, {
    env,
    isEmbedded: false,
    isBeforeInstall: false,
    publicUrl,
    now: () => Date.now(),
  });
  return lookUp(findings);
}

test('finds no problem in a good installation, and leaves nothing behind', async () => {
  const { exitCode, findings, find, said } = await examine({});
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
  expect(exitCode).toBe(0);
  for (const engine of ['Postgres', 'Redis', 'ClickHouse']) {
    expect(find(`${engine} version`)?.state).toBe('ok');
    expect(find(`${engine} privileges`)?.state).toBe('ok');
    expect(find(`${engine} clock`)?.state).toBe('ok');
  }
  expect([find('Postgres schema')?.state, find('ClickHouse schema')?.state]).toEqual(['ok', 'ok']);
  expect(find('uWebSockets.js')).toMatchObject({ state: 'ok' });
  expect(said('REDIRECT_PORT')).toMatch(/^warning: nothing ans/);
  expect(await readdir(folder)).toEqual([]);
});

test('accepts each login of roles.sql for its service, and names a missing right', async () => {
  const { databaseUrl } = admin.databases;
  await applyRoles(inject('stack'), databaseUrl);
  const judge = async (role: string) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c role=smartlink_${role}`);
    const { said } = await look([postgresCheck], { DATABASE_URL: url.href });
    return said('Postgres privileges');
  };
  expect(await Promise.all(['owner', 'management', 'redirect'].map(judge))).toEqual([
    'ok: smartlink_owner may do what management does',
    'ok: smartlink_management may do what management does',
    'ok: smartlink_redirect may do what redirect does',
  ]);
  await admin.db.query('revoke select on slugs from smartlink_redirect');
  await admin.db.query('revoke execute on function take_visits(uuid, integer) from smartlink_redirect');
  await admin.db.query('revoke update on webhooks from smartlink_management');
  expect(await Promise.all(['management', 'redirect'].map(judge))).toEqual([
    'problem: smartlink_management lacks update on webhooks, for management',
    'problem: smartlink_redirect lacks select on slugs, execute on take_visits, for redirect',
  ]);
});

// Nothing listens at port 1.
test.each([
  ['are away', { host: '127.0.0.1:1' }, /^\w+ at 127\.0\.0\.1:1 /, /^Start it, /],
  ['refuse the password', { password: SECRET }, /WRONGPASS|password/, /^Correct /],
])('reports that all engines %s, and shows no password', async (_, changes, seen, todo) => {
  const { databaseUrl, redisUrl, clickhouseUrl } = admin.databases;
  const changed = (url: string) => Object.assign(new URL(url), changes).href;
  const { exitCode, stdout, stderr, find } = await examine({
    DATABASE_URL: changed(databaseUrl),
    REDIS_URL: changed(redisUrl),
    CLICKHOUSE_URL: changed(clickhouseUrl),
  });
  expect(exitCode).toBe(1);
  for (const engine of ['Postgres', 'Redis', 'ClickHouse']) {
    const finding = {
      seen: expect.stringMatching(seen) as string,
      todo: expect.stringMatching(todo) as string,
    };
    expect(find(engine)).toMatchObject({ state: 'problem', ...finding });
  }
  expect(find('Node')?.state).toBe('ok');
  for (const secret of [SECRET, new URL(databaseUrl).password]) expect(stdout + stderr).not.toContain(secret);
});

test('reports a schema this build does not run on, and unpublished changes', async () => {
  const { db } = admin;
  await db.query(
    `insert into publish_outbox (slug_key, version, created_at) values ('a', 1, now() - interval '2 minutes')`,
  );
  const late = await look([postgresCheck], {});
  expect(late.said('changes to publish')).toMatch(/^problem: 1 wait, the oldest for 1\d\d s$/);
  await db.query('delete from publish_outbox');
  const { rows } = await db.query<{ number: number }>(
    'delete from schema_migration where number = 1 returning number',
  );
  const old = await look([postgresCheck], {});
  expect(rows).toHaveLength(1);
  expect(old.find('Postgres schema')?.state).toBe('problem');
});

test('reports a port that another program has, and an invalid one', async () => {
  const variables = { REDIRECT_PORT: strangersPort, METRICS_PORT: 'x' };
  const { find, said } = await look([configurationCheck, portsCheck], variables);
  expect(said('REDIRECT_PORT')).toBe(`problem: another program answers at 127.0.0.1:${strangersPort}`);
  expect(find('METRICS_PORT')?.state).toBe('problem');
  expect(find('MANAGEMENT_PORT')?.state).toBe('warning');
  const before = await examine({}, '--before-install');
  expect(before.said('MANAGEMENT_PORT')).toMatch(/^ok: .* is free$/);
  expect(find('configuration of redirect')?.seen).toContain('METRICS_PORT');
});

test('reports waiting and refused events of a spool, and other readers', async () => {
  const spool = join(folder, 'spool');
  await mkdir(join(spool, 'quarantine'), { recursive: true, mode: 0o755 });
  await writeFile(join(spool, '1700000000000-000001-w1-1-a_b-0000beef.42.seg'), 'x');
  await writeFile(join(spool, 'quarantine', 'row0.rowbinary'), 'x');
  await writeFile(join(spool, 'quarantine', 'row0.rowbinary.json'), '{}');
  const bytesMax = String(Number.MAX_SAFE_INTEGER);
  const { find, said } = await look([spoolCheck], { SPOOL_DIR: spool, SPOOL_BYTES_MAX: bytesMax });
  expect(find('spool folder')?.state).toBe('warning');
  expect(said('spool waiting')).toMatch(/^warning: 42 events in 1 /);
  expect(said('spool quarantine')).toMatch(/^warning: 1 rows/);
  expect(find('spool room')?.state).toBe('warning');
});

test.each([
  [79, 'ok'],
  [80, 'warning'],
  [95, 'problem'],
])('a spool that is %i %% full is %s, whatever was sent and gives way', async (percent, state) => {
  const spool = join(folder, `filled-${percent}`);
  await mkdir(join(spool, 'sent'), { recursive: true, mode: 0o700 });
  const name = `${Date.now()}-000001-w1-1-a_b-0000beef.42`;
  await writeFile(join(spool, `${name}.seg`), Buffer.alloc(percent * 20_000));
  await writeFile(join(spool, 'sent', `${name}.${Date.now()}.sent`), Buffer.alloc(500_000));
  const { find } = await look([spoolCheck], { SPOOL_DIR: spool, SPOOL_BYTES_MAX: '2000000' });
  expect(find('spool room')?.state).toBe(state);
  // Nobody answers at the port of the metrics.
  expect(find('dropped events')?.state).toBe('unknown');
});

test('reports a proxy that redirect does not trust, and that it trusts every address', async () => {
  const edge = `http://127.0.0.1:${strangersPort}`;
  const judge = (variables: Env) => look([publicCheck], variables, edge);
  const [away, unnamed, named, everybody] = await Promise.all([
    // Without any variable of redirect, its absence is not a fault.
    judge({ SPOOL_DIR: undefined, REDIRECT_PORT: undefined, METRICS_PORT: undefined }),
    judge({}),
    judge({ TRUSTED_PROXIES: '127.0.0.1' }),
    judge({ TRUSTED_PROXIES: '0.0.0.0/0' }),
  ]);
  expect(away.find('TRUSTED_PROXIES')?.state).toBe('unknown');
  expect(unnamed.said('TRUSTED_PROXIES')).toMatch(/^problem: .*empty/);
  expect(unnamed.said('public address')).toMatch(/^warning: .*not redirect's/);
  expect(named.find('TRUSTED_PROXIES')?.state).toBe('ok');
  expect(everybody.said('TRUSTED_PROXIES')).toBe('problem: trusts every address');
});

test('config print shows the sources of values, and no secrets, including those of files and invalid ones', async () => {
  const file = join(folder, 'cookie-secrets');
  await writeFile(file, `${SECRET}-and-more,${SECRET}\n`);
  const variables = {
    DATABASE_URL: `postgres://app:${SECRET}@127.0.0.1/smartlink`,
    COOKIE_SECRETS_FILE: file,
    SAFETY_API_KEY: SECRET,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${SECRET}`,
    // A secret in the wrong place.
    REDIRECT_PORT: SECRET,
  };
  const { exitCode, stdout, stderr } = await admin.runWith(variables, 'config print --json');
  const database = { name: 'DATABASE_URL', value: 'postgres://app:***@127.0.0.1/smartlink', source: 'given' };
  const contain = (object: object) => expect.arrayContaining([expect.objectContaining(object)]) as unknown[];
  const printed = JSON.parse(stdout) as { variables: object[]; problems: object[] };
  expect(printed.variables).toEqual(contain(database));
  expect(printed.variables).toEqual(
    contain({ name: 'SPOOL_BYTES_MAX', value: '4294967296', source: 'default' }),
  );
  expect(printed.variables).toEqual(contain({ name: 'COOKIE_SECRETS', source: 'file' }));
  expect(printed.problems).toEqual(contain({ problem: expect.stringMatching(/^REDIRECT_PORT: /) as string }));
  expect(exitCode).toBe(1);
  expect(stdout + stderr).not.toContain(SECRET);
});
