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
    clickhouse_settings: { max_execution_time: limitMs / 1000 },
  });
  return result.json<Row>();
}
