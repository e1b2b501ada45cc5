import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateClickhouse } from '@smartlink/migrate/migrate';
import { addDays } from '@smartlink/visits/analytics';
import { ALL_DAYS, countRememberedVisits, forgetVisits, rollUp } from '@smartlink/visits/rollup';
import { startClickhouse } from '../src/clickhouse/start-clickhouse.js';

// A cluster whose one server is the embedded engine itself: it has Distributed tables, and no Keeper. What goes to other
// servers is not tried here (docs/scale.md).
const CONFIG = `<clickhouse><tcp_port>9000</tcp_port><remote_servers><main><shard><replica>
<host>127.0.0.1</host><port>9000</port></replica></shard></main></remote_servers></clickhouse>`;
/** As deploy/clickhouse/profiles.xml gives them to the services. */
const PROFILE = {
  distributed_foreground_insert: 1,
  distributed_product_mode: 'local',
  parallel_distributed_insert_select: '0',
  output_format_json_quote_64bit_integers: 0,
} as const;

let folder: string;
let stop: () => Promise<unknown> = () => Promise.resolve();
let clickhouseUrl: string;
let clickhouse: ClickHouseClient;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'smartlink-shards-'));
  const configFile = path.join(folder, 'config.xml');
  writeFileSync(configFile, CONFIG);
  const running = await startClickhouse({
    dataDir: folder,
    logFile: path.join(folder, 'log'),
    password: randomUUID(),
    configFile,
    onStart: (child) => (stop = () => child.stop()),
  });
  clickhouseUrl = running.clickhouseUrl;
  clickhouse = createClient({ url: clickhouseUrl, clickhouse_settings: PROFILE });
}, 120_000);
afterAll(async () => {
  await clickhouse.close();
  await stop();
  rmSync(folder, { recursive: true });
});

async function ask<Row>(query: string): Promise<Row[]> {
  return (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>();
}

const [OWNER, OTHER] = ['01a204b8-b4a8-78b4-bbe1-f8f1b6a1a996', '01a204b8-b4a8-78b4-bbe1-f8f1b6a1a997'];
// The months that are kept are counted from today.
const [LONG_AGO, LATELY] = [
  '2024-03-05 10:00:00.000',
  `${addDays(new Date().toISOString().slice(0, 10), -45)} 10:00:00.000`,
];
const EVENTS = [OWNER, OWNER, OTHER].flatMap((owner_id) =>
  [LONG_AGO, LATELY].map((ts) => ({ ts, event_id: randomUUID(), owner_id, smartlink_id: owner_id })),
);
const insertEvents = () =>
  clickhouse.insert({
    table: 'events',
    values: EVENTS.map((event) => ({ ...event, slug: 'a', source: 'click', outcome: 'target' })),
    format: 'JSONEachRow',
    clickhouse_settings: {
      async_insert: 0,
      deduplicate_insert: 'disable',
      max_partitions_per_insert_block: '0',
    },
  });

it('makes Distributed tables over those of the local database, once', async () => {
  const cluster = { clickhouseUrl, onCluster: 'main', localDatabase: 'smartlink_local' };
  expect((await migrateClickhouse(cluster)).length).toBeGreaterThan(0);
  expect(await migrateClickhouse(cluster)).toEqual([]);
  const tables = await ask<{ name: string; definition: string }>(
    `select name, engine_full as definition from system.tables where database = 'smartlink' order by name`,
  );
  const shard = (table: string, key: string) => ({
    name: table,
    definition: `Distributed('main', 'smartlink_local', '${table}', ${key})`,
  });
  expect(tables).toEqual([
    shard('events', 'cityHash64(owner_id)'),
    shard('forgotten_visits', 'cityHash64(owner_id)'),
    shard('rollup_state', 'id'),
    shard('schema_migration', 'intDiv(number, 1000000)'),
    shard('visits_daily', 'cityHash64(owner_id)'),
    shard('visits_daily_by_owner', 'cityHash64(owner_id)'),
    shard('visits_daily_counts', 'cityHash64(owner_id)'),
    shard('visits_monthly_counts', 'cityHash64(owner_id)'),
  ]);
});

it('rolls up, forgets and drops months where the tables really are', async () => {
  await insertEvents();
  await insertEvents();
  expect(await ask('select count() as n from events final')).toEqual([{ n: 6 }]);

  const dropped: string[] = [];
  const options = {
    keptMonths: 13,
    mayGoOn: () => Promise.resolve(true),
    report: (step: { kind: string; month?: string }) => {
      if (step.month !== undefined) dropped.push(step.month);
    },
  };
  await rollUp(clickhouse, { ...options, keptMonths: 0 });
  expect(await ask('select count() as n, sum(clicks) as clicks from visits_daily final')).toEqual([
    { n: 4, clicks: 6 },
  ]);
  const byOwner = `select owner_id as owner, sum(clicks) as clicks from visits_daily_by_owner final
                   group by owner order by owner`;
  expect(await ask(byOwner)).toEqual([
    { owner: OWNER, clicks: 4 },
    { owner: OTHER, clicks: 2 },
  ]);

  const scope = { ownerId: OWNER, smartlinkId: null, ...ALL_DAYS };
  expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 4, cells: 2 });
  await forgetVisits(clickhouse, scope);
  await insertEvents();
  await rollUp(clickhouse, { ...options, keptMonths: 0 });
  expect(await countRememberedVisits(clickhouse, scope, 10_000)).toMatchObject({ events: 0, cells: 0 });
  expect(await ask('select count() as n from smartlink_local.events final')).toEqual([{ n: 2 }]);
  expect(await ask(byOwner)).toEqual([{ owner: OTHER, clicks: 2 }]);

  await rollUp(clickhouse, options);
  // It drops a minute after it has said so.
  await clickhouse.command({
    query: `insert into rollup_state select id, open_from, raw_from, now() - 120, late_from, owners_from, has_presses, months_until, version + 1
            from rollup_state order by version desc limit 1`,
  });
  await rollUp(clickhouse, options);
  expect(dropped).toEqual(['202403']);
  expect(await ask('select distinct toYYYYMM(ts) as month from events')).toEqual([
    { month: Number(LATELY.slice(0, 7).replace('-', '')) },
  ]);
});
