import { pino } from 'pino';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { followedPlaceKey, followerLeaseKey, snapshotRedisKey } from '@smartlink/links/publish';
import { type RedisConnection, whenReady } from '@smartlink/links/redis';
import { until } from '@smartlink/test-support/until';
import { type ChangeFollower, createChangeFollower } from '../src/changes/change-follower.js';
import { SET_URL } from './link-store.js';
import { useTrial, withReadOnly } from './serve.js';

const trial = useTrial();
let keyPrefix: string;

beforeAll(() => {
  keyPrefix = trial.databases.redisKeyPrefix;
});

beforeEach(async () => {
  await trial.redis.del(followerLeaseKey(keyPrefix), followedPlaceKey(keyPrefix));
  await trial.pool.query('truncate link_changes');
});

/** Runs `work` with a follower of its own, which may only read from Postgres. */
const withFollower = (
  work: (follower: ChangeFollower, connection: RedisConnection) => Promise<void>,
  prefix = keyPrefix,
) =>
  withReadOnly(trial.databases, ({ redis, db }) => {
    const log = pino({ level: 'silent' });
    return work(createChangeFollower({ db, redis, keyPrefix: prefix, log }), redis);
  });

const url = (slug: string, n = 0) => `https://example.org/${slug}/${n}`;
const insert = (slug: string) => trial.links.insert({ slug, url: url(slug) });

/** Changes a link and leaves its row in the outbox; that is gone at once, as when management has published it. */
async function change(id: string, slug: string, n: number): Promise<void> {
  const version = await trial.links.update(id, SET_URL, url(slug, n));
  await trial.pool.query('insert into publish_outbox (slug_key, version) values ($1, $2)', [slug, version]);
  await trial.pool.query('delete from publish_outbox');
}

async function lastXid(): Promise<string> {
  const { rows } = await trial.pool.query<{ xid: string }>('select max(xid)::text as xid from link_changes');
  return rows[0]?.xid ?? '';
}

/**
 * Looks until the place is past every change: what others write to this Postgres, in databases of their own, may hold it
 * up, and the next process would meet the change again.
 */
async function lookPastAll({ followPage }: ChangeFollower): Promise<void> {
  const last = BigInt(await lastXid());
  await until(async () => {
    await followPage();
    return BigInt((await trial.redis.get(followedPlaceKey(keyPrefix))) ?? 0) >= last;
  }, 'the place is past the last change');
}

const published = (slug: string) => trial.links.published(slug);

test('a change is brought to Redis once, though the outbox has let it go', async () => {
  const id = await insert('once');
  await change(id, 'once', 1);
  await withFollower(async ({ followPage, counters }) => {
    expect(await followPage()).toBe(true);
    expect(await published('once')).toBe(url('once', 1));
    expect(await followPage()).toBe(true);
    expect(counters).toEqual({ published: 1, damaged: 0, failures: 0 });
  });
});

test('a change that a long transaction commits behind younger ones is not missed', async () => {
  const [older, younger] = [await insert('older'), await insert('younger')];
  const client = await trial.pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `update smartlinks set ${SET_URL}, version = nextval('smartlink_version') where id = $1`,
      [older, url('older', 1)],
    );
    await client.query(
      `insert into publish_outbox (slug_key, version) select slug, version from smartlinks where id = $1`,
      [older],
    );
    await change(younger, 'younger', 1);
    await withFollower(async ({ followPage, counters }) => {
      for (let looks = 0; looks < 3; looks += 1) await followPage();
      expect(await published('younger')).toBe(url('younger', 1));
      expect(counters.published).toBe(1);
      await client.query('commit');
      await followPage();
      expect(await published('older')).toBe(url('older', 1));
      expect(counters).toEqual({ published: 2, damaged: 0, failures: 0 });
    });
  } finally {
    client.release();
  }
});

