import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClosers } from '@smartlink/test-support/closers';
import type { RedisGroup, RedisServer } from '@smartlink/test-support/redis-groups';
import { until } from '@smartlink/test-support/until';
import { listen } from '../../../services/management/test/call-raw.js';
import { startServiceOn } from '../../../services/management/test/start-service.js';
import { openVisitor, type Visitor } from '../../../services/redirect/test/changes-visitor.js';
import { type Redirect, startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { openTrial, type Trial } from '../../../services/redirect/test/trial.js';
import { callApi, inWords, keepVisitors, linksBy } from './changes-harness.js';

/** More than L1 holds here, so that visits in turn always ask Redis. */
export const MANY = 200;
const L1_ENTRIES_MAX = '100';
/** Constant, so that the slot of a link is. */
export const KEY_PREFIX = 'smartlink:';
export const PROCESSES = '2';
/** Links that liveThrough creates. */
export const LINKS = 6;
const PAUSE_MS = 20;
const VISITORS = 8;
const LOAD_PAUSE_MS = (VISITORS * 1_000) / 200;

/** Both services on a group of Redis servers, with MANY links in Postgres. The caller closes it. */
export async function openGroupTrial(start: () => Promise<RedisGroup>) {
  const closers = createClosers();
  try {
    const [group, trial] = await Promise.all([start(), openTrial()]);
    closers.add(group.close);
    closers.add(trial.close);
    await storeMany(trial);
    const databases = { ...trial.databases, redisUrl: group.url, redisKeyPrefix: KEY_PREFIX };
    const [redirect, service] = await Promise.all([
      startRedirect(databases, { REDIRECT_PROCESSES: PROCESSES, L1_ENTRIES_MAX }),
      startServiceOn(databases),
    ]);
    closers.add(redirect.stop);
    closers.add(() => service.app.close());
    const visitors = keepVisitors(redirect);
    closers.add(visitors.close);
    await until(async () => {
      const live = await redirect.metric('smartlink_redirect_redis_connections{state="feed_live"}');
      return live === Number(PROCESSES) && service.app.redis.status === 'ready';
    }, 'both services have found their Redis');
    const port = await listen(service.app);
    return {
      group,
      trial,
      service,
      redirect,
      ...linksBy(callApi(port, (await service.createUser()).apiKey)),
      untilSeen: (slug: string, expected: string) => visitors.untilSeen(slug, expected, PAUSE_MS),
      /** Visits links up to 200 times a second while `work` runs. */
      visitDuring: (work: () => Promise<unknown>) => visitDuring(redirect, work),
      outboxDepth: async () =>
        Number((await trial.pool.query('select count(*) as depth from publish_outbox')).rows[0]?.depth),
      close: closers.close,
    };
  } catch (err) {
    await closers.close();
    throw err;
  }
}

export type GroupTrial = Awaited<ReturnType<typeof openGroupTrial>>;

const manyUrl = (n: number): string => `https://example.org/many/${n}`;

async function storeMany({ pool, links }: Trial): Promise<void> {
  const ids = Array.from({ length: MANY }, () => randomUUID());
  await pool.query(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, password_version, version)
     select id, $2, 'Active', 'Url', 'Test', 'many' || n,
            jsonb_build_object('Url', jsonb_build_object('shortener',
              jsonb_build_object('url', 'https://example.org/many/' || n, 'protected', false))),
            1, nextval('smartlink_version')
     from unnest($1::uuid[]) with ordinality as given (id, n)`,
    [ids, links.ownerId],
  );
  await pool.query(
    `insert into slugs (key, slug, user_id, smartlink_id, is_primary)
     select slug, slug, user_id, id, true from smartlinks where id = any($1::uuid[])`,
    [ids],
  );
}

async function visitDuring({ port }: Redirect, work: () => Promise<unknown>) {
  const tally = { visits: 0, wrong: [] as string[], durationsMs: [] as number[] };
  let isDone = false;
  const visitors = await Promise.all(Array.from({ length: VISITORS }, () => openVisitor(port)));
  const visitOn = async (visitor: Visitor): Promise<void> => {
    while (!isDone) {
      const from = performance.now();
      tally.visits += 1;
      const n = 1 + (tally.visits % MANY);
      const answer = await visitor.visit(`many${n}`);
      tally.durationsMs.push(performance.now() - from);
      if (answer !== manyUrl(n)) tally.wrong.push(answer);
      await sleep(LOAD_PAUSE_MS);
    }
  };
  const loads = visitors.map(visitOn);
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.allSettled(loads);
    for (const visitor of visitors) visitor.close();
  }
  await Promise.all(loads);
  return tally;
}

export const describeTally = ({ visits, wrong, durationsMs }: Awaited<ReturnType<typeof visitDuring>>) =>
  `${visits} visits, ${wrong.length} wrong, ${inWords(durationsMs)}`;

/** Keys on one server. */
export const keysOf = async (server: RedisServer, rest = 'link:*'): Promise<string[]> =>
  server.client.keys(`${KEY_PREFIX}${rest}`);

/** Creates, changes and removes links, and waits until every process sees each change. Returns the slowest time in ms. */
export async function liveThrough(
  { create, change, remove, untilSeen }: GroupTrial,
  name: string,
): Promise<number> {
  const delaysMs: number[] = [];
  for (let i = 0; i < LINKS; i += 1) {
    const slug = `${name}${i}`;
    await untilSeen(slug, '404');
    const id = await create(slug, 'https://example.org/before');
    delaysMs.push(await untilSeen(slug, 'https://example.org/before'));
    await change(id, 'https://example.org/after');
    delaysMs.push(await untilSeen(slug, 'https://example.org/after'));
    if (i % 2 === 0) continue;
    await remove(id);
    delaysMs.push(await untilSeen(slug, '410'));
  }
  return Math.max(...delaysMs);
}
