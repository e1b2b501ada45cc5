import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { isVisible, ownerText } from '../parts/owner-text.js';
import { pageDirection } from '../parts/page-direction.js';
import { pageTitle } from '../parts/page-title.js';
import { themeCss } from '../theme/theme-css.js';
import { hasMore, menuItem } from './menu-item.js';
import type { MenuItemOptions } from './menu-item.js';
import { menuJsonLd } from './menu-json-ld.js';
import { MENU_STYLE, deferredStyle } from './menu-style.js';
import { categoryBar, itemDialog, searchField } from './menu-tools.js';
import { priceFormat } from './price.js';
import { sectionHeightSteps } from './section-height.js';
import { lookOf, shownSections, variantsOf } from './shown-menu.js';
import type { Menu, MenuLook, MenuSection } from './shown-menu.js';

// With fewer everything is laid out at once, so that every jump is exact in every engine (measured).
const UNDEFERRED_ITEMS_MAX = 150;

/** Returns the page of a QrMenu: all that can be ordered, category by category, in one document. */
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
    theme: themeCss(menu.themeColor, menu.theme ?? 'Auto'),
    style: MENU_STYLE + deferredStyle(heights, look),
    jsonLd: menuJsonLd(
      { name: title, description: share.description, url: address },
      sections,
      menu.currency,
    ),
    body: body({ menu, title, sections, look, heights, itemCount }, context),
    footer: markup`<p>${words.allergy}</p>
<p class="address">${address}</p>
`,
  });
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
  const cover = context.image(coverLink, { box: 'cover', isFirst: true });
  const logo = context.image(logoLink, { box: 'logo', isFirst: true });
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

/** Returns a category. Its ids are made of its place, because names repeat and may hold anything. */
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
