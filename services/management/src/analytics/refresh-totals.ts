import type { ClickHouseClient } from '@clickhouse/client';
import type { Queryable } from '@smartlink/process/database';
import { readRollupState } from '@smartlink/visits/analytics';
import {
  countVisitedLinks,
  findTotalsOf,
  findVisitedLinks,
  VISITED_LINKS_MAX,
  type VisitedLink,
} from '@smartlink/visits/rollup';

// The figures in Postgres by which lists are sorted.

const STATEMENT_MS_MAX = 30_000;
/** Smartlinks that are held in memory at once. */
const SLICE_LINKS_MAX = 50_000;
/** An insert may take this long until its visits can be read. */
const OVERLAP_MS = 60_000;

type Refresh = {
  readonly clickhouse: ClickHouseClient;
  readonly pg: Queryable;
  /** Checked before each step. The next call repeats what is missing. */
  readonly mayGoOn: () => Promise<boolean>;
};

/**
 * Brings smartlink_totals up to date with the visits that have arrived since the last call, at first with all. One call at a
 * time. Rejects when a database fails.
 */
export async function refreshTotals({ clickhouse, pg, mayGoOn }: Refresh): Promise<void> {
  const { rows } = await pg.query('select arrived_until from totals_refresh', []);
  const until = (rows[0] as { arrived_until: Date } | undefined)?.arrived_until ?? null;
  const sinceMs = until === null ? null : until.getTime() - OVERLAP_MS;
  const { links, nowMs } = await countVisitedLinks(clickhouse, sinceMs, STATEMENT_MS_MAX);
  const slices = Math.ceil(links / SLICE_LINKS_MAX);
  for (let slice = 0; slice < slices; slice += 1) {
    const visited = await findVisitedLinks(clickhouse, { sinceMs, slice, slices }, STATEMENT_MS_MAX);
    for (let i = 0; i < visited.length; i += VISITED_LINKS_MAX) {
      if (!(await mayGoOn())) return;
      await refreshLinks({ clickhouse, pg }, visited.slice(i, i + VISITED_LINKS_MAX));
    }
  }
  await pg.query(SAVE_TIME, [new Date(nowMs)]);
}

const SAVE_TIME = `
insert into totals_refresh (arrived_until) values ($1)
on conflict (id) do update set arrived_until = excluded.arrived_until`;

// The join skips smartlinks that were erased.
const SAVE = `
insert into smartlink_totals (smartlink_id, user_id, clicks, scans, fallbacks, last_visit_at)
select visited.id, smartlinks.user_id, visited.clicks, visited.scans, visited.fallbacks,
       case when visited.last_visit_ms > 0 then to_timestamp(visited.last_visit_ms / 1000) end
from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::float8[])
  as visited (id, clicks, scans, fallbacks, last_visit_ms)
join smartlinks on smartlinks.id = visited.id
order by visited.id
on conflict (smartlink_id) do update
  set clicks = excluded.clicks, scans = excluded.scans, fallbacks = excluded.fallbacks,
      last_visit_at = greatest(smartlink_totals.last_visit_at, excluded.last_visit_at), updated_at = now()
  where (smartlink_totals.clicks, smartlink_totals.scans, smartlink_totals.fallbacks)
          is distinct from (excluded.clicks, excluded.scans, excluded.fallbacks)
     or excluded.last_visit_at > coalesce(smartlink_totals.last_visit_at, '-infinity')`;

async function refreshLinks(
  { clickhouse, pg }: Pick<Refresh, 'clickhouse' | 'pg'>,
  visited: readonly VisitedLink[],
): Promise<void> {
  // Read after the visits: those that came late by then are among its late cells.
  const state = await readRollupState(clickhouse, STATEMENT_MS_MAX);
  const totals = await findTotalsOf(clickhouse, state, visited, STATEMENT_MS_MAX);
  const found = visited.flatMap(({ smartlinkId, lastVisitMs }) => {
    const counted = totals.get(smartlinkId);
    return counted === undefined ? [] : [{ id: smartlinkId, lastVisitMs, ...counted }];
  });
  await pg.query(SAVE, [
    found.map(({ id }) => id),
    found.map(({ clicks }) => clicks),
    found.map(({ scans }) => scans),
    found.map(({ fallbacks }) => fallbacks),
    found.map(({ lastVisitMs }) => lastVisitMs),
  ]);
}
