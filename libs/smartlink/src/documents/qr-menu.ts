import { z } from 'zod';
import { destination, finiteNumber, flag, list, numberFromZero, optional, withDefault } from '../fields.js';
import { multiLineText, oneLineText } from '../text.js';
import { commonShape, member } from './every-type.js';
import type { DocumentOptions } from './every-type.js';
import { layout, theme, themeColor } from './page-fields.js';

// decisions.md, Sizes.
const CATEGORIES_MAX = 100;
const ITEMS_MAX = 500;
const VARIANTS_MAX = 20;
const BADGES_MAX = 20;
const BADGE_LENGTH_MAX = 32;
const PRICE_MAX = 1e12;

/** QrMenu: a restaurant's menu of categories, items and their sizes. */
export function qrMenuSchema(options: DocumentOptions) {
  return z.object({
    ...commonShape(options, ['QrMenu']),
    qrMenu: member({
      title: optional(oneLineText(128)),
      description: optional(multiLineText(256)),
      logoLink: optional(destination(options)),
      coverLink: optional(destination(options)),
      themeColor: optional(themeColor()),
      theme: optional(theme()),
      layout: optional(layout()),
      currency: withDefault(oneLineText(8), '₼').meta({ description: 'What stands beside prices.' }),
      categories: withDefault(list(categorySchema(options), CATEGORIES_MAX), []),
    }),
  });
}

function categorySchema(options: DocumentOptions) {
  return member({
    name: oneLineText(64, 'required'),
    position: position(),
    items: withDefault(list(itemSchema(options), ITEMS_MAX), []),
  });
}

function itemSchema(options: DocumentOptions) {
  return member({
    name: oneLineText(128, 'required'),
    description: optional(multiLineText(512)),
    price: numberFromZero(PRICE_MAX).meta({ description: 'With variants the lowest price.' }),
    variants: optional(
      list(member({ label: oneLineText(64, 'required'), price: numberFromZero(PRICE_MAX) }), VARIANTS_MAX),
    ),
    imageLink: optional(destination(options)),
    badges: optional(list(oneLineText(BADGE_LENGTH_MAX, 'required'), BADGES_MAX)),
    position: position(),
    active: withDefault(flag(), true).meta({ description: 'Whether the menu shows it.' }),
  });
}

function position() {
  return optional(finiteNumber().meta({ description: 'Shown in ascending order; without one, last.' }));
}
