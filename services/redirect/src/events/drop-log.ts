import type { Logger } from '@smartlink/process/logger';
import { DROP_REASONS } from './event-counters.js';
import type { RecorderCounters } from './event-counters.js';

/** Between two lines while events are dropped. */
const REPEAT_AFTER_MS = 60_000;
/** Without visits nothing is dropped from a full spool either, so it is over only when events were written meanwhile. */
const OVER_AFTER_MS = 10_000;

/**
 * Returns what tells of dropped events, for a look about once a second: one error when it begins, one a minute while it
 * lasts, and one info when nothing was dropped for 10 s and events reach the spool again. `nowMs` must not go back.
 */
export function createDropLog(
  counters: Pick<RecorderCounters, 'droppedEvents' | 'writtenEvents'>,
  log: Logger,
): (nowMs: number) => void {
  let told = { ...counters.droppedEvents };
  let seenEvents = 0;
  let spell: { readonly before: number; lastDropMs: number; lastLineMs: number; written: number } | null =
    null;

  const tell = (totalEvents: number) => {
    const events = DROP_REASONS.filter((reason) => counters.droppedEvents[reason] > told[reason]).map(
      (reason) => [reason, counters.droppedEvents[reason] - told[reason]] as const,
    );
    told = { ...counters.droppedEvents };
    const reason = events.map(([name]) => name).join(', ');
    log.error({ reason, events: Object.fromEntries(events), totalEvents }, 'events are dropped');
  };

  return (nowMs) => {
    const total = sumOf(counters.droppedEvents);
    const written = counters.writtenEvents;
    if (total > seenEvents) {
      const isFirst = spell === null;
      spell ??= { before: seenEvents, lastDropMs: nowMs, lastLineMs: nowMs, written };
      spell.lastDropMs = nowMs;
      spell.written = written;
      seenEvents = total;
      if (isFirst || nowMs - spell.lastLineMs >= REPEAT_AFTER_MS) {
        spell.lastLineMs = nowMs;
        tell(total);
      }
    } else if (spell !== null && nowMs - spell.lastDropMs >= OVER_AFTER_MS && written > spell.written) {
      log.info({ events: total - spell.before, totalEvents: total }, 'events are no longer dropped');
      told = { ...counters.droppedEvents };
      spell = null;
    }
  };
}

function sumOf(dropped: RecorderCounters['droppedEvents']): number {
  return DROP_REASONS.reduce((sum, reason) => sum + dropped[reason], 0);
}
