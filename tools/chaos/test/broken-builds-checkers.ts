import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as PublisherModule from '@smartlink/link-resolver/link-publisher';
import type * as ResolverModule from '@smartlink/link-resolver/link-resolver';
import { findSnapshots } from '@smartlink/link-resolver/snapshot-query';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { createLogger } from '@smartlink/process/logger';
import { until } from '@smartlink/test-support/until';
import type * as RecorderModule from '../../../services/redirect/src/events/event-recorder.js';
import type * as ShipperModule from '../../../services/redirect/src/events/shipper.js';
import type { Fault, FaultyGateway } from '../../../services/redirect/test/events-faulty-gateway.js';
import {
  clearEvents,
  createSpool,
  makeEvent,
  readStored,
} from '../../../services/redirect/test/events-fixtures.js';
import { SET_URL } from '../../../services/redirect/test/link-store.js';
import type { Trial } from '../../../services/redirect/test/trial.js';
import type { Build } from './broken-builds-copy.js';

const WRITER = fileURLToPath(new URL('broken-builds-writer.mjs', import.meta.url));
const KIBIBYTE = 1024;
const EVENTS_A_PROCESS = 50;
/** Two failures cost some two seconds of pauses, more on a busy machine; a build that never sends costs all of this. */
const DRAIN_DEADLINE_MS = 40_000;
const log = createLogger({ service: 'broken-builds', level: 'silent' });

/** What a checker counted. All but `tried` are zero in a build that keeps its promises. */
export type Findings = {
  readonly tried: number;
  /** Links for which Redis ended with something older than Postgres. */
  readonly stale: number;
  /** Events that were accepted, are not in ClickHouse and were not counted as dropped. */
  readonly lost: number;
  readonly doubled: number;
  /** Events that are still in the spool although ClickHouse has long been well. */
  readonly waiting: number;
};

const NOTHING: Findings = { tried: 0, stale: 0, lost: 0, doubled: 0, waiting: 0 };

/**
 * Forces both orders in which an old value can come after a new one, on a link each: Postgres answers a visit before a
 * change and Redis is filled after it was published; and of two publishers the one that read first writes last.
 */
export async function findStaleLinks(build: Build, trial: Trial, rounds: number): Promise<Findings> {
  const { publishSnapshots } = await build.load<typeof PublisherModule>('link-resolver', 'link-publisher.js');
  const { createLinkResolver } = await build.load<typeof ResolverModule>('link-resolver', 'link-resolver.js');
  const { redis, pool, links, databases } = trial;
  redis.setMaxListeners(0);
  const now = () => performance.now();
  const resolverOn = (postgres: Queryable) =>
    createLinkResolver({ redis, postgres, keyPrefix: databases.redisKeyPrefix, now });
  const publish = async (snapshots: Awaited<ReturnType<typeof findSnapshots>>) =>
    publishSnapshots(redis, databases.redisKeyPrefix, snapshots);
  let stale = 0;
  for (let round = 0; round < rounds; round++) {
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
  return { ...NOTHING, tried: rounds, stale };
}

/** Returns Postgres with answers that are true when they are given and arrive when they are released. */
function holdAnswers(pool: Trial['pool']) {
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

export type EventTrial = {
  readonly gateway: FaultyGateway;
  readonly clickhouseUrl: string;
};

const SHIPPING_FAULTS: readonly Fault[] = ['error 500', 'cut after'];

/** Records events, ships them over a connection that fails twice, and counts what became of them. */
export async function countShipped(build: Build, trial: EventTrial, count: number): Promise<Findings> {
  return countEvents(build, trial, { count, bytesMax: 2 ** 30, faults: SHIPPING_FAULTS });
}

/** Records more events at once than the buffers hold, so that some are dropped, and counts what became of them. */
export async function countBurst(build: Build, trial: EventTrial, count: number): Promise<Findings> {
  return countEvents(build, trial, { count, bytesMax: 256 * KIBIBYTE, faults: [] });
}

async function countEvents(
  build: Build,
  trial: EventTrial,
  { count, bytesMax, faults }: { count: number; bytesMax: number; faults: readonly Fault[] },
): Promise<Findings> {
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
    for (let number = 0; number < count; number++) void recorder.record(makeEvent(number));
    await recorder.close();
    const dropped = Object.values(recorder.counters.droppedEvents).reduce((sum, reason) => sum + reason, 0);
    const accepted = recorder.counters.acceptedEvents - dropped;
    return { tried: count, ...(await deliver(build, trial, { folder: spool.folder, accepted, faults })) };
  } finally {
    spool.remove();
  }
}

/** Has a process kill itself again and again in the moment of its last confirmation, and counts what is missing. */
export async function countConfirmed(build: Build, trial: EventTrial, rounds: number): Promise<Findings> {
  return countWritten(build, trial, { mode: 'kill', rounds });
}

/** Has a process record, close its recorder and end, again and again, and counts what is missing. */
export async function countClosed(build: Build, trial: EventTrial, rounds: number): Promise<Findings> {
  return countWritten(build, trial, { mode: 'close', rounds });
}

async function countWritten(
  build: Build,
  trial: EventTrial,
  { mode, rounds }: { mode: 'kill' | 'close'; rounds: number },
): Promise<Findings> {
  const spool = createSpool();
  const journal = join(spool.folder, 'journal.txt');
  try {
    for (let round = 0; round < rounds; round++) {
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
      ...(await deliver(build, trial, { folder: spool.folder, accepted, faults: [] })),
    };
  } finally {
    spool.remove();
  }
}

/** Ships what a spool holds with the build's shipper and compares ClickHouse with what was accepted. */
async function deliver(
  build: Build,
  { gateway, clickhouseUrl }: EventTrial,
  { folder, accepted, faults }: { folder: string; accepted: number; faults: readonly Fault[] },
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
  const stored = await readStored(clickhouseUrl);
  await clearEvents(clickhouseUrl);
  return {
    stale: 0,
    lost: Math.max(0, accepted - waiting - stored.numbers.size),
    doubled: stored.rows - stored.numbers.size,
    waiting,
  };
}
