import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from './select-rows.js';

/** A table of ours that has rows of visits, of figures, or of what is known of both. */
export type VisitTable = 'events' | 'visits_daily' | 'forgotten_visits' | 'rollup_state';

/** The tables that hold visits, for statements which a Distributed table over them does not take. */
export type LocalTables = {
  /** The name of a table of ours for `delete from …` and `alter table …`, with `on cluster` where it has to go everywhere. */
  readonly target: (table: VisitTable) => string;
  /** An expression for the database that they are in. */
  readonly database: string;
  /** A table of the server's own, `system.parts` say, of all servers that have some of the rows. */
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
 * Returns where the tables of the client's database really are. What says so is the table `events` itself: on a cluster
 * of several shards it is Distributed, and names cluster and database (docs/clickhouse-cluster.md). Rejects when
 * ClickHouse fails, and after `limitMs`.
 */
export async function findLocalTables(clickhouse: ClickHouseClient, limitMs: number): Promise<LocalTables> {
  const [table] = await selectRows<{ definition: string }>(clickhouse, FIND, {}, limitMs);
  if (table === undefined) return ONE_SERVER;
  const { cluster, database } = parseDistributed(table.definition);
  const [row] = await selectRows<{ others: number }>(clickhouse, COUNT_OTHERS, { cluster }, limitMs);
  // Nobody else has to be told, which would take a Keeper.
  const isAlone = Number(row?.others) === 0;
  return localTablesOf({ cluster, database, isAlone });
}

/** Returns the names for a cluster; `isAlone`: this server is all of it. */
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

/** Returns what an engine's definition in system.tables names. Throws for names that would need quoting. */
export function parseDistributed(engine: string): { readonly cluster: string; readonly database: string } {
  const [, cluster, database] = /^Distributed\('?([\w.-]+)'?, '?(\w+)'?, /.exec(engine) ?? [];
  if (cluster === undefined || database === undefined) {
    throw new Error(`the table events is Distributed in a way that is not understood: ${engine}`);
  }
  return { cluster, database };
}
