import { parentPort, workerData } from 'node:worker_threads';
import { createSite, type SiteOptions } from '@smartlink/pages/site';
import { lowerThreadPriority } from '@smartlink/process/thread';
import type { RenderedFile, RenderJob, RenderResult } from './file-kinds.js';
import { renderFile } from './render-job.js';

// The thread in which pages are made and compressed: a menu of a mebibyte takes some hundred milliseconds, and no visit
// to anything else may wait for that. One job at a time; page-renderer.ts sends the next one after the answer.
const port = parentPort;
if (port === null) throw new Error('This is a thread of the redirect service');
lowerThreadPriority();
const site = createSite(workerData as SiteOptions);

port.on('message', ({ id, ...job }: RenderJob) => {
  try {
    const file = renderFile(job, site);
    const result: RenderResult = { id, file };
    port.postMessage(result, file === null ? [] : memoryOf(file));
  } catch (err) {
    const failure = err instanceof Error ? (err.stack ?? err.message) : String(err);
    const result: RenderResult = { id, failure };
    port.postMessage(result);
  }
});

/** Buffers to transfer instead of copying. */
function memoryOf({ body }: RenderedFile): ArrayBuffer[] {
  return Object.values(body).map((bytes) => bytes.buffer as ArrayBuffer);
}
