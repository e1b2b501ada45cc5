import type { ClickHouseClient } from '@clickhouse/client';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { findTotals } from '@smartlink/visit-analytics/totals';
import type { Totals } from '@smartlink/visit-analytics/totals';
import { ANSWER_LIMIT_MS, explainFailure, openClickhouse } from './clickhouse.js';
import { findKnownTotals } from './export-queries.js';
import { moveCarriedTotals } from './import-carried-totals.js';
import { describe, withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

/** Returns the totals of some hundred smartlinks, by id; those that were never visited are left out. */
export type FindTotals = (ids: readonly string[]) => Promise<ReadonlyMap<string, Totals>>;

const TOTALS_LIMIT_MS = 60_000;

/**
 * Returns what `work` returns. It is given what finds totals in ClickHouse, or, while that does not answer, the last known
 * ones in Postgres, which is said on standard error. Either has those of all smartlinks that the session sees in its
 * transaction, also while an import goes on.
 */
export async function withExportTotals<T>(
  terminal: Terminal,
  session: Session,
  ownerId: string,
  work: (findTotals: FindTotals) => Promise<T>,
): Promise<T> {
  let clickhouse: ClickHouseClient | null = null;
  try {
    let find: FindTotals;
    try {
      clickhouse = openClickhouse(session.addresses);
      find = await openTotals(terminal, clickhouse, ownerId);
    } catch (err) {
      const why = describe(explainFailure(err)).replace(/\.$/, '');
      terminal.stderr(`${why}. Click totals are the last known ones.\n`);
      find = (ids) => findKnownTotals(session.db, ids);
    }
    return await work(find);
  } finally {
    await clickhouse?.close();
  }
}

async function openTotals(
  { env }: Terminal,
  clickhouse: ClickHouseClient,
  ownerId: string,
): Promise<FindTotals> {
  const state = await readRollupState(clickhouse, ANSWER_LIMIT_MS);
  // What an import has left behind belongs to them. Beside the session, which sees one moment only.
  await withSession(env, ({ db }) => moveCarriedTotals(db, clickhouse));
  return (ids) => findTotals(clickhouse, state, { ownerId, ids }, TOTALS_LIMIT_MS);
}
