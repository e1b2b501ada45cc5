import { startQuietThread } from '../quiet-thread.js';
import type { SiteOptions } from '../site.js';
import type { RenderThread, RenderThreadEvents } from './page-renderer.js';

const MEMORY_MIB = 512;

/** Starts a rendering thread for `site`; throws when the system gives none. */
export function startRenderThread(site: SiteOptions, events: RenderThreadEvents): RenderThread {
  const file = new URL('render-thread.js', import.meta.url);
  return startQuietThread(file, { workerData: site, memoryMib: MEMORY_MIB }, events);
}
