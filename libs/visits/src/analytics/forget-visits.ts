import type { ClickHouseClient } from '@clickhouse/client';
import { addDays } from './calendar.js';
import {
  findLocalTables,
  type LocalTables,
  ROLLUP_SETTINGS,
  selectRows,
  STATEMENT_MS_MAX,
  waitForWriters,
} from './clickhouse.js';
import { IS_CARRIED, isComputedOrCarriedBefore } from './figures.js';
import { readProgress, type RollupProgress, saveProgress } from './rollup-progress.js';

/** Visits of whole UTC days; null means no filter. */
export type VisitScope = {
  readonly ownerId: string | null;
  readonly smartlinkId: string | null;
  /** YYYY-MM-DD: the first day, and the one after the last. */
  readonly from: string;
  readonly until: string;
};

export const ALL_DAYS = { from: '1970-01-01', until: '2200-01-01' } as const;

export type RememberedVisits = {
  /** Oldest first; `month` is YYYYMM. */
  readonly months: readonly { readonly month: string; readonly events: number }[];
  readonly events: number;
  /** Days of a smartlink that are rolled up: cells of `visits_daily`. */
  readonly cells: number;
  readonly ownerIds: readonly string[];
};

/** Counts of the visits that `forgetVisits` would delete now. Rejects after `limitMs`. */
export async function countRememberedVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  limitMs: number,
): Promise<RememberedVisits> {
  const visits = toForgotten(scope, await readClockMs(clickhouse, limitMs));
  const months = await findMonths(clickhouse, visits, limitMs);
  const owners = await selectRows<{ ownerId: string; cells: number }>(
    clickhouse,
    `
select ownerId, sum(cell) as cells
from (
  select owner_id as ownerId, 1 as cell from visits_daily final where ${wholeDayCellsOf(visits)}
  union all
  select owner_id as ownerId, 0 as cell from events where ${eventsOf(visits)} group by ownerId
)
group by ownerId`,
    paramsOf(visits),
    limitMs,
  );
  return {
    months,
    events: months.reduce((sum, { events }) => sum + events, 0),
    cells: owners.reduce((sum, owner) => sum + owner.cells, 0),
    ownerIds: owners.map((owner) => owner.ownerId),
  };
}

type Report = (month: { readonly month: string; readonly events: number }) => void;

export type ForgetOptions = {
  /** Called for every finished month. */
  readonly report?: Report;
  /** Includes future visits, for a deleted owner. */
  readonly alsoLater?: boolean;
};

/**
 * Deletes the visits of a scope that were made before now: cells, and events month by month. They are gone from every
 * answer when this returns, and from the disk with the next merges. The rollups of the next FORGOTTEN_HOURS delete
 * such visits that arrive later, and complete an interrupted deletion.
 *
 * Only under withRollupLock: a concurrent rollup would write cells from events it has read before. Waits for a rollup
 * that still runs after its process has ended.
 */
export async function forgetVisits(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  { report = () => undefined, alsoLater = false }: ForgetOptions = {},
): Promise<void> {
  await waitForWriters(clickhouse);
  const nowMs = alsoLater ? Infinity : await readClockMs(clickhouse, STATEMENT_MS_MAX);
  const visits = toForgotten(scope, nowMs);
  await noteForgotten(clickhouse, visits);
  await deleteVisits(clickhouse, await readProgress(clickhouse), visits, report);
}

/**
 * Deletes forgotten visits that have arrived again. Only under withRollupLock, and before cells are
 * computed; moves `progress` back to days that must be computed again.
 */
export async function forgetAgain(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  { mayGoOn }: { readonly mayGoOn: () => Promise<boolean> },
): Promise<void> {
  const forgotten = await findForgotten(clickhouse, STATEMENT_MS_MAX);
  const returned = await findReturned(clickhouse, forgotten, STATEMENT_MS_MAX);
  for (const visits of returned) {
    await waitForWriters(clickhouse);
    if (!(await mayGoOn())) return;
    await deleteVisits(clickhouse, progress, visits, () => undefined);
  }
}

/** Events are deleted last: while some remain, `forgetAgain` finds and repeats an interrupted deletion. */
async function deleteVisits(
  clickhouse: ClickHouseClient,
  progress: RollupProgress,
  visits: ForgottenVisits,
  report: Report,
): Promise<void> {
  const lastDate = lastDateOf(visits);
  const params = paramsOf(visits);
  const { target } = await findLocalTables(clickhouse, STATEMENT_MS_MAX);
  if (Date.parse(lastDate) < visits.untilMs) {
    // Later visits of this day stay. Answers read its events until it is rolled up again.
    if (lastDate < progress.openFrom) {
      progress.openFrom = lastDate;
      await saveProgress(clickhouse, progress);
    }
    await deleteEmptyCells(clickhouse, visits, lastDate, target);
  }
  await executeStatement(
    clickhouse,
    `delete from ${target('visits_daily')} where ${wholeDayCellsOf(visits)}`,
    params,
  );
  // Queried again: events may have arrived since they were counted.
  for (const month of await findMonths(clickhouse, visits, STATEMENT_MS_MAX)) {
    if (!/^\d{6}$/.test(month.month))
      throw new Error(`events has a partition that is no month: ${month.month}`);
    await executeStatement(
      clickhouse,
      `delete from ${target('events')} in partition id '${month.month}' where ${eventsOf(visits)}`,
      params,
    );
    report(month);
  }
}

