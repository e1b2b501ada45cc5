import type { Logger } from '@smartlink/process/logger';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import type { RecorderCounters } from './event-counters.js';

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
   * can no longer lose them), false when they are not and the visitor should not wait any longer.
   */
  record(event: VisitEvent): Promise<boolean> | undefined;
  readonly counters: RecorderCounters;
  /** Writes and seals what is buffered; afterwards every event is dropped as `closed`. Never rejects. */
  close(): Promise<void>;
};

/** Returns a recorder of this process's visits. Throws when the folder cannot be made. The caller closes it. */
export function createEventRecorder(_options: EventRecorderOptions): EventRecorder {
  throw new Error('not built yet');
}
