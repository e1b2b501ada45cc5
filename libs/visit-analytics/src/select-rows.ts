import type { ClickHouseClient } from '@clickhouse/client';

/**
 * Returns the rows of a query; the server stops it, and the client gives up, after `limitMs`. Rejects then with an error that
 * names the time, for the client says no more than that a user aborted it.
 */
export async function selectRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  limitMs: number,
): Promise<readonly Row[]> {
  const limit = AbortSignal.timeout(limitMs);
  const asked = clickhouse.query({
    query,
    query_params: params,
    use_multipart_params: true,
    format: 'JSONEachRow',
    abort_signal: limit,
    clickhouse_settings: {
      max_execution_time: limitMs / 1000,
      // An event's time is part of its identity, and so is a cell's date: repeats lie in one partition.
      do_not_merge_across_partitions_select_final: 1,
    },
  });
  try {
    return await (await asked).json<Row>();
  } catch (err) {
    if (!limit.aborted) throw err;
    throw new Error(`ClickHouse does not answer within ${limitMs / 1_000} s`, { cause: err });
  }
}
