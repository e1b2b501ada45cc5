import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@clickhouse/client';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { MIGRATION_FOLDERS, migrateClickhouse, migratePostgres } from '@smartlink/migrate/migrate';
import { SCHEMA_NEEDED } from '@smartlink/process/schema';
import { createClosers } from '@smartlink/test-support/closers';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { until } from '@smartlink/test-support/until';
import {
  listeningPort,
  type ManagementProcess,
  startProcess,
} from '../../../services/management/test/start-process.js';
import { type Redirect, startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { addCaller, callApi } from './changes-harness.js';

// Migrations of a release to come, behind those of this one. What they add, nothing of this release knows.
const four = (number: number) => String(number).padStart(4, '0');
const nextIn = (folder: string) =>
  Math.max(...readdirSync(folder).map((name) => Number(name.slice(0, 4)))) + 1;
const POSTGRES_NEXT = nextIn(MIGRATION_FOLDERS.postgres);
const CLICKHOUSE_NEXT = nextIn(MIGRATION_FOLDERS.clickhouse);
const POSTGRES_EXPAND = `-- What the next release needs beside what there is.
-- compatible-from: ${four(SCHEMA_NEEDED.Postgres)}
alter table smartlinks add column trial_note text;
create table trial_notes (id bigint primary key generated always as identity, smartlink_id uuid references smartlinks (id) on delete cascade);
create index trial_smartlinks_note on smartlinks (trial_note) where trial_note is not null;
`;
const CLICKHOUSE_EXPAND = `-- compatible-from: ${four(SCHEMA_NEEDED.ClickHouse)}
alter table events {on_cluster} add column if not exists trial_note LowCardinality(String);
create table if not exists trial_notes {on_cluster} (n UInt8) engine = {engine_prefix}MergeTree order by n;
`;

const closers = createClosers();
let databases: TestDatabases;
let pool: Pool;
let apiKey: string;
let folders: { readonly postgres: string; readonly clickhouse: string };

beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'));
  closers.add(databases.drop);
  pool = new Pool({ connectionString: databases.databaseUrl, max: 2 });
  closers.add(() => pool.end());
  apiKey = await addCaller(pool);
  const root = mkdtempSync(path.join(tmpdir(), 'smartlink-upgrade-'));
  closers.add(() => {
    rmSync(root, { recursive: true });
  });
  folders = { postgres: path.join(root, 'postgres'), clickhouse: path.join(root, 'clickhouse') };
  cpSync(MIGRATION_FOLDERS.postgres, folders.postgres, { recursive: true });
  cpSync(MIGRATION_FOLDERS.clickhouse, folders.clickhouse, { recursive: true });
  writeFileSync(path.join(folders.postgres, `${four(POSTGRES_NEXT)}_expand.sql`), POSTGRES_EXPAND);
  writeFileSync(path.join(folders.clickhouse, `${four(CLICKHOUSE_NEXT)}_expand.sql`), CLICKHOUSE_EXPAND);
});
afterAll(closers.close);

const started: ManagementProcess[] = [];
beforeEach(() => async () => {
  for (const management of started.splice(0)) {
    management.child.kill('SIGKILL');
    await management.ended;
  }
});

function startManagement(): ManagementProcess {
  const { databaseUrl, redisUrl, clickhouseUrl, redisKeyPrefix } = databases;
  const management = startProcess(
    {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      REDIS_KEY_PREFIX: redisKeyPrefix,
      MANAGEMENT_PORT: '0',
      MANAGEMENT_METRICS_PORT: '0',
      TOTALS_AGE_MAX_MS: '0',
    },
    ['--wait-seconds', '5'],
  );
  started.push(management);
  return management;
}

const callerOf = (port: number) => callApi(port, apiKey);

const visit = async (port: number, slug: string) => {
  const headers = {
    // A program's own would be taken for a bot.
    'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'accept-language': 'en',
  };
  const res = await fetch(`http://127.0.0.1:${port}/${slug}`, { redirect: 'manual', headers });
  return [res.status, res.headers.get('location')];
};

/** Starts the redirect service where it must not run, and returns what it said until it ended. */
async function redirectRefusal(): Promise<string> {
  const started = await startRedirect(databases).catch(String);
  if (typeof started === 'string') return started;
  // Of a Postgres that takes more than half a second nobody knows its schema at the start; it is looked at again.
  const { process: child, log, stop } = started;
  try {
    await until(() => child.exitCode !== null, 'it ends by itself');
    return JSON.stringify(log);
  } finally {
    await stop();
  }
}

const urlLink = (slug: string, url: string) => ({
  configuration: { smartlinkName: slug, smartlinkType: 'Url', smartlinkUrl: slug },
  shortener: { url },
});

/** Creates, reads, changes, visits and deletes a link, and finds its visits in its analytics. */
async function useEverything(api: ReturnType<typeof callerOf>, redirectPort: number, slug: string) {
  const { data } = await api('POST', 'smartlink', urlLink(slug, 'https://example.org/first'));
  expect(await visit(redirectPort, slug)).toEqual([302, 'https://example.org/first']);
  await api('PATCH', 'smartlink', { id: data.id, shortener: { url: 'https://example.org/second' } });
  await until(
    async () => (await visit(redirectPort, slug))[1] === 'https://example.org/second',
    'the change is seen',
  );
  await until(async () => {
    const res = await api('GET', `smartlink/analytics?id=${data.id}`);
    return /"clicks":[1-9]|"totalClicks":[1-9]/.test(JSON.stringify(res));
  }, 'the visits are in analytics');
  return data.id;
}

