import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type {} from '@smartlink/test-support/find-chromium';
import { listen } from './call-raw.js';
import { useService } from './start-service.js';

// The page of the API reference in a browser.
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const { service, user } = useService();
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(service.app)}`;
});

let browser: Browser | undefined;
beforeAll(async () => {
  const executablePath = inject('chromium');
  // Without this argument Chromium does not start for root.
  if (executablePath !== null) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

test(
  'the page asks its own host alone, breaks no policy, tries a call with a pasted key and forgets the key',
  { timeout: 180_000 },
  async ({ skip }) => {
    if (browser === undefined) return skip('there is no Chromium');
    const page = await browser.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.url()} ${response.status()}`);
    });
    page.on('console', (message) => {
      const isOfResponse = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isOfResponse) complaints.push(message.text());
    });
    page.on('pageerror', (err) => complaints.push(err.message));

    await page.goto(`${origin}/docs`);
    await page.locator('.opblock').nth(9).waitFor();
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container input').first().fill(user.apiKey);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    await page.locator('.btn.authorize.locked').first().waitFor();
    expect(await tryOut(page, 'validateKey')).toBe('200');
    const storage = '[localStorage.length, sessionStorage.length, document.cookie].join()';
    expect(await page.evaluate(storage)).toBe('0,0,');
    const outside = `[...document.querySelectorAll('a[href]')].map(({ href }) => href).filter((href) => !href.startsWith(origin))`;
    // The text of the licence.
    expect(await page.evaluate(outside)).toEqual(['https://spdx.org/licenses/MIT.html']);

    await page.goto(`${origin}/docs/`);
    await page.locator('.btn.authorize.unlocked').first().waitFor();
    expect(await tryOut(page, 'validateKey')).toBe('401');
    expect(requests).toContain(`${origin}/api/v1/openapi.json`);
    expect(requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints).toEqual([`${origin}/api/v1/validate 401`]);
  },
);

test('on a phone the table of error codes can be scrolled to its end, and no code touches its text', async ({
  skip,
}) => {
  if (browser === undefined) return skip('there is no Chromium');
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  await page.goto(`${origin}/docs`);
  await page.locator('.info table').waitFor();
  const table = `(({ scrollWidth, clientWidth }) => {
    const table = document.querySelector('.info table');
    table.scrollLeft = 10_000;
    const reached = table.querySelector('th:last-child').getBoundingClientRect().right;
    const gaps = [...table.querySelectorAll('tbody tr')].map(({ cells: [, code, text] }) => {
      const words = document.createRange();
      words.selectNodeContents(text);
      return words.getBoundingClientRect().left - code.firstElementChild.getBoundingClientRect().right;
    });
    return [reached <= 390, scrollWidth <= clientWidth, Math.min(...gaps) >= 8].join();
  })(document.documentElement)`;
  expect(await page.evaluate(table)).toBe('true,true,true');
});

test(
  'the page fits a phone with its forms open, and is legible in light and dark',
  { timeout: 180_000 },
  async ({ skip }) => {
    if (browser === undefined) return skip('there is no Chromium');
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const context = await browser.newContext({ ...phone, colorScheme: 'light', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(`${origin}/docs`);
    for (const id of ['createSmartlink', 'readSmartlinks', 'deleteSmartlink']) {
      const block = page.locator(`[id$="-${id}"]`);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.try-out__btn').click();
      await block.locator('.execute').waitFor();
    }
    // The visible one may be as wide as what is on it: a phone then draws the whole page smaller.
    expect(await page.evaluate('[innerWidth, document.documentElement.scrollWidth].join()')).toBe('390,390');
    await page.evaluate(AXE);
    const backgrounds = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor();
      backgrounds.add(
        String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')),
      );
      const { violations } = await page.evaluate<AxeResults>(`axe.run({ runOnly: ['color-contrast'] })`);
      const found = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)));
      expect([colorScheme, found]).toEqual([colorScheme, []]);
    }
    expect(backgrounds.size).toBe(2);
    await context.close();
  },
);

/** Calls an operation without parameters by its form and returns the status that the page shows. */
async function tryOut(page: Page, operationId: string): Promise<string | undefined> {
  const block = page.locator(`[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  await block.locator('.execute').click();
  const status = block.locator('.live-responses-table tbody .response-col_status').first();
  return /^\d+/.exec(await status.innerText())?.[0];
}
