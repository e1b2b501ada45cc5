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
  const { site, log } = options;
  const line = createLine();
  let thread: Worker | null = null;
  let current: Waiting | null = null;
  let deadline: NodeJS.Timeout | undefined;
  let nextId = 1;
  let isClosed = false;

  function startNext(): void {
    if (current !== null || isClosed) return;
    current = line.take();
    if (current === null) return;
    thread ??= startThread(site, { onResult, onBroken });
    thread.postMessage(current.job);
    deadline = setTimeout(() => {
      replaceThread(new Error('A page took too long to make'));
    }, JOB_DEADLINE_MS);
  }

  function onResult(from: Worker, result: RenderResult): void {
    if (from !== thread || result.id !== current?.job.id) return;
    const { resolve, reject } = takeCurrent(current);
    if ('failure' in result) reject(new Error(`A page cannot be made: ${result.failure}`));
    else resolve(result.file);
    startNext();
  }

  function onBroken(from: Worker, err: unknown): void {
    if (from === thread) replaceThread(err);
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
    waiting: () => line.length() + (current === null ? 0 : 1),
    render: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed || line.length() >= WAITING_MAX) {
          reject(new Error('Too many pages wait to be made'));
          return;
        }
        line.add({ job: { ...request, id: nextId }, resolve, reject });
        nextId += 1;
        startNext();
      }),
    async close() {
      isClosed = true;
      const left = line.clear();
      if (current !== null) left.push(takeCurrent(current));
      for (const { reject } of left) reject(new Error('The service is stopping'));
      await thread?.terminate();
      thread = null;
    },
  };
}

function startThread(
  site: SiteOptions,
  {
    onResult,
    onBroken,
  }: {
    onResult: (from: Worker, result: RenderResult) => void;
    onBroken: (from: Worker, err: unknown) => void;
  },
): Worker {
  const started = new Worker(new URL('render-thread.js', import.meta.url), {
    workerData: site,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MIB },
  });
  started.on('message', (result: RenderResult) => {
    onResult(started, result);
  });
  started.on('error', (err) => {
    onBroken(started, err);
  });
  // It holds up no process that has nothing else to do.
  started.unref();
  return started;
}

/** Jobs in the order they came, the large ones behind all others. */
function createLine() {
  const small: Waiting[] = [];
  const large: Waiting[] = [];
  return {
    length: () => small.length + large.length,
    add(waiting: Waiting): void {
      (waiting.job.source.length < LARGE_LENGTH ? small : large).push(waiting);
    },
    take: (): Waiting | null => small.shift() ?? large.shift() ?? null,
    clear: (): Waiting[] => [...small.splice(0), ...large.splice(0)],
  };
}
