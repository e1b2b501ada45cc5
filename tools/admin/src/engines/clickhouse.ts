import { text } from 'node:stream/consumers';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { CONNECTION_CODES, failureCode, failureMessage, isTimeout } from '@smartlink/process/database';
import { selectRows } from '@smartlink/visits/analytics';
import { type HoldsLock, withRollupLock } from '@smartlink/visits/rollup';
import { isFileError } from '../cli/files.js';
import { Problem, type Terminal } from '../cli/terminal.js';
import type { Session } from './session.js';

// Longer than any statement may take, see STATEMENT_MS_MAX of visits/rollup.
const REQUEST_TIMEOUT_MS = 660_000;

/** ClickHouse's codes (src/Common/ErrorCodes.cpp) for a missing column, table and database. */
const UNMIGRATED: ReadonlySet<string> = new Set(['16', '47', '60', '81']);

export const ANSWER_LIMIT_MS = 10_000;
/** For statements that read years of events. */
export const SLOW_ANSWER_LIMIT_MS = 60_000;

/**
 * The result of `work`, which gets a client. Throws Problem when ClickHouse cannot be reached, or does not answer a first
 * question within `limitMs`.
 */
export async function withClickhouse<T>(
  { addresses }: Pick<Session, 'addresses'>,
  work: (clickhouse: ClickHouseClient) => Promise<T>,
  limitMs = ANSWER_LIMIT_MS,
): Promise<T> {
  const clickhouse = openClickhouse(addresses);
  try {
    await selectRows(clickhouse, 'select 1', {}, limitMs);
    return await work(clickhouse);
  } catch (err) {
    throw explainFailure(err);
  } finally {
    await clickhouse.close();
  }
}

/** A Problem for what the user can correct, and any other failure as it is. */
export function explainFailure(err: unknown): unknown {
  if (err instanceof Problem || isFileError(err)) return err;
  const code = failureCode(err);
  if (err instanceof ClickHouseError && UNMIGRATED.has(code)) {
    return new Problem('ClickHouse is not up to date: npm run migrate.');
  }
  if (CONNECTION_CODES.has(code)) return new Problem(`ClickHouse cannot be reached: ${failureMessage(err)}`);
  if (!isTimeout(err)) return err;
  const seen = failureMessage(err);
  // That of selectRows names the limit.
  return new Problem(seen.startsWith('ClickHouse') ? `${seen}.` : 'ClickHouse did not answer in time.');
}

/** A client, which the caller closes. Throws Problem when no address is known. */
export function openClickhouse({ clickhouseUrl }: { clickhouseUrl: string | undefined }): ClickHouseClient {
  if (clickhouseUrl === undefined) {
    throw new Problem('CLICKHOUSE_URL (or CLICKHOUSE_URL_FILE) is not set: visits are stored there.');
  }
  return createClient({
    url: clickhouseUrl,
    application: 'smartlink-admin',
    request_timeout: REQUEST_TIMEOUT_MS,
    log: { level: ClickHouseLogLevel.OFF },
    // Counts stay below 2^53.
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
}

export type Grant = { readonly privileges: readonly string[]; readonly table: string };

/** The grants that the client's login lacks, as `truncate on events`. Nothing is tried; tables need not exist. */
export async function findLackingGrants(
  clickhouse: ClickHouseClient,
  grants: readonly Grant[],
  limitMs: number,
): Promise<readonly string[]> {
  const lacking: string[] = [];
  const all = grants.flatMap(({ privileges, table }) => privileges.map((one) => `${one} on ${table}`));
  for (const grant of all) {
    const abort_signal = AbortSignal.timeout(limitMs);
    // Not a query: to that the client would append a format, which this statement does not take.
    const { stream } = await clickhouse.exec({ query: `check grant ${grant}`, abort_signal });
    if ((await text(stream)).trim() !== '1') lacking.push(grant);
  }
  return lacking;
}

/**
 * Runs `work` while no rollup runs; prints a line when it has to wait for one, minutes at most. Throws Problem when the lock
 * was lost: a rollup may then have written what it had read before.
 */
export async function withoutRollups(
  terminal: Terminal,
  { addresses }: Session,
  work: () => Promise<void>,
): Promise<void> {
  const run = async (holdsLock: HoldsLock) => {
    await work();
    if (await holdsLock()) return 'done' as const;
    throw new Problem('The connection to Postgres broke, and a rollup may have run: run the command again.');
  };
  if ((await withRollupLock(addresses.databaseUrl, run)) !== null) return;
  terminal.stderr('Visits are being rolled up: waiting until that is done.\n');
  await withRollupLock(addresses.databaseUrl, run, { wait: true });
}