const SMARTLINKS_PER_STATEMENT = 500;

/** Deletes a day's cells without remaining visits, which computing the day would not overwrite. */
async function deleteEmptyCells(
  clickhouse: ClickHouseClient,
  visits: ForgottenVisits,
  date: string,
  target: LocalTables['target'],
): Promise<void> {
  const params = { ...paramsOf(visits), date, nextDate: addDays(date, 1) };
  const empty = await selectRows<{ smartlinkId: string }>(
    clickhouse,
    `
select distinct smartlink_id as smartlinkId from visits_daily
where ${whoseOf(visits)} and date = {date:Date32} and not (${IS_CARRIED}) and (owner_id, smartlink_id) not in (
  select owner_id, smartlink_id from events
  where ${whoseOf(visits)} and ts >= fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
    and ts < toDateTime64({nextDate:Date32}, 3, 'UTC')
)`,
    params,
    STATEMENT_MS_MAX,
  );
  for (let i = 0; i < empty.length; i += SMARTLINKS_PER_STATEMENT) {
    const smartlinkIds = empty.slice(i, i + SMARTLINKS_PER_STATEMENT).map((cell) => cell.smartlinkId);
    await executeStatement(
      clickhouse,
      `delete from ${target('visits_daily')}
       where ${whoseOf(visits)} and date = {date:Date32} and smartlink_id in {smartlinkIds:Array(UUID)}`,
      { ...params, smartlinkIds },
    );
  }
}

function findMonths(
  clickhouse: ClickHouseClient,
  visits: ForgottenVisits,
  limitMs: number,
): Promise<RememberedVisits['months']> {
  return selectRows(
    clickhouse,
    `
select toString(toYYYYMM(ts)) as month, count() as events
from events final
where ${eventsOf(visits)}
group by month
order by month`,
    paramsOf(visits),
    limitMs,
  );
}

/** The server's clock in milliseconds since 1970. */
async function readClockMs(clickhouse: ClickHouseClient, limitMs: number): Promise<number> {
  const query = 'select toUnixTimestamp64Milli(now64(3)) as nowMs';
  const [row] = await selectRows<{ nowMs: number }>(clickhouse, query, {}, limitMs);
  return Number(row?.nowMs);
}

function toForgotten({ ownerId, smartlinkId, from, until }: VisitScope, nowMs: number): ForgottenVisits {
  return { ownerId, smartlinkId, from, untilMs: Math.min(Date.parse(`${until}T00:00:00Z`), nowMs) };
}

async function executeStatement(
  clickhouse: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
): Promise<void> {
  await clickhouse.command({
    query,
    query_params: params,
    use_multipart_params: true,
    clickhouse_settings: { ...ROLLUP_SETTINGS, lightweight_deletes_sync: '2' },
  });
}

/** Permanently deleted visits; a null filter matches everything. */
export type ForgottenVisits = {
  readonly ownerId: string | null;
  readonly smartlinkId: string | null;
  /** YYYY-MM-DD: the first day. */
  readonly from: string;
  /** Milliseconds since 1970, exclusive. */
  readonly untilMs: number;
  /** Milliseconds since 1970; undefined: now. Totals imported later (carry-totals.ts) stay. */
  readonly forgottenAtMs?: number;
};

/** How long returning events of forgotten visits are deleted again. */
export const FORGOTTEN_HOURS = 48;

const ANY = '00000000-0000-0000-0000-000000000000';

const NOTE = `
insert into forgotten_visits (owner_id, smartlink_id, from_date, until, forgotten_at)
select {ownerId:UUID}, {smartlinkId:UUID}, {from:Date32}, fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC'), now64(3)`;

export async function noteForgotten(clickhouse: ClickHouseClient, visits: ForgottenVisits): Promise<void> {
  const { ownerId, smartlinkId, from, untilMs } = visits;
  await clickhouse.command({
    query: NOTE,
    query_params: { ownerId: ownerId ?? ANY, smartlinkId: smartlinkId ?? ANY, from, untilMs },
    clickhouse_settings: ROLLUP_SETTINGS,
  });
}

const FIND = `
select nullIf(toString(owner_id), '${ANY}') as ownerId, nullIf(toString(smartlink_id), '${ANY}') as smartlinkId,
       toString(from_date) as from, toUnixTimestamp64Milli(until) as untilMs,
       toUnixTimestamp64Milli(forgotten_at) as forgottenAtMs
from forgotten_visits
where forgotten_at >= now64(3) - interval ${FORGOTTEN_HOURS} hour
order by forgotten_at`;

