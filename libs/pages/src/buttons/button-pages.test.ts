import { expect, test } from 'vitest';
import { buttonHref } from '../html/button-link.js';
import { compressPage, type Page } from '../site.js';
import { renderTestPage } from '../test-site.js';

type Button = { title: string; link: string; iconUrl?: string; preset?: string; position?: number };
type Fields = Readonly<Record<string, string>>;

function landing(fields: Fields, landingButtons?: Button[], openGraph: Fields = {}): Page {
  return renderTestPage({
    type: 'Landing',
    openGraph,
    page: { landing: withDefaults(fields), landingButtons },
  });
}

function tag(fields: Fields, qrTagButtons?: Button[], openGraph: Fields = {}): Page {
  return renderTestPage({ type: 'QRTag', openGraph, page: { qrTag: fields, qrTagButtons } });
}

const withDefaults = (fields: Fields) => ({ layout: 'List', theme: 'Auto', ...fields });

const KINDS = [
  ['Landing', landing],
  ['QRTag', tag],
] as const;

/** A page with all texts and addresses of its kind. */
const filled = (
  make: typeof landing,
  text: (field: string) => string,
  link: (field: string) => string,
): Page =>
  make(
    {
      title: text('title'),
      description: text('description'),
      logoLink: link('logo'),
      themeColor: text('color'),
    },
    [
      {
        title: text('button'),
        link: link('button'),
        iconUrl: link('icon'),
        preset: text('preset'),
        position: 1,
      },
    ],
    { title: text('shared'), description: text('sharedDescription'), imageUrl: link('shared') },
  );

const bodyOf = ({ html }: Page) => html.slice(html.indexOf('<body>'));
const addresses = (html: string) =>
  [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map((match) => match[1] ?? '')
    .filter((address) => !address.startsWith('#i-'));
const labels = (page: Page) =>
  [...bodyOf(page).matchAll(/<span class="words"><bdi[^>]*>([^<]*)</g)].map((m) => m[1]);
const button = (title: string, position?: number): Button => ({
  title,
  link: 'https://a.example/',
  ...(position === undefined ? {} : { position }),
});
const brotliBytes = (text: string) => compressPage(text).brotli.length;

const unescape = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The tags of a page without the values of attributes. */
const skeleton = (html: string) =>
  (html.match(/<[^>]*>/g) ?? []).map((part) => part.replaceAll(/"[^"]*"/g, '""'));

test.each(KINDS)('%s shows its texts, pictures and buttons', (kind, make) => {
  const page = filled(
    make,
    (field) => `The ${field}`,
    (field) => `https://a.example/${field}`,
  );
  const body = bodyOf(page);
  expect([...new Set(body.match(/(?<=The )\w+/g))]).toEqual(['title', 'description', 'button']);
  expect(addresses(body)).toEqual(['logo', 'button', 'icon'].map((field) => `https://a.example/${field}`));
  expect(body).toContain(
    '<a class="btn" href="https://a.example/button" rel="noopener nofollow ugc" ping="/-/press/Docs/button:0">',
  );
  for (const picture of body.match(/<img [^>]*>/g) ?? [])
    expect(picture).toContain('referrerpolicy="no-referrer"');
  expect(page.isIndexed).toBe(true);
  expect(page.html).not.toContain('noindex');
  expect(page.html).toContain('<meta property="og:image" content="https://a.example/shared">');
  expect(page.html).toContain('<meta property="og:title" content="The shared">');
  expect(page.policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self' data: https:; /);
  expect(body.includes('<bdi dir="ltr">a.example</bdi>')).toBe(kind === 'QRTag');
});

test.each(KINDS)('%s escapes markup in every field', (_kind, make) => {
  const harmless = filled(
    make,
    (field) => `The ${field}`,
    (field) => `https://a.example/${field}`,
  );
  for (const payload of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '</title></style></script></main><svg onload=alert(1)>',
    '<!--',
    '&lt;script&gt;&#x3c;',
  ]) {
    const page = filled(
      make,
      (field) => `The ${field}${payload}`,
      (field) => `https://a.example/${field}?${payload}`,
    );
    expect(skeleton(page.html)).toEqual(skeleton(harmless.html));
    expect(unescape(bodyOf(page))).toContain(`The button${payload}`);
  }
});

test.each(KINDS)('%s shows a button with a forbidden address as text', (_kind, make) => {
  for (const link of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//a.example/',
    '/docs',
  ]) {
    const page = filled(
      make,
      (field) => `The ${field}`,
      () => link,
    );
    expect(addresses(page.html)).toEqual(['https://sl.example.com/Docs', '/favicon.ico']);
    expect(page.html).toContain('<p class="none"><bdi>The button</bdi></p>');
  }
});

test.each(['tel:+994501234567', 'mailto:a@a.example', 'sms:+1', 'geo:40.4,49.9', 'whatsapp://send?phone=1'])(
  'a button may hold %s, a picture may not',
  (link) => {
    const page = landing({ logoLink: link }, [{ title: 'B', link, iconUrl: link }]);
    expect(addresses(bodyOf(page))).toEqual([buttonHref(link)]);
  },
);

test('a page without a title uses that of its preview or a fixed word, and says if it is empty', () => {
  const titleOf = ({ html }: Page) =>
    [/<title>(.*)<\/title>/, /<h1[^>]*>(.*)<\/h1>/].map((p) => p.exec(html)?.[1]);
  for (const [, make] of KINDS) {
    expect(titleOf(make({ title: '  ' }))).toEqual(['Links', 'Links']);
    expect(titleOf(make({}, undefined, { title: 'P' }))).toEqual(['P', 'P']);
    expect(titleOf(make({ title: 'T' }, undefined, { title: 'P' }))).toEqual(['T', 'T']);
    expect(bodyOf(make({}, []))).toContain('Nothing here yet');
    expect(bodyOf(make({}))).not.toMatch(/<nav|<img|class="ph/);
  }
});

test('buttons of a QRTag are sorted by position, those of a Landing are not', () => {
  const buttons = [button('d'), button('c', 2), button('a', 0), button('b', 1), button('e')];
  expect(labels(tag({}, buttons)).join('')).toBe('abcde');
  expect(labels(landing({}, buttons)).join('')).toBe('dcabe');
});

test('a Landing has its owner’s layout, and a single button is never a tile', () => {
  const listClass = (layout: string, count: number) =>
    /<ul class="([^"]*)"/.exec(
      landing(
        { layout },
        Array.from({ length: count }, () => button('B')),
      ).html,
    )?.[1];
  expect(listClass('List', 3)).toBe('buttons');
  expect(listClass('Grid', 3)).toBe('buttons grid');
  expect(listClass('Grid', 4)).toBe('buttons grid pairs');
  expect(listClass('Grid', 1)).toBe('buttons');
});

