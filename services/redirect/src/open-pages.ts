import type { Logger } from '@smartlink/process/logger';
import type { Site } from '@smartlink/pages/site';
import { loadAssets } from './assets.js';
import type { Assets } from './assets.js';
import type { RedirectConfig } from './config.js';
import { createLinkFiles } from './rendering/link-files.js';
import type { LinkFiles } from './rendering/link-files.js';
import { createPageRenderer } from './rendering/page-renderer.js';
import type { PageRenderer } from './rendering/page-renderer.js';
import { startRenderThread } from './rendering/start-render-thread.js';
import { createSite } from './site.js';
import type { SiteOptions } from './site.js';
import { createSystemReplies } from './system-replies.js';
import type { SystemReplies } from './system-replies.js';

/** What a worker makes pages with. */
export type Pages = {
  readonly site: Site;
  readonly assets: Assets;
  readonly replies: SystemReplies;
  readonly files: LinkFiles;
  /** Whoever opened it closes it. */
  readonly renderer: PageRenderer;
};

/** Reads the pages' assets, makes the pages that lead nowhere, and prepares the thread that makes all others. */
export function openPages(config: RedirectConfig, log: Logger): Pages {
  const assets = loadAssets();
  const options: SiteOptions = {
    publicBaseUrl: config.PUBLIC_BASE_URL ?? `http://127.0.0.1:${config.REDIRECT_PORT}`,
    abuseContactUrl: config.ABUSE_CONTACT_URL ?? null,
    scriptPath: assets.scriptPath,
    shareImagePaths: assets.shareImagePaths,
  };
  const site = createSite(options);
  const now = () => performance.now();
  const renderer = createPageRenderer({
    startThread: (events) => startRenderThread(options, events),
    now,
    log,
  });
  const files = createLinkFiles({
    render: renderer.render,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    bytesMax: config.PAGES_BYTES_MAX,
    now,
  });
  return { site, assets, replies: createSystemReplies(site), files, renderer };
}
