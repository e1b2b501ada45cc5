import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const PROFILE = /<profiles>([^]*)<\/profiles>/.exec(USERS)?.[1] ?? '';
const OWNER = '01a204b8-b4a8-78b4-bbe1-f8f1b6a1a996';

type Login = 'migrate' | 'management' | 'redirect';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'smartlink-grants-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Starts the engine on the same data with the rights of the login, and stops it after `work`. */
async function withLogin(
  login: Login,
  work: (clickhouse: ClickHouseClient, clickhouseUrl: string) => Promise<void>,
): Promise<void> {
  const [, user = ''] = new RegExp(`<smartlink_${login}>([^]*?)</smartlink_${login}>`).exec(USERS) ?? [];
  const grants = /<profile>[^]*<\/grants>/.exec(user)?.[0] ?? '';
  expect(grants).toContain('<query>GRANT');
  const usersFile = path.join(folder, `${login}-users.xml`);
  writeFileSync(
    usersFile,
    `<clickhouse><profiles><default/>${PROFILE}</profiles><quotas><default/></quotas><users><default><password/>
     <networks><ip>::/0</ip></networks>${grants}</default></users></clickhouse>`,
  );
  const configFile = path.join(folder, `${login}-config.xml`);
  writeFileSync(configFile, `<clickhouse><users_config>${usersFile}</users_config></clickhouse>`);
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
      query: `insert into rollup_state select id, open_from, raw_from, now() - 120, late_from, owners_from, has_presses, version + 1
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
