import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { OutboxEntry } from '@smartlink/smartlink-store/publish-outbox';

// Younger rows are most likely being published by the request that wrote them; taking one all the same does no harm.
const LIST_OUTBOX = `
select id, slug_key as "slugKey" from publish_outbox
where created_at < now() - interval '200 milliseconds' and id > $1
order by id limit $2`;

/** Returns the oldest unpublished changes behind the row `afterId`, `limit` at most. */
export async function listOutbox(
  db: Queryable,
  afterId: string,
  limit: number,
): Promise<readonly OutboxEntry[]> {
  const { rows } = await db.query(LIST_OUTBOX, [afterId, limit]);
  return rows as OutboxEntry[];
}

// Rows another process is publishing are skipped. A change is as old as its transaction; both times are Postgres' own.
const TAKE_FROM_OUTBOX = `
select id, slug_key as "slugKey",
       extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds"
from publish_outbox where id = any($1::bigint[]) for update skip locked`;

/** Returns those of `entries` that are still unpublished, locked until the transaction ends. */
export async function takeFromOutbox(
  db: Queryable,
  entries: readonly OutboxEntry[],
): Promise<readonly (OutboxEntry & { readonly ageSeconds: number })[]> {
  const { rows } = await db.query(TAKE_FROM_OUTBOX, [entries.map(({ id }) => id)]);
  return rows as (OutboxEntry & { ageSeconds: number })[];
}

const REMOVE_FROM_OUTBOX = `delete from publish_outbox where id = any($1::bigint[])`;

/** Removes changes that were published. */
export async function removeFromOutbox(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(REMOVE_FROM_OUTBOX, [ids]);
}

const MEASURE_OUTBOX = `
select count(*)::integer as depth,
       coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
from publish_outbox`;

/** Returns how many changes wait and how old the oldest is. */
export async function measureOutbox(db: Queryable): Promise<{ depth: number; oldestSeconds: number }> {
  const { rows } = await db.query(MEASURE_OUTBOX, []);
  return rows[0] as { depth: number; oldestSeconds: number };
}

// What a master had taken and no replica yet is gone with it: a second or so, of the time before it went, and it cannot
// have been after the last change. The audit log is read from its young end.
const REQUEUE_RECENT = `
insert into publish_outbox (slug_key, version)
select slugs.key, smartlinks.version
from (
  select distinct smartlink_id from (
    select smartlink_id from audit_entries
    where smartlink_id is not null
      and at > (select max(at) from audit_entries) - interval '1 minute'
    order by at desc, id desc limit $1
  ) as entries
) as changed
join smartlinks on smartlinks.id = changed.smartlink_id
join slugs on slugs.smartlink_id = smartlinks.id`;

/** Puts the smartlinks of the last minute in which any was changed, `changesMax` at most, into the outbox once more. */
export async function requeueRecent(db: Queryable, changesMax: number): Promise<void> {
  await db.query(REQUEUE_RECENT, [changesMax]);
}
