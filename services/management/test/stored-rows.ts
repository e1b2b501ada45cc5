import { until } from '@smartlink/test-support/until';
import type { FastifyInstance } from 'fastify';

// What a refused request must leave as it was. api_keys is not among it: a key's last use is noted.
const TABLES = [
  ...['smartlinks', 'slugs', 'publish_outbox', 'idempotency_keys', 'audit_entries'],
  ...['webhooks', 'webhook_deliveries'],
] as const;

/** Returns the rows of every table that a request of the API may write, as one text to compare. */
export async function storedRows(app: FastifyInstance): Promise<string> {
  const parts = TABLES.map(
    (table) =>
      `(select coalesce(json_agg(rows order by rows::text), '[]') from ${table} as rows) as ${table}`,
  );
  const { rows } = await app.pg.query(`select ${parts.join(', ')}`);
  return JSON.stringify(rows[0]);
}

/** Waits until every change so far is published, and its rows have left the outbox. */
export async function untilPublished(app: FastifyInstance): Promise<void> {
  await until(async () => {
    const { rows } = await app.pg.query('select 1 from publish_outbox limit 1');
    return rows.length === 0;
  }, 'the outbox is empty');
}

/** Waits until the totals of these links are kept: from then on they are shown even when ClickHouse takes too long. */
export async function untilTotalsKept(app: FastifyInstance, ids: readonly string[]): Promise<void> {
  await until(async () => {
    const { rows } = await app.pg.query('select 1 from smartlink_totals where smartlink_id = any($1)', [ids]);
    return rows.length === ids.length;
  }, 'the totals are kept');
}

/** Lets every user make as many requests a minute as a test likes. */
export async function liftRateLimit(app: FastifyInstance): Promise<void> {
  await app.pg.query('update plans set requests_per_minute = 10000000');
}
