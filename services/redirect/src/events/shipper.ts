import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@smartlink/process/logger';
import { adoptSegments } from './adopt-segments.js';
import { createBackoff } from './backoff.js';
import { createShipperCounters } from './event-counters.js';
import type { Mutable, ShipperCounters } from './event-counters.js';
import type { EventTable } from './insert-rows.js';
import { watchInserts } from './insert-watch.js';
import type { InsertWatch } from './insert-watch.js';
import { evictSent, measureSent, reviewSent, SENT_BYTES_MAX } from './sent-segments.js';
import { createRenewableTable } from './renewable-table.js';
import { createSegmentSender } from './segment-sender.js';
import { pickBatch } from './shipping-batch.js';
import { SPOOL_FOLDER_MODE } from './spool-files.js';
import { createSpoolGauges, isWaiting } from './spool-gauges.js';
import type { SpoolGauges } from './spool-gauges.js';
import { createSpoolListing, sumBytes } from './spool-listing.js';
import type { ListedSegment } from './spool-listing.js';

export type ShipperOptions = {
  /** Made when it is missing. */
  readonly spoolDir: string;
  /** With user, password and database: `http://user:password@host:port/database`. */
  readonly clickhouseUrl: string;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly limits?: Partial<ShipperLimits>;
  /** An insert that takes longer is told of; 30 s by default. */
  readonly slowInsertMs?: number;
};

export type ShipperLimits = {
  readonly batchRowsMax: number;
  readonly batchBytesMax: number;
  /** Between two inserts, as long as no full batch waits: ClickHouse merges few large parts better than many small. */
  readonly insertEveryMs: number;
  /** An acknowledged segment is kept this long, */
  readonly keepMs: number;
  /** and all of them together hold at most this much. */
  readonly keptBytesMax: number;
  /** How often the server is asked whether it has started anew. */
  readonly reviewEveryMs: number;
  readonly quarantineBytesMax: number;
};

const LIMITS: ShipperLimits = {
  batchRowsMax: 250_000,
  batchBytesMax: 64 * 1024 * 1024,
  insertEveryMs: 1_000,
  keepMs: 15 * 60_000,
  keptBytesMax: SENT_BYTES_MAX,
  reviewEveryMs: 5_000,
  quarantineBytesMax: 64 * 1024 * 1024,
};

/** How often the folder is looked at while there is nothing to do. */
const LOOK_EVERY_MS = 200;

export type Shipper = {
  /** Begins to send what the spool holds. Does not wait for ClickHouse. */
  readonly start: () => void;
  /**
   * Call it when the redirect processes have ended. Sends what is left until nothing is left or `deadlineMs` is
   * over, and closes the connection; the rest stays in the spool for the next start. Never rejects.
   */
  readonly stop: (options: { deadlineMs: number }) => Promise<void>;
  /** What is sent from now on goes to this address; an insert under way ends where it began. */
  readonly renewConnection: (clickhouseUrl: string) => void;
  readonly counters: ShipperCounters;
  /** Age of the oldest waiting segment now, 0 when nothing waits. */
  readonly oldestSpooledSeconds: () => number;
  /** What is known of inserts. When the one under way has taken a few seconds, ClickHouse hangs. */
  readonly inserts: Omit<InsertWatch, 'table'>;
  /** True when the last look at the folder found no segment that still has to be sent, open ones included. */
  readonly isDrained: () => boolean;
};

type Shared = {
  readonly spoolDir: string;
  readonly table: EventTable;
  readonly list: () => Promise<readonly ListedSegment[]>;
  readonly gauges: SpoolGauges;
  readonly log: Logger;
  readonly now: () => number;
  readonly limits: ShipperLimits;
  readonly counters: Mutable<ShipperCounters>;
  /** Ends everything, an insert under way too. */
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
};

/**
 * Returns the one shipper of this host, for the process that supervises the redirect processes.
 *
 * It goes round in one loop: look at the folder, take over what dead processes left, send the oldest segments as one
 * insert, mark them acknowledged. At most one insert a second while no full batch waits, back to back otherwise.
 * Whatever fails is tried again for ever, with a growing, jittered pause of at most 5 s; only rows that ClickHouse
 * refuses for what they hold are put aside. The state is in the files' names alone, so a kill at any point repeats at
 * most one insert.
 */
