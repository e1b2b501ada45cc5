// What a worker may take to go, and how long its primary then waits before it kills. Each has a reason of its own to be
// the shorter one, and a worker that is killed loses events.

/** For visitors to leave of their own accord: uWebSockets.js closes an idle connection within 12 s (10 s in steps of 4). */
export const WORKER_DRAIN_MS = 14_000;
/** For requests under way, then events, of a worker that is told to stop or has drained. */
export const WORKER_SHUTDOWN_MS = 4_500;
/** For a process that has nothing left to do to be gone. */
const EXIT_MS = 500;

/** After it a worker that was told to stop is killed. */
export const WORKER_STOP_KILL_MS = WORKER_SHUTDOWN_MS + EXIT_MS;
/** After it a worker that was told to drain is killed. */
export const WORKER_DRAIN_KILL_MS = WORKER_DRAIN_MS + WORKER_STOP_KILL_MS;
