import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@smartlink/process/logger';
import { createBackoff } from './backoff.js';
import type { Mutable, ShipperCounters } from './event-counters.js';
import type { EventTable } from './insert-rows.js';
import { markSent } from './sent-segments.js';
import { createQuarantine } from './quarantine.js';
import type { Quarantine } from './quarantine.js';
import { sendRefusedSegment } from './refused-segment.js';
import type { RefusedSegmentResult } from './refused-segment.js';
import { sendBatch } from './shipping-batch.js';
import type { ListedSegment } from './spool-listing.js';

type Deps = {
  readonly spoolDir: string;
  readonly table: EventTable;
  readonly log: Logger;
  readonly now: () => number;
  readonly counters: Mutable<ShipperCounters>;
  readonly signal: AbortSignal;
  readonly quarantineBytesMax: number;
};

/**
 * Returns the function that sends one batch of segments and settles each of them: acknowledged, or taken apart where
 * ClickHouse refuses it, or put aside where the disk has lost it. It rejects, with nothing settled, when the batch is
 * to be tried again.
 */
export function createSegmentSender(deps: Deps): (files: readonly ListedSegment[]) => Promise<void> {
  const quarantine = createQuarantine(deps.spoolDir, deps.quarantineBytesMax);
  const table = countingTable(deps);
  return async (files) => {
    const { outcome, segments, unreadable } = await sendBatch({ ...deps, table }, files);
    for (const file of unreadable) {
      deps.log.error({ segment: file.name }, 'a segment cannot be read and is put aside');
      await quarantine.keepSegment(file, { code: 'EIO', reason: 'the file cannot be read' });
      deps.counters.tornEvents += file.rowCount;
    }
    if (outcome.kind === 'acknowledged') {
      for (const { file, rowCount, tornBytes } of segments) {
        await settle(deps, file, {
          deliveredRows: rowCount,
          quarantinedRows: 0,
          discardedRows: 0,
          tornBytes,
        });
      }
      return;
    }
    deps.log.error(
      { code: outcome.code, reason: outcome.reason },
      'ClickHouse refuses rows: looking for them',
    );
    for (const file of files) {
      if (!unreadable.includes(file)) await takeApart({ ...deps, table, quarantine }, file);
    }
  };
}

async function takeApart(deps: Deps & { quarantine: Quarantine }, file: ListedSegment): Promise<void> {
  const result = await sendRefusedSegment({ ...deps, insert: retrying(deps) }, file);
  if (!result) return;
  if (result.quarantinedRows > 0) {
    deps.log.error({ segment: file.name, rows: result.quarantinedRows }, 'refused rows are in quarantine');
  }
  if (result.discardedRows > 0) {
    deps.log.error(
      { segment: file.name, rows: result.discardedRows },
      'the quarantine is full: refused rows are lost',
    );
  }
  await settle(deps, file, result);
}

/** Marks a segment acknowledged and counts where its rows went. */
async function settle(
  { spoolDir, counters, now }: Deps,
  file: ListedSegment,
  result: Omit<RefusedSegmentResult, 'isGone'> & { isGone?: boolean },
): Promise<void> {
  // First the name, then the count: a rename that fails sends the segment again, and counts it then.
  if (!result.isGone) await markSent(spoolDir, file, now());
  if (file.state === 'again') {
    counters.resentEvents += result.deliveredRows;
  } else {
    counters.deliveredEvents += result.deliveredRows;
    counters.quarantinedEvents += result.quarantinedRows;
    counters.discardedEvents += result.discardedRows;
    const known = result.deliveredRows + result.quarantinedRows + result.discardedRows;
    counters.tornEvents += Math.max(0, file.rowCount - known);
    counters.tornBytes += result.tornBytes;
  }
}

function countingTable({ table, counters }: Deps): EventTable {
  return {
    ...table,
    insert: async (columns, rows, signal) => {
      counters.inserts++;
      try {
        return await table.insert(columns, rows, signal);
      } catch (err) {
        counters.failedInserts++;
        throw err;
      }
    },
  };
}

/** The search for refused rows must not begin anew with every hiccup, so its inserts are repeated on the spot. */
function retrying({ table, log, signal }: Deps): EventTable['insert'] {
  return async (columns, rows) => {
    const backoff = createBackoff();
    for (;;) {
      try {
        return await table.insert(columns, rows, signal);
      } catch (err) {
        signal.throwIfAborted();
        const pauseMs = backoff.nextMs();
        log.warn({ err, pauseMs }, 'events could not be sent');
        await sleep(pauseMs, undefined, { signal });
      }
    }
  };
}
