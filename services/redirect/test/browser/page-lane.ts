import type { Browser, Page } from 'playwright-core';
import {
  DESKTOP,
  openContext,
  openPage,
  PHONE,
  type WatchedPage,
} from '@smartlink/test-support/browser/open-browser';
import { type AxeCounts, findWithAxe } from '@smartlink/test-support/browser/page-checks';
import { fetchPage, ownersBytes } from './fetch-page.js';
import { backgroundColor, readableLines, sidewaysPixels } from './in-page.js';
import type { PageCase } from './page-cases.js';
import type { Gallery } from './screenshots.js';

/** What all pages together came to. */
export type Tally = {
  opened: number;
  readonly axe: AxeCounts;
  readonly sizes: { readonly name: string; readonly sentBytes: number; readonly ownBytes: number }[];
};

export type Width = 'phone' | 'desktop';

/** Three windows that look at one page after another: a phone, a desktop, and a phone that runs no script. */
export type Lane = {
  /** Returns what is wrong with a page at these widths, a line each. */
  readonly check: (page: PageCase, widths: readonly Width[]) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

// Sizes without the owner's content, and of the largest menu as a whole.
const OURS_BYTES_MAX = 20 * 1024;
const LARGEST_BYTES_MAX = 150 * 1024;
// WCAG 1.4.10.
const NARROWEST = { width: 320, height: 844 };
// Snippets of 5,000 lines and menus of 2,000 items: axe needs a minute for each, and finds what it finds on shorter ones.
const LARGE_BYTES = 200 * 1024;

let visitors = 0;

/** Opens the three windows. The caller closes them. */
export async function openLane(
  browser: Browser,
  origins: readonly string[],
  { gallery, tally }: { gallery: Gallery; tally: Tally },
): Promise<Lane> {
  const contexts = await Promise.all([
    openContext(browser, origins, PHONE),
    openContext(browser, origins, DESKTOP),
    openContext(browser, origins, { ...PHONE, javaScriptEnabled: false }),
  ]);
  const [phone, desktop, plain] = (await Promise.all(
    contexts.map((context) => openPage(context, origins)),
  )) as [WatchedPage, WatchedPage, WatchedPage];

  return {
    async check(target, widths) {
      const { faults, isLarge } = await checkBytes(target, tally);
      const open = async (window: WatchedPage, keptAway: string | null): Promise<void> => {
        tally.opened += 1;
        await window.keepAway(keptAway);
        const status = await openAsVisitor(window.page, target, isLarge ? 'domcontentloaded' : 'load');
        if (status !== target.status) faults.push(`status ${status}`);
      };
      // Without script Chromium fetches lazy pictures at once, all two thousand of them.
      await open(plain, isLarge ? 'https://images.example/*' : null);
      // Without the seconds of a wait, which pass between two visits.
      const comparable = (line: string) => line.replace(/\d+\ss\./, '');
      const withoutScript = new Set((await plain.page.evaluate(readableLines)).map(comparable));
      for (const look of [
        { window: phone, width: 'phone', schemes: ['light', 'dark'] },
        { window: desktop, width: 'desktop', schemes: ['dark', 'light'] },
      ] as const) {
        if (!widths.includes(look.width)) continue;
        const { page } = look.window;
        await page.emulateMedia({ colorScheme: look.schemes[0] });
        await open(look.window, target.leadsAway === true ? '*/-/assets/*' : null);
        // A desktop shows some lines more, script or not.
        const lines = look.width === 'phone' ? await page.evaluate(readableLines) : [];
        const missing = lines.filter((line) => !withoutScript.has(comparable(line)));
        if (missing.length > 0) faults.push(`only with script: ${missing.slice(0, 3).join(' | ')}`);
        if (!isLarge) faults.push(...(await findWithAxe(page, tally.axe)));
        faults.push(...(await lookAt(target, look, gallery)));
      }
      return [...faults, ...[phone, desktop, plain].flatMap(({ takeFaults }) => takeFaults())];
    },
    async close() {
      for (const context of contexts) await context.close();
    },
  };
}

async function openAsVisitor(
  page: Page,
  target: PageCase,
  waitUntil: 'load' | 'domcontentloaded',
): Promise<number> {
  const visitor = newVisitor();
  await target.prepare?.(visitor);
  await page.setExtraHTTPHeaders({ ...target.headers, 'X-Forwarded-For': visitor });
  const response = await page.goto(target.url, { waitUntil });
  if (target.password === undefined) return response?.status() ?? 0;
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.fill('input[type=password]', target.password);
  await page.press('input[type=password]', 'Enter');
  const status = (await answered).status();
  await page.waitForLoadState('load');
  return status;
}

function newVisitor(): string {
  visitors += 1;
  return `198.51.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`;
}

async function checkBytes(target: PageCase, tally: Tally): Promise<{ faults: string[]; isLarge: boolean }> {
  const { name, url, status, headers = {}, password, source } = target;
  const visitor = newVisitor();
  await target.prepare?.(visitor);
  const form = password === undefined ? null : new URLSearchParams({ password }).toString();
  const fetched = await fetchPage(url, { ...headers, 'X-Forwarded-For': visitor }, form);
  const ownBytes = source === undefined ? 0 : ownersBytes(source);
  const { sentBytes } = fetched;
  tally.sizes.push({ name, sentBytes, ownBytes });
  const isLarge = fetched.html.length > LARGE_BYTES;
  const faults = fetched.status === status ? [] : [`status ${fetched.status}`];
  const isTooLarge = sentBytes > LARGEST_BYTES_MAX || sentBytes - ownBytes > OURS_BYTES_MAX;
  if (isTooLarge) faults.push(`${sentBytes} bytes, ${ownBytes} of them the owner's`);
  return { faults, isLarge };
}

type Look = {
  readonly window: WatchedPage;
  readonly width: Width;
  readonly schemes: readonly ['light' | 'dark', 'light' | 'dark'];
};

/** Looks at the page that is open in both schemes, and for the phone at the narrowest width too. */
async function lookAt(target: PageCase, look: Look, gallery: Gallery): Promise<readonly string[]> {
  const { page } = look.window;
  const faults: string[] = [];
  const backgrounds = new Set<string>();
  const noteSideways = async (width: string): Promise<void> => {
    const pixels = await page.evaluate(sidewaysPixels);
    if (pixels > 0) faults.push(`${width} scrolls sideways by ${pixels} px`);
  };
  await noteSideways(look.width);
  for (const scheme of look.schemes) {
    await page.emulateMedia({ colorScheme: scheme });
    backgrounds.add(await page.evaluate(backgroundColor));
    await gallery.take(page, target.name, `${look.width}-${scheme}`);
  }
  if (backgrounds.size !== (hasOneScheme(target) ? 1 : 2)) faults.push('light and dark are not as asked for');
  if (look.width === 'phone') {
    await page.setViewportSize(NARROWEST);
    await noteSideways('320');
    await page.setViewportSize(PHONE.viewport);
  }
  return faults;
}

/** Whether the owner chose the scheme, where others are the visitor's to choose. */
function hasOneScheme({ source, kind }: PageCase): boolean {
  if (source === undefined || kind === 'Preview' || kind === 'Share') return false;
  const theme =
    source.type === 'Landing'
      ? source.page.landing.theme
      : source.type === 'QrMenu'
        ? source.page.qrMenu.theme
        : 'Auto';
  return theme !== undefined && theme !== 'Auto';
}
