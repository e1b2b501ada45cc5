import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { percentile } from '@smartlink/test-support/percentile';
import { createLink, editorOf, field, shown } from './on-editor.js';
import { type TestAccount, useDashboard } from './use-dashboard.js';

// Figures of the dashboard, of which the brief gives the limits: a slow phone, and an account with 100,000 links.
const LINKS = 100_000;
const STORED_AT_ONCE = 5_000;
const PATH = '/dashboard/links';

const dashboard = useDashboard();
let account: TestAccount;

beforeAll(async () => {
  if (dashboard.chromium === null) return;
  account = await dashboard.createAccount();
  // A statement takes at most five seconds.
  for (let first = 1; first <= LINKS; first += STORED_AT_ONCE) {
    const values = [account.userId, first, first + STORED_AT_ONCE - 1];
    await dashboard.service.app.pg.query(STORE, values);
  }
  await dashboard.service.app.pg.query('analyze smartlinks, smartlink_search');
}, 300_000);

const STORE = `
with link as (
  insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at, updated_at)
  select gen_random_uuid(), $1, 'Active', 'Url', 'Link ' || n, 'Many' || n,
    '{"Url": {"shortener": {"url": "https://example.org/", "protected": false}}}'::jsonb,
    nextval('smartlink_version'), now() - n * interval '1 second', now()
  from generate_series($2::int, $3::int) as n
  returning id, slug
)
insert into slugs (key, slug, user_id, smartlink_id, is_primary)
select lower(slug), slug, $1, id, true from link`;

const report = (line: string) => process.stdout.write(`${line}\n`);
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value)).join(', ');

/** What the browser tells of a page since its start: ms, and the sum of layout shifts. */
const OBSERVE = `
  window.measured = { lcpMs: 0, shift: 0, tasks: [] };
  const observe = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (measured.lcpMs = startTime));
  observe('layout-shift', ({ hadRecentInput, value }) => (measured.shift += hadRecentInput ? 0 : value));
  observe('longtask', ({ startTime, duration }) => measured.tasks.push([startTime, duration]));`;
type Measured = {
  readonly lcpMs: number;
  readonly shift: number;
  /** Tasks of more than 50 ms: when they began, and how long they took, in ms. */
  readonly tasks: readonly (readonly [startMs: number, ms: number])[];
};
const measuredIn = (page: Page) => page.evaluate<Measured>('measured');

/** A phone of little power in a slow network. */
async function slowDown(page: Page): Promise<CDPSession> {
  const client = await page.context().newCDPSession(page);
  const bytesPerSecond = 1_600_000 / 8;
  const network = {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  };
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', network);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return client;
}

async function openObserved(path: string): Promise<Page> {
  const { page } = await dashboard.open(path, { account });
  await page.addInitScript(OBSERVE);
  return page;
}

