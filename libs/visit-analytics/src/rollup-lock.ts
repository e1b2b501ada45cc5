import { Client } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
// A process that was stopped must not hold the lock for ever: Postgres ends a session that is silent for so long.
const SILENCE_MS_MAX = 5 * 60_000;
const SIGN_OF_LIFE_MS = 60_000;

// One of ours among the advisory locks of the database; the migrations and the tests have others.
const LOCK_KEY = 7_236_510;

/** Resolves with whether the lock is still held, as Postgres says. */
export type HoldsLock = () => Promise<boolean>;

/**
 * Runs `work` while nobody else changes cells, in this process or another, and returns what it returns; null, with
 * nothing run, when somebody does. The lock is the connection's (pg_try_advisory_lock), so it ends with the process, and
 * with the connection, and with one that is silent for five minutes: `work` asks before every step that must not meet another's. With `wait` it waits for its turn.
 * Rejects when Postgres cannot be reached.
 */
export async function withRollupLock<T>(
  databaseUrl: string,
  work: (holdsLock: HoldsLock) => Promise<T>,
  options: { readonly wait?: boolean } = {},
): Promise<T | null> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'smartlink-rollup',
  });
  // A connection that breaks makes the next query reject; without a listener it would end the process first.
  client.on('error', () => undefined);
  await client.connect();
  const signsOfLife = setInterval(() => {
    client.query('select 1').catch(() => undefined);
  }, SIGN_OF_LIFE_MS);
  try {
    await client.query(`set idle_session_timeout = ${SILENCE_MS_MAX}`);
    if (options.wait === true) await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    else {
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        LOCK_KEY,
      ]);
      if (rows[0]?.taken !== true) return null;
    }
    return await work(() => client.query('select 1').then(isTrue, isFalse));
  } finally {
    clearInterval(signsOfLife);
    await client.end().catch(() => undefined);
  }
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
