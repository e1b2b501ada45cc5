import { describeDatabaseFailure } from '@smartlink/process/database-failure';
import { isGivenUp } from './clickhouse.js';
import { ANSWER_LIMIT_MS } from './doctor-check.js';

/** Returns one line for an engine that does not answer; it holds no password. */
export function describeUnanswered(engine: 'Postgres' | 'ClickHouse', url: string, err: unknown): string {
  // What the client of ClickHouse gives up it tells in words of its own.
  const failure = isGivenUp(err) ? new Error('timeout') : err;
  const seen = describeDatabaseFailure(engine, url, failure);
  return seen.replace(/ in time$/, ` within ${ANSWER_LIMIT_MS / 1_000} s`);
}

// SQLSTATE of class 28 (authorization), invalid_catalog_name; ClickHouse's AUTHENTICATION_FAILED, UNKNOWN_DATABASE.
const REFUSED_CODES: ReadonlySet<unknown> = new Set(['28P01', '28000', '3D000', '516', '81']);
const REFUSED_BY_REDIS = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:invalid password|AUTH))/;

/** Returns what to do about an engine that was not reached: one that refuses a login runs already. */
export function adviseReaching(variable: string, err: unknown): string {
  const isRefused =
    err instanceof Error &&
    (('code' in err && REFUSED_CODES.has(err.code)) || REFUSED_BY_REDIS.test(err.message));
  if (isRefused) return `Correct ${variable}.`;
  return isGivenUp(err) || (err instanceof Error && /time(?:d )?-?out/i.test(err.message))
    ? `It may hang: see its log, and ${variable}.`
    : `Start it, or correct ${variable}.`;
}
