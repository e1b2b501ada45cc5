import { documentOf, openGraphCard } from '../html/document.js';
import { type Html, keepPhoneNumbers, markup } from '../html/markup.js';
import { isVisible, ownerText, pageDirection, pageTitle } from '../html/owner-text.js';
import type { PageContext } from '../html/page-context.js';
import type { Page, PageSourceOf } from '../site.js';
import { appearanceCss } from '../theme/appearance-css.js';
import { themeCss } from '../theme/theme-css.js';
import {
  deferredStyle,
  lookOf,
  type Menu,
  MENU_STYLE,
  type MenuItem,
  type MenuLook,
  type MenuSection,
  sectionHeightSteps,
  shownSections,
  variantsOf,
} from './menu-layout.js';
import { currencyCode, priceFormat, type PriceFormat } from './price.js';

// With fewer everything is laid out at once, so that every jump is exact in every engine (measured).
const UNDEFERRED_ITEMS_MAX = 150;

/** The page of a QrMenu: all that can be ordered, category by category, in one document. */
export function menuPage(source: PageSourceOf<'QrMenu'>, context: PageContext): Page {
  const { site, words } = context;
  const address = `${site.publicBaseUrl}/${source.slug}`;
  const menu = source.page.qrMenu;
  const sections = shownSections(menu);
  const itemCount = sections.reduce((sum, { items }) => sum + items.length, 0);
  const look = lookOf(menu, sections);
  const heights =
    itemCount > UNDEFERRED_ITEMS_MAX ? sections.map((section) => sectionHeightSteps(section, look)) : [];
  const title = pageTitle(source, words);
  const share = openGraphCard(source, context, {
    title,
    description: menu.description,
    images: [menu.coverLink, menu.logoLink],
    hasLargeImage: menu.coverLink !== undefined,
    kind: 'menu',
  });
  return documentOf(context, {
    title,
    share,
    isIndexed: true,
    theme: themeCss(menu.themeColor, menu.theme ?? 'Auto', { appearance: source.appearance }),
    style: MENU_STYLE + deferredStyle(heights, look) + appearanceCss(source.appearance, 'categories'),
    jsonLd: menuJsonLd(
      { name: title, description: share.description, url: address },
      sections,
      menu.currency,
    ),
    body: body({ menu, title, sections, look, heights, itemCount }, context),
    footer: markup`${footnote(menu, words.allergy)}<p class="address">${address}</p>
`,
  });
}

/** The line below the menu: the owner's or, where it has none, `fixed`; null if the owner wants none. */
function footnote({ footnote: text }: Menu, fixed: string): Html | null {
  if (text === undefined) return markup`<p>${fixed}</p>\n`;
  // A span, because a paragraph with a direction of its own is not centred.
  return isVisible(text) ? markup`<p><span ${ownerText(text)}>${keepPhoneNumbers(text)}</span></p>\n` : null;
}

type Content = {
  readonly menu: Menu;
  readonly title: string;
  readonly sections: readonly MenuSection[];
  readonly look: MenuLook;
  /** One for each section, or none when all are laid out at once. */
  readonly heights: readonly number[];
  readonly itemCount: number;
};

function body({ menu, title, sections, look, heights, itemCount }: Content, context: PageContext): Html {
  const { words } = context;
  const head = header(menu, title, context);
  const direction = pageDirection([title, menu.description, ...sections.map(({ name }) => name)]);
  if (sections.length === 0) {
    return markup`<div${direction}>
${head}<main><p class="none">${words.empty}</p></main>
</div>`;
  }
  const items = sections.flatMap((section) => section.items);
  const prices = priceFormat(words, menu.currency, pricesOf(items));
  const options = { context, prices, hasTiles: look === 'tiles' };
  const bar = categoryBar(sections, itemCount, context);
  return markup`<a class="skip" href="#menu">${words.skip}</a>
<div${direction}>
${head}<div class="menu${bar === null ? ' one' : ''}">
<div class="side">
${searchField(itemCount, context)}${bar}</div>
<main id="menu" class="${look}">
${sections.map((section, index) => sectionOf(section, index, heights[index], options))}</main>
</div>
</div>
${items.some(hasMore) ? itemDialog(context) : null}`;
}

function* pricesOf(items: MenuSection['items']): Iterable<number> {
  for (const item of items) {
    yield item.price;
    for (const variant of variantsOf(item)) yield variant.price;
  }
}

function header({ coverLink, logoLink, description }: Menu, title: string, context: PageContext): Html {
  const cover = context.image(coverLink, { box: 'cover', shown: 'cover', isFirst: true });
  const logo = context.image(logoLink, { box: 'logo', shown: 'logo', isFirst: true });
  const text = isVisible(description)
    ? markup`<p class="owner muted" ${ownerText(description)}>${description}</p>\n`
    : null;
  return markup`<header>
${cover}<div class="head">
${logo}<h1 ${ownerText(title)}>${title}</h1>
${text}</div>
</header>
`;
}

