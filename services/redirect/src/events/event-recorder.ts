import { mkdirSync } from 'node:fs';
import type { Logger } from '@smartlink/process/logger';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { createDropLog } from './drop-log.js';
import { createEventBuffer, EVENT_BUFFER_LIMITS } from './event-buffer.js';
import { createRecorderCounters } from './event-counters.js';
import type { RecorderCounters } from './event-counters.js';
import { SPOOL_FOLDER_MODE } from './spool-files.js';
import { createSpoolWriter } from './spool-writer.js';
import { createUuidV7Writer } from './uuid-v7.js';

/** Room for a dozen of the longest rows. */
const HALF_BYTES_MIN = 64 * 1024;
const LOOK_FOR_DROPS_EVERY_MS = 1_000;

export type EventRecorderOptions = {
  /** Made when it is missing. One folder per host, shared by its redirect processes and their shipper. */
  readonly spoolDir: string;
  /** Names this recorder among those of the host: letters and digits. */
  readonly writerId: string;
  /** What the spool folder may hold in all (SPOOL_BYTES_MAX). */
  readonly bytesMax: number;
  /** With true, `record` returns a promise to await before the visitor is answered (EVENTS_STRICT). */
  readonly strict: boolean;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

export type EventRecorder = {
  /**
   * Takes one event; synchronous, never throws, never waits for the disk. Without `strict` it returns undefined.
   * With `strict` it returns a promise that never rejects: true once the event's bytes are in the file (a kill -9
   * can no longer lose them), false when they are not and the visitor should not wait any longer. `linkPart` is what
   * encodeLinkPart made of the event's link, where somebody keeps it.
   */
  readonly record: (event: VisitEvent, linkPart?: string) => Promise<boolean> | undefined;
  readonly counters: RecorderCounters;
  /** Writes and seals what is buffered; afterwards every event is dropped as `closed`. Never rejects. */
  readonly close: () => Promise<void>;
};

/** Returns a recorder of this process's visits. Throws when the folder cannot be made. The caller closes it. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  if (!/^[A-Za-z0-9]+$/.test(options.writerId)) {
    throw new Error(`a writer id holds letters and digits only: ${options.writerId}`);
  }
  mkdirSync(options.spoolDir, { recursive: true, mode: SPOOL_FOLDER_MODE });
  const counters = createRecorderCounters();
  const spool = createSpoolWriter({
    spoolDir: options.spoolDir,
    writerId: options.writerId,
    bytesMax: options.bytesMax,
    log: options.log,
    now: options.now ?? Date.now,
    counters,
  });
  // A half is written in one piece, so it must fit a spool of any size.
  const halfBytes = Math.min(EVENT_BUFFER_LIMITS.halfBytes, Math.max(HALF_BYTES_MIN, options.bytesMax / 4));
  const limits = { ...EVENT_BUFFER_LIMITS, halfBytes: Math.floor(halfBytes) };
  const buffer = createEventBuffer({ spool, counters, writeId: createUuidV7Writer(), limits });
  const tellDrops = createDropLog(counters, options.log);
  const look = () => {
    tellDrops(performance.now());
  };
  const looking = setInterval(look, LOOK_FOR_DROPS_EVERY_MS).unref();
  return {
    record: options.strict
      ? buffer.recordStrict
      : (event, linkPart) => {
          buffer.record(event, linkPart);
          return undefined;
        },
    counters,
    close: async () => {
      await buffer.close();
      clearInterval(looking);
      look();
    },
  };
}
