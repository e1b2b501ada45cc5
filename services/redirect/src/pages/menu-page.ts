import type { OpenGraph, PageContent } from '@smartlink/smartlink/snapshot';
import type { Page } from '../reply.js';
import { markup } from './html.js';
import type { Html } from './html.js';
import { hostedLayout } from './layout.js';
import { NOTHING_YET, byPosition, firstVisible, heading, image, paragraph } from './owner-content.js';

type Menu = Extract<PageContent, { type: 'QrMenu' }>['page']['qrMenu'];
type Category = Menu['categories'][number];
type Item = Category['items'][number];

/** Returns the page of a QrMenu: what can be ordered, category by category. */
export function menuPage({ qrMenu }: { qrMenu: Menu }, openGraph: OpenGraph | undefined): Page {
  const title = firstVisible(qrMenu.title, openGraph?.title, 'Menu');
  const sections = byPosition(qrMenu.categories)
    .map((category) => section(category, qrMenu.currency))
    .filter((part) => part !== null);
  const main = markup`${image(qrMenu.coverLink, 'photo')}${heading({ ...qrMenu, title })}
${sections.length === 0 ? NOTHING_YET : sections}`;
  return hostedLayout({ title, main });
}

/** Returns a category with its active items, nothing when it has none. */
function section(category: Category, currency: string): Html | null {
  const items = byPosition(category.items).filter((item) => item.active);
  if (items.length === 0) return null;
  return markup`<section>
<h2>${category.name}</h2>
<ul class="items" role="list">
${items.map((item) => menuItem(item, currency))}</ul>
</section>
`;
}

function menuItem(item: Item, currency: string): Html {
  const variants = item.variants ?? [];
  // With variants the item's own price is the lowest of them (management-api.md, Item).
  const from = variants.length === 0 ? '' : 'from ';
  return markup`<li>
<h3>${item.name}</h3>
<p class="price">${from}${formatPrice(item.price, currency)}</p>
${paragraph(item.description)}${chips(variants.map(({ label, price }) => `${label} ${formatPrice(price, currency)}`))}${chips(item.badges ?? [])}${image(item.imageLink, 'photo')}</li>
`;
}

function chips(texts: readonly string[]): Html | null {
  if (texts.length === 0) return null;
  return markup`<ul class="chips" role="list">${texts.map((text) => markup`<li>${text}</li>`)}</ul>\n`;
}

/** Returns `12.50 ₼`: two decimals, a third where it is not 0, as currencies of a thousand parts have it. */
function formatPrice(price: number, currency: string): string {
  return `${price.toFixed(3).replace(/0$/, '')} ${currency}`.trimEnd();
}
