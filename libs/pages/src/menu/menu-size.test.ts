import { expect, test } from 'vitest';
import { renderPage } from '../render-page.js';
import { compressPage, type PageSource } from '../site.js';
import { TEST_SITE } from '../test-site.js';

const KIB = 1024;

/**
 * A menu that compresses worse than real ones: photos on all items, descriptions of 85 characters on 80 %, three sizes
 * on 25 %, in 1,459 made-up words drawn at random (a generator that always begins alike).
 */
function menuOf(categoryCount: number, itemsEach: number): PageSource {
  let seed = 20_260_101;
  const next = (limit: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return Math.floor((seed / 2_147_483_647) * limit);
  };
  const letter = (letters: string): string => letters.charAt(next(letters.length));
  const lexicon = Array.from({ length: 1459 }, () =>
    Array.from({ length: 2 + next(3) }, () => letter('bcdfghklmnprstvz') + letter('aeiouəıü')).join(''),
  );
  const text = (length: number): string => {
    let words = '';
    while (words.length < length) words += `${lexicon[next(lexicon.length)] ?? ''} `;
    return words.slice(0, length).trim();
  };
  const categories = Array.from({ length: categoryCount }, () => ({
    name: text(14),
    items: Array.from({ length: itemsEach }, (_, index) => {
      const price = 2 + next(600) / 10;
      const id = next(2 ** 31).toString(16) + next(2 ** 20).toString(16);
      return {
        name: text(18),
        ...(index % 5 === 0 ? {} : { description: text(85) }),
        price,
        ...(index % 4 === 0
          ? {
              variants: [
                { label: 'Kiçik', price },
                { label: 'Orta', price: price + 1.5 + next(4) },
                { label: 'Böyük', price: price + 6 + next(4) },
              ],
            }
          : {}),
        imageLink: `https://images.example.com/menu/${id}.webp`,
        active: true,
      };
    }),
  }));
  const qrMenu = { title: text(20), description: text(85), currency: '₼', categories };
  return { slug: 'menu', type: 'QrMenu', page: { qrMenu } };
}

function measure(source: PageSource): { kib: number; items: number } {
  const started = performance.now();
  const html = renderPage(source, 'own', 'az', TEST_SITE)?.html ?? '';
  const renderMs = performance.now() - started;
  const kib = compressPage(html).brotli.length / KIB;
  const items = html.match(/<h3>/g)?.length ?? 0;
  process.stdout.write(
    `${items} items: ${Math.round(Buffer.byteLength(html) / KIB)} KiB, ${kib.toFixed(1)} by brotli, in ${renderMs.toFixed(0)} ms\n`,
  );
  return { kib, items };
}

test('a menu of 80 items is no larger than 20 KiB', () => {
  const { kib, items } = measure(menuOf(8, 10));
  expect(items).toBe(80);
  expect(kib).toBeLessThanOrEqual(20);
});

test('a menu of 2,000 items is no larger than 150 KiB', () => {
  const { kib, items } = measure(menuOf(100, 20));
  expect(items).toBe(2000);
  expect(kib).toBeLessThanOrEqual(150);
});
