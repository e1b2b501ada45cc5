import { resolve } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { redisAddressProblem } from '@smartlink/links/redis';
import { readVariableFile } from '@smartlink/process/config';
import {
  NOT_LISTENING_CODES,
  describeDatabaseFailure,
  failureCode,
  failureMessage,
  inTransaction,
  readStackFile,
} from '@smartlink/process/database';
import { relink } from '@smartlink/smartlink/model';
import { type Env, Problem } from '../cli/terminal.js';

/** Where the databases are. Deleting a user takes all three, visits take ClickHouse. */
export type Addresses = {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly redisKeyPrefix: string;
  readonly clickhouseUrl: string | undefined;
  /** Start of visitors' addresses, without a slash at the end. */
  readonly publicBaseUrl: string | undefined;
  /** Where browsers reach management, without a slash at the end. */
  readonly managementBaseUrl: string;
  /** The addresses are those of the stack of npm start: an unreachable database means that it is stopped. */
  readonly isEmbedded: boolean;
};

/** The address of a smartlink; without scheme, and without the own host of the instance, where that is not known. */
export function addressOf(
  { publicBaseUrl }: Addresses,
  { slug, domain }: { readonly slug: string; readonly domain: string | null },
): string {
  return publicBaseUrl === undefined ? `${domain ?? ''}/${slug}` : relink(publicBaseUrl, slug, domain);
}

export const dataFolderOf = (env: Env): string => resolve(textOf(env, 'SMARTLINK_DATA_DIR') ?? '.data');

/**
 * The addresses in the environment or, without DATABASE_URL, those of the running stack. Throws Problem when there are
 * neither, and for an address of another kind: before anything is done, so that a mistyped one leaves nothing half done.
 */
export function findAddresses(env: Env): Addresses {
  const redisKeyPrefix = textOf(env, 'REDIS_KEY_PREFIX') ?? 'smartlink:';
  const publicBaseUrl = urlOf(env, 'PUBLIC_BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  const managementBaseUrl = urlOf(env, 'MANAGEMENT_BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  const localUrl = `http://127.0.0.1:${textOf(env, 'MANAGEMENT_PORT') ?? '3000'}`;
  const databaseUrl = urlOf(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
  if (databaseUrl !== undefined) {
    const redisUrl = textOf(env, 'REDIS_URL');
    const problem = redisUrl === undefined ? null : redisAddressProblem(redisUrl);
    if (problem !== null) throw new Problem(`REDIS_URL: ${problem}.`);
    const clickhouseUrl = urlOf(env, 'CLICKHOUSE_URL', ['http:', 'https:']);
    return {
      databaseUrl,
      redisUrl,
      redisKeyPrefix,
      clickhouseUrl,
      publicBaseUrl,
      managementBaseUrl: managementBaseUrl ?? localUrl,
      isEmbedded: false,
    };
  }
  const stack = readStackFile(dataFolderOf(env));
  if (stack === null) throw noStack(env);
  return {
    ...stack,
    redisKeyPrefix,
    publicBaseUrl: publicBaseUrl ?? stack.publicBaseUrl,
    managementBaseUrl: managementBaseUrl ?? stack.managementUrl ?? localUrl,
    isEmbedded: true,
  };
}

const noStack = (env: Env): Problem =>
  new Problem(
    `No stack is running on ${dataFolderOf(env)}: start it with npm start, or set DATABASE_URL or DATABASE_URL_FILE (and REDIS_URL, CLICKHOUSE_URL).`,
  );

function urlOf(env: Env, name: string, protocols: readonly string[]): string | undefined {
  const text = textOf(env, name);
  if (text === undefined) return undefined;
  // The message does not repeat the value, which may hold a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new Problem(`${name} must be an address that begins with ${protocols.join('// or ')}//.`);
  }
  return text;
}

/** The value of `X`, or the content of the file that `X_FILE` names. */
function textOf(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] === '' ? undefined : env[name];
  try {
    return readVariableFile(file) || undefined;
  } catch (err) {
    throw new Problem(`${name}_FILE ${failureMessage(err)}.`);
  }
}

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;

export type Session = { readonly db: Client; readonly addresses: Addresses };

/** The result of `work`, which gets a connection. Throws Problem when Postgres cannot be reached. */
export async function withSession<T>(env: Env, work: (session: Session) => Promise<T>): Promise<T> {
  const addresses = findAddresses(env);
  const db = new Client({
    connectionString: addresses.databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'smartlink-admin',
  });
  // A connection that breaks rejects the next query; without a listener it would end the process first.
  db.on('error', () => undefined);
  try {
    await db.connect();
  } catch (err) {
    const seen = describeDatabaseFailure('Postgres', addresses.databaseUrl, err, CONNECT_TIMEOUT_MS);
    if (!addresses.isEmbedded) throw new Problem(`DATABASE_URL: ${seen}`);
    // A stack that was killed leaves its file, and then nothing listens.
    if (NOT_LISTENING_CODES.has(failureCode(err))) throw noStack(env);
    throw new Problem(`The stack on ${dataFolderOf(env)} runs: ${seen}`);
  }
  try {
    return await work({ db, addresses });
  } catch (err) {
    // SQLSTATE undefined_table, undefined_column.
    const isUnmigrated = err instanceof DatabaseError && (err.code === '42P01' || err.code === '42703');
    throw isUnmigrated ? new Problem('The database is not up to date: npm run migrate.') : err;
  } finally {
    await db.end();
  }
}

export const withTransaction = <T>(env: Env, work: (db: Client) => Promise<T>): Promise<T> =>
  withSession(env, ({ db }) => inTransaction(db, () => work(db)));

/** Takes a lock for as long as the connection lasts; false when another connection holds it. */
export async function tryLock(db: Client, name: string): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
    [name],
  );
  return rows[0]?.taken === true;
}
