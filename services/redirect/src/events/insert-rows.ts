import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';

export type InsertOutcome =
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

export type EventTable = {
  /**
   * Sends rows in RowBinary under the named columns. Resolves `acknowledged` once ClickHouse has them, `refused` when
   * it says that these data can never go in; rejects for everything that may be better next time.
   */
  readonly insert: (
    columns: readonly string[],
    rows: AsyncIterable<Buffer> | Iterable<Buffer>,
    signal: AbortSignal,
  ) => Promise<InsertOutcome>;
  /** Returns for how many seconds the server has been running. Rejects when it does not answer. */
  readonly uptimeSeconds: (signal: AbortSignal) => Promise<number>;
  readonly close: () => Promise<void>;
};

// A connection on which nothing happens for so long is given up, and the rows are sent again, which changes nothing.
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * Whatever an insert does over there ends by then, so that both sides give up together: the rollup takes an insert for
 * over after 90 seconds (INSERT_SECONDS_MAX), while its rows carry the time of its start. A batch of 64 MiB takes a few
 * seconds. What is ended so (159, TIMEOUT_EXCEEDED) says nothing against the data, and is sent again.
 */
const INSERT_SECONDS_MAX = 55;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * ClickHouse's codes (src/Common/ErrorCodes.cpp) that speak of the data alone: the same bytes fail for ever. Every
 * other code is retried, since a missing table, a full disk or a wrong password is mended over there. What a damaged
 * row really gives was tried on 26.7: 33 for one that ends early or late, 131 for a wild length.
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

/** Returns access to the table `events` of the database in the URL. Does not connect yet. The caller closes it. */
export function createEventTable(clickhouseUrl: string): EventTable {
  const client = createClient({
    url: clickhouseUrl,
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: 2,
    // Failures are the shipper's to log, once each.
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    insert: async (columns, rows, signal) => {
      const body = Readable.from(rows, { objectMode: false });
      try {
        const { stream } = await client.exec({
          query: `insert into events (${columns.join(', ')}) format RowBinary`,
          values: body,
          abort_signal: signal,
          clickhouse_settings: {
            // A batch is acknowledged when it is in the table, not when it is in a queue.
            async_insert: 0,
            // Two batches that happen to be equal are two batches; repeats are settled by the rows' own ids.
            deduplicate_insert: 'disable',
            // Through a Distributed table too: acknowledged when its shards have it, not when one server has noted it.
            distributed_foreground_insert: 1,
            wait_end_of_query: 1,
            // A wrong clock must not make a batch that can never go in.
            max_partitions_per_insert_block: '0',
            max_execution_time: INSERT_SECONDS_MAX,
          },
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
      // Not AbortSignal.any, of which Node 20 keeps a little a call for as long as `signal` lives.
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

/** The socket is free for the next request only when the answer was read to its end. */
async function drain(stream: Readable, signal: AbortSignal): Promise<void> {
  stream.resume();
  if (!stream.readableEnded) await once(stream, 'end', { signal });
}
