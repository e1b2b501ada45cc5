import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { madeUpPicture } from './made-up-pictures.js';

/** Starts Chromium, which can reach this machine alone. The caller closes it. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // Without it Chromium does not start for root. Names lead nowhere, so that nothing gets out past a test's own answers.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    // In the C locale names of downloads lose their letters.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}

export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 } as const;

/** Opens a window in which images.example answers with made-up pictures, and all others but `origins` with nothing. */
export async function openContext(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  // As an error of the console, where it is heard without a trace in the page.
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (e) => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))`,
  );
  await context.route(
    (url) => !origins.includes(url.origin),
    async (route) => {
      const url = route.request().url();
      const isPicture = new URL(url).host === 'images.example';
      const picture = isPicture ? madeUpPicture(url) : null;
      if (picture !== null) await route.fulfill({ contentType: 'image/svg+xml', body: picture });
      // Other sites are arrived at, and found empty.
      else await route.fulfill({ status: isPicture ? 404 : 200, contentType: 'text/html', body: '' });
    },
  );
  return context;
}

export type WatchedPage = {
  readonly page: Page;
  /** Returns what the page met that it must never meet, a line each, since this was last called. */
  readonly takeFaults: () => readonly string[];
  /** Lets no request to these addresses out from now on; `*` stands for any letters, null for none. */
  readonly keepAway: (addresses: string | null) => Promise<void>;
};

/** Opens a page of `context`, which may ask `origins` and images.example for files. */
export async function openPage(context: BrowserContext, origins: readonly string[]): Promise<WatchedPage> {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  let faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // Pictures that are missing, or that a test keeps away, and pages that say by their status that they are no link's.
    const isFailed = message.text().startsWith('Failed to load resource');
    const isKeptAway = message.text().includes('ERR_BLOCKED_BY_CLIENT');
    const { url } = message.location();
    if (isFailed && (isKeptAway || url.includes('missing') || url === page.url())) return;
    faults.push(`console: ${message.text()} (${url})`);
  });
  page.on('pageerror', (err) => faults.push(`error: ${err.message}`));
  page.on('request', (request) => {
    const { origin, host, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !origins.includes(origin) && host !== 'images.example') {
      faults.push(`request to ${request.url()}`);
    }
  });
  return {
    page,
    takeFaults() {
      const taken = faults;
      faults = [];
      return taken;
    },
    async keepAway(addresses) {
      await client.send('Network.setBlockedURLs', { urls: addresses === null ? [] : [addresses] });
    },
  };
}
