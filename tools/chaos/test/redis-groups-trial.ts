import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisGroup } from '@smartlink/embedded/redis-groups';
import { createClosers } from '@smartlink/test-support/closers';
import { percentile } from '@smartlink/test-support/percentile';
import { until } from '@smartlink/test-support/until';
import { caller, startServiceOn, urlSmartlink } from '../../../services/management/test/start-service.js';
import type { TestService } from '../../../services/management/test/start-service.js';
import { openVisitor } from '../../../services/redirect/test/changes-visitor.js';
import type { Visitor } from '../../../services/redirect/test/changes-visitor.js';
import { startRedirect } from '../../../services/redirect/test/start-redirect.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';
import { openTrial } from '../../../services/redirect/test/trial.js';
import type { Trial } from '../../../services/redirect/test/trial.js';
import { keepVisitors } from './changes-connections.js';

/** More than L1 keeps here, so that visits to one after the other ask Redis every time. */
export const MANY = 200;
const L1_ENTRIES_MAX = '100';
/** Always the same, so that a link's slot is. */
export const KEY_PREFIX = 'smartlink:';
export const PROCESSES = '2';
// More than a fail-over takes, on a busy machine too.
const SEEN_DEADLINE_MS = 60_000;
const VISITORS = 8;
const PAUSE_MS = (VISITORS * 1_000) / 200;

export type GroupTrial = {
  readonly group: RedisGroup;
  readonly trial: Trial;
  readonly service: Omit<TestService, 'close'>;
  readonly redirect: Redirect;
  /** Creates a link through the API and returns its id. */
  readonly create: (slug: string, url: string) => Promise<string>;
  /** Changes a link's target through the API. */
  readonly change: (id: string, url: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Visits every process until it answers `expected`, without a pause; returns how long the last took, in ms. */
  readonly untilSeen: (slug: string, expected: string) => Promise<number>;
  /** Visits links while `work` runs, 200 times a second at most. */
  readonly visitDuring: (work: () => Promise<unknown>) => Promise<Tally>;
  readonly outboxDepth: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export type Tally = { visits: number; readonly wrong: string[]; readonly durationsMs: number[] };

/** Starts both services on a group of Redis servers, with MANY links in Postgres. The caller closes it. */
export async function openGroupTrial(start: () => Promise<RedisGroup>): Promise<GroupTrial> {
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
    return {
      group,
      trial,
      service,
      redirect,
      ...(await callApi(service)),
      untilSeen: (slug, expected) => visitors.open().then((open) => untilSeen(open, slug, expected)),
      visitDuring: (work) => visitDuring(redirect, work),
      outboxDepth: async () =>
        Number((await trial.pool.query('select count(*) as depth from publish_outbox')).rows[0]?.depth),
      close: closers.close,
    };
  } catch (err) {
    await closers.close();
    throw err;
  }
}

async function callApi(service: Omit<TestService, 'close'>) {
  const api = caller(service.app, (await service.createUser()).apiKey);
  const succeed = ({ status, text }: { status: number; text: string }): void => {
    if (status >= 300) throw new Error(`The API answered ${status}: ${text}`);
  };
  return {
    async create(slug: string, url: string) {
      const answer = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: slug }, { url }));
      succeed(answer);
      return (answer.body as { data: { id: string } }).data.id;
    },
    change: async (id: string, url: string) => {
      succeed(await api.patch('/smartlink', { id, shortener: { url } }));
    },
    remove: async (id: string) => {
      succeed(await api.delete('/smartlink', { smartlinkId: id }));
    },
  };
}

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

async function untilSeen(visitors: readonly Visitor[], slug: string, expected: string): Promise<number> {
  const from = performance.now();
  await Promise.all(
    visitors.map((visitor) =>
      until(
        async () => (await visitor.visit(slug)) === expected,
        `every process answers ${expected} for ${slug}`,
        SEEN_DEADLINE_MS,
      ),
    ),
  );
  return performance.now() - from;
}

async function visitDuring({ port }: Redirect, work: () => Promise<unknown>): Promise<Tally> {
  const tally: Tally = { visits: 0, wrong: [], durationsMs: [] };
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
      // What a load is at most.
      await sleep(PAUSE_MS);
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

/** Returns a tally in words. */
export function inWords({ visits, wrong, durationsMs }: Tally): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(durationsMs, share).toFixed(1));
  return `${visits} visits, ${wrong.length} wrong, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`;
}