export function createShipper(options: ShipperOptions): Shipper {
  mkdirSync(options.spoolDir, { recursive: true, mode: SPOOL_FOLDER_MODE });
  const draining = new AbortController();
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;
  const isDraining = () => draining.signal.aborted;
  const now = options.now ?? Date.now;
  const counters = createShipperCounters();
  const list = createSpoolListing(options.spoolDir);
  const table = createRenewableTable(options.clickhouseUrl);
  const inserts = watchInserts(table, { now, log: options.log, slowMs: options.slowInsertMs });
  const gauges = createSpoolGauges({ list, now, counters });
  const shared: Shared = {
    spoolDir: options.spoolDir,
    table: inserts.table,
    list,
    gauges,
    log: options.log,
    now,
    limits: { ...LIMITS, ...options.limits },
    counters,
    signal: stopping.signal,
    pause: createPause(draining.signal, stopping.signal),
  };
  const round = createRound(shared);
  let running: Promise<void> | null = null;

  const run = async () => {
    const backoff = createBackoff();
    while (!isStopped()) {
      try {
        const isIdle = await round.run(isDraining());
        backoff.reset();
        if (isIdle && isDraining()) return;
        if (isIdle) await shared.pause(LOOK_EVERY_MS);
      } catch (err) {
        if (isStopped()) return;
        const pauseMs = backoff.nextMs();
        shared.log.warn({ err, pauseMs, spooledEvents: counters.spooledEvents }, 'events could not be sent');
        await shared.pause(pauseMs);
      }
    }
  };

  return {
    start: () => {
      if (running) return;
      running = run();
      gauges.start();
    },
    stop: async ({ deadlineMs }) => {
      draining.abort();
      const deadline = setTimeout(() => {
        stopping.abort();
      }, deadlineMs);
      await running;
      clearTimeout(deadline);
      stopping.abort();
      await gauges.stop();
      await shared.table.close().catch(() => undefined);
      await tellLeft(shared);
    },
    renewConnection: table.renew,
    counters,
    oldestSpooledSeconds: gauges.oldestSeconds,
    inserts,
    isDrained: round.isDrained,
  };
}

/** Whoever waits when the end begins goes on at once; later pauses are short ones between failures. */
function createPause(draining: AbortSignal, stopping: AbortSignal): Shared['pause'] {
  // Made once: Node 20 keeps a little of each combined signal for as long as its sources live.
  const ending = AbortSignal.any([draining, stopping]);
  return async (ms) => {
    const signal = draining.aborted ? stopping : ending;
    await sleep(ms, undefined, { signal }).catch(() => undefined);
  };
}

async function tellLeft({ list, log }: Shared): Promise<void> {
  const left = await list().catch(() => []);
  if (left.length === 0) return;
  const bytes = sumBytes(left);
  log.warn({ segments: left.length, bytes }, 'events are left in the spool for the next start');
}

/** One round of the loop. `run` returns whether there was nothing to send. */
function createRound(shared: Shared): {
  run: (isHurried: boolean) => Promise<boolean>;
  isDrained: () => boolean;
} {
  const { spoolDir, limits, counters, list, gauges } = shared;
  const send = createSegmentSender({ ...shared, quarantineBytesMax: limits.quarantineBytesMax });
  const reviewKept = createReview(shared);
  const boundKept = createBound(shared);
  let isDrained = false;
  let lastInsertMs = -Infinity;

  return {
    isDrained: () => isDrained,
    run: async (isHurried) => {
      let files = await list();
      if (files.some((file) => file.state === 'open')) {
        const adopted = await adoptSegments(spoolDir, files, shared.now());
        counters.adoptedSegments += adopted.segments;
        counters.tornBytes += adopted.tornBytes;
        if (adopted.segments > 0) files = await list();
      }
      if (await reviewKept()) files = await list();

      gauges.measured(files);
      const waiting = files.filter(isWaiting);
      isDrained = waiting.length === 0 && !files.some((file) => file.state === 'open');
      if (waiting.length === 0) return true;

      const batch = pickBatch(waiting, { rowsMax: limits.batchRowsMax, bytesMax: limits.batchBytesMax });
      const restMs = lastInsertMs + limits.insertEveryMs - performance.now();
      if (!batch.isFull && !isHurried && restMs > 0) {
        await shared.pause(Math.min(restMs, LOOK_EVERY_MS));
        return false;
      }
      lastInsertMs = performance.now();
      await send(batch.files);
      await boundKept(batch.files);
      return false;
    },
  };
}

/** Returns the step that looks after acknowledged segments now and then; it tells whether some are to be sent again. */
function createReview(shared: Shared): () => Promise<boolean> {
  const { spoolDir, limits, now, log } = shared;
  let lastMs = -Infinity;
  return async () => {
    if (performance.now() < lastMs + limits.reviewEveryMs) return false;
    lastMs = performance.now();
    let uptimeSeconds: number;
    try {
      uptimeSeconds = await shared.table.uptimeSeconds(shared.signal);
    } catch {
      // The next insert says what is wrong.
      return false;
    }
    const again = await reviewSent(spoolDir, { nowMs: now(), uptimeSeconds, keepMs: limits.keepMs });
    if (again > 0) {
      log.warn({ segments: again, uptimeSeconds }, 'ClickHouse has restarted: sending kept segments again');
    }
    return again > 0;
  };
}

/** Returns the step that deletes the oldest acknowledged segments when those just sent make too many of them. */
function createBound({ spoolDir, limits }: Shared): (sent: readonly ListedSegment[]) => Promise<void> {
  let keptBytes = Infinity;
  return async (sent) => {
    keptBytes += sumBytes(sent);
    if (keptBytes <= limits.keptBytesMax) return;
    keptBytes = await measureSent(spoolDir);
    const excess = keptBytes - limits.keptBytesMax;
    // An eighth more than needed, so that the next batch does not measure again.
    if (excess > 0) keptBytes -= await evictSent(spoolDir, excess + limits.keptBytesMax / 8);
  };
}
