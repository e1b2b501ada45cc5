import type { FromJson, PageSourceOf } from '../page-source.js';
import { byPosition } from '../parts/owner-text.js';

export type Menu = PageSourceOf<'QrMenu'>['page']['qrMenu'];
type Category = Menu['categories'][number];
export type MenuItem = FromJson<Category['items'][number]>;

/** A category as the page shows it: it has an item at least. */
export type MenuSection = { readonly name: string; readonly items: readonly MenuItem[] };

/**
 * Returns what is shown of a menu: categories and items by position, without items that are switched off and without
 * the categories that have no others.
 */
export function shownSections(menu: Menu): readonly MenuSection[] {
  return byPosition(menu.categories)
    .map(({ name, items }) => ({ name, items: byPosition(items).filter((item) => item.active) }))
    .filter(({ items }) => items.length > 0);
}

/** How items stand: a list with photos, a grid with photos, or a menu without any, which looks like a printed one. */
export type MenuLook = 'cards' | 'tiles' | 'lines';

/** Returns how the items of a menu stand, by its layout and by whether an item has a photo. */
export function lookOf(menu: Menu, sections: readonly MenuSection[]): MenuLook {
  const hasPhotos = sections.some(({ items }) => items.some(({ imageLink }) => imageLink !== undefined));
  if (!hasPhotos) return 'lines';
  return menu.layout === 'Grid' ? 'tiles' : 'cards';
}

/** Returns the sizes of an item; no list and an empty one mean that it has one price. */
export function variantsOf(item: MenuItem): NonNullable<MenuItem['variants']> {
  return item.variants ?? [];
}
