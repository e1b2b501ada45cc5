import { expect, test } from 'vitest';
import { compressPage, type PageSourceOf } from '../site.js';
import { renderTestPage } from '../test-site.js';
import { initialsOf } from './digi-card-page.js';

type CardPage = PageSourceOf<'DigiCard'>['page'];

function pageOf(page: CardPage, openGraph: { title?: string; description?: string } = {}) {
  return renderTestPage({ slug: 'leyla', type: 'DigiCard', page, openGraph });
}

function jsonLdOf(html: string): { mainEntity: object } {
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? 'none';
  return JSON.parse(json) as { mainEntity: object };
}

const textOf = (html: string | undefined) => html?.replace(/<[^>]*>/g, '');
const headingOf = (html: string) => textOf(/<h1>(.*?)<\/h1>/.exec(html)?.[1]);

const LEYLA = { title: 'Leyla Əliyeva', jobTitle: 'Architect', company: 'Xəzər Studio' };
const BUTTONS = [
  { title: 'Mobile', link: 'tel:+994505550134' },
  { title: 'Chat', link: 'https://wa.me/994505550134' },
  { title: 'E-mail', link: 'mailto:leyla@example.org?subject=Hi' },
  { title: 'Studio', link: 'https://maps.example/?q=28+May+Street', preset: 'location' },
  { title: 'Profile', link: 'https://www.social.example/leyla/', preset: 'social' },
] as const;

