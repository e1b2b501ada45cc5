import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { findReplayed, findWritten } from '@smartlink/links/resolve';
import { createClosers } from '@smartlink/test-support/closers';
import { type PostgresPair, startPostgresPair } from '@smartlink/test-support/postgres-pair';
import { until } from '@smartlink/test-support/until';
import { createLinkStore, type LinkStore } from './link-store.js';

export type ReplicaTrial = {
  readonly pair: PostgresPair;
  readonly primary: Pool;
  readonly replica: Pool;
  readonly redis: Redis;
  readonly links: LinkStore;
  /** Resolves when the replica knows all that the primary has committed. */
  readonly caughtUp: () => Promise<void>;
  /** Stops or resumes the replay of changes on the replica, which goes on receiving them. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a primary with a streaming replica, and connections to both and to `redisUrl`. The caller closes it. */
export async function openReplicaTrial(redisUrl: string, keyPrefix: string): Promise<ReplicaTrial> {
  const closers = createClosers();
  const pair = await startPostgresPair();
  closers.add(pair.close);
  const open = (connectionString: string): Pool => {
    const pool = new Pool({ connectionString, max: 2 });
    // Both are killed in the course of a trial.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    closers.add(() => Promise.race([pool.end(), sleep(1_000)]));
    return pool;
  };
  const primary = open(pair.primary.databaseUrl);
  const replica = open(pair.replica.databaseUrl);
  const redis = new Redis(redisUrl);
  closers.add(() => {
    redis.disconnect();
  });
  try {
    const links = await createLinkStore(primary, redis, keyPrefix);
    const one = async (pool: Pool, text: string): Promise<unknown> =>
      (await pool.query<{ value: unknown }>(text)).rows[0]?.value;
    return {
      pair,
      primary,
      replica,
      redis,
      links,
      async caughtUp() {
        const written = await findWritten(primary);
        await until(
          async () => ((await findReplayed(replica)) ?? -1n) >= written,
          'the replica has caught up',
        );
      },
      async pause() {
        await replica.query('select pg_wal_replay_pause()');
        const isPaused = `select pg_get_wal_replay_pause_state() = 'paused' as value`;
        await until(() => one(replica, isPaused) as Promise<boolean>, 'the replay stands still');
      },
      async resume() {
        await replica.query('select pg_wal_replay_resume()');
      },
      close: closers.close,
    };
  } catch (err) {
    await closers.close();
    throw err;
  }
}
