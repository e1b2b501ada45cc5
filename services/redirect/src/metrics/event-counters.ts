/**
 * Why an event never reached the spool. `buffer_full`: the disk is slower than the visits; `spool_full`: the folder holds
 * SPOOL_BYTES_MAX; `spool_error`: the disk fails (full, broken); `closed`: the process is stopping.
 */
export const DROP_REASONS = ['buffer_full', 'spool_full', 'spool_error', 'closed'] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Counters of a recorder: `acceptedEvents = writtenEvents + bufferedEvents + the sum of droppedEvents` at any moment. */
export type RecorderCounters = ReturnType<typeof createRecorderCounters>;

export function createRecorderCounters() {
  return {
    /** Every event passed to `record`. */
    acceptedEvents: 0,
    /** In memory, not yet written. A gauge. */
    bufferedEvents: 0,
    writtenEvents: 0,
    /** Written to segments that are not sealed yet. A gauge. */
    unsealedEvents: 0,
    writtenBytes: 0,
    droppedEvents: { buffer_full: 0, spool_full: 0, spool_error: 0, closed: 0 } satisfies Record<
      DropReason,
      number
    >,
    sealedSegments: 0,
    /** Failed calls to the disk of every kind: open, write, fdatasync, rename. */
    diskErrors: 0,
  };
}

/**
 * Counters of the shipper. Every event of a sealed segment ends in exactly one of `deliveredEvents`, `quarantinedEvents`,
 * `discardedEvents` and `tornEvents`; `spooledEvents` still wait.
 */
export type ShipperCounters = ReturnType<typeof createShipperCounters>;

export function createShipperCounters() {
  return {
    /** Waiting in sealed segments; a gauge, like the next two, which include unsealed segments. */
    spooledEvents: 0,
    spooledSegments: 0,
    spooledBytes: 0,
    /** Acknowledged for the first time. */
    deliveredEvents: 0,
    /** Sent again after ClickHouse restarted; already part of `deliveredEvents`. */
    resentEvents: 0,
    /** Refused by ClickHouse for their content, and put aside. */
    quarantinedEvents: 0,
    /** Refused likewise, and lost because the quarantine was full. */
    discardedEvents: 0,
    /**
     * Lost to damage on the disk, or to a write that its process did not live to finish. Of adopted segments, rows of
     * frames with a damaged header, and of unreadable files, are counted in `tornBytes` only.
     */
    tornEvents: 0,
    /** Bytes of damaged or cut frames, those of adopted segments included. */
    tornBytes: 0,
    /** Segments taken over from dead processes. */
    adoptedSegments: 0,
    inserts: 0,
    failedInserts: 0,
  };
}
