import type { PageContent } from '@smartlink/smartlink/snapshot';
import { expect, test } from 'vitest';
import { menuPage } from './menu-page.js';

type Content = Extract<PageContent, { type: 'QrMenu' }>['page'];

const render = (categories: object[]): string =>
  menuPage({ qrMenu: { currency: '₼', categories } } as unknown as Content, undefined).html.toString();

test('a menu stands by position, without what is inactive or empty, with its prices as text', () => {
  const item = (name: string, more: object = {}) => ({ name, price: 1, active: true, ...more });
  const categories = [
    { name: 'last', items: [item('x')] },
    {
      name: 'second',
      position: 2,
      items: [item('b', { position: 5 }), item('c'), item('a', { position: -1 })],
    },
    { name: 'tie', position: 2, items: [item('off', { active: false }), item('on')] },
    { name: 'all off', position: 0, items: [item('hidden', { active: false })] },
    { name: 'empty', position: 0, items: [] },
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
        item('sum', { price: 0.1 + 0.2 }),
        item('dinar', { price: 1.125 }),
        item('free', { price: 0 }),
      ],
    },
  ];
  const html = render(categories);
  const shown = [...html.matchAll(/<(?:h2|h3|p class="price"|li)>([^<\n]+)</g)].map((match) => match[1]);
  expect(shown).toEqual([
    ...['first', 'from', 'from 12.50 ₼', 'Small 12.50 ₼', 'Large 1000000000000.00 ₼'],
    ...['sum', '0.30 ₼', 'dinar', '1.125 ₼', 'free', '0.00 ₼'],
    ...['second', 'a', '1.00 ₼', 'b', '1.00 ₼', 'c', '1.00 ₼'],
    ...['tie', 'on', '1.00 ₼', 'last', 'x', '1.00 ₼'],
  ]);
});

test('2,000 items with pictures and sizes are drawn', () => {
  const items = Array.from({ length: 500 }, (_, i) => ({
    name: `Item ${i}`,
    description: 'd'.repeat(85),
    price: i,
    variants: [
      { label: 'S', price: 1 },
      { label: 'L', price: 2 },
    ],
    badges: ['vegan'],
    imageLink: `https://a.example/${i}.webp`,
    active: true,
  }));
  const categories = ['a', 'b', 'c', 'd'].map((name) => ({ name, items }));
  const started = performance.now();
  const menu = render(categories);
  const menuMs = performance.now() - started;
  process.stdout.write(`2,000 items: ${menu.length} characters in ${menuMs.toFixed(0)} ms\n`);
  expect(menu.match(/<h3>/g)).toHaveLength(2_000);
});
