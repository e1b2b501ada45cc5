import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openBrowser, PHONE } from '@smartlink/test-support/browser/open-browser';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { COOKIE_SECRET, type PageCase, pageCases } from './browser/page-cases.js';
import { openLane, type Tally, type Width } from './browser/page-lane.js';
import { FIRST_NAMES, createGallery } from './browser/screenshots.js';
import { storeSamples } from './browser/stored-samples.js';
import { startSite } from './browser/use-site.js';
import { ANDROID } from './serve.js';
import type { Redirect } from './start-redirect.js';
import { openTrial, type Trial } from './trial.js';

// Chromium is several processes by itself; more lanes than cores gain nothing.
const LANES = 2;
const DEADLINE_MS = 600_000;
const isFull = trialSize(false, true) || process.env['GALLERY'] !== undefined;

/** Every page at both widths in a full run; else the first of each kind at one width. */
function widthsOf({ name }: PageCase, index: number): readonly Width[] {
  if (isFull) return ['phone', 'desktop'];
  if (!FIRST_NAMES.has(name)) return [];
  return index % 2 === 0 ? ['phone'] : ['desktop'];
}

const chromium = inject('chromium');
const folder = process.env['SCREENSHOTS'] ?? mkdtempSync(path.join(tmpdir(), 'smartlink-screenshots-'));

let trial: Trial;
let redirect: Redirect;
let browser: Browser;
let cases: readonly PageCase[];

beforeAll(async () => {
  if (chromium === null) return;
  trial = await openTrial();
  // Each visit to a form is a visitor of its own: tries are limited by address.
  redirect = await startSite(trial.databases, {
    TRUSTED_PROXIES: '127.0.0.1',
    COOKIE_SECRETS: COOKIE_SECRET,
    ABUSE_CONTACT_URL: 'mailto:abuse@sl.example.com',
  });
  await trial.links.insert({ slug: 'paused', url: 'https://example.org/', status: 'Paused' });
  await trial.links.insert({ slug: 'deleted', url: 'https://example.org/', status: 'Deleted' });
  // Written past the API: no target, so the service answers 503.
  await trial.links.insert({ slug: 'unavailable', url: 'javascript:alert(1)' });
  const samples = await storeSamples(trial.links);
  cases = pageCases(samples, { url: redirect.url, trial });
  browser = await openBrowser(chromium);
});

afterAll(async () => {
  if (chromium === null) return;
  await browser.close();
  await redirect.stop();
  await trial.close();
  if (process.env['SCREENSHOTS'] === undefined) rmSync(folder, { recursive: true });
});

test.skipIf(chromium === null)(
  'every page is whole on phones and desktops, light and dark, with and without script, and within its size',
  { timeout: DEADLINE_MS },
  async () => {
    const from = performance.now();
    const gallery = createGallery(folder, cases);
    const left = [...cases.entries()].filter(([index, page]) => widthsOf(page, index).length > 0);
    const tally: Tally = { opened: 0, axe: { critical: 0, serious: 0, moderate: 0, minor: 0 }, sizes: [] };
    const found: Record<string, readonly string[]> = {};
    const runLane = async (): Promise<void> => {
      const lane = await openLane(browser, [redirect.url], { gallery, tally });
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, page] = next;
        const faults = await lane.check(page, widthsOf(page, index)).catch((err: unknown) => [String(err)]);
        if (faults.length > 0) found[page.name] = [...new Set(faults)];
      }
      await lane.close();
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
    gallery.close();
    report(tally, from);
    expect(found).toEqual({});
    expect(gallery.taken()).toBeGreaterThan(0);
  },
);

const PRESS_RESULTS = 'counted repeated excluded refused not_found unavailable error'.split(' ');

test.skipIf(chromium === null)(
  'a button leads to its target and reports one press: by script, in a new tab too, and without script',
  async () => {
    // The service itself, on which no answer of this test stands in the way of a report.
    const target = `${redirect.url}/-/live`;
    const button = (title: string) => ({ title, link: target });
    await trial.links.insert({
      slug: 'pressed',
      type: 'Landing',
      content: {
        landing: { title: 'Bakery', layout: 'List', theme: 'Auto' },
        landingButtons: ['Order', 'Menu', 'Map'].map(button),
      },
    });
    const presses = () =>
      Promise.all(
        PRESS_RESULTS.map((result) =>
          redirect.metric(`smartlink_redirect_presses_total{result="${result}"}`),
        ),
      );
    const expectCounted = async (count: number): Promise<void> => {
      await until(async () => (await presses()).some((of) => of >= count), `${count} presses are counted`);
      expect(await presses()).toEqual([count, 0, 0, 0, 0, 0, 0]);
    };
    const errors: string[] = [];
    const open = async (javaScriptEnabled: boolean) => {
      // Headless Chromium says that it is a program.
      const context = await browser.newContext({ ...PHONE, userAgent: ANDROID, javaScriptEnabled });
      const page = await context.newPage();
      page.on('console', (message) => errors.push(message.text()));
      await page.goto(`${redirect.url}/pressed`);
      return { context, page };
    };

    const { context, page } = await open(true);
    expect(await page.locator('a[ping]').count()).toBe(0);
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Order' }).click({ button: 'middle' }),
    ]);
    await tab.waitForURL(target);
    await expectCounted(1);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.waitForURL(target);
    await expectCounted(2);
    await context.close();

    const plain = await open(false);
    expect(await plain.page.locator('a[ping]').count()).toBe(3);
    await plain.page.getByRole('link', { name: 'Map' }).click();
    await plain.page.waitForURL(target);
    await expectCounted(3);
    await plain.context.close();
    expect(errors).toEqual([]);
  },
);

function report(tally: Tally, from: number): void {
  const largest = tally.sizes.toSorted((a, b) => b.sentBytes - a.sentBytes).slice(0, 5);
  const axe = Object.entries(tally.axe).map(([impact, count]) => `${count} ${impact}`);
  const lines = [
    `${tally.sizes.length} of ${cases.length} pages, opened ${tally.opened} times in ${((performance.now() - from) / 1000).toFixed(1)} s`,
    `axe: ${axe.join(', ')}`,
    ...largest.map(
      ({ name, sentBytes, ownBytes }) =>
        `${name}: ${sentBytes} bytes as sent, ${ownBytes} of them the owner's`,
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
