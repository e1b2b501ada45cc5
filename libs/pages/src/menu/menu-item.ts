import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import { isVisible, ownerText } from '../parts/owner-text.js';
import type { PriceFormat } from './price.js';
import { variantsOf } from './shown-menu.js';
import type { MenuItem } from './shown-menu.js';

export type MenuItemOptions = {
  readonly context: PageContext;
  readonly prices: PriceFormat;
  /** Whether an item without a photo has a tile where the others have theirs. */
  readonly hasTiles: boolean;
};

/** What a card shows before it is opened; the style cuts the description at two lines. */
const BADGES_SHOWN_MAX = 4;
const DESCRIPTION_SHOWN_LENGTH_MAX = 80;

/**
 * Returns an item's card. It is as lean as it can be, a menu has up to 2,000 of them: no ids, one `dir` for all of it,
 * and what is to be seen of an opened item is what stands there already (the style shows it).
 */
export function menuItem(item: MenuItem, { context, prices, hasTiles }: MenuItemOptions): Html {
  const { name, description = '', badges = [] } = item;
  const variants = variantsOf(item);
  const photo = context.image(item.imageLink, { box: 'p' });
  const price = variants.length === 0 ? prices.price(item.price) : prices.from(item.price);
  const heading = markup`<h3>${name}</h3>`;
  const space = photo === null || hasTiles ? null : BESIDE_PHOTO;
  return markup`<li${space} ${ownerText(`${name} ${description}`)}>${
    hasMore(item) ? markup`<details><summary>${heading}</summary></details>` : heading
  }<bdi>${price}</bdi>${
    badges.length === 0
      ? null
      : chips(
          'b',
          badges.map((badge) => markup`<li>${badge}</li>`),
        )
  }${isVisible(description) ? markup`<p>${description}</p>` : null}${
    variants.length === 0
      ? null
      : chips(
          'v',
          variants.map(
            (variant) => markup`<li>${variant.label} <bdi>${prices.price(variant.price)}</bdi></li>`,
          ),
        )
  }${photo ?? (hasTiles ? NO_PHOTO : null)}</li>
`;
}

/** Returns whether a card does not show all there is of its item, so that it can be opened. */
export function hasMore(item: MenuItem): boolean {
  const { imageLink, description = '', badges = [] } = item;
  return (
    imageLink !== undefined ||
    variantsOf(item).length > 0 ||
    badges.length > BADGES_SHOWN_MAX ||
    description.length > DESCRIPTION_SHOWN_LENGTH_MAX ||
    description.includes('\n')
  );
}

const BESIDE_PHOTO = markup` class="f"`;
const NO_PHOTO = markup`<span class="ph p"></span>`;

// VoiceOver takes a list without marks for no list unless it is said.
function chips(kind: 'b' | 'v', list: readonly Html[]): Html {
  return markup`<ul class="${kind}" role="list">${list}</ul>`;
}
