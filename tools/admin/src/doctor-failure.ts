import { redisPlaces } from '@smartlink/link-resolver/redis-address';
import { describeDatabaseFailure, isTimeout } from '@smartlink/process/database-failure';
import { ANSWER_LIMIT_MS } from './doctor-check.js';
import { describe } from './session.js';

/** Returns one line for an engine that does not answer; it holds no password. */
export function describeUnanswered(engine: 'Postgres' | 'ClickHouse', url: string, err: unknown): string {
  return describeDatabaseFailure(engine, url, err, ANSWER_LIMIT_MS);
}

/** Returns one line for a Redis, or sentinels, at `places` (host:port) that cannot be used. */
export function describeRedisFailure(places: string, err: unknown): string {
  const at = `Redis at ${places}`;
  if (isTimeout(err)) return `${at} does not answer within ${ANSWER_LIMIT_MS / 1_000} s`;
  return `${at} cannot be reached: ${describe(err)}`;
}

/** Returns the hosts and ports of REDIS_URL, all that are listed. */
export const placesIn = (redisUrl: string): string => redisPlaces(redisUrl).join(', ');

// SQLSTATE invalid_password, invalid_authorization_specification; ClickHouse's UNKNOWN_USER, WRONG_PASSWORD,
// REQUIRED_PASSWORD, AUTHENTICATION_FAILED.
const LOGIN_CODES: ReadonlySet<unknown> = new Set(['28P01', '28000', '192', '193', '194', '516']);
const LOGIN_WORDS =
  /^(?:WRONGPASS|NOAUTH|NOPERM|ERR (?:invalid password|AUTH))|client password must be a string/;
// SQLSTATE invalid_catalog_name; ClickHouse's UNKNOWN_DATABASE.
const DATABASE_CODES: ReadonlySet<unknown> = new Set(['3D000', '81']);
// What OpenSSL, Node and pg say: of a server without TLS, of one that asks for it, and of a certificate that is not believed.
const TLS_WORDS = /support SSL|SSL routines|wrong version number|certificate|TLS/;
const NAME_CODES: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const NOBODY_CODES: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT']);

/** Returns what to do about an engine that was not reached. Only where nobody listens may it be that it does not run. */
export function adviseReaching(variable: string, err: unknown): string {
  const code = codeOf(err);
  const words = err instanceof Error ? err.message : '';
  if (words.includes('pg_hba.conf')) {
    return words.includes('no encryption')
      ? `Ask for TLS in ${variable} (sslmode=require), or let this host in with pg_hba.conf.`
      : `Let this host, user and database in with pg_hba.conf, or correct ${variable}.`;
  }
  if (LOGIN_CODES.has(code) || LOGIN_WORDS.test(words))
    return `Correct the user and password in ${variable}.`;
  if (DATABASE_CODES.has(code)) return `Correct the name of the database in ${variable}.`;
  if (TLS_WORDS.test(words)) {
    return `Correct whether ${variable} asks for TLS; NODE_EXTRA_CA_CERTS names a private authority.`;
  }
  if (NAME_CODES.has(code)) return `Correct the host in ${variable}.`;
  if (NOBODY_CODES.has(code)) return `Start it, or correct host and port in ${variable}.`;
  return isTimeout(err)
    ? `It may hang, or expect TLS where none is asked for or the reverse: see its log, and ${variable}.`
    : `See its log, and correct ${variable}.`;
}

/** Both clients wrap the failures of a name with several addresses. */
function codeOf(err: unknown): unknown {
  if (err instanceof AggregateError && err.errors.length > 0) return codeOf(err.errors[0]);
  if (!(err instanceof Error)) return undefined;
  return 'code' in err ? err.code : codeOf(err.cause);
}
