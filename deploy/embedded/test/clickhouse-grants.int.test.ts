import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateClickhouse } from '@smartlink/migrate/migrate';
import { addDays } from '@smartlink/visits/analytics';
import { ALL_DAYS, countRememberedVisits, forgetVisits, rollUp } from '@smartlink/visits/rollup';
import { startClickhouse } from '../src/clickhouse/start-clickhouse.js';

// Runs each service's statements with the grants of its login in the shipped users.xml. The embedded engine has one user,
// so it is started once a login, with that login's profile and grants on it. It allows system tables without a grant.
const USERS = readFileSync(new URL('../../compose/clickhouse/users.xml', import.meta.url), 'utf8');
// What a cluster adds, which the engine merges as a server merges users.d.
const CLUSTER_USERS = readFileSync(new URL('../../clickhouse/users.xml', import.meta.url), 'utf8');
const CLUSTER = `<tcp_port>9000</tcp_port><remote_servers><main><shard><replica><host>127.0.0.1</host><port>9000</port>
</replica></shard></main></remote_servers>`;
const PROFILE = /<profiles>([^]*)<\/profiles>/.exec(USERS)?.[1] ?? '';
const OWNER = '01a204b8-b4a8-78b4-bbe1-f8f1b6a1a996';

type Login = 'migrate' | 'management' | 'redirect' | 'operator';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'smartlink-grants-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const elementOf = (users: string, login: Login): string =>
  new RegExp(`<smartlink_${login}>([^]*?)</smartlink_${login}>`).exec(users)?.[1] ?? '';

/** Starts the engine on the same data with the rights of the login, and stops it after `work`. */
async function withLogin(
  login: Login,
  work: (clickhouse: ClickHouseClient, clickhouseUrl: string) => Promise<void>,
  isCluster = false,
): Promise<void> {
  const user = elementOf(USERS, login);
  const grants = /<profile>[^]*<\/grants>/.exec(user)?.[0] ?? '';
  expect(grants).toContain('<query>GRANT');
  const usersFile = path.join(folder, `${login}-users.xml`);
  writeFileSync(
    usersFile,
    `<clickhouse><profiles><default/>${PROFILE}</profiles><quotas><default/></quotas><users><default><password/>
     <networks><ip>::/0</ip></networks>${grants}</default></users></clickhouse>`,
  );
  const added = usersFile.replace(/xml$/, 'd');
  rmSync(added, { recursive: true, force: true });
  if (isCluster) {
    mkdirSync(added);
    const overlay = `<clickhouse><users><default>${elementOf(CLUSTER_USERS, login)}</default></users></clickhouse>`;
    writeFileSync(path.join(added, 'cluster.xml'), overlay);
  }
  const configFile = path.join(folder, `${login}-config.xml`);
  const config = `<users_config>${usersFile}</users_config>${isCluster ? CLUSTER : ''}`;
  writeFileSync(configFile, `<clickhouse>${config}</clickhouse>`);
  let stop: () => Promise<unknown> = () => Promise.resolve();
  const { clickhouseUrl } = await startClickhouse({
    dataDir: folder,
    logFile: path.join(folder, `${login}.log`),
    password: randomUUID(),
    configFile,
    onStart: (child) => (stop = () => child.stop()),
  });
  const clickhouse = createClient({
    url: clickhouseUrl,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  try {
    await work(clickhouse, clickhouseUrl);
  } finally {
    await clickhouse.close();
    await stop();
  }
}

async function expectRefused(clickhouse: ClickHouseClient, statements: readonly string[]): Promise<void> {
  for (const query of statements) {
    await expect(clickhouse.command({ query }), query).rejects.toMatchObject({ code: '497' });
  }
}

const insertEvents = (clickhouse: ClickHouseClient, timestamps: readonly string[]) =>
  clickhouse.insert({
    table: 'events',
    values: timestamps.map((ts) => ({
      ...{ ts, event_id: randomUUID(), owner_id: OWNER, smartlink_id: OWNER },
      ...{ slug: 'a', source: 'click', outcome: 'target' },
    })),
    format: 'JSONEachRow',
    clickhouse_settings: { async_insert: 0, max_partitions_per_insert_block: '0' },
  });

test('the grants of each login allow what its service does, and no more', { timeout: 180_000 }, async () => {
  await withLogin('migrate', async (clickhouse, clickhouseUrl) => {
    expect((await migrateClickhouse({ clickhouseUrl })).length).toBeGreaterThan(0);
    expect(await migrateClickhouse({ clickhouseUrl })).toEqual([]);
    await expectRefused(clickhouse, ['create database other', 'create user intruder']);
  });

  const lately = addDays(new Date().toISOString().slice(0, 10), -45);
  await withLogin('redirect', async (clickhouse) => {
    await clickhouse.query({ query: 'select max(number) from schema_migration' });
    await insertEvents(clickhouse, ['2024-03-05 10:00:00.000', `${lately} 10:00:00.000`]);
    await expectRefused(clickhouse, [
      'select count() from events',
      'select count() from visits_daily',
      'insert into rollup_state select * from rollup_state',
      'alter table events delete where true',
      'truncate table events',
      'create table other (n UInt8) engine = Memory',
    ]);
  });

  await withLogin('management', async (clickhouse) => {
    const dropped: string[] = [];
    const options = {
      keptMonths: 13,
      mayGoOn: () => Promise.resolve(true),
      report: (step: { kind: string; month?: string }) => {
        if (step.month !== undefined) dropped.push(step.month);
      },
    };
    await rollUp(clickhouse, options);
    // An announced month is dropped a minute later.
    await clickhouse.command({
      query: `insert into rollup_state select id, open_from, raw_from, now() - 120, late_from, owners_from, has_presses, months_until, version + 1
              from rollup_state order by version desc limit 1`,
    });
    await rollUp(clickhouse, options);
    expect(dropped).toEqual(['202403']);
    const scope = { ownerId: OWNER, smartlinkId: null, ...ALL_DAYS };
    expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 1, cells: 2 });
    await forgetVisits(clickhouse, scope);
    // Events that arrive late are forgotten again.
    await insertEvents(clickhouse, [`${lately} 11:00:00.000`]);
    await rollUp(clickhouse, options);
    expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 0, cells: 0 });
    await expectRefused(clickhouse, [
      'create table other (n UInt8) engine = Memory',
      'drop table events',
      'truncate table events',
      'alter table events add column other UInt8',
    ]);
  });
});

