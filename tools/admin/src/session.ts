import { resolve } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { findAddresses, noStack } from './addresses.js';
import type { Addresses, Env } from './addresses.js';
import { Problem } from './problem.js';

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;

export type Session = { readonly db: Client; readonly addresses: Addresses };

/** Returns what `work` returns; the connection is closed after it. Throws Problem when Postgres cannot be reached. */
export async function withSession<T>(env: Env, work: (session: Session) => Promise<T>): Promise<T> {
  const addresses = findAddresses(env);
  const db = new Client({
    connectionString: addresses.databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'smartlink-admin',
  });
  // A connection that breaks makes the next query reject; without a listener it would end the process first.
  db.on('error', () => undefined);
  try {
    await db.connect();
  } catch (err) {
    const seen = describeDatabaseFailure('Postgres', addresses.databaseUrl, err, CONNECT_TIMEOUT_MS);
    if (addresses.isEmbedded) {
      const dataDir = resolve(env['SMARTLINK_DATA_DIR'] ?? '.data');
      // A stack that was killed leaves its file, and then nothing listens.
      if (isRefused(err)) throw noStack(dataDir);
      throw new Problem(`The stack on ${dataDir} runs: ${seen}`);
    }
    throw new Problem(`DATABASE_URL: ${seen}`);
  }
  try {
    return await work({ db, addresses });
  } catch (err) {
    throw isUnmigrated(err) ? new Problem('The database is not up to date: npm run migrate.') : err;
  } finally {
    await db.end();
  }
}

/** Returns what `work` returns, committed; rolls back when it throws. */
export async function inTransaction<T>(db: Client, work: () => Promise<T>): Promise<T> {
  await db.query('begin');
  try {
    const result = await work();
    await db.query('commit');
    return result;
  } catch (err) {
    await db.query('rollback').catch(() => undefined);
    throw err;
  }
}

/** Whether nothing listens at any of the addresses, of a port or a socket. */
function isRefused(err: unknown): boolean {
  if (err instanceof AggregateError) return err.errors.every(isRefused);
  return err instanceof Error && 'code' in err && (err.code === 'ECONNREFUSED' || err.code === 'ENOENT');
}

/** Whether a table or a column is missing (SQLSTATE undefined_table, undefined_column). */
function isUnmigrated(err: unknown): boolean {
  return err instanceof DatabaseError && (err.code === '42P01' || err.code === '42703');
}

/** Returns one line for anything thrown; Node's connection errors sometimes carry an empty message. */
export function describe(err: unknown): string {
  if (err instanceof AggregateError && err.message === '') return err.errors.map(describe).join('; ');
  if (!(err instanceof Error)) return String(err);
  return err.message !== '' ? err.message : 'code' in err ? String(err.code) : err.name;
}
