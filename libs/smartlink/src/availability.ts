import { z } from 'zod';
import type { DestinationRules } from './destinations.js';
import { destination, isReversed, member, moment, mustBe, optional } from './fields.js';
import { isObject, VISITS_MAX } from './model.js';

/** When a smartlink is live, and for how many visits. Times as ISO 8601 in UTC. At least one member is set. */
export type Availability = Readonly<Partial<z.output<ReturnType<typeof availabilitySchema>>>>;

/** The same in a snapshot: times in milliseconds since 1970, and only whether there is a limit. */
export type LinkAvailability = {
  readonly startsAt?: number;
  readonly expiresAt?: number;
  /** Normalised href. */
  readonly expiredUrl?: string;
  readonly isLimited?: true;
};

export const AVAILABILITY_STATES = ['scheduled', 'live', 'expired', 'exhausted'] as const;
export type AvailabilityState = (typeof AVAILABILITY_STATES)[number];

const NOT_A_LIMIT = `Must be a whole number from 1 to ${VISITS_MAX}`;

export function availabilitySchema(rules: DestinationRules) {
  return member({
    startsAt: optional(
      moment().meta({
        description: 'Visitors get a page that says so (404) before this time.',
        format: 'date-time',
      }),
    ),
    expiresAt: optional(
      moment().meta({
        description:
          'It is over from this time on: visitors get a page that says so (410), or are led to `expiredUrl`. A time in ' +
          'the past means now.',
        format: 'date-time',
      }),
    ),
    maxVisits: optional(
      z
        .number(mustBe('a number'))
        .refine((value) => Number.isInteger(value) && value >= 1 && value <= VISITS_MAX, NOT_A_LIMIT)
        .meta({
          description:
            'Number of visits that get its target or page, in all and exactly; then it is used up. Another number keeps ' +
            'the visits used; `null` forgets them.',
          type: 'integer',
          minimum: 1,
          maximum: VISITS_MAX,
        }),
    ),
    expiredUrl: optional(
      destination(rules).meta({
        description: 'Where visitors are led once it has expired or is used up, without their parameters.',
      }),
    ),
  }).refine(
    ({ startsAt, expiresAt }: { startsAt?: unknown; expiresAt?: unknown }) =>
      !isReversed(startsAt, expiresAt),
    {
      path: ['expiresAt'],
      message: 'Must be after startsAt',
      // Runs beside other faults of the same object too: every fault is listed at once.
      when: ({ value }) => isObject(value),
    },
  );
}

/** The form of a snapshot; undefined without any. */
export function toLinkAvailability(availability: Availability | null): LinkAvailability | undefined {
  if (availability === null) return undefined;
  const { startsAt, expiresAt, maxVisits, expiredUrl } = availability;
  return {
    ...(startsAt === undefined ? {} : { startsAt: Date.parse(startsAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
    ...(expiredUrl === undefined ? {} : { expiredUrl }),
    ...(maxVisits === undefined ? {} : { isLimited: true }),
  };
}

/** State of an Active smartlink at `nowMs`, as visitors find it. */
export function availabilityState(
  { startsAt, expiresAt, maxVisits }: Availability,
  visitsUsed: number,
  nowMs: number,
): AvailabilityState {
  if (startsAt !== undefined && nowMs < Date.parse(startsAt)) return 'scheduled';
  if (expiresAt !== undefined && nowMs >= Date.parse(expiresAt)) return 'expired';
  return maxVisits !== undefined && visitsUsed >= maxVisits ? 'exhausted' : 'live';
}
