export type Breaker = {
  /** Whether a call may be made now. */
  readonly allows: () => boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
};

/**
 * A circuit breaker. Closed: every call may pass. `failuresMax` failures in a row open it for `pauseMs`; then one call
 * passes as a probe: its success closes the breaker, its failure opens it again. Twenty lines of our own, because it
 * stands before every cold visit and a library's wrapper allocates a promise and a context a call.
 */
export function createBreaker(options: { failuresMax: number; pauseMs: number; now: () => number }): Breaker {
  const { failuresMax, pauseMs, now } = options;
  let failures = 0;
  let closedAgainAt = 0;
  return {
    allows() {
      if (failures < failuresMax) return true;
      if (now() < closedAgainAt) return false;
      // This call is the probe; the next ones wait for its outcome or for another pause.
      closedAgainAt = now() + pauseMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures += 1;
      if (failures >= failuresMax) closedAgainAt = now() + pauseMs;
    },
  };
}
