import { expect, test } from 'vitest';
import { buttonsOf } from '../src/presses.js';
import { renderPage } from '../src/render-page.js';
import type { PageSource } from '../src/site.js';
import { TEST_SITE } from '../src/test-site.js';
import { appSamples } from './samples/app-samples.js';
import { cardSamples } from './samples/card-samples.js';
import { landingSamples } from './samples/landing-samples.js';
import { menuSamples } from './samples/menu-samples.js';
import { tagSamples } from './samples/tag-samples.js';
import { textSamples } from './samples/text-samples.js';

const SAMPLES: readonly PageSource[] = [
  ...[appSamples, cardSamples, landingSamples, menuSamples, tagSamples, textSamples].flatMap((samples) =>
    Object.values(samples),
  ),
  tagOf(['javascript:alert(1)', 'https://a.example/', 'tel:+994501234567']),
];

function tagOf(links: readonly string[]): PageSource {
  const qrTagButtons = links.map((link, index) => ({ title: link, link, position: -index }));
  return { slug: 'tag', type: 'QRTag', page: { qrTag: {}, qrTagButtons } };
}

test('the buttons whose presses count are exactly those that a page reports, by their place in the stored list', () => {
  let reported = 0;
  for (const source of SAMPLES) {
    const { html = '', policy = '' } = renderPage(source, 'own', 'en', TEST_SITE) ?? {};
    const pings = [...html.matchAll(/<a [^>]*ping="([^"]*)"/g)].map((match) => match[1] ?? '');
    const isReached = source.type !== 'App' || source.storeLinks.fallBackLink === undefined;
    const expected = isReached ? buttonsOf(source).map((id) => `/-/press/${source.slug}/${id}`) : pings;
    expect(pings.toSorted(), source.slug).toEqual(expected.toSorted());
    expect(policy.includes("connect-src 'self'")).toBe(pings.length > 0);
    if (pings.length > 0) expect(html).toContain('<script src="/-/assets/p.js" defer>');
    reported += pings.length;
  }
  expect(reported).toBeGreaterThan(100);
});

test('a button keeps its name wherever it stands in the page, and a forbidden address has none', () => {
  const source = tagOf(['javascript:alert(1)', 'https://a.example/', 'tel:+994501234567']);
  expect(buttonsOf(source)).toEqual(['button:1', 'button:2']);
  const html = renderPage(source, 'own', 'en', TEST_SITE)?.html ?? '';
  expect(html).toMatch(/href="tel:\+994501234567"[^>]* ping="\/-\/press\/tag\/button:2"/);
});

test('pages of drafts report nothing, and previews of links have no buttons', () => {
  for (const source of SAMPLES) {
    const drafted = renderPage(source, 'own', 'en', { ...TEST_SITE, isForDrafts: true });
    const preview = renderPage(source, 'preview', 'en', TEST_SITE);
    for (const page of [drafted, preview]) {
      expect(page?.html).not.toContain('ping=');
      expect(page?.policy).not.toContain('connect-src');
    }
  }
});
