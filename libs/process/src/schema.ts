import { setTimeout as sleep } from 'node:timers/promises';
import { DENIED_CODES, describeDatabaseFailure, type Engine, LOGIN_CODES, placeOf } from './database.js';

/** Inserts name `deduplicate_insert`, which older servers refuse; tested from this version. */
export const CLICKHOUSE_MIN = [26, 3] as const;

export function isAtLeast(version: string, [majorMin, minorMin]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}

/** Reasons are one line for a person, without secrets. */
export type SchemaState =
  | { readonly kind: 'known' }
  /** This build must not run on it. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** `refuses`: the database runs and refuses the login or has no such database, so waiting alone does not help. */
  | { readonly kind: 'unreachable'; readonly reason: string; readonly refuses?: 'login' | 'database' };

export type SchemaSource = {
  readonly engine: Engine;
  readonly place: string;
  readonly check: () => Promise<SchemaState>;
};

/** The used part of pg's Client, so that this package needs no client. */
export type PostgresClient = {
  readonly connect: () => Promise<unknown>;
  readonly query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>;
  readonly end: () => Promise<unknown>;
  readonly on: (event: 'error', listener: () => void) => unknown;
};

/** The used part of ClickHouse's client. */
export type ClickhouseClient = {
  readonly query: (options: {
    query: string;
    format: 'JSONEachRow';
  }) => Promise<{ readonly json: () => Promise<unknown> }>;
  readonly close: () => Promise<unknown>;
};

// Via JSON, since a database last migrated by an older release lacks the column compatible_from.
const POSTGRES_APPLIED = `
select number, name, (to_jsonb(schema_migration) ->> 'compatible_from')::integer as compatible_from
from schema_migration order by number`;

// A pattern takes the columns that exist.
const CLICKHOUSE_APPLIED = `
select columns('^(number|name|compatible_from)$') from schema_migration final order by number`;

/**
 * `open` makes an unconnected client with timeouts of `answerMsMax`, which is used for messages only.
 */
export function postgresSchema(url: string, open: () => PostgresClient, answerMsMax: number): SchemaSource {
  const engine = 'Postgres';
  return {
    engine,
    place: placeOf(engine, url),
    check: () =>
      judgeAnswer({ engine, url, answerMsMax }, async () => {
        const client = open();
        // An idle connection that breaks would end the process; pending queries reject anyway.
        client.on('error', () => undefined);
        try {
          await client.connect();
          return (await client.query(POSTGRES_APPLIED)).rows;
        } finally {
          void client.end().catch(() => undefined);
        }
      }),
  };
}

/** `open` makes a client with a timeout of `answerMsMax`, which is used for messages only. */
export function clickhouseSchema(
  url: string,
  open: () => ClickhouseClient,
  answerMsMax: number,
): SchemaSource {
  const engine = 'ClickHouse';
  return {
    engine,
    place: placeOf(engine, url),
    check: () =>
      judgeAnswer({ engine, url, answerMsMax }, async () => {
        const client = open();
        try {
          const result = await client.query({ query: CLICKHOUSE_APPLIED, format: 'JSONEachRow' });
          return (await result.json()) as unknown[];
        } finally {
          void client.close().catch(() => undefined);
        }
      }),
  };
}

export type WaitOptions = {
  /** Milliseconds; 0 tries once. */
  readonly limitMs: number;
  /** Ends at the first `refuses`; otherwise the user or database may still be created. */
  readonly endsOnRefusal?: boolean;
  /** Called at the first failure, and every 10 s while it lasts. */
  readonly report: (line: string) => void;
};

const RETRY_MS = 1_000;
const REPORT_EVERY_MS = 10_000;

