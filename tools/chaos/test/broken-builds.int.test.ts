import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as PublisherModule from '@smartlink/links/publish';
import { findSnapshots } from '@smartlink/links/publish';
import type * as ResolverModule from '@smartlink/links/resolve';
import type { Queryable } from '@smartlink/process/database';
import { createLogger } from '@smartlink/process/lifecycle';
import { recordFigure } from '@smartlink/test-support/record-figure';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import type * as RecorderModule from '../../../services/redirect/src/events/event-recorder.js';
import type * as ShipperModule from '../../../services/redirect/src/events/shipper.js';
import {
  type Fault,
  type FaultyGateway,
  startFaultyGateway,
} from '../../../services/redirect/test/events-faulty-gateway.js';
import {
  clearEvents,
  createSpool,
  makeEvent,
  readStored,
} from '../../../services/redirect/test/events-fixtures.js';
import { SET_URL } from '../../../services/redirect/test/link-store.js';
import { useTrial } from '../../../services/redirect/test/serve.js';
import { BROKEN_BUILDS, type BrokenBuild, type Build, copyBuild } from './broken-builds.js';

const WRITER = fileURLToPath(new URL('broken-builds-writer.mjs', import.meta.url));
const KIBIBYTE = 1024;
const EVENTS_A_PROCESS = 50;
/** Two failures cost some two seconds of pauses, more on a busy machine; a build that never sends costs all of this. */
const DRAIN_DEADLINE_MS = 40_000;
const log = createLogger({ service: 'broken-builds', level: 'silent' });

const RACES = trialSize(20, 500);
const EVENTS = trialSize(3_000, 50_000);
const PROCESSES = trialSize(2, 20);
const TRIED = BROKEN_BUILDS.filter(({ isTriedAlways }) => trialSize(isTriedAlways ?? false, true));

const trial = useTrial({ clickhouse: 'own' });
let gateway: FaultyGateway;

beforeAll(async () => {
  gateway = await startFaultyGateway(trial.databases.clickhouseUrl);
});
afterAll(() => gateway.close());

const CHECKERS: Record<BrokenBuild['checker'], (build: Build) => Promise<Findings>> = {
  races: findStaleLinks,
  shipping: (build) => countEvents(build, 2 ** 30, ['error 500', 'cut after']),
  // More at once than the buffers hold, so that some are dropped.
  burst: (build) => countEvents(build, 256 * KIBIBYTE, []),
  kill: (build) => countWritten(build, 'kill'),
  stop: (build) => countWritten(build, 'close'),
};

async function check(edit: BrokenBuild | null, checker: BrokenBuild['checker']): Promise<Findings> {
  const build = copyBuild(edit);
  try {
    return await CHECKERS[checker](build);
  } finally {
    build.remove();
  }
}

test('every checker finds nothing in the unchanged build, and notices each broken one', async () => {
  for (const checker of new Set(TRIED.map((broken) => broken.checker))) {
    const { tried, ...found } = await check(null, checker);
    expect(tried, checker).toBeGreaterThan(0);
    expect({ checker, ...found }).toEqual({ checker, stale: 0, lost: 0, doubled: 0, waiting: 0 });
  }
  const caught: string[] = [];
  for (const broken of TRIED) {
    const { name, checker, finds } = broken;
    const found = await check(broken, checker);
    expect(found[finds], `${name}: ${JSON.stringify(found)}`).toBeGreaterThan(0);
    caught.push(`${name}: ${found[finds]} of ${found.tried} ${finds}`);
  }
  recordFigure({
    promise: 'F1',
    trial: `${TRIED.length} builds broken on purpose`,
    measured: `${caught.length} caught (${caught.join('; ')}); the build as it is: nothing found`,
    holds: true,
  });
}, 300_000);

test('a breakage that cannot be applied is reported, and does not count as caught', () => {
  const edit = { package: 'redirect', file: 'main.js', find: 'no such text', replace: '' } as const;
  expect(() => copyBuild(edit)).toThrow('redirect/dist/main.js has 0 places');
});

/** What a checker counted. All but `tried` are zero in a build that keeps its promises. */
type Findings = {
  readonly tried: number;
  /** Links for which Redis ended with something older than Postgres. */
  readonly stale: number;
  /** Events that were accepted, are not in ClickHouse and were not counted as dropped. */
  readonly lost: number;
  readonly doubled: number;
  /** Events that are still in the spool although ClickHouse has long been well. */
  readonly waiting: number;
};

/**
 * Forces both orders in which an old value can come after a new one, on a link each: Postgres answers a visit before a
 * change and Redis is filled after it was published; and of two publishers the one that read first writes last.
 */
