import type { ClickHouseClient } from '@clickhouse/client';
import type { Pool } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { selectRows } from '@smartlink/visits/analytics';
import { INSERT_ASSUMED_DEAD_SECONDS } from '@smartlink/visits/event';
import { VISITS_EVENT } from './schemas.js';

/** Visits are read this long after their arrival time, which is set before the insert that makes them visible. */
export const ARRIVAL_LAG_MS = INSERT_ASSUMED_DEAD_SECONDS * 1_000;
const VISITS_PER_MESSAGE = 500;
const MESSAGES_PER_STEP = 20;
// Beyond this many undelivered messages a receiver's visits stay in ClickHouse, where they are kept anyway.
const WAITING_MAX = 100;
const STATEMENT_MS_MAX = 5_000;

type VisitQueueDeps = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  /** Time between two reads of the visits of a webhook. */
  readonly intervalMs: number;
  readonly lagMs: number;
  readonly onQueued: (visits: number) => void;
};

/**
 * Queues messages with the visits of webhooks that are due, until none is or the signal is aborted. A message and the
 * position it ends at are committed together, so each arrival is queued exactly once across processes and crashes.
 * Rejects when a database fails; the webhooks not reached are still due, the current one in `intervalMs`.
 */
export function createVisitQueue(deps: VisitQueueDeps) {
  return async (signal?: AbortSignal): Promise<void> => {
    while (signal?.aborted !== true) {
      const due = await claimDueVisits(deps.pg, deps.intervalMs);
      if (due === null) return;
      if (due.waiting < WAITING_MAX) await queueStep(deps, due);
    }
  };
}

async function queueStep(deps: VisitQueueDeps, due: VisitsDue): Promise<void> {
  const { pg, clickhouse, lagMs, onQueued } = deps;
  const untilMs = (await readArrivalClock(clickhouse)) - lagMs;
  if (untilMs <= due.from.timeMs) return;
  const { visits, next, isAll } = await readArrivals(clickhouse, due, untilMs);
  const messages = toMessages(visits);
  const isQueued = await withTransaction(pg, async (client) => {
    if (!(await advanceVisits(client, due, next, isAll))) return false;
    if (messages.length > 0) await addVisitMessages(client, due.webhookId, messages);
    return true;
  });
  if (isQueued) onQueued(visits.length);
}

/** The `data` of the messages for these visits, each visit once. */
function toMessages(visits: readonly ArrivedVisit[]): { readonly visits: readonly object[] }[] {
  const byId = new Map(visits.map((visit) => [visit.eventId, visit]));
  const views = [...byId.values()].map(toView);
  const messages: { readonly visits: readonly object[] }[] = [];
  for (let i = 0; i < views.length; i += VISITS_PER_MESSAGE) {
    messages.push({ visits: views.slice(i, i + VISITS_PER_MESSAGE) });
  }
  return messages;
}

function toView(visit: ArrivedVisit): object {
  const { eventId, smartlinkId, country, device, browser, operatingSystem } = visit;
  return {
    eventId,
    smartlinkId,
    timestamp: new Date(visit.timeMs).toISOString(),
    action: actionOf(visit),
    country,
    device,
    browser,
    operatingSystem,
    // The name that analytics uses.
    referrer: visit.referrer === '' ? 'direct' : visit.referrer,
  };
}

function actionOf({ outcome, source }: ArrivedVisit): 'click' | 'qr_scan' | 'fallback' {
  if (outcome === 'fallback') return 'fallback';
  return source === 'scan' ? 'qr_scan' : 'click';
}

/** A position in the order of arrival: everything before it has been queued. */
type ArrivalCursor = {
  /** ClickHouse's clock, in ms since 1970. */
  readonly timeMs: number;
  /** The last event of exactly this time that has been queued. */
  readonly eventId: string | null;
};

type ArrivedVisit = {
  readonly eventId: string;
  readonly arrivedMs: number;
  readonly smartlinkId: string;
  readonly timeMs: number;
  readonly source: 'click' | 'scan';
  readonly outcome: 'target' | 'page' | 'fallback';
  readonly country: string;
  readonly device: string;
  readonly browser: string;
  readonly operatingSystem: string;
  /** A host; '' without one. */
  readonly referrer: string;
};

async function readArrivalClock(clickhouse: ClickHouseClient): Promise<number> {
  const query = `select toUnixTimestamp64Milli(now64(3)) as nowMs`;
  const [row] = await selectRows<{ nowMs: number }>(clickhouse, query, {}, STATEMENT_MS_MAX);
  if (row === undefined) throw new Error('ClickHouse returned no time');
  return row.nowMs;
}

