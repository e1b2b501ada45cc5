import type { Queryable } from '@smartlink/process/database';
import type { Availability, OpenGraph, Routing } from '@smartlink/smartlink/document';
import { type ChangeRecord, type Content, DOMAIN_COLUMN, type PauseReason } from '@smartlink/smartlink/store';

export type DueRow = {
  readonly id: string;
  readonly version: string;
  readonly open_graph: OpenGraph | null;
  readonly routing: Routing | null;
  readonly availability: Availability | null;
  /** Content of the current type. */
  readonly content: Content | null;
};

// The size of content, estimated without reading it: compressed content may be 88 or 255 times longer (see
// snapshot-query.ts of links).
const CONTENT_BYTES = `pg_column_size(content)::bigint
           * case pg_column_compression(content) when 'pglz' then 88 when 'lz4' then 255 else 1 end`;

// The process that takes them has ten minutes. Locked rows are being changed, or taken by another process. One look into
// the index when nothing is due: 0.4 ms among 200,000 links. With NOTE_RECHECKS, 500 links at a time, 6,000 links a second
// and more; a million a day are 12.
const TAKE_DUE = `
with due as (
  select id, urls_check_due_at, ${CONTENT_BYTES} as bytes
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
returning smartlinks.id, smartlinks.version, smartlinks.open_graph, smartlinks.routing,
          smartlinks.availability, smartlinks.content -> smartlinks.type as content`;

/**
 * Takes at most `limit` Active smartlinks, those due longest, until their content reaches `bytes`. No other process gets
 * them for ten minutes.
 */
export async function takeDue(
  db: Queryable,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<readonly DueRow[]> {
  const { rows } = await db.query(TAKE_DUE, [limit, bytes]);
  return rows as DueRow[];
}

// With the look into a blocklist 39,000 links a second, and 20 µs of processor time each.
const FIND_ACTIVE_AFTER = `
with page as (
  select id, ${CONTENT_BYTES} as bytes
  from smartlinks
  where status = 'Active' and id > $1
  order by id
  limit $2
), weighed as (
  select id, sum(bytes) over (order by id) - bytes as bytes_before from page
)
select id, smartlinks.version, smartlinks.open_graph, smartlinks.routing, smartlinks.availability,
       smartlinks.content -> smartlinks.type as content
from weighed join smartlinks using (id)
where weighed.bytes_before < $3
order by id`;

/** The next Active smartlinks by id, within the limits of `takeDue`. */
export async function findActiveAfter(
  db: Queryable,
  afterId: string,
  { limit, bytes }: { limit: number; bytes: number },
): Promise<readonly DueRow[]> {
  const { rows } = await db.query(FIND_ACTIVE_AFTER, [afterId, limit, bytes]);
  return rows as DueRow[];
}

const MAKE_DUE = `
with given as (
  select id from smartlinks
  where id = any($1::uuid[]) and status = 'Active'
  order by id
  for no key update
)
update smartlinks set urls_check_due_at = least(urls_check_due_at, now()) from given where smartlinks.id = given.id`;

/** Makes smartlinks due at once. */
export async function makeDue(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(MAKE_DUE, [ids]);
}

/** `left`: it changed at the same time, or there was no time for it; due again at once. */
export type RecheckOutcome = 'safe' | 'unchecked' | 'left';

// Every URL is judged once a day; 20 to 24 hours spread what was created together. If the provider
// was down: after half a minute, doubling up to an hour, ± a quarter. Links left, or changed while they were judged, are
// due at once. version and updated_at stay: nothing visible has changed.
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
  -- The order of every statement that locks several.
  order by smartlinks.id
  for no key update of smartlinks
) as recheck
where smartlinks.id = recheck.id`;

/** Records the outcomes of taken smartlinks. One with another version counts as not judged. */
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

// Every statement that locks several rows does so in this order.
const LOCK_ACTIVE = `
select id, version from smartlinks where id = any($1::uuid[]) and status = 'Active' order by id for update`;

/** Those still Active, locked until the transaction ends. */
export async function lockActive(
  db: Queryable,
  ids: readonly string[],
): Promise<readonly Pick<DueRow, 'id' | 'version'>[]> {
  const { rows } = await db.query(LOCK_ACTIVE, [ids]);
  return rows as Pick<DueRow, 'id' | 'version'>[];
}

const FIND_PARTS = `
select id, version, open_graph, routing, availability, content -> type as content from smartlinks where id = $1`;

/** The smartlink must exist. */
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
          smartlinks.status, ${DOMAIN_COLUMN}`;

