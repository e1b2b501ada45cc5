import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { drawSvg, encodeSymbol, qrAddress } from '@smartlink/pages/qr-code';
import { cardSamples } from '@smartlink/pages/samples/card-samples';
import { DESKTOP, PHONE } from '@smartlink/test-support/browser/open-browser';
import { until } from '@smartlink/test-support/until';
import { MAC_SAFARI } from './browser/page-cases.js';
import { useSite } from './browser/use-site.js';
import type { NewLink } from './link-store.js';
import { selectEvents } from './serve.js';
import { untilDelivered } from './start-redirect.js';

const PASSWORD = 'correct horse ü';
const STORES = { appStoreLink: 'https://apps.example/ipad', macOsAppLink: 'https://apps.example/mac' };
const LANDING = { landing: { title: 'Plain', layout: 'List', theme: 'Light', themeColor: '#b45309' } };

const MISSING = 'https://images.example/missing.png';
const BROKEN = {
  landing: { title: 'Broken', layout: 'List', theme: 'Light', logoLink: MISSING },
  landingButtons: [{ title: 'Photos', link: 'https://www.instagram.com/', iconUrl: MISSING }],
};

const createLinks = (elsewhere: string): readonly NewLink[] => [
  { slug: 'poster', url: `${elsewhere}/arrived` },
  { slug: 'locked', url: `${elsewhere}/secret?a=1`, password: PASSWORD },
  { slug: 'app', type: 'App', content: { configuration: STORES } },
  { slug: 'plain', type: 'Landing', content: LANDING },
  { slug: 'broken', type: 'Landing', content: BROKEN },
  ...['card', 'card-broken-pictures'].map((name) => {
    const sample = cardSamples[name];
    if (sample?.type !== 'DigiCard') throw new Error(`There is no card ${name}`);
    return { slug: name.replaceAll('-', ''), type: 'DigiCard' as const, content: sample.page };
  }),
];
const site = useSite(createLinks, { clickhouse: 'own' });
const { chromium, trial, redirect, elsewhere, browser } = site;
const open = (options?: BrowserContextOptions) => site.open(options, ['https://apps.example']);

describe.skipIf(chromium === null)('a password', () => {
  const field = 'input[name=password]';

  test('opens a link to another site: the form, its answer and the target are one way', async () => {
    const { page, takeFaults } = await open();
    await page.goto(`${redirect.url}/locked?b=2`);
    await page.fill(field, PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(`${elsewhere.origin}/**`);
    expect(page.url()).toBe(`${elsewhere.origin}/secret?a=1&b=2`);
    expect(takeFaults()).toEqual([]);
  });

  test('that is wrong shows an error above an empty field, and the right one then opens the link', async () => {
    const { page, takeFaults } = await open();
    await page.goto(`${redirect.url}/locked`);
    await page.fill(field, 'a guess');
    await page.press(field, 'Enter');
    const error = page.locator('#error');
    await error.waitFor();
    expect(await error.innerText()).toBe('Wrong password. Try again.');
    expect(await page.title()).toMatch(/^Error:/);
    expect(await page.inputValue(field)).toBe('');
    expect((await error.boundingBox())!.y).toBeLessThan((await page.locator(field).boundingBox())!.y);
    expect(await page.locator(field).getAttribute('aria-describedby')).toBe('error');
    await page.fill(field, PASSWORD);
    await page.press(field, 'Enter');
    await page.waitForURL(`${elsewhere.origin}/**`);
    expect(takeFaults()).toEqual([]);
  });

  test('is shown and hidden again by the eye, and sent hidden', async () => {
    const { page } = await open();
    await page.goto(`${redirect.url}/locked`);
    await page.fill(field, 'a guess');
    const type = () => page.locator(field).getAttribute('type');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await type()).toBe('text');
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await type()).toBe('password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await page.evaluate(
      `document.querySelector('form').addEventListener('submit', (e) => e.preventDefault())`,
    );
    await page.click('button[type=submit]');
    expect(await type()).toBe('password');
  });

  test('opens the link without script too, where there is no eye', async () => {
    const { page } = await open({ ...PHONE, javaScriptEnabled: false });
    await page.goto(`${redirect.url}/locked`);
    expect(await page.locator('[data-eye]').isVisible()).toBe(false);
    await page.fill(field, PASSWORD);
    await page.press(field, 'Enter');
    await page.waitForURL(`${elsewhere.origin}/secret?a=1`);
  });

  test('that was typed and not sent is gone when the visitor comes back, and the form still works', async () => {
    const { page, takeFaults } = await open();
    await page.goto(`${redirect.url}/locked`);
    await page.fill(field, 'a guess');
    await page.goto(`${redirect.url}/plain`);
    await page.goBack();
    expect(await page.locator('h1').innerText()).toBe('Enter the password');
    expect(await page.inputValue(field)).toBe('');
    await page.fill(field, PASSWORD);
    await page.press(field, 'Enter');
    await page.waitForURL(`${elsewhere.origin}/**`);
    // The form was not cached either: an unlocked visitor is not asked again.
    await page.goBack();
    await page.waitForURL(`${elsewhere.origin}/**`);
    expect(takeFaults()).toEqual([]);
  });
});

