import { Worker } from 'node:worker_threads';
import type { SiteOptions } from '../site.js';
import type { RenderResult } from './link-file.js';
import type { RenderThread, RenderThreadEvents } from './page-renderer.js';

const MEMORY_MIB = 512;

/** Starts a rendering thread; throws when the system gives none. It keeps no process alive that has nothing else to do. */
export function startRenderThread(site: SiteOptions, events: RenderThreadEvents): RenderThread {
  const worker = new Worker(new URL('render-thread.js', import.meta.url), {
    workerData: site,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  worker.unref();
  worker.on('message', (result: RenderResult) => {
    events.onResult(result);
  });
  worker.on('error', events.onBroken);
  worker.on('messageerror', events.onBroken);
  worker.on('exit', (code) => {
    events.onBroken(new Error(`The rendering thread ended with code ${code}`));
  });
  return {
    post: (job) => {
      worker.postMessage(job);
    },
    terminate() {
      worker.removeAllListeners();
      // What it still throws is of no interest, and must not end the process.
      worker.on('error', () => undefined);
      return worker.terminate();
    },
  };
}