/** Checks until the database answers or `limitMs` have passed, and returns the last answer. Never rejects. */
export async function waitForSchema(source: SchemaSource, options: WaitOptions): Promise<SchemaState> {
  const startedAt = performance.now();
  let reportedAt = -Infinity;
  for (;;) {
    const state = await source.check();
    const now = performance.now();
    if (state.kind !== 'unreachable' || (options.endsOnRefusal && state.refuses !== undefined)) return state;
    if (now - startedAt + RETRY_MS > options.limitMs) return state;
    if (now - reportedAt >= REPORT_EVERY_MS) {
      options.report(
        `${state.reason}; trying again for ${Math.round((options.limitMs - now + startedAt) / 1_000)} s`,
      );
      reportedAt = now;
    }
    await sleep(RETRY_MS);
  }
}

/** Checks once; no answer within `limitMs` counts as unreachable. Never rejects. */
export async function askSchema(source: SchemaSource, limitMs: number): Promise<SchemaState> {
  const late: SchemaState = {
    kind: 'unreachable',
    reason: `${source.place} does not answer within ${limitMs / 1_000} s`,
  };
  const limit = new AbortController();
  try {
    return await Promise.race([
      source.check(),
      sleep(limitMs, late, { signal: limit.signal }).catch(() => late),
    ]);
  } finally {
    limit.abort();
  }
}

/**
 * Checks every `everyMs` until the schema is known. Returns a function that ends it. For a service that has started without
 * the database, or holds something back until it is migrated.
 */
export function watchSchema(
  source: SchemaSource,
  options: {
    readonly everyMs: number;
    readonly onKnown?: () => void;
    readonly onUnknown: (reason: string) => void;
  },
): () => void {
  const stopped = new AbortController();
  const isStopped = () => stopped.signal.aborted;
  const run = async () => {
    while (!isStopped()) {
      await sleep(options.everyMs, undefined, { signal: stopped.signal, ref: false });
      const state = await source.check();
      if (isStopped()) return;
      if (state.kind === 'unknown') options.onUnknown(state.reason);
      if (state.kind === 'known') {
        options.onKnown?.();
        return;
      }
    }
  };
  // Only the pause rejects, when it is ended.
  void run().catch(() => undefined);
  return () => {
    stopped.abort();
  };
}

/** SQLSTATE undefined_table; ClickHouse's UNKNOWN_TABLE and UNKNOWN_DATABASE, which the migrator makes. */
const NEVER_MIGRATED: ReadonlySet<string> = new Set(['42P01', '60', '81']);
/** SQLSTATE undefined_column and class 22; ClickHouse's UNKNOWN_IDENTIFIER and EMPTY_LIST_OF_COLUMNS_QUERIED. */
const DAMAGED: ReadonlySet<string> = new Set(['42703', '47', '51']);
async function judgeAnswer(
  { engine, url, answerMsMax }: { engine: Engine; url: string; answerMsMax: number },
  read: () => Promise<readonly unknown[]>,
): Promise<SchemaState> {
  const damaged = `${engine} has a damaged schema_migration: restore it from a backup`;
  try {
    const rows = (await read()).map(toApplied);
    const applied = rows.filter((row) => row !== null);
    const isDamaged = applied.length < rows.length;
    const reason = isDamaged ? damaged : judgeSchema(engine, SCHEMA_NEEDED[engine], applied);
    return reason === null ? { kind: 'known' } : { kind: 'unknown', reason };
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : '';
    const unknown = (reason: string): SchemaState => ({ kind: 'unknown', reason });
    if (NEVER_MIGRATED.has(code)) {
      return unknown(`${engine} has no schema_migration, so it was never migrated: npm run migrate`);
    }
    if (DENIED_CODES.has(code)) {
      return unknown(`${engine} does not let this user read schema_migration: grant select on it`);
    }
    if (DAMAGED.has(code) || code.startsWith('22')) return unknown(damaged);
    const reason = describeDatabaseFailure(engine, url, err, answerMsMax);
    if (LOGIN_CODES.has(code)) return { kind: 'unreachable', reason, refuses: 'login' };
    return { kind: 'unreachable', reason, ...(code === '3D000' && { refuses: 'database' }) };
  }
}