// arrived_at_minmax skips granules without new rows. Without `final`: a later duplicate of an event replaces the earlier
// row at some merge. The row that is left is ahead of the cursor, or was read before.
const ARRIVALS = `
select event_id as eventId, toUnixTimestamp64Milli(arrived_at) as arrivedMs, smartlink_id as smartlinkId,
       toUnixTimestamp64Milli(ts) as timeMs, source, outcome, country, device, browser, os as operatingSystem,
       referrer_host as referrer
from events
where owner_id = {ownerId:UUID} and outcome != 'excluded'
  and arrived_at >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
  and arrived_at < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')
  and (arrived_at, event_id) > (fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC'), {afterId:UUID})
order by arrived_at, event_id
limit {limit:UInt32}`;

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * An owner's counted visits that arrived from `from` to before `untilMs`, in order of arrival, and the next cursor. A
 * duplicated event may appear twice.
 */
async function readArrivals(clickhouse: ClickHouseClient, { ownerId, from }: VisitsDue, untilMs: number) {
  const limit = VISITS_PER_MESSAGE * MESSAGES_PER_STEP;
  const afterId = from.eventId ?? BEFORE_ALL_IDS;
  const params = { ownerId, fromMs: from.timeMs, untilMs, afterId, limit };
  const visits = await selectRows<ArrivedVisit>(clickhouse, ARRIVALS, params, STATEMENT_MS_MAX);
  const last = visits.at(-1);
  const isAll = visits.length < limit || last === undefined;
  const next = isAll ? { timeMs: untilMs, eventId: null } : { timeMs: last.arrivedMs, eventId: last.eventId };
  return { visits, next, isAll };
}

type VisitsDue = {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly from: ArrivalCursor;
  /** Undelivered messages with visits. */
  readonly waiting: number;
};

// The claim lasts until the webhook is due again; a process killed before that has queued nothing.
const CLAIM = `
with claimed as (
  update webhooks set visits_due_at = now() + $1 * interval '1 millisecond'
  where id = (
    select id from webhooks where is_enabled and visits_until is not null and visits_due_at <= now()
    order by visits_due_at limit 1 for no key update skip locked)
  returning id, user_id, visits_until, visits_after_id
)
select id as "webhookId", user_id as "ownerId", extract(epoch from visits_until)::float8 * 1000 as "timeMs",
       visits_after_id as "eventId",
       (select count(*)::integer from webhook_deliveries
        where webhook_id = claimed.id and status = 'Pending' and event_type = '${VISITS_EVENT}') as waiting
from claimed`;

/** Claims one webhook whose visits are due, and makes them due again in `intervalMs`. */
export async function claimDueVisits(db: Queryable, intervalMs: number): Promise<VisitsDue | null> {
  const { rows } = await db.query(CLAIM, [intervalMs]);
  const row = rows[0] as (Omit<VisitsDue, 'from'> & ArrivalCursor) | undefined;
  if (row === undefined) return null;
  const { timeMs, eventId, ...due } = row;
  return { ...due, from: { timeMs: Math.round(timeMs), eventId } };
}

const ADVANCE = `
update webhooks set
  visits_until = $2, visits_after_id = $3, visits_due_at = case when $6 then visits_due_at else now() end
where id = $1 and is_enabled and visits_until = $4 and visits_after_id is not distinct from $5
returning id`;

/**
 * Advances a webhook's cursor; with `isAll` false the rest is due at once. Returns false, and writes nothing, when the
 * webhook no longer takes visits or another process has advanced it.
 */
export async function advanceVisits(
  db: Queryable,
  { webhookId, from }: VisitsDue,
  next: ArrivalCursor,
  isAll: boolean,
): Promise<boolean> {
  const to = [new Date(next.timeMs), next.eventId];
  const { rows } = await db.query(ADVANCE, [webhookId, ...to, new Date(from.timeMs), from.eventId, isAll]);
  return rows.length > 0;
}

const ADD_MESSAGES = `
insert into webhook_deliveries (webhook_id, event_type, data)
select $1, '${VISITS_EVENT}', message from unnest($2::jsonb[]) as message`;

/** Queues messages with visits, each given as its `data`. */
async function addVisitMessages(
  db: Queryable,
  webhookId: string,
  messages: readonly object[],
): Promise<void> {
  const texts = messages.map((message) => JSON.stringify(message));
  await db.query(ADD_MESSAGES, [webhookId, texts]);
}
