import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { SYSTEM_PAGES, passwordErrorPage, systemPage } from '../src/link/system-page.js';
import { renderPage } from '../src/render-page.js';
import { type Page, PAGE_VIEWS, type PageSource } from '../src/site.js';
import { TEST_SITE } from '../src/test-site.js';
import type { Language } from '../src/words/words.js';

const SITE = { ...TEST_SITE, abuseContactUrl: 'mailto:abuse@sl.example.com' };
const LANGUAGES: readonly Language[] = trialSize(['en'], ['en', 'ru', 'az', 'tr']);
// The validator takes seconds for one of these.
const LARGE = ['menuLarge', 'text-many-lines', 'text-minified', 'landing-hundred', 'card-hundred-buttons'];

type Samples = Readonly<Record<string, PageSource>>;

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Titles are the owner's, and a number is shown and copied as its owner wrote it.
    'long-title': 'off',
    'tel-non-breaking': 'off',
    // VoiceOver announces a list without markers as a list only if its role is given.
    'no-redundant-role': 'off',
    'void-style': 'off',
    'doctype-style': 'off',
  },
});

const HOSTILE = {
  slug: 'Docs',
  type: 'QRTag',
  page: {
    qrTag: { title: '<b>"' },
    qrTagButtons: [
      { title: 'Two', link: 'javascript:alert(1)', preset: 'calendar' },
      { title: '<three>', link: 'https://a.example/?a=1&b="2"' },
    ],
  },
} as unknown as PageSource;

test.each(['app', 'card', 'landing', 'link', 'menu', 'tag', 'text'])(
  'pages of %s samples are valid HTML',
  async (kind) => {
    const file = path.join(import.meta.dirname, `samples/${kind}-samples.ts`);
    const module = (await import(/* @vite-ignore */ file)) as Record<string, Samples>;
    const samples = { ...module[`${kind}Samples`], ...(kind === 'tag' ? { HOSTILE } : {}) };
    const views = ['app', 'link'].includes(kind) ? PAGE_VIEWS : (['own'] as const);
    const pages = LANGUAGES.flatMap((language) =>
      Object.entries(samples)
        .filter(([name]) => trialSize(!LARGE.includes(name), true))
        .flatMap(([, source]) => views.map((view) => renderPage(source, view, language, SITE))),
    );
    await expectValid(pages.filter((page) => page !== null));
  },
  120_000,
);

test('system pages are valid HTML', async () => {
  const pages = LANGUAGES.flatMap((language) => [
    ...SYSTEM_PAGES.map((name) => systemPage(name, language, SITE, 5)),
    ...(['wrong', 'too-many', 'busy'] as const).map((error) =>
      passwordErrorPage({ slug: 'Sale', error, waitSeconds: 60 }, language, SITE),
    ),
  ]);
  await expectValid(pages);
});

async function expectValid(pages: readonly Page[]): Promise<void> {
  expect(pages.length).toBeGreaterThan(4);
  for (const { html } of pages) {
    const { results } = await validator.validateString(html);
    const faults = results.flatMap(({ messages }) =>
      messages.map((each) => `${each.ruleId}: ${each.message}`),
    );
    expect(faults, html).toEqual([]);
  }
}
