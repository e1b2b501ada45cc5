/** How far behind a coarse clock may be, besides the lateness of the event loop. */
export const COARSE_CLOCK_TICK_MS = 50;

/**
 * Starts a monotonic clock, milliseconds, that moves in ticks: reading the system's takes 50 ns, a visit's whole look-up
 * as long again. The caller stops it.
 */
export function startCoarseClock(): { readonly now: () => number; readonly stop: () => void } {
  let time = performance.now();
  const timer = setInterval(() => {
    time = performance.now();
  }, COARSE_CLOCK_TICK_MS).unref();
  return {
    now: () => time,
    stop: () => {
      clearInterval(timer);
    },
  };
}
