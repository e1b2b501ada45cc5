import type { ClickHouseClient } from '@clickhouse/client';

/** Column by which a row's shard is chosen, and how. The first that a table has counts. */
const SHARDING: readonly (readonly [column: string, expression: string])[] = [
  // All of an owner's events and cells are on one shard, so `final` there sees every copy of a row.
  ['owner_id', 'cityHash64(owner_id)'],
  // rollup_state: a few rows of one id.
  ['id', 'id'],
  // schema_migration: below a million, so all of it is on one shard.
  ['number', 'intDiv(number, 1000000)'],
];

export type DistributedTable = {
  readonly cluster: string;
  /** The database that the services know. */
  readonly database: string;
  /** The database of the tables themselves, on every shard. */
  readonly localDatabase: string;
  readonly table: string;
  readonly shardingKey: string;
};

/** Returns the statement that makes a Distributed table over a local one, with the columns that it has now. */
export function distributedTableSql(
  { cluster, database, localDatabase, table, shardingKey }: DistributedTable,
  onCluster: string,
): string {
  return (
    `create or replace table ${database}.${table} ${onCluster} as ${localDatabase}.${table} ` +
    `engine = Distributed('${cluster}', '${localDatabase}', '${table}', ${shardingKey})`
  );
}

/** Returns the expression that chooses a row's shard. Throws for a table that nothing chooses one for. */
export function shardingKeyOf(table: string, columns: readonly string[]): string {
  const found = SHARDING.find(([column]) => columns.includes(column));
  if (found === undefined) throw new Error(`nothing says on which shard rows of ${table} belong`);
  return found[1];
}

/** Returns the tables of the local database, each with what its Distributed table has to say. */
export async function listDistributedTables(
  client: ClickHouseClient,
  place: Pick<DistributedTable, 'cluster' | 'database' | 'localDatabase'>,
): Promise<readonly DistributedTable[]> {
  const result = await client.query({
    query: `
      select table, groupArray(name) as columns from system.columns
      where database = {localDatabase:String} and table in (
        select name from system.tables where database = {localDatabase:String} and engine like '%MergeTree'
      )
      group by table order by table`,
    query_params: { localDatabase: place.localDatabase },
    format: 'JSONEachRow',
  });
  const tables = await result.json<{ table: string; columns: string[] }>();
  return tables.map(({ table, columns }) => ({
    ...place,
    table,
    shardingKey: shardingKeyOf(table, columns),
  }));
}
