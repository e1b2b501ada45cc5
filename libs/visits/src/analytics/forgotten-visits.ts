import type { ClickHouseClient } from '@clickhouse/client';
import { ROLLUP_SETTINGS, selectRows } from './clickhouse.js';
import { isComputedOrCarriedBefore } from './figures.js';

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
