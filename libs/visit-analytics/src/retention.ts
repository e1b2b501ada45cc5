import type { ClickHouseClient } from '@clickhouse/client';
import { STATEMENT_MS_MAX, saveProgress } from './rollup-progress.js';
import type { RollUpProgress, RollUpStep } from './rollup-progress.js';
import { selectRows } from './select-rows.js';

const EXPIRED_MONTHS = `
select distinct partition_id as month from system.parts
where database = currentDatabase() and table = 'events' and active and partition_id < {oldest:String}
order by month`;

/**
 * Drops the months of events all of whose days are older than `keptMonths`; with 0 it keeps everything. A month costs
 * nothing to drop, so this is done instead of a TTL of rows, and only once its cells are final: `rollup_state` says so
 * first, and the drop follows with the next call, when everybody who answers has had time to hear of it.
 */
export async function dropExpiredEvents(
  clickhouse: ClickHouseClient,
  progress: RollUpProgress,
  { keptMonths, report }: { readonly keptMonths: number; readonly report: (step: RollUpStep) => void },
): Promise<void> {
  const oldest = firstDayKept(progress.today, keptMonths);
  if (keptMonths === 0 || progress.openFrom < oldest) return;
  if (progress.rawFrom < oldest) {
    progress.rawFrom = oldest;
    await saveProgress(clickhouse, progress);
    return;
  }
  // `rawFrom` never goes back, also when more months are to be kept: what is lost cannot be computed again.
  const params = { oldest: progress.rawFrom.slice(0, 7).replace('-', '') };
  for (const { month } of await selectRows<{ month: string }>(
    clickhouse,
    EXPIRED_MONTHS,
    params,
    STATEMENT_MS_MAX,
  )) {
    if (!/^\d{6}$/.test(month)) throw new Error(`events has a partition that is no month: ${month}`);
    await clickhouse.command({ query: `alter table events drop partition id '${month}'` });
    report({ kind: 'dropped', month });
  }
}

/** Returns the first day (YYYY-MM-DD) of the month in which the day `months` months before `today` lies. */
export function firstDayKept(today: string, months: number): string {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}
