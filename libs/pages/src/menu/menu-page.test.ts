import { expect, test } from 'vitest';
import type { Page } from '../site.js';
import { renderTestPage } from '../test-site.js';
import type { Language } from '../words/words.js';

const PHOTO = 'https://images.example/a.jpg';

function item(name: string, more: object = {}) {
  return { name, price: 1, active: true, ...more };
}

function render(categories: object[], more: object = {}, language: Language = 'en'): Page {
  const qrMenu = { currency: '₼', categories, ...more };
  return renderTestPage({ slug: 'cafe', type: 'QrMenu', page: { qrMenu } }, 'own', language);
}

const one = (...items: object[]): object[] => [{ name: 'Food', items }];
/** The texts of a menu by element. */
const textOf = (html: string): string[] =>
  [...html.slice(html.indexOf('<main'), html.indexOf('</main>')).matchAll(/>([^<>\n]+)</g)].map((match) =>
    (match[1] ?? '').trim(),
  );
const ldOf = (html: string): { hasMenuSection: { hasMenuItem?: Record<string, unknown>[] }[] } =>
  JSON.parse(/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '') as never;

test('sorts by position, omits inactive items and empty categories, and formats prices', () => {
  const { html } = render([
    { name: 'last', items: [item('x')] },
    {
      name: 'second',
      position: 2,
      items: [item('b', { position: 5 }), item('c'), item('a', { position: -1 })],
    },
    { name: 'tie', position: 2, items: [item('sold out', { active: false }), item('on')] },
    { name: 'all off', position: 0, items: [item('sold out', { active: false })] },
    { name: 'hollow', position: 0, items: [] },
    {
      name: 'first',
      position: -1.5,
      items: [
        item('from', {
          price: 12.5,
          variants: [
            { label: 'Small', price: 12.5 },
            { label: 'Large', price: 1e12 },
          ],
        }),
        item('free', { price: 0, variants: [] }),
      ],
    },
  ]);
  expect(textOf(html)).toEqual([
    ...'first from from\u00a0₼12.50 Small ₼12.50 Large ₼1,000,000,000,000.00 free ₼0.00'.split(' '),
    ...['second', 'a', '₼1.00', 'b', '₼1.00', 'c', '₼1.00', 'tie', 'on', '₼1.00', 'last', 'x', '₼1.00'],
  ]);
  const links = [...html.matchAll(/<a href="#(c\d)"[^>]*>([^<]+)</g)].map(
    (match) => `${match[1]} ${match[2]}`,
  );
  expect(links).toEqual(['c0 first', 'c1 second', 'c2 tie', 'c3 last']);
  // JSON-LD included.
  for (const name of ['all off', 'hollow', 'sold out']) expect(html).not.toContain(name);
});

test('the decimals of hidden prices do not count', () => {
  expect(render(one(item('a', { price: 5 }), item('b', { price: 0.5, active: false }))).html).toContain(
    '₼5<',
  );
});

test('a card can be opened if it is cut, and repeats nothing', () => {
  const opens = (more: object): boolean => {
    const { html } = render(one(item('Soup', more)));
    expect(html.includes('<dialog')).toBe(html.includes('<summary>'));
    return html.includes('<summary><h3>Soup</h3>');
  };
  expect(opens({})).toBe(false);
  expect(opens({ description: 'd'.repeat(80), badges: ['a', 'b', 'c', 'd'] })).toBe(false);
  expect(opens({ description: 'd'.repeat(81) })).toBe(true);
  expect(opens({ description: 'two\nlines' })).toBe(true);
  expect(opens({ badges: ['a', 'b', 'c', 'd', 'e'] })).toBe(true);
  expect(opens({ imageLink: PHOTO })).toBe(true);
  expect(opens({ variants: [{ label: 'S', price: 1 }] })).toBe(true);
  const main = /<main[\s\S]*<\/main>/.exec(
    render(one(item('Soup', { imageLink: PHOTO, description: 'Hot and sour', badges: ['vegan'] }))).html,
  )?.[0];
  for (const part of ['Soup', PHOTO, 'Hot and sour', 'vegan']) expect(main?.split(part)).toHaveLength(2);
});

test("an owner's words are escaped everywhere", () => {
  const evil = `</script><img src=x onerror="a()">'&`;
  const { html } = render(
    [
      {
        name: evil,
        items: [item(evil, { description: evil, badges: [evil], variants: [{ label: evil, price: 1 }] })],
      },
      { name: 'b', items: [item('b', { imageLink: `https://a.example/"><script>` })] },
    ],
    { title: evil, description: evil, currency: '"<b>\'' },
  );
  expect(html).not.toMatch(/<img src=x|<b>|<script>/);
  expect(html.match(/<\/script>/g)).toHaveLength(2);
});

