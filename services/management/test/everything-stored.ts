import { redisOf } from './start-service.js';
import type { TestService } from './start-service.js';

/** Returns all that the three engines hold of a service, as text: every row, key, value and event. */
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
