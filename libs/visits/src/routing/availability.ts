import type { LinkAvailability } from '@smartlink/smartlink/document';
import { NORMALISED_HREF } from '@smartlink/smartlink/model';
import type { Closed } from './decision.js';

/** When a link is live: from `startsAt` to before `expiresAt`, in milliseconds since 1970; -Infinity and Infinity without them. */
export type CompiledAvailability = {
  readonly startsAt: number;
  readonly expiresAt: number;
  /** Each visit that counts takes one of its allowance. */
  readonly isLimited: boolean;
  readonly expired: Closed;
  readonly exhausted: Closed;
};

/** `unsupported` if this build cannot serve its address. */
export function compileAvailability(availability: LinkAvailability): CompiledAvailability | 'unsupported' {
  const { startsAt = -Infinity, expiresAt = Infinity, expiredUrl, isLimited = false } = availability;
  const location = expiredUrl ?? null;
  if (location !== null && !NORMALISED_HREF.test(location)) return 'unsupported';
  return {
    startsAt,
    expiresAt,
    isLimited,
    expired: { kind: 'expired', location },
    exhausted: { kind: 'exhausted', location },
  };
}

const SCHEDULED: Closed = { kind: 'scheduled', location: null };

/** Why a link is not live at `timeMs`; null if it is. `isUsedUp`: whether its allowance is known to be used up. */
export function closedAt(
  { startsAt, expiresAt, isLimited, expired, exhausted }: CompiledAvailability,
  timeMs: number,
  isUsedUp: boolean,
): Closed | null {
  if (timeMs < startsAt) return SCHEDULED;
  if (timeMs >= expiresAt) return expired;
  return isLimited && isUsedUp ? exhausted : null;
}

/** Whose request it is: only a person takes visits of a limited link. */
export type Reader = 'person' | 'program' | 'prefetch';
