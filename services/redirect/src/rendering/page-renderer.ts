import type { Logger } from '@smartlink/process/logger';
import { createWaitingLine } from './waiting-line.js';
import type { QuietThread, QuietThreadEvents } from '../quiet-thread.js';
import type { RenderJob, RenderResult, RenderedFile } from './link-file.js';

export type RenderRequest = Omit<RenderJob, 'id'>;

export type RenderThread = QuietThread<RenderJob>;
export type RenderThreadEvents = QuietThreadEvents<RenderResult>;

export type PageRenderer = {
  /**
   * Returns a file of a link, null where it has none such, `busy` when too many wait or one has waited too long. Rejects
   * when it cannot be made; if that is the thread's fault, there is a new one for the next job.
   */
  readonly render: (request: RenderRequest) => Promise<RenderedFile | null | 'busy'>;
  /** Jobs that wait, the one under way included. */
  readonly waiting: () => number;
  /** Ends the thread; what waits is rejected. */
  readonly close: () => Promise<void>;
};

export type PageRendererOptions = {
  /** Starts a thread; throws when the system gives none. */
  readonly startThread: (events: RenderThreadEvents) => RenderThread;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
};

// Nothing that a link may hold takes a tenth of it, so a job that lasts has met a fault of ours.
export const JOB_DEADLINE_MS = 10_000;

/**
 * Makes pages in a thread of their own, one at a time. Jobs wait on this side, where their sources are references to what
 * L1 holds and no copies. The first thread is started at once, so that no visitor waits for its imports.
 */
export function createPageRenderer(options: PageRendererOptions): PageRenderer {
  const { log } = options;
  const line = createWaitingLine(options.now);
  type Waiting = NonNullable<ReturnType<typeof line.take>>;
  // What it tells is about the job under way: one that was terminated tells nothing more.
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
    log.error({ err }, 'the rendering thread is replaced');
    void thread?.terminate();
    thread = null;
    current?.reject(err);
    endCurrent();
    // The next one is started for the next job: a thread that cannot live is not started over and over.
    startNext();
  }

  return {
    waiting: () => line.length() + (current === null ? 0 : 1),
    render: (request) => {
      if (isClosed) return Promise.reject(new Error('The service is stopping'));
      const made = line.add(request);
      startNext();
      return made;
    },
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

/** Returns a thread; null when the system gives none. */
function startOrSay(
  { startThread, log }: PageRendererOptions,
  events: RenderThreadEvents,
): RenderThread | null {
  try {
    return startThread(events);
  } catch (err) {
    log.error({ err }, 'no rendering thread can be started');
    return null;
  }
}