function toApplied(row: unknown): AppliedMigration | null {
  if (typeof row !== 'object' || row === null) return null;
  const {
    number,
    name,
    compatible_from: from = null,
  }: { number?: unknown; name?: unknown; compatible_from?: unknown } = row;
  if (typeof number !== 'number' || typeof name !== 'string') return null;
  return typeof from === 'number' || from === null ? { number, name, compatibleFrom: from } : null;
}

/**
 * The newest migration known to this build, which does not run on an older schema. A test of deploy/migrate compares it
 * with deploy/migrations.
 */
export const SCHEMA_NEEDED = { Postgres: 27, ClickHouse: 11 } as const satisfies Record<Engine, number>;

/** Settings for pg's Client. */
export type PostgresSettings = {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly query_timeout: number;
  readonly application_name: string;
};

/** Settings for ClickHouse's client. */
export type ClickhouseSettings = { readonly url: string; readonly request_timeout: number };

/**
 * Schema checks of both databases, each with a timeout of `answerMsMax`. The caller opens the clients, which are closed
 * here after each answer.
 */
export function schemaSources(
  addresses: { readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string },
  options: {
    readonly answerMsMax: number;
    readonly applicationName: string;
    readonly openPostgres: (settings: PostgresSettings) => PostgresClient;
    readonly openClickhouse: (settings: ClickhouseSettings) => ClickhouseClient;
  },
): { readonly postgres: SchemaSource; readonly clickhouse: SchemaSource } {
  const { DATABASE_URL, CLICKHOUSE_URL } = addresses;
  const { answerMsMax, applicationName, openPostgres, openClickhouse } = options;
  return {
    postgres: postgresSchema(
      DATABASE_URL,
      () =>
        openPostgres({
          connectionString: DATABASE_URL,
          connectionTimeoutMillis: answerMsMax,
          query_timeout: answerMsMax,
          application_name: applicationName,
        }),
      answerMsMax,
    ),
    clickhouse: clickhouseSchema(
      CLICKHOUSE_URL,
      () => openClickhouse({ url: CLICKHOUSE_URL, request_timeout: answerMsMax }),
      answerMsMax,
    ),
  };
}

/** A row of `schema_migration`. */
export type AppliedMigration = {
  readonly number: number;
  readonly name: string;
  /** The oldest schema whose builds can still run after it; null: the one before it. */
  readonly compatibleFrom: number | null;
};

/**
 * Why a build for migration `needed` must not run on a database with these migrations; null if it may: on that schema, and
 * on a newer one if all further migrations are compatible with it.
 */
export function judgeSchema(
  engine: Engine,
  needed: number,
  applied: readonly AppliedMigration[],
): string | null {
  const rows = applied.toSorted((a, b) => a.number - b.number);
  const newest = rows.at(-1);
  if (newest === undefined) {
    return `${engine} has an empty schema_migration table, so its schema version is unknown: restore it from a backup`;
  }
  if (newest.number < needed) {
    return `${engine} is at migration ${padded(newest.number)} and this build needs ${padded(needed)}: npm run migrate`;
  }
  const known = new Set(rows.map((row) => row.number));
  const missing = Array.from({ length: needed }, (_, i) => i + 1).filter((number) => !known.has(number));
  if (missing.length > 0) {
    return `${engine} has a damaged schema_migration, without ${missing.map(padded).join(', ')}: restore it from a backup`;
  }
  const barrier = rows.find((row) => row.number > needed && (row.compatibleFrom ?? row.number - 1) > needed);
  if (barrier === undefined) return null;
  const from = barrier.compatibleFrom ?? barrier.number - 1;
  return (
    `${engine} has ${barrier.name}, on which only builds for ${padded(from)} and later run; ` +
    `this one is for ${padded(needed)}: run the newer release`
  );
}

const padded = (number: number): string => String(number).padStart(4, '0');
