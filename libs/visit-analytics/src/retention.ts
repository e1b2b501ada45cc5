import type { ClickHouseClient } from '@clickhouse/client';
import { findLocalTables } from './local-tables.js';
import type { LocalTables } from './local-tables.js';
import { saveProgress } from './rollup-progress.js';
import type { RollupProgress, RollupStep } from './rollup-progress.js';
import { ROLLUP_SETTINGS, STATEMENT_MS_MAX } from './rollup-settings.js';
import { selectRows } from './select-rows.js';

// Whoever answers by an older state reads from events that are about to go. States are a second old at most, and no
// answer takes longer than five.
const HEARD_AFTER_SECONDS = 60;

const findExpired = ({ system, database }: LocalTables) => `
select distinct partition_id as month from ${system('parts')}
where database = ${database} and table = 'events' and active and partition_id < {oldest:String}
order by month`;

/**
 * Drops the months of events all of whose days are older than `keptMonths`; with 0 it keeps everything. A month costs
 * nothing to drop, so this is done instead of a TTL of rows, and only once its cells are final: `rollup_state` says so
 * first, and the drop follows at a later call, a minute after that or more.
 */
export async function dropExpiredEvents(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { keptMonths, report }: { readonly keptMonths: number; readonly report: (step: RollupStep) => void },
): Promise<void> {
  const oldest = firstDayKept(progress.today, keptMonths);
  if (keptMonths === 0 || progress.openFrom < oldest) return;
  if (progress.rawFrom < oldest) {
    progress.rawFrom = oldest;
    progress.rawFromSetSeconds = progress.nowSeconds;
    await saveProgress(clickhouse, progress);
    return;
  }
  if (progress.rawFromSetSeconds + HEARD_AFTER_SECONDS > progress.nowSeconds) return;
  const params = { oldest: progress.rawFrom.slice(0, 7).replace('-', '') };
  const tables = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  for (const { month } of await selectRows<{ month: string }>(
    clickhouse,
    findExpired(tables),
    params,
    STATEMENT_MS_MAX,
  )) {
    if (!/^\d{6}$/.test(month)) throw new Error(`events has a partition that is no month: ${month}`);
    const query = `alter table ${tables.target('events')} drop partition id '${month}'`;
    await clickhouse.command({ query, clickhouse_settings: ROLLUP_SETTINGS });
    report({ kind: 'dropped', month });
  }
}

/** Returns the first day (YYYY-MM-DD) of the month in which the day `months` months before `today` lies. */
export function firstDayKept(today: string, months: number): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}
