import { findEachSnapshot } from '@smartlink/links/publish';
import { CLICKHOUSE_TABLES } from '../src/backup/clickhouse.js';
import type { Admin } from './run-admin.js';
import type { Visits } from './visited.js';

/** A stack that is saved, or restored into. */
export type Side = { readonly admin: Admin; readonly visits: Visits };

/** Every row of a table as text, in an order of its own. */
export async function rowsOf({ admin: { db } }: Side, table: string): Promise<readonly string[]> {
  const { rows } = await db.query<{ row: string }>(`select t::text as row from ${table} as t order by 1`);
  return rows.map(({ row }) => row);
}

/** The rows of a table of visits, some columns of each, in the order of those. */
export async function visitRowsOf(
  { visits: { clickhouse } }: Side,
  table: string,
  columns: readonly string[],
) {
  const isReplacing = CLICKHOUSE_TABLES.find(({ name }) => name === table)?.isReplacing === true;
  const result = await clickhouse.query({
    query: `select ${columns.join(', ')} from ${table} ${isReplacing ? 'final' : ''} order by ${columns.map((_, i) => i + 1).join(', ')}`,
    format: 'TabSeparated',
  });
  return (await result.text()).split('\n');
}

/** What is published of every address. */
export async function snapshotsOf({ admin: { db } }: Side) {
  const { rows } = await db.query<{ key: string }>('select key from slugs order by key');
  return findEachSnapshot(
    db,
    rows.map(({ key }) => key),
  );
}
