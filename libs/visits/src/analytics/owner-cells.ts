import type { ClickHouseClient } from '@clickhouse/client';
import { newWriterId, ROLLUP_SETTINGS, selectRows, STATEMENT_MS_MAX } from './clickhouse.js';
import { IS_CARRIED, ownersOfCells, ownersOfEvents, STORED_MEMBERS } from './figures.js';
import { nextVersion } from './rollup-progress.js';

/** An account's UTC day. */
export type OwnerDay = { readonly ownerId: string; readonly date: string };

/** Rows to compute: a condition with its parameters, and their version. */
type Which = {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Of newVersion, asked for before the rows are computed. */
  readonly version: string;
};

const VERSION = nextVersion('(select max(version) from rollup_state)');

/** A version newer than all rows that were computed before. */
export async function newVersion(
  clickhouse: ClickHouseClient,
  limitMs: number = STATEMENT_MS_MAX,
): Promise<string> {
  const query = `select toString(${VERSION}) as version`;
  const [row] = await selectRows<{ version: string }>(clickhouse, query, {}, limitMs);
  if (row === undefined) throw new Error('ClickHouse did not answer with its time');
  return row.version;
}

/** Computes rows by owner from the events that `sql` chooses, which must be all of a day. */
export async function computeOwnersFromEvents(
  clickhouse: ClickHouseClient,
  { sql, params, version }: Which,
): Promise<void> {
  const members = `${STORED_MEMBERS}, breakdowns`;
  await insertOwnerRows(clickhouse, { members, from: ownersOfEvents(sql) }, { ...params, version });
}

/** Computes rows by owner from the cells of `visits_daily` that `sql` chooses, imported ones in rows of their own. */
export async function computeOwnersFromCells(
  clickhouse: ClickHouseClient,
  { sql, params, version }: Which,
  limitMs: number = STATEMENT_MS_MAX,
): Promise<void> {
  const rows = { members: STORED_MEMBERS, from: ownersOfCells(sql) };
  await insertOwnerRows(clickhouse, rows, { ...params, version }, limitMs);
}

async function insertOwnerRows(
  clickhouse: ClickHouseClient,
  { members, from }: { readonly members: string; readonly from: string },
  params: Readonly<Record<string, unknown>>,
  limitMs: number = STATEMENT_MS_MAX,
): Promise<void> {
  await clickhouse.command({
    query: `
insert into visits_daily_by_owner (owner_id, date, is_carried, ${members}, version)
select owner_id, date, is_carried, ${members}, {version:UInt64}
from (${from}
)`,
    query_id: newWriterId(),
    query_params: params,
    use_multipart_params: true,
    abort_signal: AbortSignal.timeout(limitMs),
    clickhouse_settings: { ...ROLLUP_SETTINGS, max_execution_time: limitMs / 1_000 },
  });
}

const OWNERS_PER_STATEMENT = 1_000;

/** Adds imported totals, which are in their cells already, to the rows by owner. Rejects after about `limitMs`. */
export async function carryByOwner(
  clickhouse: ClickHouseClient,
  days: readonly OwnerDay[],
  limitMs: number,
): Promise<void> {
  const ownerIds = [...new Set(days.map(({ ownerId }) => ownerId))];
  const dates = [...new Set(days.map(({ date }) => date))];
  for (let i = 0; i < ownerIds.length; i += OWNERS_PER_STATEMENT) {
    const which = {
      sql: `owner_id in {ownerIds:Array(UUID)} and date in {dates:Array(Date)} and ${IS_CARRIED}`,
      params: { ownerIds: ownerIds.slice(i, i + OWNERS_PER_STATEMENT), dates },
      version: await newVersion(clickhouse, limitMs),
    };
    await computeOwnersFromCells(clickhouse, which, limitMs);
  }
}

/** Conditions on events and on cells of days of accounts; parameters: paramsOfPairs. */
export const OF_PAIRS = {
  ofEvents: `ts >= toDateTime64({firstDay:Date}, 3, 'UTC') and ts < toDateTime64({lastDay:Date}, 3, 'UTC') + interval 1 day
    and owner_id in {ownerIds:Array(UUID)}
    and (owner_id, toDate(ts)) in (select arrayJoin(arrayZip({ownerIds:Array(UUID)}, {dates:Array(Date)})))`,
  ofCells: `owner_id in {ownerIds:Array(UUID)}
    and (owner_id, date) in (select arrayJoin(arrayZip({ownerIds:Array(UUID)}, {dates:Array(Date)})))`,
} as const;

export function paramsOfPairs(days: readonly OwnerDay[]): Record<string, unknown> {
  const dates = days.map(({ date }) => date);
  const sorted = dates.toSorted();
  return {
    firstDay: sorted[0],
    lastDay: sorted.at(-1),
    ownerIds: days.map(({ ownerId }) => ownerId),
    dates,
  };
}

const COUNT_DAYS = `
select owner_id as ownerId, toString(toDate(ts)) as date, count() as events
from events
where ${OF_PAIRS.ofEvents}
group by ownerId, date`;

/** Computes the rows of some hundred days of accounts, of at most `eventsMax` events in a statement where no day has more. */
export async function computeOwnerDays(
  clickhouse: ClickHouseClient,
  days: readonly OwnerDay[],
  eventsMax: number,
): Promise<void> {
  const version = await newVersion(clickhouse);
  const counted = await selectRows<OwnerDay & { readonly events: number }>(
    clickhouse,
    COUNT_DAYS,
    paramsOfPairs(days),
    STATEMENT_MS_MAX,
  );
  const compute = (some: readonly OwnerDay[]) =>
    computeOwnersFromEvents(clickhouse, { sql: OF_PAIRS.ofEvents, params: paramsOfPairs(some), version });
  let batch: OwnerDay[] = [];
  let sum = 0;
  for (const { events, ...day } of counted) {
    if (batch.length > 0 && sum + events > eventsMax) {
      await compute(batch);
      batch = [];
      sum = 0;
    }
    batch.push(day);
    sum += events;
  }
  if (batch.length > 0) await compute(batch);
}
