import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createClient } from '@clickhouse/client';
import { drawSvg } from '@smartlink/qr-code/draw-svg';
import { qrAddress } from '@smartlink/qr-code/qr-address';
import { ERROR_CORRECTIONS, encodeSymbol } from '@smartlink/qr-code/qr-symbol';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startElsewhere } from './browser/elsewhere.js';
import type { Elsewhere } from './browser/elsewhere.js';
import { openBrowser, openContext } from './browser/open-browser.js';
import { startSite } from './browser/start-site.js';
import { untilDelivered } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

const JSQR = readFileSync(createRequire(import.meta.url).resolve('jsqr'), 'utf8');
const SIZES_PX = [256, 512, 1024, 2048];
// The longest slug there may be, and so the finest code.
const LONG_SLUG = 'A1b2C3d4E5f6G7h8'.repeat(4);
const BLACK = { red: 0, green: 0, blue: 0, alpha: 1 };
const WHITE = { red: 255, green: 255, blue: 255, alpha: 1 };
const LOGO = 'https://images.example/logo-bakery.png';

const chromium = inject('chromium');
let trial: Trial;
let redirect: Redirect;
let elsewhere: Elsewhere;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  if (chromium === null) return;
  trial = await openTrial();
  elsewhere = await startElsewhere();
  redirect = await startSite(trial.databases);
  for (const slug of ['Poster', LONG_SLUG]) {
    await trial.links.insert({ slug, url: `${elsewhere.origin}/arrived` });
  }
  browser = await openBrowser(chromium);
  context = await openContext(browser, [redirect.url, elsewhere.origin]);
  page = await context.newPage();
  await page.goto(elsewhere.origin);
  await page.evaluate(JSQR);
});

afterAll(async () => {
  if (chromium === null) return;
  await browser.close();
  await redirect.stop();
  await elsewhere.close();
  await trial.close();
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
    let count = 0;
    for (const ecc of ERROR_CORRECTIONS) {
      const svg = await fetchCode(`${slug}.svg?ecc=${ecc}`);
      expect([ecc, await read(svg.type, svg.bytes)]).toEqual([
        ecc,
        { text: address, width: 512, height: 512 },
      ]);
      for (const size of SIZES_PX) {
        const png = await fetchCode(`${slug}.png?ecc=${ecc}&size=${size}`);
        expect(png.type).toBe('image/png');
        expect([ecc, await read(png.type, png.bytes)]).toEqual([
          ecc,
          { text: address, width: size, height: size },
        ]);
      }
      count += 1 + SIZES_PX.length;
    }
    process.stdout.write(`${count} codes of ${address} read\n`);
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
  expect(await countedVisits()).toEqual([{ source: 'scan', visits: '1' }]);
});

async function countedVisits(): Promise<unknown> {
  const client = createClient({ url: trial.databases.clickhouseUrl });
  try {
    const result = await client.query({
      query: `select source, toString(count()) as visits from events final where slug ilike 'poster' group by source`,
      format: 'JSONEachRow',
    });
    return await result.json();
  } finally {
    await client.close();
  }
}

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
