import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { findLocalTables } from './local-tables.js';
import type { LocalTables } from './local-tables.js';
import { selectRows } from './select-rows.js';

/** No statement of a rollup takes longer. */
export const STATEMENT_MS_MAX = 600_000;

/** What statements that write cells, or delete them, are run with. */
export const ROLLUP_SETTINGS = {
  async_insert: 0,
  deduplicate_insert: 'disable',
  // Through a Distributed table too: acknowledged when its shards have the rows.
  distributed_foreground_insert: 1,
  max_execution_time: STATEMENT_MS_MAX / 1_000,
  do_not_merge_across_partitions_select_final: 1,
  // A day of a very busy instance goes to the disk rather than beyond the memory.
  max_bytes_before_external_group_by: '1000000000',
} as const;

const ID_PREFIX = 'smartlink-rollup-';
const POLL_MS = 100;

/** Returns an id for a statement that writes cells, by which waitForWriters knows it. */
export const newWriterId = (): string => `${ID_PREFIX}${randomUUID()}`;

// The embedded engine keeps the id we give in log_comment and has ids of its own.
const countWriters = ({ system }: LocalTables) => `
select count() as writers from ${system('processes')}
where startsWith(query_id, '${ID_PREFIX}') or startsWith(Settings['log_comment'], '${ID_PREFIX}')`;

/**
 * Resolves when ClickHouse runs no statement that writes cells. A server goes on with one whose client is gone, also
 * when that client has given up the lock, and its cells are of events that were there when it began.
 */
export async function waitForWriters(clickhouse: ClickHouseClient): Promise<void> {
  const query = countWriters(await findLocalTables(clickhouse, STATEMENT_MS_MAX));
  for (;;) {
    const [row] = await selectRows<{ writers: number }>(clickhouse, query, {}, STATEMENT_MS_MAX);
    if (Number(row?.writers) === 0) return;
    await sleep(POLL_MS);
  }
}
