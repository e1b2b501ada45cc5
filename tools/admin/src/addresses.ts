import { redisAddressProblem } from '@smartlink/link-resolver/redis-address';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readVariableFile } from '@smartlink/process/variable-file';
import { Problem } from './problem.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** Where the databases are. Redis is needed for deleting a user only, ClickHouse for that and for visits. */
export type Addresses = {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly redisKeyPrefix: string;
  readonly clickhouseUrl: string | undefined;
  /** What visitors' addresses begin with, without a slash at the end. */
  readonly publicBaseUrl: string | undefined;
  /** The addresses are those of the embedded stack, so an unreachable database means that it does not run. */
  readonly isEmbedded: boolean;
};

/**
 * Returns the addresses from the environment, or, without DATABASE_URL, those of the stack that `npm start` has
 * brought up (`stack.json` in SMARTLINK_DATA_DIR, by default .data). Throws Problem when there is neither, and when a variable is no address of its kind.
 */
export function findAddresses(env: Env): Addresses {
  const redisKeyPrefix = value(env, 'REDIS_KEY_PREFIX') ?? 'smartlink:';
  const publicBaseUrl = url(env, 'PUBLIC_BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  const databaseUrl = url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
  if (databaseUrl !== undefined) {
    return {
      databaseUrl,
      redisUrl: redisUrl(env),
      redisKeyPrefix,
      clickhouseUrl: url(env, 'CLICKHOUSE_URL', ['http:', 'https:']),
      publicBaseUrl,
      isEmbedded: false,
    };
  }
  const dataDir = resolve(value(env, 'SMARTLINK_DATA_DIR') ?? '.data');
  const stack = readStack(join(dataDir, 'stack.json'));
  if (stack === null) throw noStack(dataDir);
  return { ...stack, publicBaseUrl: publicBaseUrl ?? stack.publicBaseUrl, redisKeyPrefix, isEmbedded: true };
}

/** Returns the one line for a person who has not started the stack. */
export function noStack(dataDir: string): Problem {
  return new Problem(
    `No stack is running on ${dataDir}: start it with npm start, or set DATABASE_URL or DATABASE_URL_FILE (and REDIS_URL, CLICKHOUSE_URL).`,
  );
}

/** Told before anything is done: a user must not be half deleted because the last address is mistyped. */
function url(env: Env, name: string, protocols: readonly string[]): string | undefined {
  const text = value(env, name);
  if (text === undefined) return undefined;
  // The value stays out of the message: it may hold a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new Problem(`${name} must be an address that begins with ${protocols.join('// or ')}//.`);
  }
  return text;
}

function redisUrl(env: Env): string | undefined {
  const text = value(env, 'REDIS_URL');
  const problem = text === undefined ? null : redisAddressProblem(text);
  if (problem !== null) throw new Problem(`REDIS_URL: ${problem}.`);
  return text;
}

/** Returns the value of `X`, or the content of the file that `X_FILE` names, without its last line break. */
function value(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  const text = file ? readSecret(`${name}_FILE`, file) : env[name];
  return text === '' ? undefined : text;
}

function readSecret(name: string, file: string): string {
  try {
    return readVariableFile(file);
  } catch (err) {
    throw new Problem(`${name} ${err instanceof Error ? err.message : String(err)}.`);
  }
}

type Stack = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly clickhouseUrl: string;
  readonly publicBaseUrl: string | undefined;
};

function readStack(file: string): Stack | null {
  if (!existsSync(file)) return null;
  const stack: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof stack !== 'object' || stack === null) return null;
  const { databaseUrl, redisUrl, clickhouseUrl, publicBaseUrl } = stack as Record<string, unknown>;
  if (typeof databaseUrl !== 'string' || typeof redisUrl !== 'string' || typeof clickhouseUrl !== 'string') {
    return null;
  }
  // Not there yet while the services start.
  return {
    databaseUrl,
    redisUrl,
    clickhouseUrl,
    publicBaseUrl: typeof publicBaseUrl === 'string' ? publicBaseUrl : undefined,
  };
}
