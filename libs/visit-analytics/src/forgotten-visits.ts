import type { ClickHouseClient } from '@clickhouse/client';
import { isComputedOrCarriedBefore } from './carried-cells.js';
import { ROLLUP_SETTINGS } from './rollup-settings.js';
import { selectRows } from './select-rows.js';

/** Visits that were deleted for good; null leaves a filter out. */
export type ForgottenVisits = {
  readonly ownerId: string | null;
  readonly smartlinkId: string | null;
  /** YYYY-MM-DD: the first day. */
  readonly from: string;
  /** Milliseconds since 1970: visits from then on are not meant. */
  readonly untilMs: number;
  /** Milliseconds since 1970; undefined: now. What was carried here later (carry-totals.ts) is not meant. */
  readonly forgottenAtMs?: number;
};

/** For so long visits that were forgotten may come back, and are forgotten again. */
export const FORGOTTEN_HOURS = 48;

const ANY = '00000000-0000-0000-0000-000000000000';

const NOTE = `
insert into forgotten_visits (owner_id, smartlink_id, from_date, until, forgotten_at)
select {ownerId:UUID}, {smartlinkId:UUID}, {from:Date32}, fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC'), now64(3)`;

/** Writes down that these visits are about to be deleted. Rejects when ClickHouse fails. */
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

/** Returns what was deleted in the last FORGOTTEN_HOURS, and when, oldest first. Rejects after `limitMs`. */
export function findForgotten(
  clickhouse: ClickHouseClient,
  limitMs: number,
): Promise<readonly Required<ForgottenVisits>[]> {
  return selectRows(clickhouse, FIND, {}, limitMs);
}

/** Returns whether a visit is one of these. */
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

/** Returns those of which there are events, or cells of whole days. Rejects when ClickHouse fails. */
export async function findReturned<Visits extends ForgottenVisits>(
  clickhouse: ClickHouseClient,
  visits: readonly Visits[],
  limitMs: number,
): Promise<readonly Visits[]> {
  const returned: Visits[] = [];
  for (let i = 0; i < visits.length; i += SCOPES_PER_QUESTION) {
    const some = visits.slice(i, i + SCOPES_PER_QUESTION);
    // As good as always none of them, which one question tells.
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

/** Returns the condition on their events. Its parameters are those of `paramsOf` with the same `suffix`. */
export function eventsOf(visits: Owned, suffix = ''): string {
  return `${whoseOf(visits, suffix)} and ts >= toDateTime64({from${suffix}:Date32}, 3, 'UTC')
    and ts < fromUnixTimestamp64Milli({untilMs${suffix}:Int64}, 'UTC')`;
}

/** Returns the condition on the cells of the days all of whose visits are meant. */
export function wholeDayCellsOf(visits: Owned, suffix = ''): string {
  // A cell's date is a Date, which ends in 2149.
  const cells = `${whoseOf(visits, suffix)} and date >= {from${suffix}:Date32} and date < {lastDate${suffix}:Date32}`;
  return visits.forgottenAtMs === undefined
    ? cells
    : `${cells} and ${isComputedOrCarriedBefore(`{carriedUntilMs${suffix}:Int64}`)}`;
}

type Owned = Pick<ForgottenVisits, 'ownerId' | 'smartlinkId' | 'forgottenAtMs'>;

/** Returns the condition on whose they are. */
export function whoseOf({ ownerId, smartlinkId }: Owned, suffix = ''): string {
  const owner = ownerId === null ? 'true' : `owner_id = {ownerId${suffix}:UUID}`;
  return smartlinkId === null ? owner : `${owner} and smartlink_id = {smartlinkId${suffix}:UUID}`;
}

/** Returns the parameters of these conditions. */
export function paramsOf(visits: ForgottenVisits, suffix = ''): Record<string, unknown> {
  const { ownerId, smartlinkId, from, untilMs, forgottenAtMs } = visits;
  return {
    [`from${suffix}`]: from,
    [`untilMs${suffix}`]: untilMs,
    [`lastDate${suffix}`]: lastDateOf(visits),
    // Later visits are meant too where whose they are is gone for good.
    ...(forgottenAtMs === undefined ? {} : { [`carriedUntilMs${suffix}`]: Math.max(forgottenAtMs, untilMs) }),
    ...(ownerId === null ? {} : { [`ownerId${suffix}`]: ownerId }),
    ...(smartlinkId === null ? {} : { [`smartlinkId${suffix}`]: smartlinkId }),
  };
}

/** Returns the day that their end lies in: YYYY-MM-DD, UTC. Earlier days are meant whole. */
export const lastDateOf = ({ untilMs }: Pick<ForgottenVisits, 'untilMs'>): string =>
  new Date(untilMs).toISOString().slice(0, 10);
