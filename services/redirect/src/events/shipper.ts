import { mkdirSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { createShipperCounters, type ShipperCounters } from '../metrics/event-counters.js';
import { createRenewableTable, type EventTable, watchInserts } from './event-table.js';
import {
  createBackoff,
  createQuarantine,
  createSegmentSender,
  pickBatch,
  type Quarantine,
} from './segment-sender.js';
import {
  createSpoolListing,
  errorCode,
  evictSent,
  KEPT_SEGMENTS_BYTES_MAX,
  type ListedSegment,
  loadSegment,
  mayBeAlive,
  measureSent,
  reviewSent,
  SPOOL_FOLDER_MODE,
  sumBytes,
  unlinkIfThere,
} from './spool-files.js';

export type ShipperOptions = {
  /** Created if missing. */
  readonly spoolDir: string;
  /** `http://user:password@host:port/database`. */
  readonly clickhouseUrl: string;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly limits?: Partial<ShipperLimits>;
  /** Inserts slower than this are logged; 30 s by default. */
  readonly slowInsertMs?: number;
};

export type ShipperLimits = {
  readonly batchRowsMax: number;
  readonly batchBytesMax: number;
  /** Between two inserts while no full batch waits: ClickHouse merges few large parts better than many small. */
  readonly insertEveryMs: number;
  /** How long an acknowledged segment is kept. */
  readonly keepMs: number;
  /** Maximum size of all kept segments. */
  readonly keptBytesMax: number;
  /** How often the server's uptime is checked for a restart. */
  readonly reviewEveryMs: number;
  readonly quarantineBytesMax: number;
};

const LIMITS: ShipperLimits = {
  batchRowsMax: 250_000,
  batchBytesMax: 64 * 1024 * 1024,
  insertEveryMs: 1_000,
  keepMs: 15 * 60_000,
  keptBytesMax: KEPT_SEGMENTS_BYTES_MAX,
  reviewEveryMs: 5_000,
  quarantineBytesMax: 64 * 1024 * 1024,
};

/** How often the folder is listed while there is nothing to do. */
const LOOK_EVERY_MS = 200;

export type Shipper = ReturnType<typeof createShipper>;

type Shared = {
  readonly spoolDir: string;
  readonly table: EventTable;
  readonly list: () => Promise<readonly ListedSegment[]>;
  readonly gauges: SpoolGauges;
  readonly log: Logger;
  readonly now: () => number;
  readonly limits: ShipperLimits;
  readonly counters: ShipperCounters;
  /** Ends everything, including an insert in progress. */
  readonly signal: AbortSignal;
  readonly pause: (ms: number) => Promise<void>;
};

/**
 * The one shipper of this host, run by the primary.
 *
 * One loop: list the folder, adopt what dead processes left, send the oldest segments as one insert, mark them
 * acknowledged. At most one insert a second while no full batch waits, back to back otherwise. Failures are retried
 * forever, with a growing, jittered pause of at most 5 s; only rows that ClickHouse refuses for their content are put
 * aside. All state is in file names, so a kill at any point repeats at most one insert.
 */
export function createShipper(options: ShipperOptions) {
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
  const gauges = createSpoolGauges({ list, now, counters, log: options.log });
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
        shared.log.warn({ err, pauseMs, spooledEvents: counters.spooledEvents }, 'events cannot be sent');
        await shared.pause(pauseMs);
      }
    }
  };

  return {
    /** Starts sending the spool. Does not wait for ClickHouse. */
    start: () => {
      if (running) return;
      running = run();
      gauges.start();
    },
    /**
     * Call it after the redirect processes have ended. Sends the rest within `deadlineMs` and closes the connection; what
     * remains stays in the spool for the next start. Never rejects.
     */
    stop: async ({ deadlineMs }: { deadlineMs: number }) => {
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
    /** New inserts go to this address; one in progress ends where it began. */
    renewConnection: table.renew,
    counters,
    /** Age of the oldest waiting segment, 0 when none waits. */
    oldestSpooledSeconds: gauges.oldestSeconds,
    /** If the insert in progress takes more than a few seconds, ClickHouse hangs. */
    inserts,
    /** True if the last listing found no unsent segment, open ones included. */
    isDrained: round.isDrained,
  };
}

/** A pause ends early when draining begins; later pauses, between failures, are short. */
function createPause(draining: AbortSignal, stopping: AbortSignal): Shared['pause'] {
  // Created once: Node 20 leaks a little per combined signal while its sources live.
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
  log.warn({ segments: left.length, bytes }, 'events left in the spool for the next start');
}

