export type Breaker = {
  /** Whether a call may be made now. */
  readonly allows: () => boolean;
  /** Whether the pause is over and somebody should try; true once a pause. Its outcome must be reported. */
  readonly takesProbe: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
};

/** An engine that fails so often in a row is left alone, so that its timeouts are not added to every miss. */
export const ENGINE_BREAKER = { failuresMax: 3, pauseMs: 500 } as const;

/**
 * A circuit breaker. Closed: every call may pass. `failuresMax` failures in a row open it; then, once every `pauseMs`,
 * one probe is due, whose success closes it. Twenty lines of our own, because it stands before every cold visit and a
 * library's wrapper allocates a promise and a context a call; and because the probe need not be a visitor's call.
 */
export function createBreaker(options: { failuresMax: number; pauseMs: number; now: () => number }): Breaker {
  const { failuresMax, pauseMs, now } = options;
  let failures = 0;
  let probeDueAt = 0;
  return {
    allows: () => failures < failuresMax,
    takesProbe() {
      if (failures < failuresMax || now() < probeDueAt) return false;
      probeDueAt = now() + pauseMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= failuresMax) probeDueAt = now() + pauseMs;
    },
  };
}
