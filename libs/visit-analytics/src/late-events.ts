/** More late cells than a condition should name: every day from the oldest of them on is open again. */
export const LATE_CELLS_MAX = 5_000;

/**
 * Returns the condition on events that came, at `lateFrom` or later, for a day before `openFrom` that can still be
 * computed. Each is an expression: of a DateTime, and of Dates.
 */
export function isLate({
  lateFrom,
  rawFrom,
  openFrom,
}: Record<'lateFrom' | 'rawFrom' | 'openFrom', string>): string {
  return `late_at >= ${lateFrom} and late_at > toDateTime(0, 'UTC')
    and ts >= toDateTime64(${rawFrom}, 3, 'UTC') and ts < toDateTime64(${openFrom}, 3, 'UTC')`;
}
