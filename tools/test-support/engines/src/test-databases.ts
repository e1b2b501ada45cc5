import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createClient } from '@clickhouse/client';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type {} from 'vitest';
import type { StackAddresses } from '@smartlink/embedded/stack';
import { migrateClickhouse, MIGRATION_FOLDERS, migratePostgres } from '@smartlink/migrate/migrate';

declare module 'vitest' {
  // Provided by the global setup of the integration tests: `inject('stack')`.
  export interface ProvidedContext {
    stack: StackAddresses;
  }
}

export type TestDatabases = {
  /** A Postgres database of its own, migrated. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** For REDIS_KEY_PREFIX: the Redis server is shared by all test files. */
  readonly redisKeyPrefix: string;
  /** A migrated ClickHouse database: the file's own, or the one that files share. */
  readonly clickhouseUrl: string;
  /** Removes the file's own databases, connections included, and its keys. Call it after everything is closed. */
  readonly drop: () => Promise<void>;
};

export type TestDatabasesOptions = {
  /**
   * `shared` saves the tables of a database, 0.1 s. It is for files that look at visits of their own users alone: other
   * files write to it at the same time. Default: `own`.
   */
  readonly clickhouse?: 'own' | 'shared';
};

// A template must have no connections while it is copied.
const TEMPLATE_LOCK = 7_236_499;
const SHARED_CLICKHOUSE = 'test_shared';
const SHARED_CLICKHOUSE_LOCK = 7_236_500;

/**
 * Databases for one test file on the stack of the run: `createTestDatabases(inject('stack'))` in `beforeAll`, `drop()` in
 * `afterAll`. Takes 0.1 s, and 0.1 s more with a ClickHouse database of its own.
 */
export async function createTestDatabases(
  stack: StackAddresses,
  { clickhouse = 'own' }: TestDatabasesOptions = {},
): Promise<TestDatabases> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const redisKeyPrefix = `test:${name.slice(5)}:`;
  const clickhouseUrl = withDatabase(stack.clickhouseUrl, clickhouse === 'own' ? name : SHARED_CLICKHOUSE);
  await createPostgresDatabase(stack.databaseUrl, name);
  await migrateSharedClickhouse(stack.databaseUrl, withDatabase(stack.clickhouseUrl, SHARED_CLICKHOUSE));
  if (clickhouse === 'own') await copySharedClickhouse(stack.clickhouseUrl, name);
  return {
    databaseUrl: withDatabase(stack.databaseUrl, name),
    redisUrl: stack.redisUrl,
    redisKeyPrefix,
    clickhouseUrl,
    drop: async () => {
      await withPostgres(stack.databaseUrl, (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      );
      if (clickhouse === 'own') await dropClickhouseDatabase(stack.clickhouseUrl, name);
      await dropRedisKeys(stack.redisUrl, redisKeyPrefix);
    },
  };
}

const ROLES_SQL = new URL('../../../../deploy/postgres/roles.sql', import.meta.url);
const ROLES_LOCK = 7_236_498;

/**
 * Applies deploy/postgres/roles.sql to a database, after `prepare` in the same session. Logins belong to the whole server,
 * so only one process applies them at a time.
 */
export async function applyRoles(
  stack: Pick<StackAddresses, 'databaseUrl'>,
  databaseUrl: string,
  prepare = '',
): Promise<void> {
  await withPostgres(stack.databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ROLES_LOCK]);
    await withPostgres(databaseUrl, async (database) => {
      await database.query(prepare);
      await database.query(readFileSync(ROLES_SQL, 'utf8'));
    });
  });
}

async function createPostgresDatabase(databaseUrl: string, name: string): Promise<void> {
  // Named by its migrations: an edited migration makes a new template.
  const template = `template_${hashFolder(MIGRATION_FOLDERS.postgres)}`;
  await withPostgres(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rows.length === 0) await createTemplate(client, databaseUrl, template);
    await client.query(`create database ${name} template ${template}`);
  });
}

/** Migrates it for the first file of the run, and finds nothing to do for the others. */
async function migrateSharedClickhouse(databaseUrl: string, clickhouseUrl: string): Promise<void> {
  await withPostgres(databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [SHARED_CLICKHOUSE_LOCK]);
    await migrateClickhouse({ clickhouseUrl });
  });
}

/** Makes the tables of the shared database again, empty: a third of the work of the migrations. */
async function copySharedClickhouse(clickhouseUrl: string, name: string): Promise<void> {
  const client = createClient({ url: withDatabase(clickhouseUrl, '') });
  try {
    await client.command({ query: `create database ${name}` });
    const query = `select create_table_query as statement from system.tables
                   where database = '${SHARED_CLICKHOUSE}' order by engine = 'MaterializedView'`;
    const tables = await client.query({ query, format: 'JSONEachRow' });
    for (const { statement } of await tables.json<{ statement: string }>()) {
      await client.command({ query: statement.replaceAll(`${SHARED_CLICKHOUSE}.`, `${name}.`) });
    }
    const applied = `select * from ${SHARED_CLICKHOUSE}.schema_migration`;
    await client.command({ query: `insert into ${name}.schema_migration ${applied}` });
  } finally {
    await client.close();
  }
}

async function createTemplate(client: Client, databaseUrl: string, template: string): Promise<void> {
  await client.query(`create database ${template}`);
  try {
    await migratePostgres({ databaseUrl: withDatabase(databaseUrl, template) });
  } catch (err) {
    await client.query(`drop database ${template} with (force)`);
    throw err;
  }
}

async function withPostgres<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function dropClickhouseDatabase(clickhouseUrl: string, name: string): Promise<void> {
  const client = createClient({ url: withDatabase(clickhouseUrl, '') });
  try {
    await client.command({ query: 'drop database if exists {name:Identifier} sync', query_params: { name } });
  } finally {
    await client.close();
  }
}

async function dropRedisKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 }) as AsyncIterable<
      string[]
    >) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}

function withDatabase(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.href;
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).toSorted())
    hash.update(file).update(readFileSync(`${folder}/${file}`));
  return hash.digest('hex').slice(0, 16);
}