/** One round of the loop. `run` returns whether there was nothing to send. */
function createRound(shared: Shared): {
  run: (isHurried: boolean) => Promise<boolean>;
  isDrained: () => boolean;
} {
  const { spoolDir, limits, list, gauges } = shared;
  const quarantine = createQuarantine({ spoolDir, bytesMax: limits.quarantineBytesMax, log: shared.log });
  const send = createSegmentSender({ ...shared, quarantine });
  const reviewKept = createReview(shared);
  const boundKept = createBound(shared);
  let isDrained = false;
  let lastInsertMs = -Infinity;

  return {
    isDrained: () => isDrained,
    run: async (isHurried) => {
      let files = await list();
      if (files.some((file) => file.state === 'open')) {
        if (await adoptSegments({ ...shared, quarantine }, files)) files = await list();
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

/** Reviews acknowledged segments now and then; resolves with whether some must be sent again. */
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
      // The next insert reports the failure.
      return false;
    }
    const again = await reviewSent(spoolDir, { nowMs: now(), uptimeSeconds, keepMs: limits.keepMs });
    if (again > 0) {
      log.warn({ segments: again, uptimeSeconds }, 'ClickHouse has restarted: sending kept segments again');
    }
    return again > 0;
  };
}

/** Deletes the oldest acknowledged segments when there are too many. */
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

/**
 * Seals the open segments of dead processes: counts the good frames and renames the file, or deletes it if it has none.
 * A file that the disk cannot read is quarantined; the number of its rows is unknown. Returns whether there were any.
 */
async function adoptSegments(
  { spoolDir, counters, log, now, quarantine }: Shared & { quarantine: Quarantine },
  files: readonly ListedSegment[],
): Promise<boolean> {
  let hasAdopted = false;
  for (const file of files) {
    if (file.state !== 'open' || (await hasWriter(spoolDir, file, now()))) continue;
    const content = await loadSegment(spoolDir, file);
    if (content === 'missing') continue;
    hasAdopted = true;
    if (content === 'unreadable') {
      await quarantine.keepUnreadable(file);
      counters.tornBytes += file.bytes;
      continue;
    }
    const path = join(spoolDir, file.name);
    const { rowCount, tornBytes, tornRows } = content;
    if (rowCount === 0) {
      await unlinkIfThere(path);
      counters.tornBytes += tornBytes;
    } else {
      // The sender counts the torn bytes.
      await rename(path, join(spoolDir, `${file.stem}.${rowCount}.seg`));
      counters.adoptedSegments += 1;
    }
    counters.tornEvents += tornRows;
    if (tornBytes > 0)
      log.warn({ segment: file.name, events: tornRows, bytes: tornBytes }, 'adopted segment is damaged');
  }
  return hasAdopted;
}

async function hasWriter(spoolDir: string, file: ListedSegment, nowMs: number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(join(spoolDir, file.name));
    return mayBeAlive({ pid: file.pid, processToken: file.processToken, idleMs: nowMs - mtimeMs });
  } catch (err) {
    // Sealed by its writer since the folder was read.
    if (errorCode(err) === 'ENOENT') return true;
    throw err;
  }
}

const MEASURE_EVERY_MS = 1_000;
/** A spool of very many segments is measured less often, for at most a twentieth of one core. */
const REST_PER_MEASURING = 19;

export type SpoolGauges = ReturnType<typeof createSpoolGauges>;

/** Keeps the gauges of the spool current in `counters`, also while the shipper waits for an answer. */
export function createSpoolGauges(deps: {
  list: () => Promise<readonly ListedSegment[]>;
  now: () => number;
  counters: ShipperCounters;
  log: Logger;
}) {
  const { counters } = deps;
  let oldestOpenedMs: number | null = null;
  let measurings = 0;
  let job: Job | undefined;

  function measured(files: readonly ListedSegment[]): void {
    measurings++;
    counters.spooledSegments = files.length;
    counters.spooledBytes = sumBytes(files);
    counters.spooledEvents = files.reduce((sum, file) => sum + (file.state === 'seg' ? file.rowCount : 0), 0);
    oldestOpenedMs = files[0]?.openedMs ?? null;
  }

  /** Returns the pause until the next measurement. */
  async function measure(): Promise<number> {
    const startedAt = performance.now();
    const before = measurings;
    // The shipper meets the same failure and logs it.
    const files = await deps.list().catch(() => null);
    // A measurement of the shipper in between is newer.
    if (files && measurings === before) measured(files);
    return Math.max(MEASURE_EVERY_MS, (performance.now() - startedAt) * REST_PER_MEASURING);
  }

  return {
    /** Takes a listing, oldest segment first. */
    measured,
    /** Age of the oldest waiting segment, 0 when none waits. */
    oldestSeconds: () => (oldestOpenedMs === null ? 0 : Math.max(0, (deps.now() - oldestOpenedMs) / 1_000)),
    /** Starts measuring about once a second. */
    start: () => {
      job ??= startJob({
        everyMs: MEASURE_EVERY_MS,
        run: measure,
        failure: 'spool is not measured',
        log: deps.log,
      });
    },
    /** Resolves when no measurement is running. Never rejects. */
    stop: async () => {
      await job?.stop();
    },
  };
}

/** Whether a segment is sealed and must still be sent. */
function isWaiting({ state }: ListedSegment): boolean {
  return state === 'seg' || state === 'again';
}