describe.skipIf(chromium === null)('an App link, asked by what says it is a Mac', () => {
  async function visit(
    touchPoints: number,
    javaScriptEnabled = true,
  ): Promise<{ page: Page; asked: string[] }> {
    const { context, page } = await open({
      ...DESKTOP,
      javaScriptEnabled,
      extraHTTPHeaders: MAC_SAFARI,
    });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const client = await context.newCDPSession(page);
    if (touchPoints > 0) {
      await client.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: touchPoints });
    }
    await page.goto(`${redirect.url}/app?utm_source=poster`);
    return { page, asked };
  }

  test.each([
    [5, 'an iPad', '/-/ipad/app', STORES.appStoreLink],
    [0, 'a Mac', '/-/mac/app', STORES.macOsAppLink],
  ])(
    'with %i touch points it is %s, and continues to its store by itself',
    async (points, _, path, store) => {
      const { asked } = await visit(points);
      // There is nothing at the store's address, and Chromium may show its own page of faults under another.
      await until(() => asked.some((url) => url.startsWith(store)), 'the visitor goes on to the store');
      expect(asked).toContain(`${redirect.url}${path}?utm_source=poster`);
      const stores = asked.filter((url) => url.startsWith('https://apps.example/'));
      expect([...new Set(stores)]).toEqual([store]);
    },
  );

  test('without script there are two buttons, each to its store', async () => {
    for (const [name, store] of [
      ['For iPad', STORES.appStoreLink],
      ['For Mac', STORES.macOsAppLink],
    ] as const) {
      const { page, asked } = await visit(5, false);
      expect(page.url()).toBe(`${redirect.url}/app?utm_source=poster`);
      await page.getByRole('link', { name }).click();
      await until(() => asked.some((url) => url.startsWith(store)), 'the visitor goes on to the store');
    }
  });
});

describe.skipIf(chromium === null)('a card', () => {
  test('is saved under its owner’s name', async () => {
    const { page } = await open();
    await page.goto(`${redirect.url}/card`);
    const arrived = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save contact' }).click();
    const download = await arrived;
    expect(download.suggestedFilename()).toBe('Leyla Əliyeva.vcf');
    expect(readFileSync(await download.path(), 'utf8')).toContain('FN:Leyla Əliyeva\r\n');
  });

  test('is shared by its short address where the browser can share, without parameters', async () => {
    const { context, page } = await open();
    await context.addInitScript(
      `navigator.share = (data) => { window.shared = data; return Promise.resolve(); }`,
    );
    await page.goto(`${redirect.url}/q/card?utm_source=poster`);
    await page.getByRole('button', { name: 'Share' }).click();
    const shared = await page.evaluate<{ url: string; title: string }>(`window.shared`);
    expect(shared.title).toBe('Leyla Əliyeva');
    expect(new URL(shared.url).pathname + new URL(shared.url).search).toBe('/card');
  });

  test.each([
    ['Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', true],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', true],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', false],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', false],
    ['Mozilla/5.0 (iPhone) Mobile/15E148 Safari/604.1 MicroMessenger/8.0.50', true],
  ])('advises another browser only inside an app: %s', async (userAgent, isAdvised) => {
    const { page, takeFaults } = await open({ ...PHONE, userAgent });
    await page.goto(`${redirect.url}/card`);
    expect(await page.getByText('Open this page in Safari or Chrome').isVisible()).toBe(isAdvised);
    expect(takeFaults()).toEqual([]);
  });

  test('whose pictures cannot be had shows initials in the owner’s colour', async () => {
    const { page, takeFaults } = await open();
    await page.goto(`${redirect.url}/cardbrokenpictures`);
    const boxes = page.locator('.ph');
    await until(async () => (await page.locator('.ph img').count()) === 0, 'the broken pictures are gone');
    expect(await boxes.count()).toBe(2);
    for (const box of await boxes.all()) expect((await box.boundingBox())!.height).toBeGreaterThan(60);
    expect(await page.locator('.letters').isVisible()).toBe(true);
    expect(takeFaults()).toEqual([]);
  });
});

