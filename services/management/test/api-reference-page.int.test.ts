import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { findChromium, openPage } from './chromium.js';
import type { Page } from './chromium.js';
import { listen } from './call-raw.js';
import { startServiceWithUser } from './start-service.js';
import type { TestService, TestUser } from './start-service.js';

let service: TestService;
let user: TestUser;
let origin: string;

beforeAll(async () => {
  ({ service, user } = await startServiceWithUser());
  origin = `http://127.0.0.1:${await listen(service.app)}`;
});
afterAll(() => service.close());

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

  test.each(['/docs', '/docs/'])(
    '%s refers to nothing outside, and all it refers to is served',
    async (path) => {
      const found = await follow(path);
      expect(found.size).toBeGreaterThanOrEqual(7);
      for (const [url, { status, outside }] of found) expect([url, status, outside]).toEqual([url, 200, []]);
    },
  );

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

type Followed = { readonly status: number; readonly outside: readonly string[] };

/** Fetches a page and all that its markup and its styles refer to, without a key. */
async function follow(path: string): Promise<ReadonlyMap<string, Followed>> {
  const found = new Map<string, Followed>();
  const waiting = [path];
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (found.has(url)) continue;
    const res = await service.app.inject(url);
    const type = String(res.headers['content-type']);
    const references = type.startsWith('text/html')
      ? [...res.body.matchAll(/(?:src|href|action|data)="([^"]*)"/g)]
      : type.startsWith('text/css')
        ? [...res.body.matchAll(/url\(["']?([^"')]*)/g), ...res.body.matchAll(/@import\s+["']([^"']*)/g)]
        : [];
    const addresses = references
      .map(([, address]) => address ?? '')
      .filter((each) => !/^(?:data:|#)/.test(each));
    const outside = addresses.filter((each) => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(each));
    found.set(url, { status: res.statusCode, outside });
    for (const each of addresses) {
      if (!outside.includes(each)) waiting.push(new URL(each, `http://x${url}`).pathname);
    }
  }
  return found;
}

describe('in a browser', () => {
  test('asks its own host alone, breaks no policy, tries a call with a pasted key and forgets the key', async ({
    skip,
  }) => {
    const chromium = findChromium();
    if (chromium === null) return skip('there is no Chromium on PATH');
    const page = await openPage(chromium);
    try {
      await page.send('Page.navigate', { url: `${origin}/docs` });
      await until(
        () => page.evaluate(`document.querySelectorAll('.opblock').length >= 10`),
        'operations are shown',
      );
      await pasteKey(page, user.apiKey);
      expect(await tryOut(page, 'validateKey')).toBe('200');
      const storage = '[localStorage.length, sessionStorage.length, document.cookie].join()';
      expect(await page.evaluate(storage)).toBe('0,0,');
      const outside = `[...document.querySelectorAll('a[href]')].map(({ href }) => href).filter((href) => !href.startsWith(origin))`;
      // The text of the licence, for whoever clicks on its name.
      expect(await page.evaluate(outside)).toEqual(['https://spdx.org/licenses/MIT.html']);

      await page.send('Page.navigate', { url: `${origin}/docs/` });
      await until(
        () => page.evaluate(`document.querySelector('.btn.authorize.unlocked') !== null`),
        'no key is set',
      );
      expect(await tryOut(page, 'validateKey')).toBe('401');

      const requests = paramsOf(page, 'Network.requestWillBeSent').map(
        ({ request }) => (request as { url: string }).url,
      );
      expect(requests).toContain(`${origin}/api/v1/openapi.json`);
      expect(requests).toContain(`${origin}/api/v1/validate`);
      expect(requests.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:'))).toEqual([]);
      expect(complaints(page)).toEqual([`${origin}/api/v1/validate 401`]);
    } finally {
      await page.close();
    }
  }, 60_000);
});

test('on a phone the table of error codes can be scrolled to its end, and no code touches its text', async ({
  skip,
}) => {
  const chromium = findChromium();
  if (chromium === null) return skip('there is no Chromium on PATH');
  const page = await openPage(chromium);
  try {
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: 390,
      height: 800,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await page.send('Page.navigate', { url: `${origin}/docs` });
    await until(() => page.evaluate(`document.querySelector('.info table') !== null`), 'the table is shown');
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
  } finally {
    await page.close();
  }
}, 120_000);

async function pasteKey(page: Page, key: string): Promise<void> {
  await page.evaluate(`document.querySelector('.btn.authorize').click()`);
  await until(
    () => page.evaluate(`document.querySelector('.auth-container input') !== null`),
    'a form is shown',
  );
  await page.evaluate(`{
    const input = document.querySelector('.auth-container input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(key)});
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
  await page.evaluate(`document.querySelector('.auth-btn-wrapper .authorize').click()`);
  await until(
    () => page.evaluate(`document.querySelector('.btn.authorize.locked') !== null`),
    'the key is set',
  );
  await page.evaluate(`document.querySelector('.auth-btn-wrapper .btn-done').click()`);
}

/** Calls an operation without parameters by its form and returns the status that the page shows. */
async function tryOut(page: Page, operationId: string): Promise<unknown> {
  const block = `document.querySelector('[id$="-${operationId}"]')`;
  await page.evaluate(`${block}.querySelector('.opblock-summary-control').click()`);
  await until(
    () => page.evaluate(`${block}.querySelector('.try-out__btn') !== null`),
    'the operation is open',
  );
  await page.evaluate(`${block}.querySelector('.try-out__btn').click()`);
  await until(() => page.evaluate(`${block}.querySelector('.execute') !== null`), 'it can be called');
  await page.evaluate(`${block}.querySelector('.execute').click()`);
  const status = `${block}.querySelector('.live-responses-table tbody .response-col_status')?.firstChild?.textContent`;
  await until(() => page.evaluate(`Boolean(${status})`), 'an answer is shown');
  return page.evaluate(`(${status}).trim()`);
}

const paramsOf = (page: Page, method: string) =>
  page.events.filter((event) => event.method === method).map(({ params }) => params);

/** Returns what the browser has complained of: errors of scripts, broken policies, and answers of 400 and more. */
function complaints(page: Page): string[] {
  const logged = paramsOf(page, 'Log.entryAdded')
    .map(({ entry }) => entry as { level: string; text: string; url?: string })
    .filter(({ level }) => level === 'error' || level === 'warning')
    .map(({ text, url }) => `${url ?? ''} ${/status of (\d+)/.exec(text)?.[1] ?? text}`);
  const thrown = paramsOf(page, 'Runtime.exceptionThrown').map((params) => JSON.stringify(params));
  const printed = paramsOf(page, 'Runtime.consoleAPICalled')
    .filter(({ type }) => type === 'error' || type === 'warning')
    .map((params) => JSON.stringify(params['args']));
  return [...logged, ...thrown, ...printed];
}
