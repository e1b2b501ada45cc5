import type { Pool, PoolClient } from 'pg';

// Postgres chose this transaction as the loser of a deadlock, or could not serialise it: nothing was written, and
// the same work succeeds when it is done again.
const RETRYABLE_CODES = new Set(['40P01', '40001']);
const ATTEMPTS_MAX = 3;

/** Returns what `work` returns, committed. Rolls back and rethrows when it throws; repeats it after a deadlock. */
export async function withTransaction<T>(pg: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pg, work);
    } catch (err) {
      const isRetryable =
        err instanceof Error &&
        'code' in err &&
        RETRYABLE_CODES.has(String(err.code)) &&
        attempt < ATTEMPTS_MAX;
      if (!isRetryable) throw err;
    }
  }
}

async function runOnce<T>(pg: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pg.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (err) {
    await client.query('rollback').catch((rollbackErr: unknown) => {
      // A connection that cannot even roll back is thrown away.
      broken = rollbackErr instanceof Error ? rollbackErr : new Error(String(rollbackErr));
    });
    throw err;
  } finally {
    client.release(broken);
  }
}