/** The rows must be locked. */
export async function pauseUnsafe(
  db: Queryable,
  unsafe: readonly { readonly id: string; readonly reason: PauseReason }[],
): Promise<readonly PausedRow[]> {
  const { rows } = await db.query(PAUSE_UNSAFE, [JSON.stringify(unsafe)]);
  return rows as PausedRow[];
}

type PausedRow = ChangeRecord['smartlink'] & { readonly version: string };

// Bounded: a scrape must not read a million rows of the index.
const MEASURE_OVERDUE = `
select count(*)::integer as count,
       coalesce(extract(epoch from now() - min(urls_check_due_at)), 0)::float8 as "oldestSeconds"
from (
  select urls_check_due_at from smartlinks
  where status = 'Active' and urls_check_due_at <= now()
  order by urls_check_due_at
  limit 10000
) as overdue`;

/** Smartlinks whose URLs are due, counted up to 10,000, and how long the first has been due. */
export async function measureOverdue(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query(MEASURE_OVERDUE, []);
  return rows[0] as { count: number; oldestSeconds: number };
}

/** Smartlinks for operators: paused for unsafe URLs, or Active with URLs that no provider has judged. */
export const SAFETY_STATES = ['unsafe', 'unchecked'] as const;
export type SafetyState = (typeof SAFETY_STATES)[number];

export type SafetyRow = {
  readonly id: string;
  readonly slug: string;
  readonly domain: string | null;
  readonly account: { readonly id: string; readonly email: string };
  /** Of an unsafe one. */
  readonly urls: readonly { readonly path: string; readonly url: string }[] | null;
  readonly dueAt: Date;
};

const QUEUE_COLUMNS = `
  smartlinks.id, smartlinks.slug, ${DOMAIN_COLUMN}, json_build_object('id', users.id, 'email', users.email) as account,
  smartlinks.urls_check_due_at as "dueAt"`;

// A page may have a hundred documents of 1 MiB, so only the URLs leave Postgres. `offset 0` reads each document once.
const UNSAFE_URLS = `
  (select coalesce(json_agg(json_build_object('path', path, 'url', url) order by place), '[]')
   from (select detail ->> 'path' as path, document #>> string_to_array(detail ->> 'path', '.') as url, place
         from (select (content -> type) || jsonb_build_object('openGraph', open_graph, 'routing', routing) as document
               offset 0) as parts,
              jsonb_array_elements(pause_reason -> 'details') with ordinality as found (detail, place)
         where place <= 20) as named
   where url is not null)`;

// Ids are ordered by time. Postgres reads smartlinks_unsafe, or the primary key from its end.
const FIND_UNSAFE = `
select ${QUEUE_COLUMNS}, ${UNSAFE_URLS} as urls
from smartlinks join users on users.id = smartlinks.user_id
where pause_reason is not null and status = 'Paused' and ($1::uuid is null or smartlinks.id < $1)
order by smartlinks.id desc
limit $2`;

// Unjudged smartlinks are due within 75 minutes (NOTE_RECHECKS), few judged ones are: the index scan stays short.
const FIND_UNCHECKED = `
select ${QUEUE_COLUMNS}, null as urls
from smartlinks join users on users.id = smartlinks.user_id
where status = 'Active' and urls_checked_at is null and urls_check_due_at <= now() + interval '75 minutes'
  and ($1::uuid is null or (urls_check_due_at, smartlinks.id) > ($3, $1))
order by urls_check_due_at, smartlinks.id
limit $2`;

/** A page of the queue: unsafe ones by id, the newest first; unchecked ones by the time at which they are judged next. */
export async function findQueued(
  db: Queryable,
  state: SafetyState,
  { after, limit }: { after: { id: string; time: Date } | null; limit: number },
): Promise<readonly SafetyRow[]> {
  const { rows } =
    state === 'unsafe'
      ? await db.query(FIND_UNSAFE, [after?.id ?? null, limit])
      : await db.query(FIND_UNCHECKED, [after?.id ?? null, limit, after?.time ?? null]);
  return rows as SafetyRow[];
}

const FIND_JUDGEABLE = `
select id, user_id as "userId", status from smartlinks
where id = $1 and (status = 'Active' or (status = 'Paused' and pause_reason is not null))`;

/** A smartlink that is Active, or paused for unsafe URLs. */
export async function findJudgeable(
  db: Queryable,
  id: string,
): Promise<{ readonly id: string; readonly userId: string; readonly status: 'Active' | 'Paused' } | null> {
  const { rows } = await db.query(FIND_JUDGEABLE, [id]);
  return (rows[0] as { id: string; userId: string; status: 'Active' | 'Paused' } | undefined) ?? null;
}
