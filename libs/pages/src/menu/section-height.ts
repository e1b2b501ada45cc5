import { isVisible } from '../parts/owner-text.js';
import { variantsOf } from './shown-menu.js';
import type { MenuItem, MenuLook, MenuSection } from './shown-menu.js';

/** The lengths that sections are taken to have are multiples of it, so that a menu needs few of them. */
export const HEIGHT_STEP_PX = 50;

/**
 * Returns about how high a section is on a phone, in steps of HEIGHT_STEP_PX, one at least. Browsers take it for the
 * sections that they have not laid out yet. A jump lands too far by what it is too much, and that hides the heading in
 * engines without scroll anchoring (measured in WebKit: 67 to 428 px with one height for all), so it is low on purpose.
 */
export function sectionHeightSteps({ items }: MenuSection, look: MenuLook): number {
  const heightPx = ITEM_HEIGHT_PX[look];
  const itemsPx = items.reduce((sum, item) => sum + heightPx(item), 0);
  return Math.max(1, Math.floor((itemsPx * LOW_SHARE) / HEIGHT_STEP_PX));
}

const LOW_SHARE = 0.9;

// Of the style, at 390 px: lines of 23 px, 96 px photos, 12 px between cards, 26 px of padding and border.
const LINE_PX = 23;
const PHOTO_PX = 96;
const CHIP_LINE_PX = 38;
const CARD_PX = 38;
const TILE_PHOTO_PX = 130;
const TILES_ABREAST = 2;

const ITEM_HEIGHT_PX: Readonly<Record<MenuLook, (item: MenuItem) => number>> = {
  cards: (item) => {
    const hasPhoto = item.imageLink !== undefined;
    const textPx = LINE_PX + textHeightPx(item, hasPhoto ? 26 : 40);
    return Math.max(textPx, hasPhoto ? PHOTO_PX : 0) + CARD_PX;
  },
  tiles: (item) => (LINE_PX + textHeightPx(item, 17) + TILE_PHOTO_PX + CARD_PX) / TILES_ABREAST,
  // The price stands beside the name.
  lines: (item) => textHeightPx(item, 40) + 25,
};

/** How high a section is on a larger screen, as a share of what it is on a phone: there are more columns. */
export const WIDE_SHARES: Readonly<
  Record<MenuLook, readonly (readonly [widthMinPx: number, share: number])[]>
> = {
  cards: [
    [768, 0.57],
    [1200, 0.5],
    [1600, 0.42],
  ],
  tiles: [
    [768, 0.8],
    [1200, 0.85],
    [1600, 0.47],
  ],
  lines: [
    [768, 0.75],
    [1200, 0.5],
    [1600, 0.45],
  ],
};

function textHeightPx(item: MenuItem, lineLength: number): number {
  const chipsLength = variantsOf(item).reduce((sum, { label }) => sum + label.length + 10, 0);
  const lines =
    Math.ceil(item.name.length / lineLength) +
    (isVisible(item.description) ? Math.min(2, Math.ceil(item.description.length / lineLength)) : 0);
  const chipLines = Math.ceil(chipsLength / lineLength) + ((item.badges?.length ?? 0) > 0 ? 1 : 0);
  return lines * LINE_PX + chipLines * CHIP_LINE_PX;
}