/** Deletions of the last FORGOTTEN_HOURS with their times, oldest first. Rejects after `limitMs`. */
export function findForgotten(
  clickhouse: ClickHouseClient,
  limitMs: number,
): Promise<readonly Required<ForgottenVisits>[]> {
  return selectRows(clickhouse, FIND, {}, limitMs);
}

export function isOneOf(
  { ownerId, smartlinkId, from, untilMs }: ForgottenVisits,
  visit: { readonly ownerId: string; readonly smartlinkId: string; readonly timeMs: number },
): boolean {
  return (
    (ownerId === null || ownerId === visit.ownerId) &&
    (smartlinkId === null || smartlinkId === visit.smartlinkId) &&
    visit.timeMs >= Date.parse(`${from}T00:00:00Z`) &&
    visit.timeMs < untilMs
  );
}

const SCOPES_PER_QUESTION = 50;

/** The entries with remaining events, or cells of whole days. */
export async function findReturned<Visits extends ForgottenVisits>(
  clickhouse: ClickHouseClient,
  visits: readonly Visits[],
  limitMs: number,
): Promise<readonly Visits[]> {
  const returned: Visits[] = [];
  for (let i = 0; i < visits.length; i += SCOPES_PER_QUESTION) {
    const some = visits.slice(i, i + SCOPES_PER_QUESTION);
    // Almost always empty, which one query shows.
    if (!(await isAnythingLeft(clickhouse, some, limitMs))) continue;
    for (const one of some) if (await isAnythingLeft(clickhouse, [one], limitMs)) returned.push(one);
  }
  return returned;
}

async function isAnythingLeft(
  clickhouse: ClickHouseClient,
  visits: readonly ForgottenVisits[],
  limitMs: number,
): Promise<boolean> {
  const either = (conditionOf: typeof eventsOf) =>
    visits.map((one, i) => `(${conditionOf(one, String(i))})`).join(' or ');
  const params = Object.assign({}, ...visits.map((one, i) => paramsOf(one, String(i)))) as object;
  const rows = await selectRows(
    clickhouse,
    `
select 1 from (select 1 from events where ${either(eventsOf)} limit 1)
union all
select 1 from (select 1 from visits_daily where ${either(wholeDayCellsOf)} limit 1)`,
    { ...params },
    limitMs,
  );
  return rows.length > 0;
}

/** Condition on their events, with the parameters of `paramsOf` for the same `suffix`. */
export function eventsOf(visits: Owned, suffix = ''): string {
  return `${whoseOf(visits, suffix)} and ts >= toDateTime64({from${suffix}:Date32}, 3, 'UTC')
    and ts < fromUnixTimestamp64Milli({untilMs${suffix}:Int64}, 'UTC')`;
}

/** Condition on cells of days that are forgotten as a whole. */
export function wholeDayCellsOf(visits: Owned, suffix = ''): string {
  // A cell's date is a Date, which ends in 2149.
  const cells = `${whoseOf(visits, suffix)} and date >= {from${suffix}:Date32} and date < {lastDate${suffix}:Date32}`;
  return visits.forgottenAtMs === undefined
    ? cells
    : `${cells} and ${isComputedOrCarriedBefore(`{carriedUntilMs${suffix}:Int64}`)}`;
}

type Owned = Pick<ForgottenVisits, 'ownerId' | 'smartlinkId' | 'forgottenAtMs'>;

/** Condition on their owner and smartlink. */
export function whoseOf({ ownerId, smartlinkId }: Owned, suffix = ''): string {
  const owner = ownerId === null ? 'true' : `owner_id = {ownerId${suffix}:UUID}`;
  return smartlinkId === null ? owner : `${owner} and smartlink_id = {smartlinkId${suffix}:UUID}`;
}

export function paramsOf(visits: ForgottenVisits, suffix = ''): Record<string, unknown> {
  const { ownerId, smartlinkId, from, untilMs, forgottenAtMs } = visits;
  return {
    [`from${suffix}`]: from,
    [`untilMs${suffix}`]: untilMs,
    [`lastDate${suffix}`]: lastDateOf(visits),
    ...(forgottenAtMs === undefined ? {} : { [`carriedUntilMs${suffix}`]: Math.max(forgottenAtMs, untilMs) }),
    ...(ownerId === null ? {} : { [`ownerId${suffix}`]: ownerId }),
    ...(smartlinkId === null ? {} : { [`smartlinkId${suffix}`]: smartlinkId }),
  };
}

/** UTC day (YYYY-MM-DD) of their end; earlier days are forgotten as a whole. */
export const lastDateOf = ({ untilMs }: Pick<ForgottenVisits, 'untilMs'>): string =>
  new Date(untilMs).toISOString().slice(0, 10);
