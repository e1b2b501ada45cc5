import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import {
  openBrowser,
  openContext,
  openPage,
  PHONE,
  type WatchedPage,
} from '@smartlink/test-support/browser/open-browser';
import type {} from '@smartlink/test-support/find-chromium';
import type { TestDatabasesOptions } from '@smartlink/test-support/test-databases';
import type { NewLink } from '../link-store.js';
import { lazily } from '../serve.js';
import { type Redirect, startRedirect } from '../start-redirect.js';
import { openTrial, type Trial } from '../trial.js';

/** A site of another origin: every path is a page that shows its own address. */
type Elsewhere = {
  readonly origin: string;
  readonly close: () => Promise<void>;
};

export type Site = {
  /** Null, and with it no site, where there is no Chromium. */
  readonly chromium: string | null;
  readonly trial: Trial;
  readonly redirect: Redirect;
  readonly elsewhere: Elsewhere;
  readonly browser: Browser;
  /** Opens a page in a window of its own, which is closed after the test. `origins` may be asked for files too. */
  readonly open: (
    options?: BrowserContextOptions,
    origins?: readonly string[],
  ) => Promise<WatchedPage & { readonly context: BrowserContext }>;
};

/** Gives a test file a service with the links of `links`, another site and Chromium, all closed at its end. */
export function useSite(
  links: (elsewhere: string) => readonly NewLink[],
  { clickhouse = 'shared', env = {} }: TestDatabasesOptions & { env?: Readonly<Record<string, string>> } = {},
): Site {
  const chromium = inject('chromium');
  const contexts: BrowserContext[] = [];
  let opened: Omit<Site, 'chromium' | 'open'>;
  beforeAll(async () => {
    if (chromium === null) return;
    const trial = await openTrial({ clickhouse });
    const elsewhere = await startElsewhere();
    const redirect = await startSite(trial.databases, env);
    for (const link of links(elsewhere.origin)) await trial.links.insert(link);
    opened = { trial, elsewhere, redirect, browser: await openBrowser(chromium) };
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    if (chromium === null) return;
    await opened.browser.close();
    await opened.redirect.stop();
    await opened.elsewhere.close();
    await opened.trial.close();
  });
  return {
    chromium,
    trial: lazily(() => opened.trial),
    redirect: lazily(() => opened.redirect),
    elsewhere: lazily(() => opened.elsewhere),
    browser: lazily(() => opened.browser),
    async open(options = PHONE, more = []) {
      const origins = [opened.redirect.url, opened.elsewhere.origin];
      const context = await openContext(opened.browser, origins, options);
      contexts.push(context);
      return { context, ...(await openPage(context, [...origins, ...more])) };
    },
  };
}

/**
 * Starts the service at the address that visitors' browsers know it by, as forms are taken from there alone and codes lead
 * there. The caller stops it.
 */
export async function startSite(
  databases: Trial['databases'],
  env: Readonly<Record<string, string>> = {},
): Promise<Redirect> {
  const port = await freePort();
  return startRedirect(databases, {
    REDIRECT_PORT: String(port),
    PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    ...env,
  });
}

async function startElsewhere(): Promise<Elsewhere> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Elsewhere</title><p id="path">${encodeURI(request.url ?? '')}</p>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
