import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type {} from '@smartlink/test-support/find-chromium';
import { listen } from './call-raw.js';
import { useService } from './start-service.js';

let origin: string;

const { service, user } = useService();
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(service.app)}`;
});

describe('the page', () => {
  test.each(['/docs', '/docs/'])('%s needs no key and is not kept', async (path) => {
    const res = await service.app.inject(path);
    expect(res.statusCode).toBe(200);
    expect(res.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': expect.any(String) as string,
    });
    expect(res.body).toContain('<title>Smartlink API</title>');
  });

  test('allows no other host and no inline script by its policy, in every file', async () => {
    for (const path of ['/docs', '/docs/static/swagger-ui.css', '/docs/static/swagger-initializer.js']) {
      const policy = String((await service.app.inject(path)).headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  test('shows the one document, in no other form', async () => {
    const json = await service.app.inject('/docs/json');
    expect([json.statusCode, json.headers.location]).toEqual([302, '/api/v1/openapi.json']);
    for (const path of ['/docs?a=b', '/docs/?a=b']) {
      expect((await service.app.inject(path)).headers.location).toBe('/docs/');
    }
    for (const path of [
      '/docs/yaml',
      '/docs/nothing',
      '/docs/static/nothing.js',
      '/docs/static/../../package.json',
    ]) {
      expect([path, (await service.app.inject(path)).statusCode]).toEqual([path, 404]);
    }
  });

  test('does not remember keys and asks no validator', async () => {
    const { body } = await service.app.inject('/docs/static/swagger-initializer.js');
    expect(body).toContain('"persistAuthorization":false');
    expect(body).toContain('validatorUrl: null');
  });
});

describe('in a browser', () => {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = inject('chromium');
    // Without this argument Chromium does not start for root.
    if (executablePath !== null) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  test('the page asks its own host alone, breaks no policy, tries a call with a pasted key and forgets the key', async ({
    skip,
  }) => {
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
    await page.locator('.auth-container input').fill(user.apiKey);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
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
  });

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
});

/** Calls an operation without parameters by its form and returns the status that the page shows. */
async function tryOut(page: Page, operationId: string): Promise<string | undefined> {
  const block = page.locator(`[id$="-${operationId}"]`);
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  await block.locator('.execute').click();
  const status = block.locator('.live-responses-table tbody .response-col_status').first();
  return /^\d+/.exec(await status.innerText())?.[0];
}
