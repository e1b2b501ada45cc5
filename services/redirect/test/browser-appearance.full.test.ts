import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { renderPage } from '@smartlink/pages/render-page';
import { cardSamples } from '@smartlink/pages/samples/card-samples';
import { landingSamples } from '@smartlink/pages/samples/landing-samples';
import { menuSamples } from '@smartlink/pages/samples/menu-samples';
import { tagSamples } from '@smartlink/pages/samples/tag-samples';
import type { PageAppearance, PageSource } from '@smartlink/pages/site';
import { openBrowser, openContext, PHONE } from '@smartlink/test-support/browser/open-browser';
import { findWithAxe } from '@smartlink/test-support/browser/page-checks';
import { trialSize } from '@smartlink/test-support/trial-size';

const chromium = inject('chromium');
const ORIGIN = 'https://sl.example.com';
const SITE = {
  publicBaseUrl: ORIGIN,
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: () => '/-/assets/og.png',
};
const KINDS: readonly (readonly [string, PageSource])[] = [
  ['Landing', landingSamples['landing']!],
  ['QRTag', tagSamples['tag']!],
  ['DigiCard', cardSamples['card-no-pictures']!],
  ['QrMenu', menuSamples['menuNoPhotos']!],
];
// Bright, dark and grey ones; the pages' own are in browser-pages.
const COLORS = ['#ffc83d', '#123456', '#808080'];
const STYLES = ['filled', 'outline', 'soft'] as const;
const BACKGROUNDS = ['plain', 'tint', 'gradient'] as const;
// In short each style, background and colour once.
const MIXES = STYLES.flatMap((buttonStyle, style) =>
  BACKGROUNDS.map((background) => ({ buttonStyle, background })).filter(
    (_, ground) => ground === style || trialSize(false, true),
  ),
);

let browser: Browser;
let page: Page;
let shown: { readonly html: string; readonly policy: string };

beforeAll(async () => {
  if (chromium === null) return;
  browser = await openBrowser(chromium);
  // A colour is read as it is in the end, not in between.
  const context = await openContext(browser, [ORIGIN], { ...PHONE, reducedMotion: 'reduce' });
  page = await context.newPage();
  await page.route(`${ORIGIN}/**`, (route) =>
    route.request().resourceType() === 'document'
      ? route.fulfill({
          contentType: 'text/html',
          headers: { 'Content-Security-Policy': shown.policy },
          body: shown.html,
        })
      : route.fulfill({ status: 204 }),
  );
});
afterAll(() => browser?.close());

async function show(source: PageSource, appearance: PageAppearance, themeColor?: string): Promise<void> {
  const colored = JSON.parse(JSON.stringify({ ...source, appearance }), (key, value: unknown) =>
    ['landing', 'qrTag', 'digiCard', 'qrMenu'].includes(key) && themeColor !== undefined
      ? { ...(value as object), themeColor }
      : value,
  ) as PageSource;
  shown = renderPage(colored, 'own', 'en', SITE)!;
  await page.goto(`${ORIGIN}/page`);
}

const styleOf = (selector: string, names: readonly string[]) =>
  page.evaluate(
    ([one, wanted]) => {
      const style = getComputedStyle(document.querySelector(one)!);
      return wanted.map((name) => style.getPropertyValue(name));
    },
    [selector, names] as const,
  );

describe.skipIf(chromium === null).each(KINDS)('a %s', (type, source) => {
  test(
    'is legible in each mix of button style and background, light and dark',
    { timeout: 120_000 },
    async () => {
      const found: string[] = [];
      for (const [index, mix] of MIXES.entries()) {
        await show(source, mix, COLORS[index % COLORS.length]);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          // axe judges no text on a gradient: each of its ends is shown as the whole page.
          for (const ground of mix.background === 'gradient' ? ['--wash', '--bg'] : [null]) {
            if (ground !== null)
              await page.evaluate((name) => {
                document.documentElement.style.setProperty('background', `var(${name})`);
              }, ground);
            const counts = { critical: 0, serious: 0, moderate: 0, minor: 0 };
            const faults = await findWithAxe(page, counts);
            found.push(...faults.map((fault) => `${JSON.stringify(mix)} ${colorScheme} ${ground}: ${fault}`));
          }
        }
      }
      expect(found).toEqual([]);
    },
  );

  test('has the background that was chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    const backgroundOf = async (appearance: PageAppearance) => {
      await show(source, appearance);
      return (await styleOf('html', ['background-color', 'background-image'])).join(' ');
    };
    expect(await backgroundOf({ background: 'plain' })).toBe('rgb(255, 255, 255) none');
    const tint = await backgroundOf({});
    expect(tint).toMatch(/^rgb\((?!255, 255, 255)[\d, ]+\) none$/);
    const [color] = tint.split(' none');
    expect(await backgroundOf({ background: 'gradient' })).toContain(`${color} linear-gradient(rgb(`);
  });

  test('is printed in its default look', async () => {
    await show(source, { buttonStyle: 'soft', buttonShape: 'square', background: 'gradient' });
    await page.emulateMedia({ media: 'print' });
    expect(await styleOf('html', ['background-image'])).toEqual(['none']);
    await page.emulateMedia({ media: 'screen' });
  });

  test('has the buttons that were chosen', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    const isMenu = type === 'QrMenu';
    const button = isMenu ? 'nav a' : type === 'DigiCard' ? '.save' : '.btn';
    const radiusOf = async (buttonShape: PageAppearance['buttonShape']) => {
      await show(source, { buttonShape });
      return (await styleOf(button, ['border-top-left-radius']))[0];
    };
    expect(await radiusOf('rounded')).toBe(isMenu ? '999px' : '14px');
    expect(await radiusOf('pill')).toBe(isMenu ? '999px' : '32px');
    expect(await radiusOf('square')).toBe('0px');
    const fillOf = async (buttonStyle: PageAppearance['buttonStyle']) => {
      await show(source, { buttonStyle });
      // As its script marks the category in view.
      if (isMenu)
        await page.evaluate(() => {
          document.querySelector('nav a')!.setAttribute('aria-current', 'true');
        });
      const [fill, color] = await styleOf(button, ['background-color', 'color']);
      return { fill, color };
    };
    const fills = [await fillOf('filled'), await fillOf('outline'), await fillOf('soft')];
    expect(fills[1]!.fill).toBe('rgba(0, 0, 0, 0)');
    expect(new Set(fills.map(({ fill }) => fill)).size).toBe(3);
    expect(fills[1]!.color).not.toBe(fills[0]!.color);
  });
});
