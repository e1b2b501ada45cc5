import { Worker } from 'node:worker_threads';
import type { Logger } from '@smartlink/process/logger';
import type { SiteOptions } from '../site.js';
import type { RenderJob, RenderResult, RenderedFile } from './link-file.js';

export type RenderRequest = Omit<RenderJob, 'id'>;

export type PageRenderer = {
  /**
   * Returns a file of a link, null where it has none such. Rejects when too many wait, or when it cannot be made: then
   * the thread is a new one for the next job.
   */
  readonly render: (request: RenderRequest) => Promise<RenderedFile | null>;
  /** Jobs that wait, the one under way included. */
  readonly waiting: () => number;
  /** Ends the thread; what waits is rejected. */
  readonly close: () => Promise<void>;
};

// Ordinary pages take a millisecond or two, the largest menus some hundred: more would wait for longer than a visitor does.
const WAITING_MAX = 200;
// Nothing that a link may hold takes a tenth of it, so a job that lasts has met a fault of ours.
const JOB_DEADLINE_MS = 10_000;
// From this size on a source waits until all smaller ones are done: one menu of a mebibyte takes as long as a hundred cards.
const LARGE_LENGTH = 64 * 1024;
const THREAD_MEMORY_MIB = 512;

type Waiting = {
  readonly job: RenderJob;
  readonly resolve: (file: RenderedFile | null) => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Makes pages in a thread of their own, one at a time. Jobs wait on this side, where their sources are references to what
 * L1 holds and no copies.
 */
export function createPageRenderer(options: { site: SiteOptions; log: Logger }): PageRenderer {
  const { log } = options;
  const small: Waiting[] = [];
  const large: Waiting[] = [];
  let thread: Worker | null = null;
  let current: Waiting | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let nextId = 1;
  let isClosed = false;

  function startNext(): void {
    if (current !== null || isClosed) return;
    current = small.shift() ?? large.shift() ?? null;
    if (current === null) return;
    thread ??= startThread();
    thread.postMessage(current.job);
    deadline = setTimeout(() => {
      replaceThread(new Error('A page took too long to make'));
    }, JOB_DEADLINE_MS);
  }

  function startThread(): Worker {
    const started = new Worker(new URL('render-thread.js', import.meta.url), {
      workerData: options.site,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MIB },
    });
    started.on('message', (result: RenderResult) => {
      if (started === thread) settle(result);
    });
    started.on('error', (err) => {
      if (started === thread) replaceThread(err);
    });
    // It holds up no process that has nothing else to do.
    started.unref();
    return started;
  }

  function settle(result: RenderResult): void {
    if (current === null || result.id !== current.job.id) return;
    const { resolve, reject } = takeCurrent(current);
    if ('failure' in result) reject(new Error(`A page cannot be made: ${result.failure}`));
    else resolve(result.file);
    startNext();
  }

  function takeCurrent(done: Waiting): Waiting {
    clearTimeout(deadline);
    current = null;
    return done;
  }

  function replaceThread(err: unknown): void {
    log.error({ err }, 'the rendering thread is replaced');
    void thread?.terminate();
    thread = null;
    if (current !== null) takeCurrent(current).reject(err);
    startNext();
  }

  return {
    waiting: () => small.length + large.length + (current === null ? 0 : 1),
    render: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed || small.length + large.length >= WAITING_MAX) {
          reject(new Error('Too many pages wait to be made'));
          return;
        }
        const job = { ...request, id: nextId };
        nextId += 1;
        (request.source.length < LARGE_LENGTH ? small : large).push({ job, resolve, reject });
        startNext();
      }),
    async close() {
      isClosed = true;
      const left = [
        ...small.splice(0),
        ...large.splice(0),
        ...(current === null ? [] : [takeCurrent(current)]),
      ];
      for (const { reject } of left) reject(new Error('The service is stopping'));
      await thread?.terminate();
      thread = null;
    },
  };
}
