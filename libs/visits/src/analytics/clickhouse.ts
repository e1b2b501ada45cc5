import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { WRITE_SETTINGS } from '../event.js';

/**
 * The rows of a query. Server and client give up after `limitMs`, with an error that names the limit: the client's own says
 * only that the user aborted a request.
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
      // The time of an event and the date of a cell are part of their identity: repeats are in one partition.
      do_not_merge_across_partitions_select_final: 1,
      // The ids of 50,000 smartlinks are 2 MB.
      max_query_size: '50000000',
    },
  });
  try {
    return await (await asked).json<Row>();
  } catch (err) {
    if (!limit.aborted) throw err;
    throw new Error(`ClickHouse does not answer within ${limitMs / 1_000} s`, { cause: err });
  }
}

export type VisitTable =
  | 'events'
  | 'visits_daily'
  | 'visits_daily_by_owner'
  | 'visits_daily_counts'
  | 'visits_monthly_counts'
  | 'forgotten_visits'
  | 'rollup_state';

/** The tables below the Distributed ones, which do not take every statement. */
export type LocalTables = {
  /** Table name for `delete from …` and `alter table …`, with `on cluster` where needed. */
  readonly target: (table: VisitTable) => string;
  /** Expression for their database. */
  readonly database: string;
  /** A system table over all servers that hold rows. */
  readonly system: (table: 'parts' | 'processes') => string;
};

const ONE_SERVER: LocalTables = {
  target: (table) => table,
  database: 'currentDatabase()',
  system: (table) => `system.${table}`,
};

const FIND = `
select engine_full as definition from system.tables
where database = currentDatabase() and name = 'events' and engine = 'Distributed'`;
const COUNT_OTHERS = `
select count() as others from system.clusters where cluster = {cluster:String} and not is_local`;

/**
 * Finds the local tables: on a cluster of several shards `events` is Distributed and names cluster and database
 * (docs/scale.md). Rejects after `limitMs`.
 */
export async function findLocalTables(clickhouse: ClickHouseClient, limitMs: number): Promise<LocalTables> {
  const [table] = await selectRows<{ definition: string }>(clickhouse, FIND, {}, limitMs);
  if (table === undefined) return ONE_SERVER;
  const { cluster, database } = parseDistributed(table.definition);
  const [row] = await selectRows<{ others: number }>(clickhouse, COUNT_OTHERS, { cluster }, limitMs);
  // `on cluster` would need a Keeper.
  const isAlone = Number(row?.others) === 0;
  return localTablesOf({ cluster, database, isAlone });
}

/** `isAlone`: the cluster has no other server. */
export function localTablesOf({
  cluster,
  database,
  isAlone,
}: {
  readonly cluster: string;
  readonly database: string;
  readonly isAlone: boolean;
}): LocalTables {
  const onCluster = isAlone ? '' : ` on cluster '${cluster}'`;
  return {
    target: (table) => `${database}.${table}${onCluster}`,
    database: `'${database}'`,
    system: (table) => `clusterAllReplicas('${cluster}', system.${table})`,
  };
}

/** Parses an engine's definition in system.tables. Throws for names that need quoting. */
export function parseDistributed(engine: string): { readonly cluster: string; readonly database: string } {
  const [, cluster, database] = /^Distributed\('?([\w.-]+)'?, '?(\w+)'?, /.exec(engine) ?? [];
  if (cluster === undefined || database === undefined) {
    throw new Error(`the table events is Distributed in a way that is not understood: ${engine}`);
  }
  return { cluster, database };
}

/** Time limit of a rollup's statement. */
export const STATEMENT_MS_MAX = 600_000;

/** Settings of statements that write or delete cells. */
export const ROLLUP_SETTINGS = {
  ...WRITE_SETTINGS,
  max_execution_time: STATEMENT_MS_MAX / 1_000,
  do_not_merge_across_partitions_select_final: 1,
  // A day of a very busy instance is grouped on disk.
  max_bytes_before_external_group_by: '1000000000',
} as const;

const ID_PREFIX = 'smartlink-rollup-';
const POLL_MS = 100;

/** Query id by which waitForWriters knows a statement that writes cells. */
export const newWriterId = (): string => `${ID_PREFIX}${randomUUID()}`;

// The embedded engine keeps the given id in log_comment.
const countWriters = ({ system }: LocalTables) => `
select count() as writers from ${system('processes')}
where startsWith(query_id, '${ID_PREFIX}') or startsWith(Settings['log_comment'], '${ID_PREFIX}')`;

/**
 * Resolves when ClickHouse runs no statement that writes cells. A server continues one whose client, and lock, are gone.
 */
export async function waitForWriters(clickhouse: ClickHouseClient): Promise<void> {
  const query = countWriters(await findLocalTables(clickhouse, STATEMENT_MS_MAX));
  for (;;) {
    const [row] = await selectRows<{ writers: number }>(clickhouse, query, {}, STATEMENT_MS_MAX);
    if (Number(row?.writers) === 0) return;
    await sleep(POLL_MS);
  }
}
