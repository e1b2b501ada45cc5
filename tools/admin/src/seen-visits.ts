/** Visits that were shown already. */
export type SeenVisits = {
  /** Notes a visit; false when it was noted before, or may have been. */
  readonly add: (visit: { readonly eventId: string; readonly timeMs: number }) => boolean;
  /** Visits before this time, ms since 1970, may be forgotten: they are not asked for again. */
  readonly floorMs: () => number;
};

/** Returns a memory of at most `max` visits; when it is full the first half goes, and no visit as old comes again. */
export function createSeenVisits(max: number): SeenVisits {
  const times = new Map<string, number>();
  let floorMs = 0;
  return {
    add({ eventId, timeMs }) {
      if (timeMs < floorMs || times.has(eventId)) return false;
      times.set(eventId, timeMs);
      if (times.size > max) {
        for (const [id, time] of [...times].slice(0, Math.ceil(max / 2))) {
          times.delete(id);
          floorMs = Math.max(floorMs, time + 1);
        }
      }
      return true;
    },
    floorMs: () => floorMs,
  };
}