test('a list of eight buttons or more has two columns on wide screens', () => {
  const styleOf = (count: number) =>
    landing(
      {},
      Array.from({ length: count }, () => button('B')),
    ).html;
  expect(styleOf(8)).toContain('.buttons{grid-template-columns:1fr 1fr}');
  expect(styleOf(7)).not.toContain('.buttons{grid-template-columns:1fr 1fr}');
});

test('only the marks and icons of a page are in it, and an icon for a picture that cannot be loaded', () => {
  const symbols = ({ html }: Page) => [...html.matchAll(/<symbol id="i-([\w-]+)"/g)].map((match) => match[1]);
  const instagram = { title: 'I', link: 'https://www.instagram.com/narin' };
  expect(symbols(landing({}, [instagram, instagram, button('B')]))).toEqual(['instagram', 'link']);
  const { html } = landing({}, [{ ...instagram, iconUrl: 'https://a.example/icon' }]);
  expect(html).toMatch(/<img [^>]*><svg class="i"[^>]*><use href="#i-instagram">/);
});

test('a Landing has its owner’s theme and colour, a QRTag the visitor’s theme', () => {
  const style = ({ html }: Page) => /<style>(.*)<\/style>/s.exec(html)?.[1] ?? '';
  expect(style(landing({ theme: 'Dark', themeColor: '#123456' }))).toMatch(
    /color-scheme:dark;.*--accent:#123456/,
  );
  expect(style(landing({ theme: 'Dark' }))).not.toContain('prefers-color-scheme');
  expect(style(tag({ themeColor: '#123456' }))).toContain('prefers-color-scheme:dark');
});

test('JSON-LD describes the page and is escaped', () => {
  const { html } = landing({ title: '</script><b>', description: 'D' });
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(JSON.parse(data)).toEqual({
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    name: '</script><b>',
    description: 'D',
    url: 'https://sl.example.com/Docs',
  });
});

test('words in a list keep their direction and language in a mirrored page', () => {
  const body = bodyOf(
    tag({ title: 'مخبز نارين' }, [button('اتصل بنا'), button('Instagram'), button('Şəki')]),
  );
  expect(body).toContain('<main dir="rtl">');
  expect(body).toContain('<bdi lang="ar">اتصل بنا</bdi>');
  expect(body).toContain('<bdi>Instagram</bdi>');
  expect(body).toContain('<bdi lang="az">Şəki</bdi>');
});

test('a page takes few bytes beside the words of its owner, also with a hundred buttons', () => {
  const words = (index: number, length: number) =>
    Array.from({ length }, (_, k) => ((index * 7919 + k * k * 104729 + k * 31) % 1296).toString(36))
      .join(' ')
      .slice(0, 256);
  const hundred = Array.from({ length: 100 }, (_, index) => ({
    title: words(index, 120),
    link: `https://a.example/${words(index, 4).replaceAll(' ', '')}`,
    iconUrl: `https://images.example/${String(index)}.png`,
  }));
  const own = brotliBytes(hundred.map(({ title, link }) => `${title}\n${link}\n`).join(''));
  for (const page of [landing({ layout: 'Grid' }, hundred), tag({}, hundred)]) {
    expect(brotliBytes(page.html) - own).toBeLessThan(6000);
  }
  const twelve = hundred.slice(0, 12).map(({ link }, index) => ({ title: `Button ${String(index)}`, link }));
  expect(brotliBytes(landing({}, twelve).html)).toBeLessThan(3500);
});

test('the marks of twelve services take less than 4 KB', () => {
  const hosts =
    'instagram facebook tiktok youtube linkedin snapchat pinterest reddit spotify github twitch etsy';
  const buttons = (address: (name: string) => string) =>
    hosts.split(' ').map((name) => ({ title: name, link: address(name) }));
  const marked = landing(
    {},
    buttons((name) => `https://${name}.${name === 'twitch' ? 'tv' : 'com'}/a`),
  );
  const plain = landing(
    {},
    buttons((name) => `https://${name}.example/a`),
  );
  expect(marked.html.match(/<symbol /g)).toHaveLength(12);
  expect(brotliBytes(marked.html) - brotliBytes(plain.html)).toBeLessThan(4_096);
});