test('the next process continues where the last one was, and starts over when that is not known', async () => {
  const id = await insert('next');
  await change(id, 'next', 1);
  await withFollower(lookPastAll);
  await trial.redis.del(followerLeaseKey(keyPrefix));
  await withFollower(async ({ followPage, counters }) => {
    await followPage();
    expect(counters.published).toBe(0);
  });
  await trial.redis.del(followerLeaseKey(keyPrefix), followedPlaceKey(keyPrefix));
  await withFollower(async ({ followPage, counters }) => {
    await followPage();
    expect(counters.published).toBe(1);
  });
});

test('after a new connection the last change is published again, though nothing has happened since', async () => {
  const id = await insert('again');
  await change(id, 'again', 1);
  await withFollower(async (follower, connection) => {
    const { followPage } = follower;
    // While an older transaction of another test runs, this position would be ahead of Postgres.
    await lookPastAll(follower);
    // As where that transaction was the last one; here others write too.
    await trial.redis.set(followedPlaceKey(keyPrefix), await lastXid());
    await trial.redis.del(snapshotRedisKey(keyPrefix, 'again'));
    connection.disconnect(true);
    await until(() => connection.status !== 'ready', 'the connection is gone');
    await whenReady(connection, 10_000);
    expect(await followPage()).toBe(true);
    expect(await published('again')).toBe(url('again', 1));
  });
});

test('if Postgres is behind its earlier position, all kept changes are published again', async () => {
  const [early, late] = [await insert('early'), await insert('late')];
  await change(early, 'early', 1);
  await trial.pool.query(`update link_changes set created_at = now() - interval '2 hours'`);
  await change(late, 'late', 1);
  // As of the Postgres from before the restore, which was further.
  await trial.redis.set(followedPlaceKey(keyPrefix), String(2n ** 40n));
  await withFollower(async ({ followPage, counters }) => {
    expect(await followPage()).toBe(false);
    expect(await followPage()).toBe(true);
    expect([await published('early'), await published('late')]).toEqual([url('early', 1), url('late', 1)]);
    expect(await followPage()).toBe(true);
    expect(counters).toEqual({ published: 2, damaged: 0, failures: 0 });
  });
});

test('a follower stopped before its start does not start', async () => {
  await change(await insert('stopped'), 'stopped', 1);
  await withFollower(async (stopped) => {
    stopped.stop();
    stopped.start();
    // Begins later, and follows for somebody else.
    const elsewhere = `${keyPrefix}elsewhere:`;
    await withFollower(async (other) => {
      other.start();
      await until(
        () => trial.redis.get(snapshotRedisKey(elsewhere, 'stopped')),
        'the other one has followed',
      );
      other.stop();
    }, elsewhere);
    expect(await trial.redis.get(followerLeaseKey(keyPrefix))).toBeNull();
  });
});

test('of several with one Redis one follows, until its lease is gone', async () => {
  const id = await insert('lease');
  await withFollower((one) =>
    withFollower(async (other) => {
      // For as long as this takes: the test has to end it.
      const keepLease = async () =>
        (await one.followPage()) && (await trial.redis.pexpire(followerLeaseKey(keyPrefix), 600_000)) === 1;
      await until(keepLease, 'one follows');
      await change(id, 'lease', 1);
      expect(await other.followPage()).toBe(false);
      await lookPastAll(one);
      await trial.redis.del(followerLeaseKey(keyPrefix));
      expect(await other.followPage()).toBe(true);
      expect(one.counters.published + other.counters.published).toBe(1);
    }),
  );
});

test('pages of a large transaction are gone through at one look', async () => {
  const id = await insert('pages');
  await trial.pool.query(
    `insert into publish_outbox (slug_key, version) select 'pages', 1 from generate_series(1, 1200)`,
  );
  await change(id, 'pages', 1);
  await withFollower(async ({ followPage, counters }) => {
    expect(await followPage()).toBe(true);
    expect(await published('pages')).toBe(url('pages', 1));
    expect(counters.failures).toBe(0);
    expect(counters.published).toBe(3);
  });
});
