import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import type { TestDatabases } from '@smartlink/embedded/test-databases';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';

/** Returns all that a service has stored, by place: every row of Postgres, key of Redis, row of ClickHouse and file. */
export async function readEverything(
  { databases, pool, redis }: { databases: TestDatabases; pool: Pool; redis: Redis },
  spoolDir: string,
): Promise<Map<string, Buffer>> {
  const places = new Map<string, Buffer>();
  for (const [table, rows] of await readPostgres(pool)) places.set(`Postgres ${table}`, Buffer.from(rows));
  places.set('Redis', await readRedis(redis, databases.redisKeyPrefix));
  for (const [table, rows] of await readClickhouse(databases.clickhouseUrl)) {
    places.set(`ClickHouse ${table}`, rows);
  }
  for (const name of readdirSync(spoolDir, { recursive: true, withFileTypes: true })) {
    const path = join(name.parentPath, name.name);
    if (name.isFile()) places.set(`spool ${name.name}`, readFileSync(path));
  }
  return places;
}

async function readPostgres(pool: Pool): Promise<[string, string][]> {
  const tables = await pool.query(
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: [string, string][] = [];
  for (const { schema, name } of tables.rows as { schema: string; name: string }[]) {
    const { rows } = await pool.query(`select t::text as row from "${schema}"."${name}" as t`);
    found.push([name, (rows as { row: string }[]).map(({ row }) => row).join('\n')]);
  }
  return found;
}

/** The names of all keys, whosever they are, and as bytes what stands in ours, whatever its type. */
async function readRedis(redis: Redis, keyPrefix: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const keys of redis.scanStream({ count: 1_000 }) as AsyncIterable<string[]>) {
    for (const key of keys) {
      parts.push(Buffer.from(key));
      if (key.startsWith(keyPrefix)) parts.push(...(await readKey(redis, key)));
    }
  }
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
}

async function readKey(redis: Redis, key: string): Promise<readonly Buffer[]> {
  const type = await redis.type(key);
  switch (type) {
    case 'none':
      return [];
    case 'string':
      return [(await redis.getBuffer(key)) ?? Buffer.alloc(0)];
    case 'list':
      return redis.lrangeBuffer(key, 0, -1);
    case 'hash':
      return Object.entries(await redis.hgetallBuffer(key)).flatMap(([name, value]) => [
        Buffer.from(name),
        value,
      ]);
    case 'set':
      return redis.smembersBuffer(key);
    default:
      throw new Error(`A ${type} in Redis is not read here yet: ${key}`);
  }
}

/** Each table as text and as the bytes that its columns are kept in. */
async function readClickhouse(clickhouseUrl: string): Promise<[string, Buffer][]> {
  const client = createClient({ url: clickhouseUrl });
  try {
    const tables = await client.query({
      query: `select name from system.tables where database = currentDatabase() and engine not like '%View'`,
      format: 'JSONEachRow',
    });
    const found: [string, Buffer][] = [];
    for (const { name } of await tables.json<{ name: string }>()) {
      for (const format of ['JSONEachRow', 'RowBinary']) {
        const { stream } = await client.exec({
          query: `select * from {name:Identifier} format ${format}`,
          query_params: { name },
        });
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        found.push([`${name} as ${format}`, Buffer.concat(chunks)]);
      }
    }
    return found;
  } finally {
    await client.close();
  }
}
