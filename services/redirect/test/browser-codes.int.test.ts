import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ERROR_CORRECTIONS, drawSvg, encodeSymbol, qrAddress } from '@smartlink/pages/qr-code';
import { openContext } from './browser/open-browser.js';
import { useSite } from './browser/use-site.js';
import { selectEvents } from './serve.js';
import { untilDelivered } from './start-redirect.js';

const JSQR = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');
const SIZES_PX = [256, 512, 1024, 2048];
// The longest slug there may be, and so the finest code.
const LONG_SLUG = 'A1b2C3d4E5f6G7h8'.repeat(4);
const BLACK = { red: 0, green: 0, blue: 0, alpha: 1 };
const WHITE = { red: 255, green: 255, blue: 255, alpha: 1 };
const LOGO = 'https://images.example/logo-bakery.png';

const { chromium, trial, redirect, elsewhere, browser } = useSite(
  (origin) => ['Poster', LONG_SLUG].map((slug) => ({ slug, url: `${origin}/arrived` })),
  { clickhouse: 'own' },
);
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  if (chromium === null) return;
  context = await openContext(browser, [redirect.url, elsewhere.origin]);
  page = await context.newPage();
  await page.goto(elsewhere.origin);
  await page.evaluate(JSQR);
});

type Read = { readonly text: string | null; readonly width: number; readonly height: number };

/** Returns what jsQR reads from a picture as Chromium draws it, on white, and how large that is. */
async function read(type: string, bytes: Buffer): Promise<Read> {
  return page.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const { naturalWidth: width, naturalHeight: height } = image;
      const canvas = new OffscreenCanvas(width, height);
      const drawing = canvas.getContext('2d')!;
      drawing.fillStyle = '#fff';
      drawing.fillRect(0, 0, width, height);
      drawing.drawImage(image, 0, 0);
      const { data } = drawing.getImageData(0, 0, width, height);
      const found = (globalThis as unknown as { jsQR: JsQr }).jsQR(data, width, height);
      return { text: found?.data ?? null, width, height };
    },
    `data:${type};base64,${bytes.toString('base64')}`,
  );
}

type JsQr = (data: Uint8ClampedArray, width: number, height: number) => { data: string } | null;

async function fetchCode(path: string): Promise<{ type: string; bytes: Buffer }> {
  const response = await fetch(`${redirect.url}/-/qr/${path}`);
  expect([path, response.status]).toEqual([path, 200]);
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

test.skipIf(chromium === null).each(['Poster', LONG_SLUG])(
  'the code of %s is read from what Chromium draws, at every level and size',
  async (slug) => {
    const address = `${redirect.url}/q/${slug}`.toUpperCase();
    const expectRead = async (path: string, mediaType: string, sizePx: number) => {
      const { type, bytes } = await fetchCode(`${slug}.${path}`);
      expect(type).toContain(mediaType);
      expect([path, await read(type, bytes)]).toEqual([
        path,
        { text: address, width: sizePx, height: sizePx },
      ]);
    };
    for (const ecc of ERROR_CORRECTIONS) await expectRead(`svg?ecc=${ecc}`, 'image/svg+xml', 512);
    for (const size of SIZES_PX) await expectRead(`png?ecc=M&size=${size}`, 'image/png', size);
  },
);

test.skipIf(chromium === null)('who visits what was read arrives, and is counted as a scan', async () => {
  const { type, bytes } = await fetchCode('poster.png');
  const { text } = await read(type, bytes);
  const visitor = await context.newPage();
  await visitor.goto(text!);
  expect(visitor.url()).toBe(`${elsewhere.origin}/arrived`);
  await visitor.close();
  await untilDelivered(redirect, 1);
  expect(await redirect.stop()).toBe(0);
  const query = `select source, toString(count()) as visits from events final where slug ilike 'poster' group by source`;
  expect(await selectEvents(trial.databases.clickhouseUrl, query)).toEqual([{ source: 'scan', visits: '1' }]);
});

test.skipIf(chromium === null).each([
  ['with a logo', LOGO, 'Q'],
  ['with a logo', LOGO, 'H'],
  ['without one', null, 'Q'],
  ['with a logo that cannot be had', 'https://images.example/missing.png', 'H'],
] as const)('an owner’s code %s is read: %s, level %s', async (_, logoUrl, ecc) => {
  const address = qrAddress('https://sl.example.com', 'Bakery2026');
  const svg = drawSvg(
    {
      symbol: encodeSymbol(address, ecc),
      sizePx: 600,
      marginModules: 4,
      color: BLACK,
      background: WHITE,
    },
    { title: 'Bakery', logoUrl },
  );
  const shown = await context.newPage();
  // In a page, as pictures in pictures are not fetched.
  await shown.setContent(`<!doctype html><body style="margin:0">${svg}`, { waitUntil: 'load' });
  const picture = await shown.locator('svg').screenshot();
  const middle = await shown.evaluate(() => document.elementFromPoint(300, 300)?.tagName ?? '');
  await shown.close();
  expect(middle === 'image').toBe(logoUrl !== null);
  expect(await read('image/png', picture)).toEqual({
    text: 'HTTPS://SL.EXAMPLE.COM/Q/BAKERY2026',
    width: 600,
    height: 600,
  });
});
