// A cell is computed of events, and its version is the microseconds since 1970, some 1.8e15. One that holds what a
// smartlink counted before it came here has no events behind it: nothing computes it, nothing vouches for it, and its
// version is the milliseconds since 1970 at which it was carried here, some 1.8e12. That alone tells them apart.
const VERSIONS_END = 100_000_000_000_000;

/** Condition on `visits_daily`: the cell was carried here, and counts whatever the state of the rollup. */
export const IS_CARRIED = `version < ${VERSIONS_END}`;

/** Expression of the version of a cell that is carried here now. */
export const CARRIED_NOW = `toUInt64(toUnixTimestamp64Milli(now64(3)))`;

/** Condition on `visits_daily`: the cell was computed, or was carried here before `timeMs`, milliseconds since 1970. */
export function isComputedOrCarriedBefore(timeMs: string): string {
  return `(version >= ${VERSIONS_END} or version < ${timeMs})`;
}
