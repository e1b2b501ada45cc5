import type { SiteOptions } from '@smartlink/pages/site';
import type { Logger } from '@smartlink/process/lifecycle';
import {
  type LowPriorityThread,
  type LowPriorityThreadEvents,
  startLowPriorityThread,
} from '@smartlink/process/thread';
import type { RenderedFile, RenderJob, RenderResult } from './file-kinds.js';

type RenderRequest = Omit<RenderJob, 'id'>;

type RenderThread = LowPriorityThread<RenderJob>;
export type RenderThreadEvents = LowPriorityThreadEvents<RenderResult>;

export type PageRenderer = ReturnType<typeof createPageRenderer>;

type PageRendererOptions = {
  /** Throws when the system refuses a thread. */
  readonly startThread: (events: RenderThreadEvents) => RenderThread;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

// No valid link takes a tenth of this.
export const JOB_DEADLINE_MS = 10_000;

/**
 * Makes pages in a thread, one at a time. Jobs wait on this side, where their sources are references into L1 and not
 * copies. The first thread starts at once, so that no visitor waits for its imports.
 */
export function createPageRenderer(options: PageRendererOptions) {
  const { log } = options;
  const line = createWaitingLine(options.now);
  type Waiting = NonNullable<ReturnType<typeof line.take>>;
  // Results belong to the current job: a terminated thread sends none.
  const events: RenderThreadEvents = { onResult, onBroken: replaceThread };
  let thread = startOrSay(options, events);
  let current: Waiting | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let isClosed = false;

  function startNext(): void {
    while (current === null && !isClosed) {
      const next = line.take();
      if (next === null) return;
      current = next;
      start(next);
    }
  }

  function start({ job, reject }: Waiting): void {
    try {
      thread ??= startOrSay(options, events);
      if (thread === null) throw new Error('There is no rendering thread');
      thread.post(job);
      deadline = setTimeout(() => {
        replaceThread(new Error('A page took too long to make'));
      }, JOB_DEADLINE_MS);
    } catch (err) {
      current = null;
      reject(err);
    }
  }

  function onResult(result: RenderResult): void {
    const done = current;
    if (done?.job.id !== result.id) return;
    endCurrent();
    if ('failure' in result) done.reject(new Error(`A page cannot be made: ${result.failure}`));
    else done.resolve(result.file);
    startNext();
  }

  function endCurrent(): void {
    clearTimeout(deadline);
    current = null;
  }

  function replaceThread(err: unknown): void {
    if (isClosed) return;
    log.error({ err }, 'rendering thread restarted');
    void thread?.terminate();
    thread = null;
    current?.reject(err);
    endCurrent();
    // A new thread is started only for the next job, so a thread that dies at once does not loop.
    startNext();
  }

  return {
    /** Pending jobs, including the current one. */
    waiting: () => line.length() + (current === null ? 0 : 1),
    /**
     * A file of a link, null if it has no such file, `busy` when too many jobs wait or this one waited too long. Rejects
     * when it cannot be made; after a fault of the thread, the next job gets a new one.
     */
    render: (request: RenderRequest) => {
      if (isClosed) return Promise.reject(new Error('The service is stopping'));
      const made = line.add(request);
      startNext();
      return made;
    },
    /** Ends the thread and rejects pending jobs. */
    async close() {
      isClosed = true;
      const left = line.clear();
      if (current !== null) left.push(current);
      endCurrent();
      for (const { reject } of left) reject(new Error('The service is stopping'));
      await thread?.terminate();
      thread = null;
    },
  };
}

/** Null when the system refuses a thread. */
function startOrSay(
  { startThread, log }: PageRendererOptions,
  events: RenderThreadEvents,
): RenderThread | null {
  try {
    return startThread(events);
  } catch (err) {
    log.error({ err }, 'rendering thread cannot be started');
    return null;
  }
}

type Outcome = RenderedFile | null | 'busy';

type WaitingJob = {
  readonly job: RenderJob;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (err: unknown) => void;
  /** Monotonic milliseconds. */
  readonly since: number;
};

// Ordinary pages take a millisecond or two, the largest menus some hundred: in a longer line visitors would give up.
export const LINE_LENGTH_MAX = 200;
// A hundred menus of a mebibyte at once, in one process, are made within 15 s on a busy machine.
export const WAIT_MAX_MS = 20_000;
// Larger sources wait in the slow line: one menu of a mebibyte takes as long as a hundred cards. So do QR codes, of which
// every link has many.
export const SLOW_SOURCE_LENGTH = 64 * 1024;
// One job in this many is taken from the slow line.
const SLOW_TURN = 8;

/**
 * Pending jobs in two lines: those quick to make come first, and slow ones get their turn. A job that meets a full line,
 * or has waited too long, resolves with `busy`.
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
    /** The next job, or null. */
    take(): WaitingJob | null {
      for (;;) {
        const next = takeOne();
        if (next === undefined) return null;
        if (now() - next.since <= WAIT_MAX_MS) return next;
        next.resolve('busy');
      }
    },
    /** Empties the lines and returns their jobs. */
    clear: (): WaitingJob[] => [...quick.splice(0), ...slow.splice(0)],
  };
}

const MEMORY_MIB = 512;

/** Throws when the system refuses a thread. */
export function startRenderThread(site: SiteOptions, events: RenderThreadEvents): RenderThread {
  const file = new URL('render-thread.js', import.meta.url);
  return startLowPriorityThread(file, { workerData: site, memoryMib: MEMORY_MIB }, events);
}
