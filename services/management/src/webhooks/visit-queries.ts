import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { VISITS_EVENT } from './event-types.js';
import type { ArrivalCursor } from './read-arrivals.js';

export type VisitsDue = {
  readonly webhookId: string;
  readonly ownerId: string;
  readonly from: ArrivalCursor;
  /** Messages with visits that wait already. */
  readonly waiting: number;
};

// Whoever takes one looks at it alone until the next time it is due; a process that is killed meanwhile has done nothing.
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

/** Returns a webhook whose visits are due, and makes them due again in `intervalMs`; or null. */
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
 * Moves a webhook's visits on from a cursor to the next; what is left (`isAll` false) is due at once. Returns false, and
 * writes nothing, when the webhook takes none any more, or others have moved them meanwhile.
 */
export async function advanceVisits(
  db: Queryable,
  due: VisitsDue,
  next: ArrivalCursor,
  isAll: boolean,
): Promise<boolean> {
  const { webhookId, from } = due;
  const { rows } = await db.query(ADVANCE, [
    webhookId,
    new Date(next.timeMs),
    next.eventId,
    new Date(from.timeMs),
    from.eventId,
    isAll,
  ]);
  return rows.length > 0;
}

const ADD_MESSAGES = `
insert into webhook_deliveries (webhook_id, event_type, data)
select $1, '${VISITS_EVENT}', message from unnest($2::jsonb[]) as message`;

/** Queues messages with visits, each given as its `data`. */
export async function addVisitMessages(
  db: Queryable,
  webhookId: string,
  messages: readonly object[],
): Promise<void> {
  const texts = messages.map((message) => JSON.stringify(message));
  await db.query(ADD_MESSAGES, [webhookId, texts]);
}
