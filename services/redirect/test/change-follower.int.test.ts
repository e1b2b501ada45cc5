import { openRedis, whenReady } from '@smartlink/link-resolver/redis-connection';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createChangeFollower } from '../src/change-follower.js';
import type { ChangeFollower } from '../src/change-follower.js';
import { openOutboxDatabase } from '../src/postgres.js';
import { SET_URL } from './link-store.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

let trial: Trial;
let keyPrefix: string;

beforeAll(async () => {
  trial = await openTrial();
  keyPrefix = trial.databases.redisKeyPrefix;
});

beforeEach(async () => {
  await trial.redis.del(`${keyPrefix}follower`, `${keyPrefix}followed`);
  await trial.pool.query('truncate link_changes');
});

afterAll(() => trial.close());

/** Runs `work` with a follower of its own, which may only read from Postgres. */
async function withFollower(work: (follower: ChangeFollower) => Promise<void>): Promise<void> {
  const log = pino({ level: 'silent' });
  const redis = openRedis({ url: trial.databases.redisUrl, log, commandTimeoutMs: 1_000 });
  const readOnly = new URL(trial.databases.databaseUrl);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  const db = openOutboxDatabase(readOnly.href);
  try {
    await whenReady(redis, 10_000);
    await work(createChangeFollower({ db, redis, keyPrefix, log }));
  } finally {
    redis.disconnect();
    await db.end();
  }
}

const url = (slug: string, n = 0) => `https://example.org/${slug}/${n}`;
const insert = (slug: string) => trial.links.insert({ slug, url: url(slug) });

/** Changes a link and leaves its row in the outbox; that is gone at once, as when management has published it. */
async function change(id: string, slug: string, n: number): Promise<void> {
  const version = await trial.links.update(id, SET_URL, url(slug, n));
  await trial.pool.query('insert into publish_outbox (slug_key, version) values ($1, $2)', [slug, version]);
  await trial.pool.query('delete from publish_outbox');
}

async function published(slug: string): Promise<string | null> {
  const value = await trial.redis.get(`${keyPrefix}link:${slug}`);
  return value === null ? null : (JSON.parse(value.slice(value.indexOf('{'))) as { url: string }).url;
}

test('a change is brought to Redis once, though the outbox has let it go', async () => {
  const id = await insert('once');
  await change(id, 'once', 1);
  await withFollower(async ({ look, counters }) => {
    expect(await look()).toBe(true);
    expect(await published('once')).toBe(url('once', 1));
    expect(await look()).toBe(true);
    expect(counters).toEqual({ published: 1, damaged: 0, failures: 0 });
  });
});

test('what a long transaction commits behind younger changes is not missed', async () => {
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
    await withFollower(async ({ look, counters }) => {
      for (let looks = 0; looks < 3; looks += 1) await look();
      expect(await published('younger')).toBe(url('younger', 1));
      expect(counters.published).toBe(1);
      await client.query('commit');
      await look();
      expect(await published('older')).toBe(url('older', 1));
      expect(counters).toEqual({ published: 2, damaged: 0, failures: 0 });
    });
  } finally {
    client.release();
  }
});

test('the next process goes on where the last one was, and begins anew where nobody knows', async () => {
  const id = await insert('next');
  await change(id, 'next', 1);
  await withFollower(async ({ look }) => {
    await look();
  });
  await trial.redis.del(`${keyPrefix}follower`);
  await withFollower(async ({ look, counters }) => {
    await look();
    expect(counters.published).toBe(0);
  });
  await trial.redis.del(`${keyPrefix}follower`, `${keyPrefix}followed`);
  await withFollower(async ({ look, counters }) => {
    await look();
    expect(counters.published).toBe(1);
  });
});

test('of several with one Redis one follows, until its lease is gone', async () => {
  const id = await insert('lease');
  await withFollower((one) =>
    withFollower(async (other) => {
      expect(await one.look()).toBe(true);
      await change(id, 'lease', 1);
      expect(await other.look()).toBe(false);
      expect(await one.look()).toBe(true);
      await trial.redis.del(`${keyPrefix}follower`);
      expect(await other.look()).toBe(true);
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
  await withFollower(async ({ look, counters }) => {
    expect(await look()).toBe(true);
    expect(await published('pages')).toBe(url('pages', 1));
    expect(counters.failures).toBe(0);
    expect(counters.published).toBe(3);
  });
});
