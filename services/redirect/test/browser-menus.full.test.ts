import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { menuSamples } from '@smartlink/pages/samples/menu-samples';
import type { PageSource } from '@smartlink/pages/site';
import { DESKTOP, PHONE } from '@smartlink/test-support/browser/open-browser';
import { trialSize } from '@smartlink/test-support/trial-size';
import { useSite } from './browser/use-site.js';

const MENUS = { menu: menuSamples['menu']!, large: menuSamples['menuLarge']! };
// All that a clipboard, an HTML parser or a selection is known to change: CR and CRLF, tabs, spaces at ends and between,
// direction marks, an unpaired mark, an empty last line or none, and what looks like markup.
const TEXTS = {
  lines:
    'first\r\nsecond\r\n\r\nlast\r\n' +
    '\tif (a)  {\n\t\treturn\t1;   \n   }  \n\n\n' +
    'const a = 1; \u202e// } \u2066if\u2069\nלא הפוך 12:30\n\u200bzero\u200d width\ufeff\n' +
    '<b>not bold</b> &amp; &lt;\n</pre><script>window.broken = 1</script>\n\n',
  cr: 'first\rsecond\r\rlast',
} as const;

const site = useSite(() => [
  ...Object.entries<PageSource>(MENUS).map(([slug, source]) => {
    if (source.type !== 'QrMenu') throw new Error(`${slug} is no menu`);
    return { slug, type: 'QrMenu' as const, content: source.page };
  }),
  ...Object.entries(TEXTS).map(([slug, text]) => ({
    slug,
    type: 'TxtBin' as const,
    content: { txtBin: { text } },
  })),
]);
const { chromium, redirect, elsewhere } = site;

async function open(slug: string, options: BrowserContextOptions = PHONE) {
  // Jumps are at once then.
  const opened = await site.open({ reducedMotion: 'reduce', ...options });
  await opened.page.goto(`${redirect.url}/${slug}`);
  return opened;
}

const shownItems = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.items > li:not([hidden]) h3')
    .evaluateAll((titles) =>
      titles.filter((title) => title.checkVisibility()).map(({ textContent }) => textContent),
    );

/** Whether nothing lies over the middle of what `locator` finds. */
const isUncovered = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
    return found !== null && (element === found || element.contains(found) || found.contains(element));
  });

describe.skipIf(chromium === null)('a menu', () => {
  test('is searched without accents, by names, descriptions and badges, and shows the number of results', async () => {
    const { page, takeFaults } = await open('menu');
    const all = (await shownItems(page)).length;
    const search = page.getByRole('searchbox');
    const status = page.locator('[data-menu-search] [role=status]');
    await search.fill('KABABI');
    expect(await shownItems(page)).toEqual(['Nərə balığı kababı']);
    expect(await status.innerText()).toBe('Found: 1');
    await search.fill('nere');
    expect(await shownItems(page)).toContain('Nərə balığı kababı');
    await search.fill('narşərab');
    expect(await shownItems(page)).toEqual(['Nərə balığı kababı']);
    await search.fill('no such dish');
    expect([await shownItems(page), await status.innerText()]).toEqual([[], 'Nothing found']);
    expect(await page.locator('main > section:visible').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search' }).click();
    expect((await shownItems(page)).length).toBe(all);
    expect(takeFaults()).toEqual([]);
  });

  const looks = [
    ['menu', PHONE],
    ['large', DESKTOP],
    ['menu', DESKTOP],
    ['large', PHONE],
  ] as const;
  test.each(looks.slice(0, trialSize(1, 4)))(
    '%s: a jump to a category marks its chip and hides no heading',
    async (slug, options) => {
      const { page, takeFaults } = await open(slug, options);
      const chips = page.locator('[data-menu-bar] a');
      const count = await chips.count();
      for (const index of [Math.floor(count / 2), count - 1, 1]) {
        const chip = chips.nth(index);
        await chip.evaluate((element) => {
          element.scrollIntoView({ block: 'nearest', inline: 'center' });
        });
        await chip.click();
        await page.waitForFunction(
          (at) => document.querySelectorAll('[data-menu-bar] a')[at]?.getAttribute('aria-current') === 'true',
          index,
        );
        expect(await page.locator('[data-menu-bar] a[aria-current]').count()).toBe(1);
        const heading = page.locator('main > section h2').nth(index);
        expect(await heading.evaluate((h2) => h2.parentElement!.id)).toBe(`c${index}`);
        const box = (await heading.boundingBox())!;
        expect([slug, index, box.y >= 0 && box.y + box.height < options.viewport.height]).toEqual([
          slug,
          index,
          true,
        ]);
        expect([slug, index, await isUncovered(heading)]).toEqual([slug, index, true]);
      }
      expect(takeFaults()).toEqual([]);
    },
  );

  test('opens an item over the page, and Back closes it where the visitor was', async () => {
    const { page, takeFaults } = await open('menu');
    const card = page.locator('.items > li', { hasText: 'Quzu tikə kabab' });
    await card.locator('summary').click();
    const before = await page.evaluate('scrollY');
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('Kömürdə bişirilir, 20–25 dəqiqə.');
    expect(await dialog.innerText()).toContain('sumax');
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    expect([page.url(), await page.evaluate('scrollY')]).toEqual([`${redirect.url}/menu`, before]);
    await card.locator('summary').click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await card.locator('summary').click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await card.locator('summary').evaluate((summary) => summary === document.activeElement)).toBe(
      true,
    );
    expect(takeFaults()).toEqual([]);
  });

  test('without script opens an item in its place and has no field that does nothing', async () => {
    const { page, takeFaults } = await open('menu', { ...PHONE, javaScriptEnabled: false });
    const card = page.locator('.items > li', { hasText: 'Quzu tikə kabab' });
    const height = (await card.boundingBox())!.height;
    await card.locator('summary').click();
    expect(await card.locator('details').getAttribute('open')).toBe('');
    expect((await card.boundingBox())!.height).toBeGreaterThan(height + 100);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    await page.locator('[data-menu-bar] a').nth(2).click();
    expect(await isUncovered(page.locator('main > section h2').nth(2))).toBe(true);
    expect(takeFaults()).toEqual([]);
  });
});

describe.skipIf(chromium === null)('a snippet', () => {
  /** Reads the clipboard on a page of another site: ours are not allowed to. */
  async function clipboard(context: BrowserContext): Promise<string> {
    const page = await context.newPage();
    await page.goto(elsewhere.origin);
    await page.bringToFront();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await page.close();
    return text;
  }

  test.each(Object.entries(TEXTS))('with %s is copied to the last character', async (slug, text) => {
    const { context, page, takeFaults } = await open(slug);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.locator('header [role=status]:not(:empty)').waitFor();
    expect(await page.locator('header [role=status]').innerText()).toBe('Copied');
    expect(await clipboard(context)).toBe(text);
    await page.bringToFront();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('#text code'))`);
    await page.keyboard.press('ControlOrMeta+c');
    expect(await clipboard(context)).toBe(text);
    expect(takeFaults()).toEqual([]);
  });

  test('tints the line that its address names', async () => {
    const { page } = await open('lines#L2');
    expect(await page.locator('#text .at, #text :target').innerText()).toContain('second');
  });
});
