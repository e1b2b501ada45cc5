import type { ClickHouseClient } from '@clickhouse/client';
import { Client } from 'pg';
import { INSERT_ASSUMED_DEAD_SECONDS } from '../event.js';
import { ROLLUP_SETTINGS, STATEMENT_MS_MAX, selectRows } from './clickhouse.js';

/** The state in `rollup_state`, and the server's time when it was read. */
export type RollupProgress = {
  /** YYYY-MM-DD, UTC: days before it have all their cells. */
  openFrom: string;
  /** YYYY-MM-DD, UTC: days before it may have lost their events, and their cells are final. It never goes back. */
  rawFrom: string;
  /** Time of the last change of `rawFrom`, in seconds since 1970. */
  rawFromSetSeconds: number;
  /** Seconds since 1970: events that came late before this are in the cells. */
  lateFromSeconds: number;
  /** YYYY-MM-DD, UTC: days from it to before `openFrom` have rows by owner; 2149-06-06 when none has. */
  ownersFrom: string;
  /** 0: a build that does not know presses may have written cells. */
  hasPresses: 0 | 1;
  /** YYYY-MM-01, UTC: months before it have sums. */
  monthsUntil: string;
  readonly nowSeconds: number;
  readonly today: string;
  /** The first day whose events may still be on their way into the table without being late. */
  readonly openUntil: string;
};

export type RollupStep =
  | { readonly kind: 'days'; readonly from: string; readonly to: string; readonly events: number }
  | { readonly kind: 'late cells'; readonly cells: number }
  | { readonly kind: 'reopened'; readonly from: string }
  | {
      readonly kind: 'days computed again';
      readonly from: string;
      readonly until: string;
      readonly events: number;
    }
  | { readonly kind: 'dropped'; readonly month: string };

export type RollupOptions = {
  /** Minimum months to keep events; 0 is for ever. */
  readonly keptMonths: number;
  /** Checked before each step; the next call continues from there. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Called for each finished step. */
  readonly report: (step: RollupStep) => void;
};

/** The `openFrom` of an instance that has never rolled anything up. */
export const NEVER = '1970-01-01';

/** The `ownersFrom` of a state that an older build wrote, and of none. */
const NO_OWNERS = '2149-06-06';

/** Expression of `ownersFrom` over the rows of `rollup_state`. */
export const OWNERS_FROM = `if(count() = 0, toDate('${NO_OWNERS}'), argMax(owners_from, version))`;

/** Expression of `monthsUntil` over the rows of `rollup_state`: the months of open days have no sums. */
export const MONTHS_UNTIL =
  'least(argMax(months_until, version), toStartOfMonth(argMax(open_from, version)))';

/** The first day of a date's month. */
export const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;

const READ = `
select toString(argMax(open_from, version)) as openFrom, toString(max(raw_from)) as rawFrom,
       toUnixTimestamp(argMax(raw_from_set_at, (raw_from, version))) as rawFromSetSeconds,
       toUnixTimestamp(argMax(late_from, version)) as lateFromSeconds,
       toString(${OWNERS_FROM}) as ownersFrom, argMax(has_presses, version) as hasPresses,
       toString(${MONTHS_UNTIL}) as monthsUntil,
       toUnixTimestamp(now()) as nowSeconds, toString(toDate(now('UTC'))) as today,
       toString(toDate(now('UTC') - interval ${INSERT_ASSUMED_DEAD_SECONDS} second)) as openUntil
from rollup_state`;

// The newest version, even after the server's clock was ahead.
const SAVE = `
insert into rollup_state (id, open_from, raw_from, raw_from_set_at, late_from, owners_from, has_presses, months_until, version)
select 1, {openFrom:Date}, greatest({rawFrom:Date}, max(raw_from)), fromUnixTimestamp({rawFromSetSeconds:UInt32}),
       fromUnixTimestamp({lateFromSeconds:UInt32}), {ownersFrom:Date}, {hasPresses:UInt8}, {monthsUntil:Date}, ${nextVersion('max(version)')}
from rollup_state`;

/** Expression of a version newer than `newest`, in microseconds since 1970. */
export function nextVersion(newest: string): string {
  return `greatest(toUInt64(toUnixTimestamp64Micro(now64(6))), ${newest} + 1)`;
}

export async function readProgress(clickhouse: ClickHouseClient): Promise<RollupProgress> {
  const [progress] = await selectRows<RollupProgress>(clickhouse, READ, {}, STATEMENT_MS_MAX);
  if (progress === undefined) throw new Error('ClickHouse did not answer with the state of the rollup');
  return progress;
}

/** Makes `date` and the days after it open again. */
export function reopenFrom(progress: RollupProgress, date: string): void {
  if (date < progress.openFrom) progress.openFrom = date;
  if (monthOf(date) < progress.monthsUntil) progress.monthsUntil = monthOf(date);
}

/** Inserts a row; the newest one counts. */
export async function saveProgress(clickhouse: ClickHouseClient, progress: RollupProgress): Promise<void> {
  await clickhouse.command({ query: SAVE, query_params: progress, clickhouse_settings: ROLLUP_SETTINGS });
}

const CONNECT_TIMEOUT_MS = 5_000;
// Postgres ends a session after this idle time, so a stopped process does not hold the lock for ever.
const SILENCE_MS_MAX = 5 * 60_000;
const SIGN_OF_LIFE_MS = 60_000;

// Migrations and tests use other advisory locks.
const LOCK_KEY = 7_236_510;

/** Resolves with whether the lock is still held, as Postgres says. */
export type HoldsLock = () => Promise<boolean>;

/**
 * Runs `work` under the lock for changing cells and returns its result; null without running it if the lock is taken. It
 * belongs to the connection (pg_try_advisory_lock), so it ends with the process, and
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
