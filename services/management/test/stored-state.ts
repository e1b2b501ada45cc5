import type { FastifyInstance } from 'fastify';
import { Pool } from 'pg';
import { expect } from 'vitest';
import { until } from '@smartlink/test-support/until';
import type {} from '../src/api-reference/api-reference.js';
import type {} from '../src/plugins/metrics.js';
import { redisOf, type TestService } from './start-service.js';

// What a refused request must leave as it was. api_keys is not among it: a key's last use is noted.
const TABLES = [
  ...['smartlinks', 'slugs', 'publish_outbox', 'idempotency_keys', 'audit_entries'],
  ...['webhooks', 'webhook_deliveries', 'tags', 'smartlink_tags', 'folders', 'utm_templates', 'media'],
  'domains',
] as const;

/** The rows of every table that a request of the API may write, as one text to compare. */
export async function storedRows(app: FastifyInstance): Promise<string> {
  const parts = TABLES.map(
    (table) =>
      `(select coalesce(json_agg(rows order by rows::text), '[]') from ${table} as rows) as ${table}`,
  );
  const { rows } = await app.pg.query(`select ${parts.join(', ')}`);
  return JSON.stringify(rows[0]);
}

/** Counts the rows of `sql`, which follows `from`. */
export async function count(app: FastifyInstance, sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await app.pg.query(`select count(*)::integer as count from ${sql}`, values);
  return (rows[0] as { count: number }).count;
}

/** Waits until every change so far is published, and its rows have left the outbox. */
export async function untilPublished(app: FastifyInstance): Promise<void> {
  await until(async () => (await count(app, 'publish_outbox')) === 0, 'the outbox is empty');
}

/** Waits until the totals of these links are kept: from then on they are shown even when ClickHouse takes too long. */
export async function untilTotalsKept(app: FastifyInstance, ids: readonly string[]): Promise<void> {
  const kept = () => count(app, 'smartlink_totals where smartlink_id = any($1)', [ids]);
  await until(async () => (await kept()) === ids.length, 'the totals are kept');
}

/** Every route under /api/v1, as `GET /smartlink`. */
export const routesOf = (app: FastifyInstance): readonly string[] =>
  app.apiRoutes
    .flatMap(({ method, path }) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map(
        (each) => `${each} ${path.slice('/api/v1'.length)}`,
      ),
    )
    .sort();

/** Whether a route of `routesOf` is for signed-in persons alone. */
export const isForPersons = (app: FastifyInstance, route: string): boolean => {
  const [method = '', path = ''] = route.replace(/^HEAD /, 'GET ').split(' ');
  const { access } = app.apiRoutes.find((each) => each.method === method && each.path === `/api/v1${path}`)!;
  return access !== undefined && 'person' in access;
};

/**
 * Waits until `read` returns `expected`. Lists and fetches show the last known totals while ClickHouse takes longer than
 * a second.
 */
export async function untilShown(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await expect.poll(read, { timeout: 30_000, interval: 20 }).toEqual(expected);
}

/**
 * Makes changes until a request has published its own, and returns what came of that one. A request waits 150 ms for
 * Redis, which a busy machine may exceed, and leaves the rest to the relay.
 */
export async function publishedAtOnce<T>(app: FastifyInstance, change: () => Promise<T>): Promise<T> {
  const { made } = await until(async () => {
    const before = await countLeftToRelay(app);
    const outcome = await change();
    return (await countLeftToRelay(app)) === before && { made: outcome };
  }, 'a request publishes its change');
  return made;
}

async function countLeftToRelay(app: FastifyInstance): Promise<number> {
  const published = await app.metrics.registry.getSingleMetric('smartlink_published_slugs_total')?.get();
  const failed = published?.values.find(({ labels }) => labels['outcome'] === 'failed');
  if (failed === undefined) throw new Error('The metrics do not tell what is left to the relay');
  return failed.value;
}

/** Opens a pool of connections to a test's database. The caller ends it. */
export function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString });
  // A connection that is being ended reports that its database is dropped.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

/** All that the three engines hold of a service, as text: every row, key, value and event. */
export async function everythingStored(service: TestService): Promise<string> {
  return [await postgresRows(service), await redisValues(service), await clickhouseRows(service)].join('\n');
}

async function postgresRows({ app }: TestService): Promise<string> {
  const { rows } = await app.pg.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of rows as { name: string }[]) {
    const found = await app.pg.query(`select "${name}"::text as row from "${name}"`);
    parts.push(...(found.rows as { row: string }[]).map(({ row }) => `${name}: ${row}`));
  }
  return parts.join('\n');
}

async function redisValues({ app, databases }: TestService): Promise<string> {
  const parts: string[] = [];
  for (const key of await redisOf(app).keys(`${databases.redisKeyPrefix}*`)) {
    const type = await redisOf(app).type(key);
    // It has expired since.
    if (type === 'none') continue;
    if (type === 'hash') {
      parts.push(`${key}: ${JSON.stringify(await redisOf(app).hgetall(key))}`);
      continue;
    }
    if (type !== 'string') throw new Error(`A ${type} in Redis is not read here yet: ${key}`);
    parts.push(`${key}: ${await app.redis.get(key)}`);
  }
  return parts.join('\n');
}

async function clickhouseRows({ app }: TestService): Promise<string> {
  const tables = await app.clickhouse.query({ query: 'show tables', format: 'JSONEachRow' });
  const parts: string[] = [];
  for (const { name } of await tables.json<{ name: string }>()) {
    const rows = await app.clickhouse.query({
      query: 'select * from {name:Identifier}',
      query_params: { name },
      format: 'JSONEachRow',
    });
    parts.push(`${name}: ${await rows.text()}`);
  }
  return parts.join('\n');
}