/** In the page: ms from the next key until the one link of this name is listed. */
const untilFound = (name: string) => `new Promise((resolve) => {
  let pressedMs = 0;
  addEventListener('keydown', () => (pressedMs = performance.now()), { once: true, capture: true });
  const has = (selector, text) => [...document.querySelectorAll(selector)].some((each) => each.textContent === text);
  const observer = new MutationObserver(() => {
    if (!has('[role=status]', 'Found: 1') || !has('td a', '${name}')) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - pressedMs));
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

/** In the page: ms from the next key until the frame with a new preview is in front. */
const UNTIL_SWAPPED = `new Promise((resolve) => {
  let pressedMs = 0;
  addEventListener('keydown', () => (pressedMs = performance.now()), { once: true, capture: true });
  const front = () => document.querySelector('iframe[title="Preview"]');
  const before = front();
  const observer = new MutationObserver(() => {
    if (front() === null || front() === before) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - pressedMs));
  });
  observer.observe(document.body, { subtree: true, attributes: true });
})`;

/** In the page: ms from the next click until the totals and the chart of the overview are there. */
const UNTIL_OVERVIEW = `new Promise((resolve) => {
  let clickedMs = 0;
  addEventListener('click', () => (clickedMs = performance.now()), { once: true, capture: true });
  const nameOf = (group) => document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent;
  const hasClicks = () =>
    [...document.querySelectorAll('[role=group]')].some((each) => nameOf(each) === 'Clicks' && /\\d/.test(each.textContent));
  const observer = new MutationObserver(() => {
    if (!hasClicks() || document.querySelector('[role=img][aria-label="Visits over time"]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - clickedMs));
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

/**
 * Starts a trace, and returns how to end it: it answers the longest task of the page, in ms of processor time, as the
 * service, its databases and other tests share the cores.
 */
async function traceTasks(page: Page): Promise<() => Promise<number>> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser');
  await browser.startTracing(page, { categories: ['toplevel'] });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      readonly traceEvents: readonly TraceEvent[];
    };
    const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
    const isMain = ({ name, args }: TraceEvent) => name === 'thread_name' && args.name === 'CrRendererMain';
    const threads = new Set(traceEvents.filter(isMain).map(threadOf));
    const tasks = traceEvents.filter((event) => threads.has(threadOf(event)) && event.tdur !== undefined);
    expect(tasks.length).toBeGreaterThan(1_000);
    return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
  };
}
type TraceEvent = {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
};

const untilListed = (page: Page) => page.getByText('10,000+ links').waitFor();

describe.skipIf(dashboard.chromium === null)('the dashboard of an account with 100,000 links', () => {
  test('is drawn in 2.8 s on a slow phone, and in 1 s when its files are known, without shifts', async () => {
    const page = await openObserved(PATH);
    // A browser whose requests are intercepted has no cache.
    await page.context().unrouteAll();
    const client = await slowDown(page);
    await client.send('Network.clearBrowserCache');
    const load = async () => {
      await page.goto(`${dashboard.origin}${PATH}`);
      await untilListed(page);
      const loadedMs = await page.evaluate<number>(
        'performance.getEntriesByType("navigation")[0].loadEventEnd',
      );
      const { lcpMs, shift, tasks } = await measuredIn(page);
      const longestMs = Math.max(0, ...tasks.filter(([startMs]) => startMs >= loadedMs).map(([, ms]) => ms));
      return { lcpMs, shift, longestMs };
    };
    const [cold, warm] = [await load(), await load()];
    report(
      `LCP ${Math.round(cold.lcpMs)} ms cold, ${Math.round(warm.lcpMs)} ms warm; shifts ${cold.shift.toFixed(3)}; longest task after load ${cold.longestMs} ms`,
    );
    expect.soft(cold.lcpMs).toBeLessThanOrEqual(2_800);
    expect.soft(warm.lcpMs).toBeLessThanOrEqual(1_000);
    expect.soft(cold.shift).toBeLessThanOrEqual(0.02);
    expect.soft(cold.longestMs).toBeLessThanOrEqual(200);
  });

  test('shows what is searched for within 300 ms of the key', async () => {
    const page = await openObserved(PATH);
    await untilListed(page);
    const search = page.getByRole('searchbox', { name: 'Search links' });
    const numbers = Array.from({ length: 20 }, (_, i) => 31_000 + i * 2_917);
    const times: number[] = [];
    for (const number of numbers) {
      await search.fill(`Link ${Math.floor(number / 10)}`);
      await page
        .getByText(`Link ${Math.floor(number / 10)}`, { exact: true })
        .first()
        .waitFor();
      const shownMs = page.evaluate<number>(untilFound(`Link ${number}`));
      await search.press(`${number % 10}`);
      times.push(await shownMs);
    }
    report(`key to rows: ${rounded(times)} ms`);
    expect(percentile(times, 0.95)).toBeLessThanOrEqual(300);
  });

  // Statement 16.
  test(
    'is scrolled through 200 pages with at most 500 rows, without a gap, a long task or 30 MB more',
    { timeout: 300_000 },
    async () => {
      const page = await openObserved(PATH);
      await page.reload();
      await untilListed(page);
      expect(await page.evaluate<number>('document.getElementsByTagName("*").length')).toBeLessThanOrEqual(
        1_500,
      );
      expect(await page.getByRole('table', { name: 'Links' }).getAttribute('aria-rowcount')).toBe('-1');
      const client = await page.context().newCDPSession(page);
      const heapMb = async () => {
        await client.send('HeapProfiler.collectGarbage');
        return (await client.send('Runtime.getHeapUsage')).usedSize / 1e6;
      };
      const beforeMb = await heapMb();
      const since = await page.evaluate<number>('performance.now()');
      const longestMs = await traceTasks(page);
      const scrollOn = async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        return (await rowIndexes(page)).at(-1);
      };
      await expect.poll(scrollOn, { timeout: 240_000, interval: 20 }).toBeGreaterThanOrEqual(200 * 50);
      const longestTaskMs = await longestMs();
      const indexes = await rowIndexes(page);
      expect(indexes.length).toBeLessThanOrEqual(500);
      expect(indexes).toEqual(Array.from(indexes, (_, i) => (indexes[0] ?? 0) + i));
      const tasks = (await measuredIn(page)).tasks.filter(([startMs]) => startMs > since);
      const moreMb = (await heapMb()) - beforeMb;
      report(
        `200 pages: ${moreMb.toFixed(1)} MB more; longest task ${longestTaskMs.toFixed(1)} ms; above 50 ms with the waits for a core: ${tasks.length}`,
      );
      expect.soft(moreMb).toBeLessThanOrEqual(30);
      expect.soft(longestTaskMs).toBeLessThanOrEqual(50);
      await page.evaluate('scrollTo(0, 0)');
      await expect.poll(async () => (await rowIndexes(page))[0]).toBe(1);
    },
  );

  test('shows its overview within 500 ms', async () => {
    const page = await openObserved(PATH);
    await untilListed(page);
    const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const shownMs = page.evaluate<number>(UNTIL_OVERVIEW);
    await link('Overview').click();
    const ms = await shownMs;
    report(`overview: ${rounded([ms])} ms`);
    expect(ms).toBeLessThanOrEqual(500);
  });

  test('shows a typed title in the preview within 700 ms of the key', async () => {
    const id = await createLink(account, {
      configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' },
      landing: { title: 'Title' },
      landingButtons: [],
    });
    const page = await openObserved(editorOf(id));
    await shown(page, 'Title');
    let title = 'Title';
    await field(page, 'Title').press('End');
    const times: number[] = [];
    for (const letter of 'abcdefghijklmnopqrst') {
      title += letter;
      const shownMs = page.evaluate<number>(UNTIL_SWAPPED);
      await field(page, 'Title').press(letter);
      times.push(await shownMs);
      await shown(page, title);
    }
    report(`key to preview: ${rounded(times)} ms`);
    expect(percentile(times, 0.95)).toBeLessThanOrEqual(700);
  });
});

const rowIndexes = (page: Page): Promise<readonly number[]> =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll('tr[aria-rowindex]')].map((row) => Number(row.ariaRowIndex))`,
  );
