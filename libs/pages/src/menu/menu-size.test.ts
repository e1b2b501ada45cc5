import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { renderPage } from '../render-page.js';
import { compressPage, type PageSource } from '../site.js';
import { TEST_SITE } from '../test-site.js';

/**
 * A menu that compresses worse than real ones: photos on all items, descriptions of 14 words on 80 %, three sizes on
 * 25 %, words drawn from 1,459 random ones.
 */
function menuOf(categoryCount: number, itemsEach: number): PageSource {
  const random = createRandom(20_260_101);
  const lexicon = Array.from({ length: 1_459 }, () => random(36 ** 5).toString(36));
  const text = (words: number) =>
    Array.from({ length: words }, () => lexicon[random(lexicon.length)]).join(' ');
  const categories = Array.from({ length: categoryCount }, () => ({
    name: text(2),
    items: Array.from({ length: itemsEach }, (_, index) => {
      const price = 2 + random(600) / 10;
      const sizes = ['Kiçik', 'Orta', 'Böyük'].map((label, size) => ({ label, price: price + 3 * size }));
      return {
        name: text(3),
        ...(index % 5 === 0 ? {} : { description: text(14) }),
        price,
        ...(index % 4 === 0 ? { variants: sizes } : {}),
        imageLink: `https://images.example.com/menu/${random(2 ** 31).toString(16)}.webp`,
        active: true,
      };
    }),
  }));
  const qrMenu = { title: text(3), description: text(14), currency: '₼', categories };
  return { slug: 'menu', type: 'QrMenu', page: { qrMenu } };
}

test.each([
  [8, 10, 20],
  [100, 20, 150],
])('a menu of %i categories with %i items each takes at most %i KiB', (categoryCount, itemsEach, kibMax) => {
  const html = renderPage(menuOf(categoryCount, itemsEach), 'own', 'az', TEST_SITE)?.html ?? '';
  expect(html.match(/<h3>/g)).toHaveLength(categoryCount * itemsEach);
  const { length } = compressPage(html).brotli;
  expect(length).toBeLessThanOrEqual(kibMax * 1_024);
  // Otherwise the menu is no longer harder to compress than real ones.
  expect(length).toBeGreaterThan(kibMax * 1_024 * 0.6);
});
