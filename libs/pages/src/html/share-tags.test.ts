import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SHARE_IMAGE_HEIGHT_PX, SHARE_IMAGE_KINDS, SHARE_IMAGE_WIDTH_PX } from '../site.js';
import { TEST_SITE } from '../test-site.js';
import { cutAtWord, type ShareCard, shareTags } from './document.js';

const OG = 'https://images.example/og.jpg';
const LOGO = 'https://images.example/logo.png';

function tags(card: Partial<ShareCard>): string {
  return shareTags({
    site: TEST_SITE,
    slug: 'Sale',
    title: 'Summer sale',
    description: 'Half the price',
    images: [],
    kind: 'menu',
    hasLargeImage: false,
    ...card,
  }).toString();
}

function content(html: string, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1];
}

test('the tags have a fixed order, and each attribute is quoted', () => {
  expect(tags({})).toBe(`<meta name="description" content="Half the price">
<meta property="og:type" content="website">
<meta property="og:title" content="Summer sale">
<meta property="og:description" content="Half the price">
<meta property="og:url" content="https://sl.example.com/Sale">
<meta property="og:image" content="https://sl.example.com/-/assets/og-menu.png">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary">
<link rel="canonical" href="https://sl.example.com/Sale">
`);
});

test("the best of the owner's pictures is taken, without a guess at its size or type", () => {
  const html = tags({ images: [undefined, OG, LOGO] });
  expect(content(html, 'og:image')).toBe(OG);
  expect(html).not.toContain('og:image:');
});

test.each([
  'http://images.example/og.jpg',
  'https://images.example/og.svg',
  'https://images.example/og.SVG?v=2',
  'https://images.example/og.svgz#top',
  'data:image/png;base64,AA==',
])('%s, which previews do not show, is passed over', (url) => {
  expect(content(tags({ images: [url, LOGO] }), 'og:image')).toBe(LOGO);
  expect(content(tags({ images: [url] }), 'og:image')).toBe('https://sl.example.com/-/assets/og-menu.png');
});

test('a picture is not taken for an SVG by its parameters or its host', () => {
  for (const url of ['https://a.example/og.png?from=logo.svg', 'https://a.example/og.svg.png']) {
    expect(content(tags({ images: [url] }), 'og:image')).toBe(url);
  }
});

test('only a picture that is meant to be large is shown large', () => {
  const type = (card: Partial<ShareCard>): string | undefined => content(tags(card), 'twitter:card');
  expect(type({ images: [OG, LOGO], hasLargeImage: true })).toBe('summary_large_image');
  expect(type({ images: [undefined, LOGO], hasLargeImage: false })).toBe('summary');
  expect(type({ images: ['https://a.example/og.svg', LOGO], hasLargeImage: true })).toBe('summary');
  expect(type({ images: ['http://a.example/og.jpg'], hasLargeImage: true })).toBe('summary');
});

test('a description is never empty for previews, and is not made up for search engines', () => {
  for (const description of [undefined, '', ' \n ']) {
    const html = tags({ description });
    expect(content(html, 'og:description')).toBe('sl.example.com/Sale');
    expect(content(html, 'description')).toBeUndefined();
  }
});

test('titles end at 65 characters and descriptions at 160', () => {
  const html = tags({ title: 'ab '.repeat(30), description: 'ab '.repeat(60) });
  expect(content(html, 'og:title')).toHaveLength(63);
  expect(content(html, 'og:description')).toHaveLength(159);
});

test("the owner's words cannot leave their attribute", () => {
  const html = tags({
    title: '"><script>alert(1)</script>',
    description: `' onload='x" y`,
    images: ['https://images.example/"><script>.png'],
  });
  expect(html).not.toContain('<script');
  expect(content(html, 'og:title')).toBe('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(content(html, 'og:description')).toBe('&#39; onload=&#39;x&quot; y');
});

test.each([
  ['fits as it is', 13, 'fits as it is'],
  ['white \n\t space  is\u00a0folded ', 30, 'white space is folded'],
  ['cut behind a word', 12, 'cut behind…'],
  ['cut behind a word', 11, 'cut behind…'],
  ['cut behind a word', 10, 'cut behin…'],
  ['donaudampfschiff', 10, 'donaudamp…'],
  ['a donaudampfschiff', 10, 'a donauda…'],
  ['😀😀😀😀😀😀', 4, '😀😀😀…'],
])('%j in %i characters is %j', (text, lengthMax, cut) => {
  expect(cutAtWord(text, lengthMax)).toBe(cut);
});

test.each(SHARE_IMAGE_KINDS)('the default picture for %s has the size in its tags, and is small', (kind) => {
  const png = readFileSync(new URL(`../../share-images/og-${kind}.png`, import.meta.url));
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([SHARE_IMAGE_WIDTH_PX, SHARE_IMAGE_HEIGHT_PX]);
  expect(png.length).toBeLessThanOrEqual(40 * 1024);
});
