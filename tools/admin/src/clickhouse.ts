import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { Problem } from './problem.js';
import { describe } from './session.js';
import type { Session } from './session.js';

// Longer than any statement of ours may take, see STATEMENT_MS_MAX of visit-analytics.
const REQUEST_TIMEOUT_MS = 660_000;

/** ClickHouse's codes (src/Common/ErrorCodes.cpp) for a missing column, table and database. */
const UNMIGRATED: ReadonlySet<string> = new Set(['16', '47', '60', '81']);

/** Returns what `work` returns; the client is closed after it. Throws Problem when ClickHouse is not there. */
export async function withClickhouse<T>(
  { addresses }: Pick<Session, 'addresses'>,
  work: (clickhouse: ClickHouseClient) => Promise<T>,
): Promise<T> {
  if (addresses.clickhouseUrl === undefined) {
    throw new Problem('CLICKHOUSE_URL is not set: it says where the visits are.');
  }
  const clickhouse = createClient({
    url: addresses.clickhouseUrl,
    application: 'smartlink-admin',
    request_timeout: REQUEST_TIMEOUT_MS,
    // What fails is told in one line.
    log: { level: ClickHouseLogLevel.OFF },
    // Counts travel as numbers: none comes near 2^53.
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  try {
    return await work(clickhouse);
  } catch (err) {
    if (err instanceof ClickHouseError && UNMIGRATED.has(err.code)) {
      throw new Problem('ClickHouse is not up to date: npm run migrate.');
    }
    throw isUnreachable(err) ? new Problem(`ClickHouse cannot be reached: ${describe(err)}`) : err;
  } finally {
    await clickhouse.close();
  }
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