/** A category. Ids are made of its index, because names may repeat and contain anything. */
function sectionOf(
  { name, items }: MenuSection,
  index: number,
  heightSteps: number | undefined,
  options: MenuItemOptions,
): Html {
  const height = heightSteps === undefined ? null : markup` class="h${String(heightSteps)}"`;
  return markup`<section id="c${String(index)}"${height} aria-labelledby="n${String(index)}">
<h2 id="n${String(index)}" ${ownerText(name)}>${name}</h2>
<ul class="items" role="list">
${items.map((item) => menuItem(item, options))}</ul>
</section>
`;
}

// Navigation of a menu. Its script, browser/menu.ts, finds these parts by their attributes.

// A shorter menu is read faster than a word is typed.
const SEARCH_ITEMS_MIN = 20;

function hasSearch(itemCount: number): boolean {
  return itemCount >= SEARCH_ITEMS_MIN;
}

/** The links to the categories; null where there is one. Without script they jump all the same. */
function categoryBar(sections: readonly MenuSection[], itemCount: number, context: PageContext): Html | null {
  if (sections.length < 2) return null;
  context.needScript();
  const { words, icon } = context;
  const links = sections.map(
    ({ name }, index) =>
      markup`<li><a href="#c${String(index)}" ${ownerText(name)}>${name}</a></li>
`,
  );
  return markup`<nav aria-label="${words.categories}" data-menu-bar>
<ul role="list">
${links}</ul>
${
  hasSearch(itemCount)
    ? markup`<button type="button" aria-label="${words.searchMenu}" hidden>${icon('search')}</button>\n`
    : null
}</nav>
`;
}

/** The search, which the script shows, as it does nothing without; null where the menu is short. */
function searchField(itemCount: number, context: PageContext): Html | null {
  if (!hasSearch(itemCount)) return null;
  context.needScript();
  const { words, icon } = context;
  return markup`<search data-menu-search data-found="${words.found}" data-none="${words.nothingFound}" hidden>
<div class="field">
<label for="q">${icon('search')}<span class="hide">${words.searchMenu}</span></label>
<input id="q" type="search" placeholder="${words.searchMenu}" autocomplete="off" enterkeyhint="search">
<button type="button" aria-label="${words.clearSearch}" hidden>${icon('close')}</button>
</div>
<p role="status" class="small muted"></p>
</search>
`;
}

/** Dialog in which the script shows an opened item; without script a card opens in place. */
function itemDialog(context: PageContext): Html {
  context.needScript();
  return markup`<dialog data-menu-item>
<button type="button" aria-label="${context.words.close}">${context.icon('close')}</button>
<div></div>
</dialog>`;
}

// 2,000 items would add 46 KB to a page of 140 KB (measured, brotli).
const ITEMS_MAX = 100;

/** A menu as schema.org/Menu has it; of a long one the sections only. `url` is the page's own address. */
function menuJsonLd(
  menu: { readonly name: string; readonly description: string | undefined; readonly url: string },
  sections: readonly MenuSection[],
  currency: string,
): object {
  const hasItems = sections.reduce((sum, { items }) => sum + items.length, 0) <= ITEMS_MAX;
  const code = currencyCode(currency);
  return {
    '@type': 'Menu',
    ...menu,
    hasMenuSection: sections.map(({ name, items }) => ({
      '@type': 'MenuSection',
      name,
      hasMenuItem: hasItems ? items.map((item) => menuItemJsonLd(item, code)) : undefined,
    })),
  };
}

function menuItemJsonLd(item: MenuItem, code: string | null): object {
  const variants = variantsOf(item);
  const offers = variants.length === 0 ? [{ price: item.price }] : variants;
  return {
    '@type': 'MenuItem',
    name: item.name,
    description: item.description,
    image: item.imageLink,
    offers: offers.map(({ price, ...variant }) => ({
      '@type': 'Offer',
      name: 'label' in variant ? variant.label : undefined,
      price,
      priceCurrency: code ?? undefined,
    })),
  };
}

export type MenuItemOptions = {
  readonly context: PageContext;
  readonly prices: PriceFormat;
  /** Whether an item without a photo has a tile where the others have theirs. */
  readonly hasTiles: boolean;
};

/** Content of a closed card; the style cuts the description at two lines. */
const BADGES_SHOWN_MAX = 4;
const DESCRIPTION_SHOWN_LENGTH_MAX = 80;

/**
 * An item's card. A menu has up to 2,000 of them, so its markup is minimal: no ids, one `dir`, and an opened item shows
 * the content that the card already has (the style shows it).
 */
export function menuItem(item: MenuItem, { context, prices, hasTiles }: MenuItemOptions): Html {
  const { name, description = '', badges = [] } = item;
  const variants = variantsOf(item);
  const photo = context.image(item.imageLink, hasTiles ? TILE_PHOTO : ROW_PHOTO);
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

/** Whether a card omits parts of its item and can be opened. */
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
const PLATE = markup`<i></i>`;
const ROW_PHOTO = { box: 'p', shown: 'photo' } as const;
const TILE_PHOTO = { box: 'p', shown: 'photo', placeholder: PLATE } as const;
const NO_PHOTO = markup`<span class="ph p">${PLATE}</span>`;

// VoiceOver takes a list without marks for no list unless it is said.
function chips(kind: 'b' | 'v', list: readonly Html[]): Html {
  return markup`<ul class="${kind}" role="list">${list}</ul>`;
}
