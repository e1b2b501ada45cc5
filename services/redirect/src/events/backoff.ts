const FIRST_MS = 100;
const MAX_MS = 5_000;

/** Returns pauses that double from 100 ms to 5 s, each drawn from its upper half so that hosts do not retry in step. */
export function createBackoff(random: () => number = Math.random): {
  nextMs: () => number;
  reset: () => void;
} {
  let failures = 0;
  return {
    nextMs: () => {
      const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** failures);
      failures++;
      return Math.round(ceiling * (0.5 + random() / 2));
    },
    reset: () => {
      failures = 0;
    },
  };
}
