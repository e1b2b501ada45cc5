import type { ClickHouseClient } from '@clickhouse/client';

/** Returns the rows of a query; the server stops it, and the client gives up, after `limitMs`. */
export async function selectRows<Row>(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  limitMs: number,
): Promise<readonly Row[]> {
  const result = await clickhouse.query({
    query,
    query_params: params,
    use_multipart_params: true,
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(limitMs),
    clickhouse_settings: {
      max_execution_time: limitMs / 1000,
      // An event's time is part of its identity, and so is a cell's date: repeats lie in one partition.
      do_not_merge_across_partitions_select_final: 1,
    },
  });
  return result.json<Row>();
}