test('an operator sees everything and ends queries, and changes no data', { timeout: 60_000 }, async () => {
  await withLogin('operator', async (clickhouse) => {
    for (const query of [
      'select query_id, elapsed, query from system.processes',
      'select count() from smartlink.events',
      "kill query where query_id = 'none' sync",
      'system flush logs',
      'system stop merges',
      'system start merges',
    ]) {
      await clickhouse.command({ query });
    }
    await expectRefused(clickhouse, [
      'insert into smartlink.rollup_state select * from smartlink.rollup_state',
      'alter table smartlink.events delete where true',
      'truncate table smartlink.events',
      'create user intruder',
    ]);
  });
});

test('on a cluster of several shards the added grants are enough', { timeout: 120_000 }, async () => {
  const cluster = { onCluster: 'main', localDatabase: 'smartlink_local' };
  await withLogin(
    'migrate',
    async (clickhouse, url) => {
      // A database of its own would have other grants.
      await clickhouse.command({ query: 'drop database smartlink' });
      expect((await migrateClickhouse({ clickhouseUrl: url, ...cluster })).length).toBeGreaterThan(0);
      expect(await migrateClickhouse({ clickhouseUrl: url, ...cluster })).toEqual([]);
    },
    true,
  );
  const lately = addDays(new Date().toISOString().slice(0, 10), -45);
  await withLogin(
    'redirect',
    async (clickhouse) => {
      await clickhouse.query({ query: 'select max(number) from schema_migration' });
      await insertEvents(clickhouse, [`${lately} 10:00:00.000`]);
      await expectRefused(clickhouse, [
        'select count() from events',
        'select count() from smartlink_local.events',
      ]);
    },
    true,
  );
  await withLogin(
    'management',
    async (clickhouse) => {
      const options = { keptMonths: 0, mayGoOn: () => Promise.resolve(true), report: () => undefined };
      await rollUp(clickhouse, options);
      const scope = { ownerId: OWNER, smartlinkId: null, ...ALL_DAYS };
      expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 1, cells: 1 });
      await forgetVisits(clickhouse, scope);
      expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 0, cells: 0 });
      await expectRefused(clickhouse, ['truncate table smartlink_local.events']);
    },
    true,
  );
});
