import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

// One of ours among the advisory locks of the database; the migrations and the tests have others.
const LOCK_KEY = 7_236_510;

/** What holds the roll-up may be over before its work is: when its connection breaks, another may begin. */
export type RollupLock = { readonly isLost: () => boolean };

/**
 * Runs `work` while nobody else changes cells, in this process or another, and returns what it returns; null, with
 * nothing run, when somebody does. The lock is the connection's (pg_try_advisory_lock), so it ends with the process.
 * With `wait` it waits for its turn. Rejects when Postgres cannot be reached.
 */
export async function withRollupLock<T>(
  databaseUrl: string,
  work: (lock: RollupLock) => Promise<T>,
  options: { readonly wait?: boolean } = {},
): Promise<T | null> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-rollup',
  });
  let isLost = false;
  client.on('error', () => (isLost = true));
  client.on('end', () => (isLost = true));
  await client.connect();
  try {
    if (options.wait === true) await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    else {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        LOCK_KEY,
      ]);
      if (rows[0]?.taken !== true) return null;
    }
    return await work({ isLost: () => isLost });
  } finally {
    await client.end().catch(() => undefined);
  }
}
