import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { OpenGraph } from '@smartlink/smartlink/snapshot';
import type { ChangeRecord } from '@smartlink/smartlink-store/record-changes';
import { NEXT_URL_CHECK, SHOWN_COLUMNS } from '@smartlink/smartlink-store/smartlink-row';
import type { Content, PauseReason, SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';

/** A smartlink whose URLs are to be judged. */
export type DueRow = {
  readonly id: string;
  readonly version: string;
  readonly open_graph: OpenGraph | null;
  /** Of its present type. */
  readonly content: Content | null;
};

// Whoever takes them has ten minutes; after that another process may. What is locked is being changed, or taken by
// another process. What their content comes to is known without reading it: compressed it may be 88 or 255 times longer
// (see snapshot-query.ts of link-resolver). One look into the index when nothing is due: 0.4 ms
// among 200,000 links. With NOTE_RECHECKS, 500 links at a time, 6,000 links a second and more; a million a day are 12.
const TAKE_DUE = `
with due as (
  select id, urls_check_due_at,
         pg_column_size(content)::bigint
           * case pg_column_compression(content) when 'pglz' then 88 when 'lz4' then 255 else 1 end as bytes
  from smartlinks
  where status = 'Active' and urls_check_due_at <= now()
  order by urls_check_due_at
  limit $1
  for no key update skip locked
), weighed as (
  select id, sum(bytes) over (order by urls_check_due_at, id) - bytes as bytes_before from due
)
update smartlinks set urls_check_due_at = now() + interval '10 minutes'
from weighed
where smartlinks.id = weighed.id and weighed.bytes_before < $2
returning smartlinks.id, smartlinks.version, smartlinks.open_graph,
          smartlinks.content -> smartlinks.type as content`;

/**
 * Takes at most `limit` Active smartlinks that are due, those that have waited longest, and returns them: those after
 * whose content has reached `bytes` are left. Nobody else gets them for ten minutes.
 */
export async function takeDue(
  db: Queryable,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<readonly DueRow[]> {
  const { rows } = await db.query(TAKE_DUE, [limit, bytes]);
  return rows as DueRow[];
}

/** `left`: another change was quicker, or there was no time for it; it is due again at once. */
export type RecheckOutcome = 'safe' | 'unchecked' | 'left';

// Every URL is to be judged once a day (decisions.md, URLs), and what came in one go is not to come due in one go for
// ever: 20 to 24 hours. Where the provider was down, after half a minute, doubled up to an hour, a quarter more or less.
// What was left, or has changed while it was judged, is due at once. Neither version nor updated_at moves: nothing that
// anybody sees has changed.
const IS_JUDGED = `(recheck.outcome <> 'left' and smartlinks.version = recheck.seen_version)`;
const NOTE_RECHECKS = `
update smartlinks set
  urls_checked_at = case when ${IS_JUDGED} and outcome = 'safe' then now() else urls_checked_at end,
  urls_check_due_at = case
    when not ${IS_JUDGED} then least(urls_check_due_at, now())
    when outcome = 'safe' then now() + interval '1 day' * (1 - random() / 6)
    else now() + least(interval '30 seconds' * 2 ^ url_check_failures, interval '1 hour') * (0.75 + random() / 2)
  end,
  url_check_failures = case
    when not ${IS_JUDGED} then url_check_failures
    when outcome = 'safe' then 0
    else least(url_check_failures + 1, 7)
  end
from (
  select smartlinks.id, given.seen_version, given.outcome
  from unnest($1::uuid[], $2::bigint[], $3::text[]) as given (id, seen_version, outcome)
  join smartlinks on smartlinks.id = given.id
  where smartlinks.status = 'Active'
  -- As all who lock several.
  order by smartlinks.id
  for no key update of smartlinks
) as recheck
where smartlinks.id = recheck.id`;

/** Notes what came of smartlinks that were taken; of one that has another version by now nothing was judged. */
export async function noteRechecks(
  db: Queryable,
  rechecks: readonly { readonly id: string; readonly version: string; readonly outcome: RecheckOutcome }[],
): Promise<void> {
  await db.query(NOTE_RECHECKS, [
    rechecks.map(({ id }) => id),
    rechecks.map(({ version }) => version),
    rechecks.map(({ outcome }) => outcome),
  ]);
}

// In one order for all who lock several.
const LOCK_ACTIVE = `
select id, version from smartlinks where id = any($1::uuid[]) and status = 'Active' order by id for update`;

/** Returns those smartlinks that are still Active, locked until the transaction ends. */
export async function lockActive(
  db: Queryable,
  ids: readonly string[],
): Promise<readonly Pick<DueRow, 'id' | 'version'>[]> {
  const { rows } = await db.query(LOCK_ACTIVE, [ids]);
  return rows as Pick<DueRow, 'id' | 'version'>[];
}

const FIND_PARTS = `
select id, version, open_graph, content -> type as content from smartlinks where id = $1`;

/** Returns what a smartlink, which must be there, is at present. */
export async function findParts(db: Queryable, id: string): Promise<DueRow> {
  const { rows } = await db.query(FIND_PARTS, [id]);
  return rows[0] as DueRow;
}

const PAUSE_UNSAFE = `
update smartlinks set
  status = 'Paused', pause_reason = unsafe.reason, version = nextval('smartlink_version'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond'), urls_checked_at = now()
from jsonb_to_recordset($1::jsonb) as unsafe (id uuid, reason jsonb)
where smartlinks.id = unsafe.id
returning smartlinks.id, smartlinks.version, smartlinks.user_id, smartlinks.name, smartlinks.slug, smartlinks.type,
          smartlinks.status`;

/** Pauses smartlinks, which must be locked, and returns them. */
export async function pauseUnsafe(
  db: Queryable,
  unsafe: readonly { readonly id: string; readonly reason: PauseReason }[],
): Promise<readonly PausedRow[]> {
  const { rows } = await db.query(PAUSE_UNSAFE, [JSON.stringify(unsafe)]);
  return rows as PausedRow[];
}

export type PausedRow = ChangeRecord['smartlink'] & { readonly version: string };

const ACTIVATE = `
update smartlinks set
  status = 'Active', pause_reason = null, version = nextval('smartlink_version'),
  updated_at = greatest(now(), updated_at + interval '1 millisecond'),
  urls_checked_at = case when $2 then now() end, urls_check_due_at = ${NEXT_URL_CHECK('$2')}, url_check_failures = 0
where id = $1
returning ${SHOWN_COLUMNS}`;

/** Lets a paused smartlink, which must be locked, go on, its URLs judged safe or not at all; and returns it. */
export async function activate(db: Queryable, id: string, urlsChecked: boolean): Promise<SmartlinkRow> {
  const { rows } = await db.query(ACTIVATE, [id, urlsChecked]);
  return rows[0] as SmartlinkRow;
}

// Counting is bounded: a scrape must not read a million rows of the index.
const MEASURE_OVERDUE = `
select count(*)::integer as count,
       coalesce(extract(epoch from now() - min(urls_check_due_at)), 0)::float8 as "oldestSeconds"
from (
  select urls_check_due_at from smartlinks
  where status = 'Active' and urls_check_due_at <= now()
  order by urls_check_due_at
  limit 10000
) as overdue`;

/** Returns how many smartlinks wait for their URLs to be judged, counted up to 10,000, and for how long the first has. */
export async function measureOverdue(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query(MEASURE_OVERDUE, []);
  return rows[0] as { count: number; oldestSeconds: number };
}