test('shows name, job, save button and rows in this order', () => {
  const { html } = pageOf({ digiCard: LEYLA, digiCardButtons: BUTTONS });
  const parts = [
    'Leyla Əliyeva</bdi></h1>',
    'class="role"',
    'href="/-/card/leyla.vcf"',
    ...BUTTONS.map(({ title }) => `<bdi>${title}</bdi></a>`),
  ];
  const places = parts.map((part) => html.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(textOf(/<p class="role">.*<\/p>/.exec(html)?.[0])).toBe('Architect · Xəzər Studio');
});

test('a row shows the number, address or site of its link once', () => {
  const { html } = pageOf({
    digiCard: {},
    digiCardButtons: [...BUTTONS, { title: 'a@example.org', link: 'mailto:a@example.org' }],
  });
  const values = [...html.matchAll(/<li class="row">.*?<\/li>/g)].map(([row]) =>
    textOf(/<small>.*<\/small>/.exec(row)?.[0]),
  );
  expect(values).toEqual([
    '+994 50 555 01 34',
    '+994 50 555 01 34',
    'leyla@example.org',
    '28 May Street',
    'social.example/leyla',
    undefined,
  ]);
});

test.each([
  [{ digiCard: { ...LEYLA, title: ' ' } }, { title: 'Our team' }, 'Our team'],
  [{ digiCard: { company: 'Narin Bakery' } }, undefined, 'Narin Bakery'],
  [{ digiCard: {} }, undefined, 'Card'],
])('a card without a title has another heading: %j', (page, openGraph, heading) => {
  expect(headingOf(pageOf(page, openGraph).html)).toBe(heading);
});

test('a card without pictures has initials and no band; one with a photo has a band behind it', () => {
  const bodyOf = (digiCard: CardPage['digiCard']) => pageOf({ digiCard }).html.split('<body>')[1] ?? '';
  const lettersOf = (html: string) => /data-letters="(.*?)"/.exec(html)?.[1];
  const bare = bodyOf({ ...LEYLA, themeColor: '#123456' });
  expect(bare).not.toContain('class="band');
  expect(lettersOf(bare)).toBe('LƏ');
  expect(bodyOf({ title: 'A', logoLink: 'https://a.example/photo' })).toContain('<div class="band plain">');
  expect(bodyOf({ title: 'A', bgLink: 'https://a.example/band' })).toContain('class="ph band plain"');
  // Below the photo, where it shows if the photo cannot be loaded.
  expect(bodyOf({ ...LEYLA, logoLink: 'https://a.example/photo' })).toMatch(
    /<img [^>]*><span class="letters"/,
  );
  expect(lettersOf(bodyOf({ company: 'Narin Bakery' }))).toBe('NB');
  expect(lettersOf(bodyOf({}))).toBeUndefined();
});

test.each([
  ['Leyla Aliyeva', 'LA'],
  ['Prof. Dr. María de los Ángeles', 'MÁ'],
  ['J. Smith', 'JS'],
  ['ilqar əliyev', 'İƏ'],
  ['ليلى عبد الرحمن', 'ل'],
  ['王小明', '王'],
  ['Dr.', 'D'],
  ['7 Seas & Co', '7C'],
  ['<b>', ''],
  ['☕', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('the note for visitors inside an app is hidden until the script finds one', () => {
  expect(pageOf({ digiCard: LEYLA }).html).toMatch(/<p class="help[^>]* data-in-app hidden>Not opening/);
});

test('a company in the heading is not repeated', () => {
  expect(pageOf({ digiCard: { company: 'Narin Bakery' } }).html).not.toContain('class="role"');
});

test('the save button has the words of its owner or a default', () => {
  const labelOf = (html: string) => textOf(/<a class="btn save.*<\/a>/.exec(html)?.[0]);
  expect(labelOf(pageOf({ digiCard: { ctaText: 'Keep <me>' } }).html)).toBe('Keep &lt;me&gt;');
  expect(labelOf(pageOf({ digiCard: { ctaText: ' ' } }).html)).toBe('Save contact');
});

test('escapes markup, and links no forbidden address', () => {
  const evil = `"><script>alert(1)</script>'`;
  const { html } = pageOf({
    digiCard: {
      title: evil,
      jobTitle: evil,
      company: `${evil}2`,
      ctaText: evil,
      logoLink: `https://a/${evil}`,
    },
    digiCardButtons: [
      { title: evil, link: 'javascript:alert(1)' },
      { title: evil, link: `https://a.example/${evil}` },
    ],
  });
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toContain('alert(1)</script>');
  expect(html).not.toContain('javascript:');
});

test('is not indexed; JSON-LD has neither number nor mail address of a person', () => {
  const page = pageOf({ digiCard: LEYLA, digiCardButtons: BUTTONS });
  expect(page.isIndexed).toBe(false);
  expect(page.html).toContain('<meta name="robots" content="noindex">');
  expect(jsonLdOf(page.html)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    mainEntity: {
      '@type': 'Person',
      name: 'Leyla Əliyeva',
      jobTitle: 'Architect',
      worksFor: { '@type': 'Organization', name: 'Xəzər Studio' },
      sameAs: ['https://www.social.example/leyla/'],
    },
  });
});

test('a card without a person is an organization', () => {
  const logoLink = 'https://images.example/logo.png';
  const { html } = pageOf({ digiCard: { company: 'Narin Bakery', logoLink } });
  expect(jsonLdOf(html).mainEntity).toEqual({
    '@type': 'Organization',
    name: 'Narin Bakery',
    logo: logoLink,
  });
});

test('an organization is named after its company, not after its preview', () => {
  const { html } = pageOf({ digiCard: { company: 'Narin Bakery' } }, { title: 'Fresh bread every day' });
  expect(jsonLdOf(html).mainEntity).toEqual({ '@type': 'Organization', name: 'Narin Bakery' });
});

test('Arabic words mirror the card, but not numbers', () => {
  const { html } = pageOf({
    digiCard: { title: 'ليلى عبد الرحمن' },
    digiCardButtons: [{ title: 'الهاتف', link: 'tel:+97145550134' }],
  });
  expect(html).toContain('<main dir="rtl">');
  expect(html).toContain('<bdi dir="ltr">+971 4555 0134</bdi>');
});

const HUNDRED = Array.from({ length: 100 }, (_, index) => ({
  title: `Project ${String(index)}`,
  link: `https://projects.example/${String(index)}`,
}));

test('a card takes few bytes, also with a hundred buttons', () => {
  const card = { ...LEYLA, logoLink: 'https://a.example/a', bgLink: 'https://a.example/b' };
  for (const digiCardButtons of [BUTTONS, HUNDRED]) {
    const { html } = pageOf({ digiCard: card, digiCardButtons });
    expect(compressPage(html).brotli.length).toBeLessThan(5_000);
  }
});
