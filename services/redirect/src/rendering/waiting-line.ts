import type { RenderJob, RenderedFile } from './link-file.js';

type Outcome = RenderedFile | null | 'busy';

export type WaitingJob = {
  readonly job: RenderJob;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (err: unknown) => void;
  /** Monotonic milliseconds. */
  readonly since: number;
};

// Ordinary pages take a millisecond or two, the largest menus some hundred: more would wait for longer than visitors do.
export const LINE_LENGTH_MAX = 200;
// A hundred menus of a mebibyte at once, in one process, are made within 15 s on a busy machine.
export const WAIT_MAX_MS = 20_000;
// From this size on a source stands in the other line: one menu of a mebibyte takes as long as a hundred cards. So do QR
// codes, of which every link has many, and pages for their visitors come first.
export const SLOW_SOURCE_LENGTH = 64 * 1024;
// Of so many jobs one is taken from the slow line, however many others wait.
const SLOW_TURN = 8;

/**
 * Jobs that wait, in two lines: what is quick to make comes first, and what is slow gets its turn. Each line has a length;
 * who comes when it is full, and who has waited too long when their turn comes, is told `busy`.
 */
export function createWaitingLine(now: () => number) {
  const quick: WaitingJob[] = [];
  const slow: WaitingJob[] = [];
  let nextId = 1;
  let turn = 0;

  function takeOne(): WaitingJob | undefined {
    turn = (turn + 1) % SLOW_TURN;
    const first = turn === 0 ? slow : quick;
    return first.shift() ?? quick.shift() ?? slow.shift();
  }

  return {
    length: () => quick.length + slow.length,
    add(request: Omit<RenderJob, 'id'>): Promise<Outcome> {
      const isSlow = request.file.kind === 'qr' || request.source.length >= SLOW_SOURCE_LENGTH;
      const line = isSlow ? slow : quick;
      if (line.length >= LINE_LENGTH_MAX) return Promise.resolve('busy');
      return new Promise((resolve, reject) => {
        line.push({ job: { ...request, id: nextId }, resolve, reject, since: now() });
        nextId += 1;
      });
    },
    /** Returns the next job, null when none waits. */
    take(): WaitingJob | null {
      for (;;) {
        const next = takeOne();
        if (next === undefined) return null;
        if (now() - next.since <= WAIT_MAX_MS) return next;
        next.resolve('busy');
      }
    },
    /** Empties the lines and returns what waited. */
    clear: (): WaitingJob[] => [...quick.splice(0), ...slow.splice(0)],
  };
}
