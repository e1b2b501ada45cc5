import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import { Problem } from './problem.js';
import { describe } from './session.js';
import type { Session } from './session.js';

// Longer than any statement of ours may take, see STATEMENT_MS_MAX of visit-analytics.
const REQUEST_TIMEOUT_MS = 660_000;

/** ClickHouse's codes (src/Common/ErrorCodes.cpp) for a missing column, table and database. */
const UNMIGRATED: ReadonlySet<string> = new Set(['16', '47', '60', '81']);

/** For an answer that somebody waits for; what reads everything may take longer, once ClickHouse has answered at all. */
export const ANSWER_LIMIT_MS = 10_000;

/**
 * Returns what `work` returns; the client is closed after it. Throws Problem when ClickHouse is not there, and when it
 * does not answer a first question within `limitMs`.
 */
export async function withClickhouse<T>(
  { addresses }: Pick<Session, 'addresses'>,
  work: (clickhouse: ClickHouseClient) => Promise<T>,
  limitMs = ANSWER_LIMIT_MS,
): Promise<T> {
  const clickhouse = openClickhouse(addresses);
  try {
    await answerWithin(limitMs, selectRows(clickhouse, 'select 1', {}, limitMs));
    return await work(clickhouse);
  } catch (err) {
    throw explainFailure(err);
  } finally {
    await clickhouse.close();
  }
}

/** Returns a Problem for what a person can mend, and any other failure as it is. */
export function explainFailure(err: unknown): unknown {
  if (err instanceof ClickHouseError && UNMIGRATED.has(err.code)) {
    return new Problem('ClickHouse is not up to date: npm run migrate.');
  }
  if (isGivenUp(err)) return new Problem('ClickHouse did not answer in time.');
  return isUnreachable(err) ? new Problem(`ClickHouse cannot be reached: ${describe(err)}`) : err;
}

/** Returns a client, which the caller closes. Throws Problem when no address is known. */
export function openClickhouse({
  clickhouseUrl,
}: Pick<Session['addresses'], 'clickhouseUrl'>): ClickHouseClient {
  if (clickhouseUrl === undefined) {
    throw new Problem('CLICKHOUSE_URL (or CLICKHOUSE_URL_FILE) is not set: it says where the visits are.');
  }
  return createClient({
    url: clickhouseUrl,
    application: 'smartlink-admin',
    request_timeout: REQUEST_TIMEOUT_MS,
    // What fails is told in one line.
    log: { level: ClickHouseLogLevel.OFF },
    // Counts travel as numbers: none comes near 2^53.
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
}

/** ClickHouse's code for a query that has taken longer than max_execution_time. */
const TIMEOUT_EXCEEDED = '159';

/** Returns an answer that was asked for with this limit. Throws Problem when it was given up. */
export async function answerWithin<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (err) {
    if (!isGivenUp(err)) throw err;
    throw new Problem(`ClickHouse did not answer within ${limitMs / 1_000} seconds.`);
  }
}

/** Whether an answer has taken too long for the server, or for us. */
export function isGivenUp(err: unknown): boolean {
  if (err instanceof ClickHouseError) return err.code === TIMEOUT_EXCEEDED;
  // The client tells an abort, and its own limit, in words only.
  return err instanceof Error && /aborted a request|timeout error|does not answer within/i.test(err.message);
}

const CONNECTION_ERRORS: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

function isUnreachable(err: unknown): boolean {
  if (err instanceof AggregateError) return err.errors.every(isUnreachable);
  return err instanceof Error && 'code' in err && CONNECTION_ERRORS.has(err.code);
}
