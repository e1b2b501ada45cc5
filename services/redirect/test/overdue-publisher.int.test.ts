import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { until } from '@smartlink/test-support/until';
import { createOverduePublisher, type OverduePublisher } from '../src/changes/overdue-publisher.js';
import { SET_URL } from './link-store.js';
import { useTrial, withReadOnly } from './serve.js';

const trial = useTrial();
let logLines: string[] = [];

beforeEach(async () => {
  await trial.pool.query('truncate publish_outbox');
  logLines = [];
});

/** Runs `work` with a publisher of its own, which may only read from Postgres. */
const withPublisher = (work: (publisher: OverduePublisher) => Promise<void>, urls: Partial<Urls> = {}) =>
  withReadOnly({ ...trial.databases, ...urls }, ({ redis, db }) => {
    const log = pino({ level: 'warn' }, { write: (line: string) => logLines.push(line) });
    const keyPrefix = trial.databases.redisKeyPrefix;
    return work(createOverduePublisher({ db, redis, keyPrefix, log }));
  });
type Urls = Parameters<typeof withReadOnly>[0];

/** Adds a change to the outbox that was committed `ageSeconds` ago. */
async function leave(slug: string, ageSeconds = 6): Promise<void> {
  await trial.pool.query(
    `insert into publish_outbox (slug_key, version, created_at) values ($1, 1, now() - make_interval(secs => $2))`,
    [slug, ageSeconds],
  );
}

const published = (slug: string) => trial.links.published(slug);
const insert = (slug: string) => trial.links.insert({ slug, url: `https://example.org/${slug}` });

test('a change is published once it is 5 s old, announced to every process, and stays in the outbox', async () => {
  const ids = await Promise.all(['old', 'young'].map(insert));
  await trial.links.publish('old', 'young');
  for (const id of ids) await trial.links.update(id, SET_URL, 'https://example.org/new');
  await leave('old');
  const subscriber = trial.redis.duplicate();
  const told: string[] = [];
  subscriber.on('message', (_channel, message: string) => told.push(message));
  await subscriber.subscribe(`${trial.databases.redisKeyPrefix}changes`);
  await withPublisher(async ({ publishPage, counters }) => {
    // Directly before, so that it is young still.
    await leave('young', 2);
    expect(await publishPage()).toBe(false);
    expect(counters).toEqual({ published: 1, damaged: 0, failures: 0 });
    expect(await published('old')).toBe('https://example.org/new');
    expect(await published('young')).toBe('https://example.org/young');
    await until(() => told.length > 0, 'the processes are told');
  });
  subscriber.disconnect();
  expect(told).toEqual([expect.stringMatching(/^old \d+$/)]);
  expect((await trial.pool.query('select slug_key from publish_outbox')).rows).toHaveLength(2);
});

test('a published change is not published again, and the next change of its slug is', async () => {
  const id = await insert('again');
  await leave('again');
  await withPublisher(async ({ publishPage, counters }) => {
    for (let looks = 0; looks < 3; looks += 1) await publishPage();
    expect(counters.published).toBe(1);
    await trial.links.update(id, SET_URL, 'https://example.org/next');
    await leave('again');
    await publishPage();
    expect(counters.published).toBe(2);
    expect(await published('again')).toBe('https://example.org/next');
  });
});

test('an older snapshot never takes the place of a newer one, and two at once do no harm', async () => {
  const id = await insert('two');
  await leave('two');
  await withPublisher((one) =>
    withPublisher(async (other) => {
      await Promise.all([one.publishPage(), other.publishPage()]);
      await trial.links.update(id, SET_URL, 'https://example.org/newer');
      await trial.links.publish('two');
      await leave('two');
      await Promise.all([one.publishPage(), other.publishPage()]);
      expect(await published('two')).toBe('https://example.org/newer');
    }),
  );
});

test('changes behind the first 500 are reached, and so is one that is seen after younger ones', async () => {
  await insert('first');
  await insert('last');
  await trial.pool.query(
    `insert into publish_outbox (slug_key, version, created_at)
     select 'never-used', 1, now() - interval '1 minute' from generate_series(1, 500)`,
  );
  await leave('last');
  await withPublisher(async ({ publishPage }) => {
    expect(await publishPage()).toBe(true);
    expect(await published('last')).toBeNull();
    expect(await publishPage()).toBe(false);
    expect(await published('last')).toBe('https://example.org/last');
    // As by a transaction that took its number early and was long in committing.
    await trial.pool.query(
      `insert into publish_outbox (id, slug_key, version, created_at) overriding system value
       values ((select min(id) from publish_outbox) - 1, 'first', 1, now() - interval '6 seconds')`,
    );
    expect(await publishPage()).toBe(true);
    expect(await published('first')).toBe('https://example.org/first');
  });
});

test('a damaged row is logged once and holds up nothing', async () => {
  const id = await insert('damaged');
  await trial.links.update(id, `content = $2::jsonb`, '{}');
  await insert('sound');
  await leave('damaged');
  await leave('sound');
  await withPublisher(async ({ publishPage, counters }) => {
    for (let looks = 0; looks < 3; looks += 1) await publishPage();
    expect(counters).toEqual({ published: 1, damaged: 1, failures: 0 });
    expect(await published('sound')).toBe('https://example.org/sound');
  });
  expect(logLines).toHaveLength(1);
  expect(logLines[0]).toContain('damaged smartlink cannot be published');
});

test('a change that Redis refuses holds up no other and is retried', async () => {
  const slugs = ['ra', 'rb', 'rc', 'rd', 're'];
  await Promise.all(slugs.map(insert));
  for (const slug of slugs) await leave(slug);
  const refused = `${trial.databases.redisKeyPrefix}link:rc`;
  await trial.redis.rpush(refused, 'not a snapshot');
  await withPublisher(async ({ publishPage, counters }) => {
    await publishPage();
    expect(counters.published).toBe(4);
    expect(await published('re')).toBe('https://example.org/re');
    await publishPage();
    expect(logLines).toHaveLength(1);
    await trial.redis.del(refused);
    await publishPage();
    expect(counters.published).toBe(5);
    expect(await published('rc')).toBe('https://example.org/rc');
  });
});

test('with Postgres or Redis down it is quiet, and publishes when they are back', async () => {
  await insert('outage');
  await leave('outage');
  const postgres = await startBreakableProxy(trial.databases.databaseUrl);
  const redis = await startBreakableProxy(trial.databases.redisUrl);
  try {
    await withPublisher(
      async ({ publishPage, counters }) => {
        await postgres.kill();
        for (let looks = 0; looks < 3; looks += 1) expect(await publishPage()).toBe(false);
        expect(logLines).toHaveLength(1);
        await postgres.restore();
        await redis.kill();
        await publishPage();
        expect(await published('outage')).toBeNull();
        await redis.restore();
        await until(async () => {
          await publishPage();
          return counters.published === 1;
        }, 'the change is published');
        expect(await published('outage')).toBe('https://example.org/outage');
        expect(logLines).toHaveLength(1);
      },
      { redisUrl: redis.url, databaseUrl: postgres.url },
    );
  } finally {
    await Promise.all([postgres.close(), redis.close()]);
  }
});
