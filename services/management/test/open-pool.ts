import { Pool } from 'pg';

/** Returns a pool of connections to a test's database. The caller ends it. */
export function openPool(connectionString: string): Pool {
  const pool = new Pool({ connectionString });
  // A connection that is ended may still be there when its database is dropped, and is then told so.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}
