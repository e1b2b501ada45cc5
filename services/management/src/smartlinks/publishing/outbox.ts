import type { Pool } from 'pg';
import {
  cutIntoChunks,
  findEachSnapshot,
  findSnapshots,
  publishSnapshots,
  weighSnapshots,
} from '@smartlink/links/publish';
import { type RedisConnection, watchMasters } from '@smartlink/links/redis';
import { failureMessage, type Queryable, withTimeLimit, withTransaction } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import type { LinkSnapshot } from '@smartlink/smartlink/document';
import type { OutboxEntry } from '@smartlink/smartlink/store';
import type { OutboxObserver } from '../../plugins/metrics.js';
import type { FormatGate } from './format-gate.js';

// Time that a request may spend on publishing, and the interval at which the relay looks for leftovers.
const PUBLISH_BUDGET_MS = 150;
const RELAY_INTERVAL_MS = 250;
const RELAY_LIST_MAX = 500;
// At most this often, however often the connection breaks.
const REQUEUE_INTERVAL_MS = 5_000;
const REQUEUE_CHANGES_MAX = 10_000;

export type Outbox = {
  /** Publishes a committed change; never rejects. What is not published within 150 ms is left to the relay. */
  readonly publish: (entries: readonly OutboxEntry[]) => Promise<void>;
  /** Starts the relay, which every 250 ms publishes the rows left by any process. */
  readonly start: () => void;
  /** Stops the relay after the current chunk, and removes published rows from the outbox. */
  readonly stop: () => Promise<void>;
};

type OutboxDeps = {
  readonly pg: Pool;
  readonly redis: RedisConnection;
  readonly formatGate: FormatGate;
  readonly keyPrefix: string;
  readonly log: Logger;
  readonly observer: OutboxObserver;
};

/** Brings committed changes to Redis. Any number of processes may run one. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { pg, redis, keyPrefix, observer } = deps;
  // Rows of changes that requests published; the relay's next turn removes them together.
  let publishedIds: string[] = [];
  let job: Job | undefined;
  const relay = createRelay(deps);
  const requeue = createRequeue(deps);
  const requeueNewMembers = createFormatRequeue(deps);

  async function removePublished(): Promise<void> {
    if (publishedIds.length === 0) return;
    const ids = publishedIds;
    publishedIds = [];
    // If this fails, the relay publishes them again, which does no harm.
    await removeFromOutbox(pg, ids);
  }

  async function relayOnce(signal: AbortSignal): Promise<void> {
    // In this order an empty outbox means that nothing is left to do, even right after Redis is back.
    const failures: unknown[] = [];
    for (const step of [requeue, requeueNewMembers, removePublished, () => relay.publishRound(signal)]) {
      await step().catch((err: unknown) => failures.push(err));
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    async publish(entries) {
      const startedAt = performance.now();
      const unpublished = new Map(entries.map((entry) => [entry.slugKey, entry.id]));
      const onTaken = (slugKeys: readonly string[]): boolean => {
        for (const slugKey of slugKeys) {
          publishedIds.push(unpublished.get(slugKey) ?? '');
          unpublished.delete(slugKey);
          observer.onDelay('request', (performance.now() - startedAt) / 1_000);
        }
        // The rest of a large link under many addresses is left to the relay.
        return performance.now() - startedAt < PUBLISH_BUDGET_MS;
      };
      await withTimeLimit(
        PUBLISH_BUDGET_MS,
        findSnapshots(pg, [...unpublished.keys()]).then((snapshots) =>
          publishSnapshots(redis, keyPrefix, snapshots, onTaken),
        ),
      ).catch(() => undefined);
      const durationMs = performance.now() - startedAt;
      const taken = entries.length - unpublished.size;
      if (taken > 0) observer.onPublished('request', taken, durationMs);
      if (unpublished.size > 0) observer.onPublished('failed', unpublished.size, durationMs);
    },
    start() {
      job = startJob({
        everyMs: RELAY_INTERVAL_MS,
        run: relayOnce,
        failure: 'the outbox relay could not publish',
        log: deps.log,
      });
    },
    async stop() {
      await job?.stop();
      await removePublished().catch(() => undefined);
    },
  };
}

/**
 * The first step of a turn: if Redis has, or may have, a new master, the changes of the last minute are put into the
 * outbox again, once. The lost master may have taken some that its replicas never received; visitors would get the old
 * snapshots for up to 24 h.
 */
