import { isVisible } from '../parts/owner-text.js';
import { variantsOf } from './shown-menu.js';
import type { MenuItem, MenuSection } from './shown-menu.js';

/** The lengths that sections are taken to have are multiples of it, so that a menu needs few of them. */
export const HEIGHT_STEP_PX = 50;

/**
 * Returns about how high a section is on a phone, in steps of HEIGHT_STEP_PX, one at least. Browsers take it for the
 * sections that they have not laid out yet. A jump lands too far by what it is too much, and that hides the heading in
 * engines without scroll anchoring (measured in WebKit: 67 to 428 px with one height for all), so it is low on purpose.
 */
export function sectionHeightSteps({ items }: MenuSection, isGrid: boolean): number {
  const itemsPx = items.reduce((sum, item) => sum + (isGrid ? tileHeightPx(item) / 2 : rowHeightPx(item)), 0);
  return Math.max(1, Math.floor((itemsPx * LOW_SHARE) / HEIGHT_STEP_PX));
}

const LOW_SHARE = 0.9;

// Of the style, at 390 px: lines of 23 px, 96 px photos, 12 px between cards, 26 px of padding and border.
const LINE_PX = 23;
const PHOTO_PX = 96;
const CHIP_LINE_PX = 38;
const CARD_PX = 38;
const TILE_PHOTO_PX = 130;

function rowHeightPx(item: MenuItem): number {
  const hasPhoto = item.imageLink !== undefined;
  const textPx = textHeightPx(item, hasPhoto ? 26 : 40);
  return Math.max(textPx, hasPhoto ? PHOTO_PX : 0) + CARD_PX;
}

function tileHeightPx(item: MenuItem): number {
  return textHeightPx(item, 17) + TILE_PHOTO_PX + CARD_PX;
}

function textHeightPx(item: MenuItem, lineLength: number): number {
  const chipsLength = variantsOf(item).reduce((sum, { label }) => sum + label.length + 10, 0);
  const lines =
    Math.ceil(item.name.length / lineLength) +
    1 +
    (isVisible(item.description) ? Math.min(2, Math.ceil(item.description.length / lineLength)) : 0);
  const chipLines = Math.ceil(chipsLength / lineLength) + ((item.badges?.length ?? 0) > 0 ? 1 : 0);
  return lines * LINE_PX + chipLines * CHIP_LINE_PX;
}
