import { isAcceptedTime, VISITS_MAX } from '@smartlink/smartlink/model';
import type { JsonObject } from './import-row.js';
import { type DateOrder, toCount, toMoment } from './values.js';

/** Members of another service's link that limit it, as they are written there. */
export type ForeignLimits = {
  readonly startsAt?: unknown;
  readonly expiresAt?: unknown;
  readonly maxVisits?: unknown;
  /** Visits so far, of `maxVisits`. */
  readonly visits?: unknown;
};

type Limits = {
  /** `availability` of a create; undefined without any. */
  readonly availability: JsonObject | undefined;
  readonly visitsUsed: number | undefined;
  /** No visit was ever possible, which `availability` cannot say. */
  readonly isNever: boolean;
  readonly losses: readonly string[];
};

/** Converts limits to an `availability` and the visits used. What cannot be read, or the API would refuse, is lost. */
export function readLimits(limits: ForeignLimits, dateOrder: DateOrder | undefined): Limits {
  const losses: string[] = [];
  const timeOf = (value: unknown, name: string): Date | undefined => {
    const time = toMoment(value, dateOrder);
    if (time === null) return undefined;
    if (time instanceof Date && isAcceptedTime(time)) return time;
    losses.push(`its ${name} is not kept`);
    return undefined;
  };
  const startsAt = timeOf(limits.startsAt, 'start date');
  const expiresAt = timeOf(limits.expiresAt, 'expiry date');
  const visitsMax = toCount(limits.maxVisits);
  const isKept = typeof visitsMax === 'number' && visitsMax >= 1 && visitsMax <= VISITS_MAX;
  if (visitsMax !== null && visitsMax !== 0 && !isKept) losses.push('its visit limit is not kept');
  const visits = toCount(limits.visits);
  const isReversed = startsAt !== undefined && expiresAt !== undefined && startsAt >= expiresAt;
  const availability = {
    ...(startsAt !== undefined && !isReversed && { startsAt: startsAt.toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt.toISOString() }),
    ...(isKept && { maxVisits: visitsMax }),
  };
  return {
    availability: Object.keys(availability).length === 0 ? undefined : availability,
    visitsUsed: isKept && typeof visits === 'number' ? Math.min(visits, VISITS_MAX) : undefined,
    isNever: isReversed || visitsMax === 0,
    losses,
  };
}
