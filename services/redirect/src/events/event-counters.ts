/**
 * Why an event that was handed over never reached the spool. `buffer_full`: the disk is slower than the visits;
 * `spool_full`: the folder holds SPOOL_BYTES_MAX; `spool_error`: the disk refuses (full, broken); `closed`: the
 * process is ending.
 */
export const DROP_REASONS = ['buffer_full', 'spool_full', 'spool_error', 'closed'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/**
 * What one recorder did since it was made. At any moment
 * `acceptedEvents = writtenEvents + bufferedEvents + the sum of droppedEvents`.
 */
export type RecorderCounters = {
  /** Every event handed to `record`. */
  readonly acceptedEvents: number;
  /** In memory, not yet written. A gauge. */
  readonly bufferedEvents: number;
  readonly writtenEvents: number;
  readonly writtenBytes: number;
  readonly droppedEvents: Readonly<Record<DropReason, number>>;
  readonly sealedSegments: number;
  /** Failed calls to the disk of every kind: open, write, fdatasync, rename. */
  readonly diskErrors: number;
};

/**
 * What the shipper did since it was made. Every event of a sealed segment ends in exactly one of `deliveredEvents`,
 * `quarantinedEvents`, `discardedEvents` and `tornEvents`; `spooledEvents` are those still waiting.
 */
export type ShipperCounters = {
  /** Waiting in sealed segments. A gauge. */
  readonly spooledEvents: number;
  /** The two below are gauges too. */
  readonly spooledSegments: number;
  readonly spooledBytes: number;
  /** Acknowledged for the first time. */
  readonly deliveredEvents: number;
  /** Sent once more after ClickHouse restarted; already part of `deliveredEvents`. */
  readonly resentEvents: number;
  /** Refused by ClickHouse for what they hold, and put aside. */
  readonly quarantinedEvents: number;
  /** Refused like them, and lost because the quarantine was full. */
  readonly discardedEvents: number;
  /** Lost to damage on the disk in sealed segments. */
  readonly tornEvents: number;
  /** Bytes of frames that were damaged or cut off; those of adopted segments included. */
  readonly tornBytes: number;
  /** Segments taken over from processes that died. */
  readonly adoptedSegments: number;
  readonly inserts: number;
  readonly failedInserts: number;
};

/** The same counters while they are being counted. */
export type Mutable<T> = {
  -readonly [K in keyof T]: T[K] extends number ? number : { -readonly [J in keyof T[K]]: T[K][J] };
};

/** Returns the counters of a recorder that has done nothing yet. */
export function createRecorderCounters(): Mutable<RecorderCounters> {
  return {
    acceptedEvents: 0,
    bufferedEvents: 0,
    writtenEvents: 0,
    writtenBytes: 0,
    droppedEvents: { buffer_full: 0, spool_full: 0, spool_error: 0, closed: 0 },
    sealedSegments: 0,
    diskErrors: 0,
  };
}

/** Returns the counters of a shipper that has done nothing yet. */
export function createShipperCounters(): Mutable<ShipperCounters> {
  return {
    spooledEvents: 0,
    spooledSegments: 0,
    spooledBytes: 0,
    deliveredEvents: 0,
    resentEvents: 0,
    quarantinedEvents: 0,
    discardedEvents: 0,
    tornEvents: 0,
    tornBytes: 0,
    adoptedSegments: 0,
    inserts: 0,
    failedInserts: 0,
  };
}
