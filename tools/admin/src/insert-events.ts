import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { COLUMN_NAMES } from './event-row.js';
import type { ExportedEvent } from './event-row.js';

/** As the shipper inserts, so that what was inserted before changes nothing and no equal batch is dropped. */
export const INSERT_SETTINGS = {
  async_insert: 0,
  deduplicate_insert: 'disable',
  // Through a Distributed table too: acknowledged when its shards have the rows.
  distributed_foreground_insert: 1,
  wait_end_of_query: 1,
  max_partitions_per_insert_block: '0',
} as const;

/** Inserts events; resolves once ClickHouse has them in the table. Those that are there already stay one each. */
export async function insertEvents(
  clickhouse: ClickHouseClient,
  events: readonly ExportedEvent[],
): Promise<void> {
  await clickhouse.insert({
    table: 'events',
    values: events,
    columns: COLUMN_NAMES as [string, ...string[]],
    format: 'JSONEachRow',
    clickhouse_settings: INSERT_SETTINGS,
  });
}

/** Inserts one row in RowBinary under these columns, which must be names of columns of ours. */
export async function insertRow(
  clickhouse: ClickHouseClient,
  columns: readonly string[],
  row: Buffer,
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query: `insert into events (${columns.join(', ')}) format RowBinary`,
    values: Readable.from([row], { objectMode: false }),
    clickhouse_settings: INSERT_SETTINGS,
  });
  stream.resume();
  if (!stream.readableEnded) await once(stream, 'end');
}
