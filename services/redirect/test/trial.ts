import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { inject } from 'vitest';
import {
  createTestDatabases,
  type TestDatabases,
  type TestDatabasesOptions,
} from '@smartlink/test-support/test-databases';
import { createLinkStore, type LinkStore } from './link-store.js';

export type Trial = {
  readonly databases: TestDatabases;
  readonly pool: Pool;
  readonly redis: Redis;
  readonly links: LinkStore;
  readonly close: () => Promise<void>;
};

/** Returns databases of the test file's own, with connections to them. The caller closes it. */
export async function openTrial(options: TestDatabasesOptions = { clickhouse: 'shared' }): Promise<Trial> {
  const databases = await createTestDatabases(inject('stack'), options);
  const pool = new Pool({ connectionString: databases.databaseUrl, max: 2 });
  // The database is dropped by force: a closing connection may report that without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const redis = new Redis(databases.redisUrl);
  const links = await createLinkStore(pool, redis, databases.redisKeyPrefix);
  return {
    databases,
    pool,
    redis,
    links,
    async close() {
      redis.disconnect();
      await pool.end();
      await databases.drop();
    },
  };
}
