import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Logger } from '@smartlink/process/lifecycle';
import { EVENT_INSERT_SETTINGS, INSERT_TIMEOUT_SECONDS } from '@smartlink/visits/event';
import { METRICS } from '../metrics/metric-definitions.js';
import { createHistogram } from '../metrics/worker-metrics.js';

export type InsertOutcome =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

export type EventTable = {
  /**
   * Sends rows in RowBinary under the named columns. Resolves `acknowledged` once ClickHouse has them, `refused` when it
   * can never accept these data. Rejects on errors that can be retried.
   */
  readonly insert: (
    columns: readonly string[],
    rows: AsyncIterable<Buffer> | Iterable<Buffer>,
    signal: AbortSignal,
  ) => Promise<InsertOutcome>;
  /** The server's uptime. Rejects when it does not answer. */
  readonly uptimeSeconds: (signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};

// A silent connection is given up after this, and the rows are sent again, which changes nothing.
const REQUEST_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * ClickHouse's codes (src/Common/ErrorCodes.cpp) about the data alone: the same bytes always fail. All others are
 * retried, since a missing table, a full disk or a wrong password can be fixed. A damaged row gives 33 if it ends early
 * or late, 131 for a wrong length (tried on 26.7).
 */
const DATA_ERRORS: ReadonlyMap<string, string> = new Map([
  ['6', 'CANNOT_PARSE_TEXT'],
  ['27', 'CANNOT_PARSE_INPUT_ASSERTION_FAILED'],
  ['32', 'ATTEMPT_TO_READ_AFTER_EOF'],
  ['33', 'CANNOT_READ_ALL_DATA'],
  ['38', 'CANNOT_PARSE_DATE'],
  ['41', 'CANNOT_PARSE_DATETIME'],
  ['53', 'TYPE_MISMATCH'],
  ['69', 'ARGUMENT_OUT_OF_BOUND'],
  ['70', 'CANNOT_CONVERT_TYPE'],
  ['72', 'CANNOT_PARSE_NUMBER'],
  ['117', 'INCORRECT_DATA'],
  ['128', 'TOO_LARGE_ARRAY_SIZE'],
  ['131', 'TOO_LARGE_STRING_SIZE'],
  ['321', 'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE'],
  ['376', 'CANNOT_PARSE_UUID'],
  ['407', 'DECIMAL_OVERFLOW'],
  ['469', 'VIOLATED_CONSTRAINT'],
  ['691', 'UNKNOWN_ELEMENT_OF_ENUM'],
]);

/** Access to the table `events` of the database in the URL. Does not connect yet. The caller closes it. */
export function createEventTable(clickhouseUrl: string): EventTable {
  const client = createClient({
    url: clickhouseUrl,
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: 2,
    // The shipper logs failures, once each.
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    insert: async (columns, rows, signal) => {
      // The client ignores a signal that is already aborted, and would wait for a hanging server until its own timeout.
      signal.throwIfAborted();
      const body = Readable.from(rows, { objectMode: false });
      try {
        const { stream } = await client.exec({
          query: `insert into events (${columns.join(', ')}) format RowBinary`,
          values: body,
          abort_signal: signal,
          // The server ends it first (159, TIMEOUT_EXCEEDED), which says nothing against the data: it is sent again.
          clickhouse_settings: { ...EVENT_INSERT_SETTINGS, max_execution_time: INSERT_TIMEOUT_SECONDS },
        });
        await drain(stream, signal);
        return { kind: 'acknowledged' };
      } catch (err) {
        if (err instanceof ClickHouseError && DATA_ERRORS.has(err.code)) {
          return { kind: 'refused', code: err.code, reason: err.message };
        }
        throw err;
      } finally {
        body.destroy();
      }
    },
    uptimeSeconds: async (signal) => {
      // AbortSignal.any in Node 20 leaks a little per call while `signal` lives.
      const probe = new AbortController();
      const abort = () => {
        probe.abort();
      };
      const timer = setTimeout(abort, PROBE_TIMEOUT_MS);
      signal.addEventListener('abort', abort);
      try {
        signal.throwIfAborted();
        const result = await client.query({
          query: 'select toUInt32(uptime()) as seconds',
          format: 'JSONEachRow',
          abort_signal: probe.signal,
        });
        const [row] = await result.json<{ seconds: number }>();
        if (!row) throw new Error('ClickHouse did not tell its uptime');
        return row.seconds;
      } catch (err) {
        if (!probe.signal.aborted || signal.aborted) throw err;
        throw new Error(`ClickHouse does not answer within ${PROBE_TIMEOUT_MS / 1_000} s`, { cause: err });
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => client.close(),
  };
}

/** The socket is free for the next request only after the answer was read to its end. */
async function drain(stream: Readable, signal: AbortSignal): Promise<void> {
  stream.resume();
  if (!stream.readableEnded) await once(stream, 'end', { signal });
}

type RenewableTable = EventTable & {
  /** New requests go to this address; those in progress end where they began. */
  readonly renew: (clickhouseUrl: string) => void;
};

/** Like createEventTable, but its address and password can be replaced in use. The caller closes it. */
export function createRenewableTable(clickhouseUrl: string): RenewableTable {
  let current = openCounted(clickhouseUrl);
  return {
    insert: (columns, rows, signal) => current.use((table) => table.insert(columns, rows, signal)),
    uptimeSeconds: (signal) => current.use((table) => table.uptimeSeconds(signal)),
    close: () => current.table.close(),
    renew(url) {
      const before = current;
      current = openCounted(url);
      before.closeWhenIdle();
    },
  };
}

/** Closing a client breaks its requests, which would then be sent again. */
function openCounted(clickhouseUrl: string) {
  const table = createEventTable(clickhouseUrl);
  let inUse = 0;
  let isOver = false;
  const closeIfOver = (): void => {
    if (isOver && inUse === 0) void table.close().catch(() => undefined);
  };
  return {
    table,
    use: async <T>(work: (table: EventTable) => Promise<T>): Promise<T> => {
      inUse += 1;
      try {
        return await work(table);
      } finally {
        inUse -= 1;
        closeIfOver();
      }
    },
    closeWhenIdle(): void {
      isOver = true;
      closeIfOver();
    },
  };
}

const SLOW_AFTER_MS = 30_000;

/** Measures inserts, and logs each that takes longer than `slowMs`, 30 s by default. `now`: milliseconds since 1970. */
export function watchInserts(
  table: EventTable,
  { now, log, slowMs = SLOW_AFTER_MS }: { now: () => number; log: Logger; slowMs: number | undefined },
) {
  const durations = createHistogram('insert_duration_seconds', METRICS.insert_duration_seconds);
  let startedAt: number | null = null;
  let lastSeconds = 0;
  return {
    table: {
      ...table,
      insert: async (columns, rows, signal) => {
        const beganAt = performance.now();
        startedAt = beganAt;
        const slow = setTimeout(() => {
          log.warn({ seconds: slowMs / 1_000 }, 'insert into ClickHouse has not finished');
        }, slowMs).unref();
        let result = 'failed';
        try {
          const outcome = await table.insert(columns, rows, signal);
          result = outcome.kind;
          if (outcome.kind === 'acknowledged') lastSeconds = now() / 1_000;
          return outcome;
        } finally {
          clearTimeout(slow);
          startedAt = null;
          durations.observe(result, (performance.now() - beganAt) / 1_000);
        }
      },
    } satisfies EventTable,
    /** Duration of the insert in progress, else 0. */
    seconds: () => (startedAt === null ? 0 : (performance.now() - startedAt) / 1_000),
    /** Time of the last acknowledgement, in seconds since 1970; 0 before the first. */
    lastSeconds: () => lastSeconds,
    report: durations.report,
  };
}