test.skipIf(chromium === null)(
  'a picture that cannot be had leaves no box: a drawn icon takes the place of a button’s own',
  async () => {
    const { page, takeFaults } = await open();
    await page.goto(`${redirect.url}/broken`);
    await until(async () => (await page.locator('.ph img').count()) === 0, 'the broken pictures are gone');
    expect(await page.locator('header .ph').count()).toBe(0);
    expect(await page.locator('.tile svg').isVisible()).toBe(true);
    expect(takeFaults()).toEqual([]);
  },
);

test.skipIf(chromium === null)(
  'a page kept by the browser and found unchanged keeps its style and its policy',
  async () => {
    // A window of its own: one whose pictures a test answers keeps nothing.
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    const statuses: number[] = [];
    const policies = new Set<string>();
    client.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
      const policy = headers['content-security-policy'] ?? headers['Content-Security-Policy'];
      if (policy === undefined) return;
      statuses.push(statusCode);
      policies.add(policy);
    });
    const looks = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      await page.goto(`${redirect.url}/plain`);
      looks.add(
        await page.evaluate<string>(
          `JSON.stringify([getComputedStyle(document.documentElement).backgroundColor, getComputedStyle(document.querySelector('h1')).fontSize])`,
        ),
      );
    }
    expect(statuses).toEqual([200, 304, 304]);
    expect(policies.size).toBe(1);
    expect([...looks]).toEqual([expect.not.stringContaining('rgba(0, 0, 0, 0)')]);
    expect(errors).toEqual([]);
    await context.close();
  },
);

// All sizes and levels of codes: libs/pages/src/qr. These are drawn by Chromium.
describe.skipIf(chromium === null)('a code', () => {
  const jsqr = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');

  /** What jsQR reads from a picture as Chromium draws it, on white. */
  async function read(type: string, bytes: Buffer): Promise<string | null> {
    const { page } = await open();
    await page.goto(elsewhere.origin);
    await page.evaluate(jsqr);
    return page.evaluate(
      async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const { naturalWidth: width, naturalHeight: height } = image;
        const drawing = new OffscreenCanvas(width, height).getContext('2d')!;
        drawing.fillStyle = '#fff';
        drawing.fillRect(0, 0, width, height);
        drawing.drawImage(image, 0, 0);
        const { data } = drawing.getImageData(0, 0, width, height);
        return (globalThis as unknown as { jsQR: JsQr }).jsQR(data, width, height)?.data ?? null;
      },
      `data:${type};base64,${bytes.toString('base64')}`,
    );
  }
  type JsQr = (data: Uint8ClampedArray, width: number, height: number) => { data: string } | null;

  test.each(['https://images.example/logo-bakery.png', 'https://images.example/missing.png'])(
    'with the logo %s is read',
    async (logoUrl) => {
      const symbol = encodeSymbol(qrAddress('https://sl.example.com', 'Bakery2026'), 'H');
      const [color, background] = [0, 255].map((value) => ({
        red: value,
        green: value,
        blue: value,
        alpha: 1,
      }));
      const drawn = { symbol, sizePx: 600, marginModules: 4, color: color!, background: background! };
      const { page } = await open();
      const svg = drawSvg(drawn, { title: 'Bakery', logoUrl });
      // In a page, as pictures in pictures are not fetched.
      await page.setContent(`<!doctype html><body style="margin:0">${svg}`, { waitUntil: 'load' });
      const picture = await page.locator('svg').screenshot();
      expect(await page.evaluate(() => document.elementFromPoint(300, 300)?.tagName)).toBe('image');
      expect(await read('image/png', picture)).toBe('HTTPS://SL.EXAMPLE.COM/Q/BAKERY2026');
    },
  );

  // The last test: it stops the service.
  test('is read as SVG and PNG; the visit to what was read arrives and is counted as a scan', async () => {
    const address = `${redirect.url}/q/poster`.toUpperCase();
    for (const format of ['svg', 'png']) {
      const response = await fetch(`${redirect.url}/-/qr/poster.${format}`);
      const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
      expect(await read(type, Buffer.from(await response.arrayBuffer()))).toBe(address);
    }
    const { page } = await open();
    await page.goto(address);
    expect(page.url()).toBe(`${elsewhere.origin}/arrived`);
    await untilDelivered(redirect, 1);
    expect(await redirect.stop()).toBe(0);
    const query = `select source, toString(count()) as visits from events final where slug = 'poster' group by source`;
    const sources = await selectEvents(trial.databases.clickhouseUrl, query);
    expect(sources).toEqual([{ source: 'scan', visits: '1' }]);
  });
});