function createRequeue({ pg, redis }: OutboxDeps): () => Promise<void> {
  let isDue = false;
  let notBefore = 0;
  watchMasters(redis, () => {
    isDue = true;
  });
  return async () => {
    if (!isDue || redis.status !== 'ready' || performance.now() < notBefore) return;
    notBefore = performance.now() + REQUEUE_INTERVAL_MS;
    isDue = false;
    await requeueRecent(pg, REQUEUE_CHANGES_MAX).catch((err: unknown) => {
      isDue = true;
      throw err;
    });
  };
}

/**
 * The second step of a turn: once no earlier build of redirect is left, the smartlinks that need the newest snapshot format
 * are put into the outbox again. An earlier build may have published them without those members.
 */
function createFormatRequeue({ pg, formatGate, log }: OutboxDeps): () => Promise<void> {
  return async () => {
    if (!formatGate.needsRepublish()) return;
    let afterId: string | null = null;
    do afterId = await requeueWithNewMembers(pg, afterId ?? FIRST_UUID);
    while (afterId !== null);
    formatGate.onRepublished();
    log.info('smartlinks with new members are published again');
  };
}

/**
 * The relay reads the outbox in rounds, from the oldest row to the newest, chunk by chunk, each in its own transaction. A
 * chunk that fails ends the turn; the next turn continues after it, so that it delays no other, and the next round
 * retries it.
 */
function createRelay(deps: OutboxDeps) {
  let chunks: (readonly OutboxEntry[])[] = [];
  let afterId = FIRST_ID;
  // The last failure of the current round. The end of the round rejects with it, so that an outage is logged once and
  // lasts until a whole round succeeds.
  let roundFailure: { readonly err: unknown } | null = null;

  /** undefined at the end of a round. */
  async function next(): Promise<readonly OutboxEntry[] | undefined> {
    if (chunks.length > 0) return chunks.shift();
    await withTransaction(deps.pg, async (client) => {
      const entries = await listOutbox(client, afterId, RELAY_LIST_MAX);
      if (entries.length === 0) return;
      const slugKeys = entries.map(({ slugKey }) => slugKey);
      chunks = [...cutIntoChunks(entries, await weighSnapshots(client, slugKeys))];
      afterId = entries.at(-1)?.id ?? FIRST_ID;
    });
    if (chunks.length > 0) return chunks.shift();
    afterId = FIRST_ID;
    return undefined;
  }

  /** Publishes until the round ends, a chunk fails, or the signal is aborted. Rejects with the failure. */
  async function publishRound(signal: AbortSignal): Promise<void> {
    // Without Redis, rows are not locked in vain.
    while (deps.redis.status === 'ready' && !signal.aborted) {
      const chunk = await next();
      if (chunk === undefined) {
        const failed = roundFailure;
        roundFailure = null;
        if (failed !== null) throw failed.err;
        return;
      }
      await relayChunk(deps, chunk).catch((err: unknown) => {
        roundFailure = { err };
        // A cluster node is down: halves would fail too and delay other chunks.
        if (failureMessage(err) === CONNECTION_CLOSED) throw err;
        // Retried in halves, until the row that fails is alone.
        const half = Math.ceil(chunk.length / 2);
        if (half < chunk.length) chunks.push(chunk.slice(0, half), chunk.slice(half));
        throw err;
      });
    }
    // The outage lasts while Redis is unavailable.
    if (deps.redis.status !== 'ready' && roundFailure !== null) throw roundFailure.err;
  }

  return { publishRound };
}

// The message of ioredis for a node that refuses connections.
const CONNECTION_CLOSED = 'Connection is closed.';

