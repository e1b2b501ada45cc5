import { compactCss } from '../html/compact-css.js';
import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { BUTTON_LIST_STYLE, buttonList, isGrid } from '../parts/button-list.js';
import type { ButtonListOptions, LinkButton } from '../parts/button-list.js';
import { HEADING_STYLE, heading } from '../parts/heading.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { pageDirection } from '../parts/page-direction.js';
import { pageTitle } from '../parts/page-title.js';
import { themeCss } from '../theme/theme-css.js';
import type { ColorScheme } from '../theme/theme-css.js';

/** A page that is a heading and a list of buttons. */
export type ButtonPage = {
  readonly source: PageSourceOf<'Landing' | 'QRTag'>;
  readonly kind: 'landing' | 'tag';
  readonly owner: {
    readonly title?: string | undefined;
    readonly description?: string | undefined;
    readonly logoLink?: string | undefined;
    readonly themeColor?: string | undefined;
  };
  readonly scheme: ColorScheme;
  /** In the order they are shown in. */
  readonly buttons: readonly LinkButton[];
  readonly list: Omit<ButtonListOptions, 'label'>;
};

/** Returns the page; search engines may list it, as its owner made it for everybody. */
export function buttonPage(context: PageContext, page: ButtonPage): Page {
  const { site, words } = context;
  const { source, kind, owner, buttons } = page;
  const title = pageTitle(source, words);
  const share = openGraphCard(source, context, {
    title,
    description: owner.description,
    images: [owner.logoLink],
    kind,
  });
  const direction = pageDirection([title, owner.description, ...buttons.map((button) => button.title)]);
  const label = words.fallbackTitles[kind];
  return documentOf(context, {
    title,
    share,
    isIndexed: true,
    theme: themeCss(owner.themeColor, page.scheme),
    style: isGrid(buttons, page.list.layout) ? WIDE_STYLE : STYLE,
    // Not ProfilePage: that one needs a person or an organization, and we know of neither.
    jsonLd: {
      '@type': 'WebPage',
      name: title,
      ...(share.description === undefined ? {} : { description: share.description }),
      url: `${site.publicBaseUrl}/${source.slug}`,
    },
    body: markup`<main${direction}>
${heading(context, { ...owner, title })}${buttonList(context, buttons, { ...page.list, label })}
</main>`,
  });
}

const STYLE =
  HEADING_STYLE +
  BUTTON_LIST_STYLE +
  compactCss(`
@media(min-width:48rem){main{padding-top:32px}}
`);
// Four and two tiles, in rows of two, would be too wide for it.
const WIDE_STYLE =
  STYLE +
  compactCss(`
body{max-width:calc(56rem + 64px)}
header,.pairs{max-width:36rem;margin-inline:auto}
`);
