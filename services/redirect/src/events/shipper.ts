import type { Logger } from '@smartlink/process/logger';
import type { ShipperCounters } from './event-counters.js';

export type ShipperOptions = {
  readonly spoolDir: string;
  /** With user, password and database: `http://user:password@host:port/database`. */
  readonly clickhouseUrl: string;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

export type Shipper = {
  /** Begins to send what the spool holds. Does not wait for ClickHouse. */
  readonly start: () => void;
  /**
   * Call it when the redirect processes have ended. Sends what is left until nothing is left or `deadlineMs` is
   * over, and closes the connection; the rest stays in the spool for the next start. Never rejects.
   */
  readonly stop: (options: { deadlineMs: number }) => Promise<void>;
  readonly counters: ShipperCounters;
  /** True when the last look at the folder found no segment that still has to be sent, open ones included. */
  readonly isDrained: () => boolean;
};

/** Returns the one shipper of this host, for the process that supervises the redirect processes. */
export function createShipper(_options: ShipperOptions): Shipper {
  throw new Error('not built yet');
}