async function findStaleLinks(build: Build): Promise<Findings> {
  const { publishSnapshots } = await build.load<typeof PublisherModule>('links', 'publish.js');
  const { createLinkResolver } = await build.load<typeof ResolverModule>('links', 'resolve.js');
  const { redis, pool, links, databases } = trial;
  redis.setMaxListeners(0);
  const now = () => performance.now();
  const resolverOn = (postgres: Queryable) =>
    createLinkResolver({ redis, postgres, keyPrefix: databases.redisKeyPrefix, now });
  const publish = async (snapshots: Awaited<ReturnType<typeof findSnapshots>>) =>
    publishSnapshots(redis, databases.redisKeyPrefix, snapshots);
  let stale = 0;
  for (let round = 0; round < RACES; round++) {
    const slug = `race${Math.random().toString(36).slice(2)}`;
    const id = await links.insert({ slug, url: 'https://example.org/old' });
    const old = await findSnapshots(pool, [slug]);
    const held = holdAnswers(pool);
    const visit = resolverOn(held.pool).resolve(slug);
    await held.isAsked;
    await links.update(id, SET_URL, 'https://example.org/new');
    const changed = await findSnapshots(pool, [slug]);
    await publish(changed);
    if (round % 2 === 0) await publish(old);
    held.release();
    await visit;
    // On the same connection as the fill, so after it.
    const { snapshot } = await resolverOn(pool).resolve(slug);
    if (snapshot?.version !== changed.get(slug)?.version) stale += 1;
  }
  return { tried: RACES, stale, lost: 0, doubled: 0, waiting: 0 };
}

/** Returns Postgres with answers that are true when they are given and arrive when they are released. */
function holdAnswers(pool: Queryable) {
  let release = (): void => undefined;
  let tellAsked = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const isAsked = new Promise<void>((resolve) => (tellAsked = resolve));
  const held: Queryable = {
    query: async (...args: Parameters<Queryable['query']>) => {
      const answer = await pool.query(...args);
      tellAsked();
      await isReleased;
      return answer;
    },
  };
  return { pool: held, isAsked, release };
}

/** Records events, ships them over a connection with these faults, and counts what became of them. */
async function countEvents(build: Build, bytesMax: number, faults: readonly Fault[]): Promise<Findings> {
  const { createEventRecorder } = await build.load<typeof RecorderModule>(
    'redirect',
    'events/event-recorder.js',
  );
  const spool = createSpool();
  try {
    const recorder = createEventRecorder({
      spoolDir: spool.folder,
      writerId: 'w1',
      bytesMax,
      strict: false,
      log,
    });
    for (let number = 0; number < EVENTS; number++) void recorder.record(makeEvent(number));
    await recorder.close();
    const dropped = Object.values(recorder.counters.droppedEvents).reduce((sum, reason) => sum + reason, 0);
    const accepted = recorder.counters.acceptedEvents - dropped;
    return { tried: EVENTS, ...(await deliver(build, spool.folder, accepted, faults)) };
  } finally {
    spool.remove();
  }
}

/**
 * Has a process record and end, again and again, and counts what is missing: by a kill in the moment of its last
 * confirmation, or after it has closed its recorder.
 */
async function countWritten(build: Build, mode: 'kill' | 'close'): Promise<Findings> {
  const spool = createSpool();
  const journal = join(spool.folder, 'journal.txt');
  try {
    for (let round = 0; round < PROCESSES; round++) {
      const argv = [WRITER, build.dist('redirect'), spool.folder, journal, String(round * EVENTS_A_PROCESS)];
      const child = spawn(process.execPath, [...argv, String(EVENTS_A_PROCESS), mode], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (mode === 'kill' ? signal !== 'SIGKILL' : exitCode !== 0) {
        throw new Error(`the writer ended by ${signal ?? String(exitCode)}`);
      }
    }
    const accepted = readFileSync(journal, 'utf8').trim().split('\n').length;
    return {
      tried: accepted,
      ...(await deliver(build, spool.folder, accepted, [])),
    };
  } finally {
    spool.remove();
  }
}

/** Ships what a spool holds with the build's shipper and compares ClickHouse with what was accepted. */
async function deliver(
  build: Build,
  folder: string,
  accepted: number,
  faults: readonly Fault[],
): Promise<Omit<Findings, 'tried'>> {
  const { createShipper } = await build.load<typeof ShipperModule>('redirect', 'events/shipper.js');
  let inserts = 0;
  gateway.fault = () => faults[inserts++] ?? 'none';
  const limits = { insertEveryMs: 50 };
  const shipper = createShipper({ spoolDir: folder, clickhouseUrl: gateway.clickhouseUrl, log, limits });
  shipper.start();
  await until(() => shipper.isDrained(), 'everything is sent', DRAIN_DEADLINE_MS).catch(() => undefined);
  const waiting = shipper.isDrained() ? 0 : shipper.counters.spooledEvents;
  await shipper.stop({ deadlineMs: 1_000 });
  const stored = await readStored(trial.databases.clickhouseUrl);
  await clearEvents(trial.databases.clickhouseUrl);
  return {
    stale: 0,
    lost: Math.max(0, accepted - waiting - stored.numbers.size),
    doubled: stored.rows - stored.numbers.size,
    waiting,
  };
}
