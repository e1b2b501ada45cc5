import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { z } from 'zod';

/** The common part of pg's Pool, PoolClient and Client. */
export type Queryable = {
  readonly query: (text: string, values: unknown[]) => Promise<{ rows: unknown[] }>;
};

export type Engine = 'Postgres' | 'ClickHouse';

// Codes of Node's system errors, SQLSTATEs of Postgres and error codes of ClickHouse. One table for the whole tree.

/** The connection cannot be made, or broke. */
export const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);
/** The host name is not known. */
export const NAME_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);
/** Nothing listens at the port or socket. */
export const NOT_LISTENING_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT']);
/**
 * The login is refused: invalid_password, invalid_authorization_specification; UNKNOWN_USER, WRONG_PASSWORD,
 * REQUIRED_PASSWORD, AUTHENTICATION_FAILED.
 */
export const LOGIN_CODES: ReadonlySet<string> = new Set(['28P01', '28000', '192', '193', '194', '516']);
/** The database does not exist: invalid_catalog_name; UNKNOWN_DATABASE. */
export const NO_DATABASE_CODES: ReadonlySet<string> = new Set(['3D000', '81']);
/** A privilege is missing: insufficient_privilege; ACCESS_DENIED. */
export const DENIED_CODES: ReadonlySet<string> = new Set(['42501', '497']);
/** Postgres rolled the transaction back and it succeeds when repeated: deadlock_detected, serialization_failure. */
export const RETRYABLE_CODES: ReadonlySet<string> = new Set(['40P01', '40001']);

/** Code of the innermost error that has one, else ''. Clients wrap the failures of a name with several addresses. */
export function failureCode(err: unknown): string {
  if (err instanceof AggregateError && err.errors.length > 0) return failureCode(err.errors[0]);
  if (!(err instanceof Error)) return '';
  if ('code' in err && typeof err.code === 'string') return err.code;
  return err.cause === undefined ? '' : failureCode(err.cause);
}

/**
 * The error's own message, for log lines that must not hold the rest of it: errors of Redis and Postgres also carry the
 * command. Never empty, unlike the message of Node's failure to reach a name with several addresses.
 */
export function failureMessage(err: unknown): string {
  if (err instanceof AggregateError && err.message === '' && err.errors.length > 0) {
    return err.errors.map(failureMessage).join('; ');
  }
  if (!(err instanceof Error)) return String(err);
  if (err.message !== '') return err.message;
  return 'code' in err && typeof err.code === 'string' ? err.code : err.name;
}

/** Engine, host and port for messages: `Postgres at db.internal:5432`. */
export function placeOf(engine: Engine, url: string): string {
  return readAddress(engine, url).place;
}

/**
 * One line for a failure to reach a database: engine, host, port, and the fault. Of the URL it holds neither the password
 * nor any parameter. `answerMsMax` is the time limit of the attempt in milliseconds, where known.
 */