test('services of this release run on through the migrations of the next, and start on its schema', async () => {
  const first = startManagement();
  const redirect = await startRedirect(databases, { REDIRECT_PROCESSES: '1' });
  try {
    const api = callerOf(await listeningPort(first));
    const oldLink = await useEverything(api, redirect.port, 'before');

    const { databaseUrl, clickhouseUrl } = databases;
    expect(await migratePostgres({ databaseUrl, folder: folders.postgres })).toHaveLength(1);
    expect(await migrateClickhouse({ clickhouseUrl, folder: folders.clickhouse })).toHaveLength(1);
    await useEverything(api, redirect.port, 'after');

    // A restarted process, for instance after a crash, checks the current schema.
    const second = startManagement();
    const again = callerOf(await listeningPort(second));
    const restarted = await startRedirect(databases, { REDIRECT_PROCESSES: '1' });
    try {
      const link = await useEverything(again, restarted.port, 'anew');
      expect(await visit(restarted.port, 'before')).toEqual([302, 'https://example.org/second']);
      for (const smartlinkId of [oldLink, link]) await again('DELETE', 'smartlink', { smartlinkId });
      await until(async () => (await visit(restarted.port, 'before'))[0] === 410, 'the link is gone');
    } finally {
      await restarted.stop();
    }
  } finally {
    await redirect.stop();
  }
}, 120_000);

test('a schema that says this release cannot run on it is refused, by name', async () => {
  const name = `${four(POSTGRES_NEXT + 1)}_contract.sql`;
  await pool.query(
    'insert into schema_migration (number, name, sha256, compatible_from) values ($1, $2, $3, $1)',
    [POSTGRES_NEXT + 1, name, 'of a later release'],
  );
  try {
    const management = startManagement();
    expect(await redirectRefusal()).toContain(name);
    expect(await management.ended).toBe(1);
    expect(management.output()).toContain(name);
    expect(management.output()).toContain('run the newer release');
  } finally {
    await pool.query('delete from schema_migration where name = $1', [name]);
  }
}, 120_000);

test('an older schema is refused, and the line names the command', async () => {
  const { rows } = await pool.query('delete from schema_migration where number >= $1 returning *', [
    SCHEMA_NEEDED.Postgres,
  ]);
  try {
    const management = startManagement();
    expect(await redirectRefusal()).toContain('npm run migrate');
    expect(await management.ended).toBe(1);
    expect(management.output()).toMatch(/this build needs \d{4}: npm run migrate/);
  } finally {
    for (const row of rows as { number: number; name: string; sha256: string; compatible_from: number }[]) {
      await pool.query(
        'insert into schema_migration (number, name, sha256, compatible_from) values ($1, $2, $3, $4)',
        [row.number, row.name, row.sha256, row.compatible_from],
      );
    }
  }
}, 120_000);

/**
 * Starts the redirect service until it has judged the schema of ClickHouse at its start. Of one that takes more than half
 * a second it does not know the schema then, and sends events at once.
 */
const startJudging = (): Promise<Redirect> =>
  until(async () => {
    const redirect = await startRedirect(databases, { REDIRECT_PROCESSES: '1' });
    try {
      const said = await until(
        () => redirect.log.find(({ msg }) => /^ClickHouse (?:is not usable|does not answer)/.test(msg)),
        'it says how it found ClickHouse',
      );
      if (said.msg.startsWith('ClickHouse is not usable')) return redirect;
    } catch (err) {
      await redirect.stop();
      throw err;
    }
    await redirect.stop();
    return null;
  }, 'ClickHouse answers at a start');

test('while the schema of ClickHouse is unknown visitors are served, and their events wait', async () => {
  const api = callerOf(await listeningPort(startManagement()));
  const { data } = await api('POST', 'smartlink', urlLink('waits', 'https://example.org/'));
  const clickhouse = createClient({ url: databases.clickhouseUrl });
  const rename = (from: string, to: string) => clickhouse.command({ query: `rename table ${from} to ${to}` });
  await rename('schema_migration', 'schema_migration_away');
  const redirect = await startJudging();
  try {
    expect((await visit(redirect.port, 'waits'))[0]).toBe(302);
    await until(
      async () => (await redirect.metric('smartlink_redirect_events_total{fate="accepted"}')) === 1,
      'the visit is an event',
    );
    const refused = startManagement();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain('ClickHouse has no schema_migration');
    expect(await redirect.metric('smartlink_redirect_shipper_total{event="inserts"}')).toBe(0);
    await rename('schema_migration_away', 'schema_migration');
    await until(async () => {
      const result = await clickhouse.query({
        query: 'select count() as visits from events final where smartlink_id = {id:UUID}',
        query_params: { id: data.id },
        format: 'JSONEachRow',
      });
      const [row] = await result.json<{ visits: number | string }>();
      return Number(row?.visits) === 1;
    }, 'the visit is in ClickHouse');
  } finally {
    await redirect.stop();
    await clickhouse.close();
  }
}, 120_000);
