import type { ClickHouseClient } from '@clickhouse/client';

/** One table on the disk. */
export type TableSize = {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
  readonly parts: number;
};

const SIZES = `
select table, toFloat64(sum(rows)) as rows, toFloat64(sum(bytes_on_disk)) as bytes, toUInt32(count()) as parts
from system.parts
where active and database = currentDatabase() and table in {tables:Array(String)}
group by table
order by table`;

/** Returns what tables of the database hold, compressed and with their indexes. */
export async function readTableSizes(
  clickhouse: ClickHouseClient,
  tables: readonly string[],
): Promise<readonly TableSize[]> {
  const result = await clickhouse.query({ query: SIZES, query_params: { tables }, format: 'JSONEachRow' });
  return result.json<TableSize>();
}