export function describeDatabaseFailure(
  engine: Engine,
  url: string,
  err: unknown,
  answerMsMax?: number,
): string {
  const { place, user, database } = readAddress(engine, url);
  const code = failureCode(err);
  switch (code) {
    case 'ECONNREFUSED':
      return `${place} refuses the connection: it is not running, or listens elsewhere`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${place} cannot be found: unknown host name (${code})`;
    case 'ENOENT':
      return `${place} cannot be reached: no such socket`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${place} cannot be reached: no route to host (${code})`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${place} closed the connection`;
    // SQLSTATE invalid_password and invalid_authorization_specification; ClickHouse's AUTHENTICATION_FAILED.
    case '28P01':
    case '516':
      return `${place} rejects the password of user ${user}`;
    // An unknown login, or one that pg_hba.conf rejects: TLS may be all that is missing.
    case '28000':
      return `${place} rejects user ${user}: ${messageOf(err, url)}`;
    // SQLSTATE invalid_catalog_name; ClickHouse's UNKNOWN_DATABASE.
    case '3D000':
    case '81':
      return `${place} has no database ${database}`;
    case '53300':
      return `${place} has no connections left`;
    case '57P03':
      return `${place} is starting or stopping`;
    default:
      return isTimeout(err)
        ? `${place} does not answer ${answerMsMax === undefined ? 'in time' : `within ${answerMsMax / 1_000} s`}`
        : `${place} fails: ${messageOf(err, url)}`;
  }
}

function readAddress(engine: Engine, url: string): { place: string; user: string; database: string } {
  const defaults =
    engine === 'Postgres' ? { port: '5432', user: 'postgres' } : { port: '8123', user: 'default' };
  try {
    const { hostname, port, username, pathname, searchParams } = new URL(url);
    const host = searchParams.get('host') ?? (hostname || 'localhost');
    return {
      place: `${engine} at ${decodeURIComponent(host)}:${port || defaults.port}`,
      user: searchParams.get('user') ?? (decodeURIComponent(username) || defaults.user),
      database: decodeURIComponent(pathname.slice(1)) || defaults.user,
    };
  } catch {
    return { place: engine, user: defaults.user, database: '' };
  }
}

/** Whether an answer or a connection timed out. ClickHouse's client reports its own time limit as an abort by the user. */
export function isTimeout(err: unknown): boolean {
  const text = err instanceof Error ? `${err.name} ${err.message} ${failureCode(err)}` : '';
  return /time(?:d )?-?out|TIMEDOUT|TimeoutError|aborted a request|(?:does not answer|is not reachable) within/i.test(
    text,
  );
}

function messageOf(err: unknown, url: string): string {
  const message = err instanceof Error ? err.message || failureCode(err) || err.name : String(err);
  // Neither client is known to put the URL into its messages; this keeps the password out if one ever does.
  const line = message.split('\n', 1)[0] ?? '';
  try {
    const { password, searchParams } = new URL(url);
    const secrets = [decodeURIComponent(password), password, searchParams.get('password') ?? ''];
    return secrets
      .filter((secret) => secret !== '')
      .reduce((text, secret) => text.replaceAll(secret, '***'), line);
  } catch {
    return line;
  }
}

const ATTEMPTS_MAX = 3;

/**
 * The result of `work`, committed. Rolls back and rethrows when it rejects. After a deadlock or a serialization failure
 * `work` is repeated, up to three times in all: state it keeps outside must be reset at its start.
 */
export function withTransaction<T>(pg: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return retryConflicts(async () => {
    const client = await pg.connect();
    let broken: Error | undefined;
    try {
      return await runOnce(
        client,
        () => work(client),
        (err) => (broken = err),
      );
    } finally {
      client.release(broken);
    }
  });
}

/** The same on a connection of the caller's. */
export function inTransaction<T>(db: ClientBase, work: () => Promise<T>): Promise<T> {
  return retryConflicts(() => runOnce(db, work, () => undefined));
}

async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (err) {
      if (!RETRYABLE_CODES.has(failureCode(err)) || attempt === ATTEMPTS_MAX) throw err;
    }
  }
}

/** `onBroken`: the connection cannot roll back, and must be discarded. */
async function runOnce<T>(
  client: ClientBase,
  work: () => Promise<T>,
  onBroken: (err: Error) => void,
): Promise<T> {
  try {
    await client.query('begin');
    const result = await work();
    await client.query('commit');
    return result;
  } catch (err) {
    await client.query('rollback').catch((rollbackErr: unknown) => {
      onBroken(rollbackErr instanceof Error ? rollbackErr : new Error(String(rollbackErr)));
    });
    throw err;
  }
}

export type Breaker = {
  readonly allows: () => boolean;
  /** Whether a probe is due; true once per pause. Its outcome must be reported. */
  readonly takesProbe: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
};

/** Spares misses the timeouts of a failing engine. */
export const ENGINE_BREAKER = { failuresMax: 3, pauseMs: 500 } as const;

/**
 * Circuit breaker. `failuresMax` failures in a row open it; then one probe is due per `pauseMs`, whose success closes it.
 * Homemade, because it runs before every cold visit, where a library's wrapper allocates a promise and a context per call,
 * and because the probe need not be a visitor's call.
 */
export function createBreaker(options: { failuresMax: number; pauseMs: number; now: () => number }): Breaker {
  const { failuresMax, pauseMs, now } = options;
  let failures = 0;
  let probeDueAt = 0;
  return {
    allows: () => failures < failuresMax,
    takesProbe() {
      if (failures < failuresMax || now() < probeDueAt) return false;
      probeDueAt = now() + pauseMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= failuresMax) probeDueAt = now() + pauseMs;
    },
  };
}

export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms`);
    this.name = 'TimeLimitError';
  }
}

/**
 * Rejects with TimeLimitError after `limitMs`. The work continues, but its late outcome is dropped. An answer that arrived
 * while this process was busy is in time.
 */
export async function withTimeLimit<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // Timers run before received data, so a busy process would take its own delay for a silent engine.
      setImmediate(() => {
        reject(new TimeLimitError(limitMs));
      });
    }, limitMs);
  });
  // Promise.race leaves the loser without a handler.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Addresses of a stack that `npm start` runs; only those of the databases are there while it is starting. */
const stackSchema = z.object({
  databaseUrl: z.string(),
  redisUrl: z.string(),
  clickhouseUrl: z.string(),
  managementUrl: z.string().optional(),
  publicBaseUrl: z.string().optional(),
  metricsUrl: z.string().optional(),
  spoolDir: z.string().optional(),
});

export type StackFile = Readonly<z.infer<typeof stackSchema>>;

export const stackFilePath = (dataDir: string): string => join(dataDir, 'stack.json');

/** Addresses of the stack on a data folder; null when none runs. */
export function readStackFile(dataDir: string): StackFile | null {
  const file = stackFilePath(dataDir);
  if (!existsSync(file)) return null;
  return stackSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
}
