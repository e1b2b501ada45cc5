import { setTimeout as sleep } from 'node:timers/promises';
import { describeDatabaseFailure, placeOf } from './database-failure.js';
import { SCHEMA_NEEDED } from './schema-needed.js';
import type { Engine } from './schema-needed.js';
import { judgeSchema } from './schema-verdict.js';
import type { AppliedMigration } from './schema-verdict.js';

/** What a database says of its schema. Reasons are one line for a person, without secrets. */
export type SchemaState =
  | { readonly kind: 'known' }
  /** This build must not run on it. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** It cannot be asked: that is no unknown schema. `refuses`: it runs, and waiting alone mends nothing. */
  | { readonly kind: 'unreachable'; readonly reason: string; readonly refuses?: 'login' | 'database' };

export type SchemaSource = {
  readonly engine: Engine;
  /** The engine with its host and port, for a line about it. */
  readonly place: string;
  readonly check: () => Promise<SchemaState>;
};

/** As much of pg's Client as is needed, so that this package depends on no engine. */
export type PostgresClient = {
  readonly connect: () => Promise<unknown>;
  readonly query: (text: string) => Promise<{ readonly rows: readonly unknown[] }>;
  readonly end: () => Promise<unknown>;
  readonly on: (event: 'error', listener: () => void) => unknown;
};

/** As much of ClickHouse's client as is needed. */
export type ClickhouseClient = {
  readonly query: (options: {
    query: string;
    format: 'JSONEachRow';
  }) => Promise<{ readonly json: () => Promise<unknown> }>;
  readonly close: () => Promise<unknown>;
};

// A database that was last migrated by an older release has no such column yet; in JSON it is null then.
const POSTGRES_APPLIED = `
select number, name, (to_jsonb(schema_migration) ->> 'compatible_from')::integer as compatible_from
from schema_migration order by number`;

// For the same reason by a pattern: it takes those columns that are there.
export const CLICKHOUSE_APPLIED = `
select columns('^(number|name|compatible_from)$') from schema_migration final order by number`;

/**
 * Returns what asks Postgres. `open` makes a client that is not connected, with limits to its waits; each is `answerMsMax`,
 * which is only said.
 */
export function postgresSchema(url: string, open: () => PostgresClient, answerMsMax: number): SchemaSource {
  const engine = 'Postgres';
  return {
    engine,
    place: placeOf(engine, url),
    check: () =>
      settle({ engine, url, answerMsMax }, async () => {
        const client = open();
        // A connection that breaks while nobody waits for it would end the process; who waits is told all the same.
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

/** Returns what asks ClickHouse. `open` makes a client with a limit to its waits, `answerMsMax`, which is only said. */
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
      settle({ engine, url, answerMsMax }, async () => {
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
  /** Ends as soon as a database that runs refuses the login or has no such database; otherwise somebody may still make it. */
  readonly endsOnRefusal?: boolean;
  /** Told at the first failure, and every 10 s while it lasts. */
  readonly report: (line: string) => void;
};

const RETRY_MS = 1_000;
const REPORT_EVERY_MS = 10_000;

/** Asks until the database answers, at most until `limitMs` are over, and returns the last answer. Never rejects. */
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

/** Asks once, for so long at most. What has not answered by then counts as unreachable. Never rejects. */
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
 * Asks every `everyMs` until the database has answered with a schema that is known, and tells each other answer. Returns
 * what ends it. For a service that has started without the database, or holds something back until it is migrated.
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
const NEVER_MIGRATED: ReadonlySet<unknown> = new Set(['42P01', '60', '81']);
/** SQLSTATE insufficient_privilege; ClickHouse's ACCESS_DENIED. */
const DENIED: ReadonlySet<unknown> = new Set(['42501', '497']);
/** SQLSTATE undefined_column and class 22; ClickHouse's UNKNOWN_IDENTIFIER and EMPTY_LIST_OF_COLUMNS_QUERIED. */
const DAMAGED: ReadonlySet<unknown> = new Set(['42703', '47', '51']);
/** SQLSTATE invalid_password, invalid_authorization_specification and invalid_catalog_name; ClickHouse's AUTHENTICATION_FAILED. */
const REFUSALS: ReadonlyMap<unknown, 'login' | 'database'> = new Map([
  ['28P01', 'login'],
  ['28000', 'login'],
  ['3D000', 'database'],
  ['516', 'login'],
]);

async function settle(
  { engine, url, answerMsMax }: { engine: Engine; url: string; answerMsMax: number },
  read: () => Promise<readonly unknown[]>,
): Promise<SchemaState> {
  try {
    const applied = (await read()).map(toApplied);
    const reason = applied.includes(null)
      ? `${engine} has a damaged schema_migration: restore it from a backup`
      : judgeSchema(
          engine,
          SCHEMA_NEEDED[engine],
          applied.filter((row) => row !== null),
        );
    return reason === null ? { kind: 'known' } : { kind: 'unknown', reason };
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? err.code : undefined;
    if (NEVER_MIGRATED.has(code)) {
      return {
        kind: 'unknown',
        reason: `${engine} has no schema_migration, so it was never migrated: npm run migrate`,
      };
    }
    if (DENIED.has(code)) {
      return {
        kind: 'unknown',
        reason: `${engine} does not let this user read schema_migration: grant select on it`,
      };
    }
    if (DAMAGED.has(code) || String(code).startsWith('22')) {
      return {
        kind: 'unknown',
        reason: `${engine} has a damaged schema_migration: restore it from a backup`,
      };
    }
    const refuses = REFUSALS.get(code);
    const reason = describeDatabaseFailure(engine, url, err, answerMsMax);
    return { kind: 'unreachable', reason, ...(refuses !== undefined && { refuses }) };
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
