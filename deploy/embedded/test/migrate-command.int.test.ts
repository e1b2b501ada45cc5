import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createClient } from '@clickhouse/client';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../migrate/dist/main.js', import.meta.url));
const NAME = `migrate_command_${String(process.pid)}`;
const stack = inject('stack');
const at = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
const env = { DATABASE_URL: at(stack.databaseUrl, NAME), CLICKHOUSE_URL: at(stack.clickhouseUrl, NAME) };

const admin = new Client({ connectionString: stack.databaseUrl });
beforeAll(async () => {
  await admin.connect();
  await admin.query(`create database ${NAME}`);
});
afterAll(async () => {
  await admin.query(`drop database ${NAME} with (force)`);
  await admin.end();
  const clickhouse = createClient({ url: at(stack.clickhouseUrl, '') });
  await clickhouse.command({ query: `drop database if exists ${NAME} sync` });
  await clickhouse.close();
});

async function run(args: readonly string[], overrides: Record<string, string> = {}, waitSeconds = '0') {
  const child = spawn(process.execPath, [MAIN, '--wait-seconds', waitSeconds, ...args], {
    env: { ...env, ...overrides },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

it('reports pending migrations, applies them, and reports that none is pending', async () => {
  const [check, dryRun] = await Promise.all([run(['--check']), run(['--dry-run'])]);
  expect([check.code, dryRun.code]).toEqual([1, 0]);
  expect(check.stdout).toBe(dryRun.stdout);
  expect(check.stdout).toContain('postgres: 0001_create_smartlinks.sql is pending\n');
  expect(check.stdout).toContain('clickhouse: 0001_create_events.sql is pending\n');

  const applied = await run([]);
  expect(applied.code).toBe(0);
  expect(await run(['--check'])).toEqual({ code: 0, stdout: 'Nothing is pending.\n', stderr: '' });

  // As after an older release without the column: readable, and the next run adds it.
  const client = new Client({ connectionString: env.DATABASE_URL });
  const clickhouse = createClient({ url: env.CLICKHOUSE_URL });
  await client.connect();
  await client.query('alter table schema_migration drop column compatible_from');
  await clickhouse.command({ query: 'alter table schema_migration drop column compatible_from' });
  expect((await run(['--check'])).code).toBe(0);
  expect((await run([])).stdout).toBe('Nothing to do.\n');
  await client.query('select compatible_from from schema_migration');
  await clickhouse.command({ query: 'select compatible_from from schema_migration format Null' });
  await client.end();
  await clickhouse.close();
}, 120_000);

it('names an unusable database, its address and the reason in one line, without the password', async () => {
  // Nothing listens there, and no program gets it by chance.
  const port = 1;
  const wrong = (url: string) => Object.assign(new URL(url), { password: 'not-this-one' }).href;
  const cases: readonly [Record<string, string>, RegExp][] = [
    [
      { DATABASE_URL: `postgres://app:not-this-one@127.0.0.1:${port}/x` },
      new RegExp(`^Migration failed: Postgres at 127\\.0\\.0\\.1:${port} refuses the connection.*\n$`),
    ],
    [
      { DATABASE_URL: wrong(env.DATABASE_URL) },
      /^Migration failed: Postgres at 127\.0\.0\.1:\d+ rejects the password of user \w+\n$/,
    ],
    [
      { DATABASE_URL: at(env.DATABASE_URL, 'not_there') },
      /^Migration failed: Postgres at 127\.0\.0\.1:\d+ has no database not_there: create database not_there\n$/,
    ],
    [
      { CLICKHOUSE_URL: `http://app:not-this-one@127.0.0.1:${port}/x` },
      new RegExp(`^Migration failed: ClickHouse at 127\\.0\\.0\\.1:${port} refuses the connection.*\n$`),
    ],
    [
      { CLICKHOUSE_URL: wrong(env.CLICKHOUSE_URL) },
      /^Migration failed: ClickHouse at 127\.0\.0\.1:\d+ rejects the password of user \w+\n$/,
    ],
  ];
  const runs = await Promise.all(cases.map(([overrides]) => run([], overrides)));
  for (const [index, [, expected]] of cases.entries()) {
    expect(runs[index]).toMatchObject({ code: 1, stdout: '' });
    expect(runs[index]?.stderr).toMatch(expected);
    expect(runs[index]?.stderr).not.toContain('not-this-one');
  }
}, 120_000);

it('does not wait for a database that runs and refuses', async () => {
  const wrong = Object.assign(new URL(env.CLICKHOUSE_URL), { password: 'not-this-one' }).href;
  const runs = await Promise.all([
    run([], { DATABASE_URL: at(env.DATABASE_URL, 'Not-there') }, '3600'),
    run([], { CLICKHOUSE_URL: wrong }, '3600'),
  ]);
  expect(runs).toMatchObject([
    { code: 1, stdout: '' },
    { code: 1, stdout: '' },
  ]);
  expect(runs[0].stderr).toMatch(/has no database Not-there: create database "Not-there"\n$/);
}, 120_000);