/** Publishes what is still unpublished of a chunk. Rejects with the failure if Redis did not take all of it. */
async function relayChunk(
  { pg, redis, keyPrefix, log, observer }: OutboxDeps,
  chunk: readonly OutboxEntry[],
): Promise<void> {
  const startedAt = performance.now();
  const { count, failure } = await withTransaction(pg, async (client) => {
    const entries = await takeFromOutbox(client, chunk);
    if (entries.length === 0) return { count: 0, failure: null };
    const slugKeys = [...new Set(entries.map((entry) => entry.slugKey))];
    const snapshots = new Map<string, LinkSnapshot>();
    for (const [slugKey, snapshot] of await findEachSnapshot(client, slugKeys)) {
      // A retry would not repair it.
      if (snapshot instanceof Error) log.error({ err: snapshot }, 'damaged smartlink cannot be published');
      else snapshots.set(slugKey, snapshot);
    }
    const unpublished = new Set(snapshots.keys());
    const onTaken = (taken: readonly string[]): boolean => {
      for (const slugKey of taken) unpublished.delete(slugKey);
      return true;
    };
    const publishing = publishSnapshots(redis, keyPrefix, snapshots, onTaken);
    const failed = await publishing.then(
      () => null,
      (err: unknown) => ({ err }),
    );
    const done = entries.filter((entry) => !unpublished.has(entry.slugKey));
    const tookSeconds = (performance.now() - startedAt) / 1_000;
    for (const { ageSeconds } of done) observer.onDelay('relay', ageSeconds + tookSeconds);
    const ids = done.map(({ id }) => id);
    await removeFromOutbox(client, ids);
    return { count: ids.length, failure: failed };
  });
  if (count > 0) observer.onPublished('relay', count, performance.now() - startedAt);
  if (failure !== null) throw failure.err;
}

// Identities begin at 1.
const FIRST_ID = '0';

// Younger rows are most likely being published by the request that wrote them; publishing them twice does no harm.
const LIST_OUTBOX = `
select id, slug_key as "slugKey" from publish_outbox
where created_at < now() - interval '200 milliseconds' and id > $1
order by id limit $2`;

/** The oldest unpublished changes after the row `afterId`. */
async function listOutbox(db: Queryable, afterId: string, limit: number): Promise<readonly OutboxEntry[]> {
  const { rows } = await db.query(LIST_OUTBOX, [afterId, limit]);
  return rows as OutboxEntry[];
}

// Rows that another process is publishing are skipped. The age counts from the start of the change's transaction; both
// times are of Postgres.
const TAKE_FROM_OUTBOX = `
select id, slug_key as "slugKey",
       extract(epoch from clock_timestamp() - created_at)::float8 as "ageSeconds"
from publish_outbox where id = any($1::bigint[]) for update skip locked`;

/** Those still unpublished, locked until the transaction ends. */
async function takeFromOutbox(
  db: Queryable,
  entries: readonly OutboxEntry[],
): Promise<readonly (OutboxEntry & { readonly ageSeconds: number })[]> {
  const { rows } = await db.query(TAKE_FROM_OUTBOX, [entries.map(({ id }) => id)]);
  return rows as (OutboxEntry & { ageSeconds: number })[];
}

const REMOVE_FROM_OUTBOX = `delete from publish_outbox where id = any($1::bigint[])`;

async function removeFromOutbox(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(REMOVE_FROM_OUTBOX, [ids]);
}

// A lost master takes with it what no replica has received yet: about a second of changes, none after the last one. The
// audit log is read from its newest entry.
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

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
const REQUEUED_AT_ONCE_MAX = 1_000;

// Each branch has an index of exactly these rows.
const REQUEUE_WITH_NEW_MEMBERS = `
with page as (
  select id, version from smartlinks where id in (
    (select id from smartlinks where utm is not null and id > $1 order by id limit $2)
    union
    (select id from smartlinks where redirect is not null and id > $1 order by id limit $2)
    union
    (select id from smartlinks where routing is not null and id > $1 order by id limit $2)
    union
    (select id from smartlinks where availability is not null and id > $1 order by id limit $2)
    union
    (select smartlink_id from slugs where exact is not null and smartlink_id > $1 order by smartlink_id limit $2)
  ) order by id limit $2
), added as (
  insert into publish_outbox (slug_key, version)
  select slugs.key, page.version from page join slugs on slugs.smartlink_id = page.id
)
select id from page order by id desc limit 1`;

/** Puts the next smartlinks after `afterId` into the outbox; returns the last one, null at the end. */
async function requeueWithNewMembers(db: Queryable, afterId: string): Promise<string | null> {
  const { rows } = await db.query(REQUEUE_WITH_NEW_MEMBERS, [afterId, REQUEUED_AT_ONCE_MAX]);
  return (rows[0] as { id: string } | undefined)?.id ?? null;
}

/** Puts the smartlinks of the last minute with changes, at most `changesMax`, into the outbox again. */
async function requeueRecent(db: Queryable, changesMax: number): Promise<void> {
  await db.query(REQUEUE_RECENT, [changesMax]);
}
