/** The versions that change messages told of lately. */
export type RecentChanges = {
  /** A message said that a slug has at least this version. */
  readonly onChange: (slugKey: string, version: number) => void;
  /** Messages may have been missed. */
  readonly onGap: () => void;
  /** Returns the newest version that was told of a slug lately, 0 for none. */
  readonly versionOf: (slugKey: string) => number;
  /** Whether every change of the last `windowMs` that was told at all is remembered. */
  readonly isComplete: () => boolean;
};

/**
 * Returns a memory of change messages for `windowMs` at least and twice that at most, so that a read replica which has not
 * replayed a change yet is not believed. More than `changesMax` slugs in one window count as a gap. `now` is in
 * monotonic milliseconds.
 */
export function createRecentChanges(options: {
  readonly windowMs: number;
  readonly changesMax: number;
  readonly now: () => number;
}): RecentChanges {
  const { windowMs, changesMax, now } = options;
  let older = new Map<string, number>();
  let newer = new Map<string, number>();
  let windowEndsAt = now() + windowMs;
  // Nothing was heard before the start.
  let gapAt = now();

  function turnPage(): void {
    const time = now();
    if (time < windowEndsAt) return;
    older = time < windowEndsAt + windowMs ? newer : new Map<string, number>();
    newer = new Map();
    windowEndsAt = time + windowMs;
  }

  const known = (slugKey: string): number => Math.max(newer.get(slugKey) ?? 0, older.get(slugKey) ?? 0);

  return {
    onChange(slugKey, version) {
      turnPage();
      if (newer.size < changesMax || newer.has(slugKey)) {
        newer.set(slugKey, Math.max(newer.get(slugKey) ?? 0, version));
      } else {
        gapAt = now();
      }
    },
    onGap() {
      gapAt = now();
    },
    versionOf(slugKey) {
      turnPage();
      return known(slugKey);
    },
    isComplete: () => now() - gapAt >= windowMs,
  };
}