test('one category has no bar, a short menu no search, an empty one a sentence', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => item(`Dish ${index}`));
  expect(render(one(...items(3))).html).not.toMatch(/<nav|<search/);
  expect(render([...one(...items(9)), ...one(...items(10))]).html).toMatch(/<nav(?![\s\S]*<search)/);
  expect(render(one(...items(20))).html).toMatch(/<search [^>]*hidden>/);
  const empty = render(one(item('off', { active: false })));
  expect(empty.html).toContain('Nothing here yet');
  expect(empty.html).toContain('Tell the staff about any allergy.');
  expect(empty.html).not.toMatch(/<section|<dialog/);
});

test.each([
  [undefined, '<p>Tell the staff about any allergy.</p>'],
  ['Service is not included.', '<p><span dir="auto">Service is not included.</span></p>'],
  ['Без глютена: <спросите>', '<p><span dir="auto" lang="ru">Без глютена: &lt;спросите&gt;</span></p>'],
  ['', ''],
  [' ', ''],
])('the line below the menu is the fixed one, the owner’s, or none: %j', (footnote, line) => {
  const { html } = render([], footnote === undefined ? {} : { footnote });
  const footer = html.slice(html.indexOf('<footer>'));
  expect(footer).toBe(
    `<footer>\n${line}${line === '' ? '' : '\n'}<p class="address">https://sl.example.com/cafe</p>\n</footer>\n</body>\n</html>\n`,
  );
});

test('photos and layout decide how items are arranged', () => {
  const kind = (items: object[], more: object = {}) =>
    /<main[^>]*class="(\w+)"/.exec(render(one(...items), more).html)?.[1];
  const [photo, bare] = [item('a', { imageLink: PHOTO }), item('b')];
  expect(kind([photo, bare])).toBe('cards');
  expect(kind([photo, bare], { layout: 'Grid' })).toBe('tiles');
  expect(kind([bare], { layout: 'Grid' })).toBe('lines');
  // Only a grid has placeholders for photos.
  expect(render(one(photo, bare), { layout: 'Grid' }).html).toContain('<span class="ph p"><i></i></span>');
  expect(render(one(photo, bare)).html).not.toContain('<i></i>');
});

test('more than 150 items are laid out lazily, with an estimated height per category', () => {
  const category = (name: string, count: number) => ({
    name,
    items: Array.from({ length: count }, (_, index) => item(`Dish ${index}`, { imageLink: PHOTO })),
  });
  expect(render([category('a', 100), category('b', 50)]).html).not.toContain('content-visibility:auto');
  const { html } = render([category('a', 100), category('b', 51)]);
  expect(html).toContain('content-visibility:auto');
  const classes = [...html.matchAll(/<section id="c\d" class="(h\d+)"/g)].map((match) => match[1]);
  // 100 cards of 128 px and gaps of 12 px are 14,000 px high; the estimate is a little less.
  const [first, second] = classes.map((name) => Number(name?.slice(1)) * 50);
  expect(first).toBeGreaterThan(11_000);
  expect(first).toBeLessThan(14_000);
  expect(second).toBeLessThan(first!);
  for (const name of classes) expect(html).toContain(`.${name}{--h:${name?.slice(1)}}`);
});

test('search engines may index the menu; JSON-LD of a long one has no items', () => {
  const page = render(
    one(
      item('Tea', { price: 2, variants: [{ label: 'Pot', price: 7 }] }),
      item('Soup', { description: 'Hot' }),
    ),
  );
  expect(page.isIndexed).toBe(true);
  expect(ldOf(page.html)).toMatchObject({
    '@type': 'Menu',
    name: 'Menu',
    url: 'https://sl.example.com/cafe',
    hasMenuSection: [
      {
        name: 'Food',
        hasMenuItem: [
          { name: 'Tea', offers: [{ name: 'Pot', price: 7, priceCurrency: 'AZN' }] },
          { name: 'Soup', description: 'Hot', offers: [{ price: 1, priceCurrency: 'AZN' }] },
        ],
      },
    ],
  });
  const many = (count: number) => one(...Array.from({ length: count }, () => item('Dish')));
  expect(ldOf(render(many(100)).html).hasMenuSection[0]?.hasMenuItem).toHaveLength(100);
  expect(ldOf(render(many(101)).html).hasMenuSection[0]?.hasMenuItem).toBeUndefined();
  expect(render(many(1), { currency: '$' }).html).not.toContain('priceCurrency');
});

test('previews show the cover large, or the logo', () => {
  const [cover, logo] = ['https://images.example/cover.jpg', 'https://images.example/logo.jpg'];
  const both = render([], { coverLink: cover, logoLink: logo }).html;
  expect(both).toContain(`<meta property="og:image" content="${cover}">`);
  expect(both).toContain('content="summary_large_image"');
  expect(render([], { logoLink: logo }).html).toContain(`<meta property="og:image" content="${logo}">`);
  expect(render([], { logoLink: logo }).html).toContain('content="summary"');
});
