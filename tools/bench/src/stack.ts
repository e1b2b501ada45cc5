import { createHash, randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { Pool } from 'pg';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import { migrateBoth } from '@smartlink/migrate/migrate';
import { apiKeyDisplayPrefix, generateApiKey } from '@smartlink/smartlink/credentials';
import { type Cores, shareCores } from './machine.js';
import type { BenchRun } from './program.js';

export type BenchStack = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  readonly clickhouseUrl: string;
  readonly redisUrl: string;
  /** Environment of a service. */
  readonly serviceEnv: Readonly<Record<string, string>>;
  /** Path of a log file in the run's folder. */
  readonly logFile: (name: string) => string;
  /** Folder in the run's own, created when missing and removed with it. */
  readonly folder: (name: string) => string;
  /** Stops the engines and removes what they wrote. */
  readonly close: () => Promise<void>;
};

/** Plan without practical limits. */
const BENCH_PLAN = 'Bench';
const ADD_PLAN = `
insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed)
values ('${BENCH_PLAN}', null, 2000000000, null, true)`;
const STATEMENT_LIMIT_MS = 300_000;

/**
 * Starts migrated engines in a temporary folder, as durable as those of `npm start`, and adds the plan of the bench
 * users. The caller closes it. Rejects with StackError when an engine does not start.
 */
export async function openBenchStack(signal: AbortSignal): Promise<BenchStack> {
  const report = () => undefined;
  const dataFolder = await claimDataFolder(mkdtempSync(join(tmpdir(), 'smartlink-bench-')), report);
  const stack = await startStack({ dataFolder, external: {}, report, signal });
  const pg = new Pool({ connectionString: stack.databaseUrl, max: 4, connectionTimeoutMillis: 5_000 });
  pg.on('error', () => undefined);
  const clickhouse = createClient({
    url: stack.clickhouseUrl,
    request_timeout: STATEMENT_LIMIT_MS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const close = async () => {
    await pg.end();
    await clickhouse.close();
    await stack.stop();
    for (const folder of stack.dataDirs) rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrateBoth(stack);
    await pg.query(ADD_PLAN);
  } catch (err) {
    await close();
    throw err;
  }
  return {
    pg,
    clickhouse,
    clickhouseUrl: stack.clickhouseUrl,
    redisUrl: stack.redisUrl,
    serviceEnv: {
      DATABASE_URL: stack.databaseUrl,
      REDIS_URL: stack.redisUrl,
      CLICKHOUSE_URL: stack.clickhouseUrl,
      MANAGEMENT_PORT: '0',
      MANAGEMENT_METRICS_PORT: '0',
    },
    logFile: (name) => join(dataFolder.folder('logs'), `${name}.log`),
    folder: dataFolder.folder,
    close,
  };
}

export type StackRun<Sizes extends object> = BenchRun<Sizes> & {
  readonly stack: BenchStack;
  readonly cores: Cores;
};

/** Runs `work` on engines of its own; unless `isPinned` is false, one core is left to the server under load. */
export async function withStack<Sizes extends object, Result>(
  run: BenchRun<Sizes>,
  work: (run: StackRun<Sizes>) => Promise<Result>,
  { isPinned = true }: { readonly isPinned?: boolean } = {},
): Promise<Result> {
  const cores = isPinned ? shareCores() : { server: null, others: null };
  const { server, others } = cores;
  process.stdout.write(
    server === null
      ? `Nothing is pinned${isPinned ? ': taskset is missing or there is only one core' : ''}.\n`
      : `The server under load runs alone on core ${server}; the client and the engines share core ${others ?? ''}.\n`,
  );
  const stack = await openBenchStack(run.signal);
  try {
    return await work({ ...run, stack, cores });
  } finally {
    await stack.close();
  }
}

/** Adds users with the plan of the bench. */
export async function addUsers(pg: Pool, userIds: readonly string[]): Promise<void> {
  const query = `insert into users (id, email, plan) select id, id || '@example.com', $2 from unnest($1::uuid[]) as given (id)`;
  await pg.query(query, [userIds, BENCH_PLAN]);
}

/** Adds an API key of a user. */
export async function addKey(pg: Pool, userId: string): Promise<string> {
  const apiKey = generateApiKey(randomInt);
  const sha256 = createHash('sha256').update(apiKey).digest();
  await pg.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name) values ($1, $2, $3, $4, 'bench')`,
    [randomUUID(), userId, sha256, apiKeyDisplayPrefix(apiKey)],
  );
  return apiKey;
}

export type StoredLink = {
  readonly id: string;
  readonly ownerId: string;
  readonly slug: string;
  /** By the API's names. */
  readonly content: object;
  readonly createdMs: number;
};

// As management writes them, but for the outbox, the audit and webhooks.
const ADD_LINKS = `
with added as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at, updated_at)
  select id, owner, 'Active', $1, 'Bench link ' || slug, slug, content, nextval('smartlink_version'),
         to_timestamp(created_ms / 1000), to_timestamp(created_ms / 1000)
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::float8[])
       as given (id, owner, slug, content, created_ms)
  returning id, user_id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, user_id, id, true from added`;

/** Stores links of one type in Postgres; Redis learns nothing of them. */
export async function storeLinks(
  pg: Pool,
  type: 'Url' | 'App' | 'QrMenu',
  links: readonly StoredLink[],
): Promise<void> {
  await pg.query(ADD_LINKS, [
    type,
    links.map(({ id }) => id),
    links.map(({ ownerId }) => ownerId),
    links.map(({ slug }) => slug),
    links.map(({ content }) => JSON.stringify(content)),
    links.map(({ createdMs }) => createdMs),
  ]);
}

/** What autovacuum does within minutes; a database that has stood for a while has it behind it. */
export async function vacuumLinks(pg: Pool): Promise<void> {
  await pg.query('vacuum (analyze) smartlinks, slugs, users');
}
