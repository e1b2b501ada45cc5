import {
  BUTTON_LIST_STYLE,
  buttonList,
  type ButtonListOptions,
  isGrid,
  type LinkButton,
} from '../html/button-list.js';
import { documentOf, openGraphCard } from '../html/document.js';
import { compactCss, type Html, keepPhoneNumbers, markup } from '../html/markup.js';
import { byPosition, isVisible, ownerText, pageDirection, pageTitle } from '../html/owner-text.js';
import type { PageContext } from '../html/page-context.js';
import type { Page, PageSourceOf } from '../site.js';
import { appearanceCss } from '../theme/appearance-css.js';
import { type ColorScheme, themeCss } from '../theme/theme-css.js';

type Heading = {
  readonly title: string;
  readonly logoLink?: string | undefined;
  readonly description?: string | undefined;
};

/** The head of an owner's page: logo, title, description. */
function heading(context: PageContext, { title, logoLink, description }: Heading): Html {
  const text = isVisible(description)
    ? markup`<p class="owner" ${ownerText(description)}>${keepPhoneNumbers(description)}</p>\n`
    : null;
  return markup`<header>
${context.image(logoLink, { box: 'logo', shown: 'logo', isFirst: true })}<h1 ${ownerText(title)}>${keepPhoneNumbers(title)}</h1>
${text}</header>
`;
}

const HEADING_STYLE = compactCss(`
header{margin-bottom:32px}
header,header [dir]{text-align:center}
.logo img{width:96px;height:96px;margin-bottom:16px;border-radius:14px;object-fit:contain}
h1+p{margin-top:8px;color:var(--muted);text-wrap:balance}
`);

/** A page that is a heading and a list of buttons. */
type ButtonPage = {
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
  readonly list: Omit<ButtonListOptions, 'label' | 'slug'>;
};

/** Search engines may index it: its owner made it public. */
function buttonPage(context: PageContext, page: ButtonPage): Page {
  const { site, words } = context;
  const { source, kind, owner, buttons } = page;
  const { appearance } = source;
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
    theme: themeCss(owner.themeColor, page.scheme, { appearance }),
    style: styleOf(buttons, page.list) + appearanceCss(appearance, 'buttons'),
    // Not ProfilePage, which needs a person or an organization.
    jsonLd: {
      '@type': 'WebPage',
      name: title,
      ...(share.description === undefined ? {} : { description: share.description }),
      url: `${site.publicBaseUrl}/${source.slug}`,
    },
    body: markup`<main${direction}>
${heading(context, { ...owner, title })}${buttonList(context, buttons, { ...page.list, slug: source.slug, label })}
</main>`,
  });
}

const STYLE =
  HEADING_STYLE +
  BUTTON_LIST_STYLE +
  compactCss(`
@media(min-width:48rem){body{display:flex;flex-direction:column}main{width:100%;margin-block:auto;padding-block:16px}}
`);
// Four and two tiles, in rows of two, would be too wide for it.
const WIDE_STYLE =
  STYLE +
  compactCss(`
body{max-width:calc(56rem + 64px)}
header,.pairs{max-width:36rem;margin-inline:auto}
`);
// A long list has two columns where there is room.
const LONG_LIST_STYLE =
  WIDE_STYLE +
  compactCss(`
nav{max-width:36rem;margin-inline:auto}
@media(min-width:60rem){nav{max-width:none}.buttons{grid-template-columns:1fr 1fr}}
`);
const LONG_LIST_BUTTONS = 8;

function styleOf(buttons: readonly unknown[], { layout }: Pick<ButtonListOptions, 'layout'>): string {
  if (isGrid(buttons, layout)) return WIDE_STYLE;
  return buttons.length < LONG_LIST_BUTTONS ? STYLE : LONG_LIST_STYLE;
}

/** The page of a Landing, its buttons as they were sent, in its owner's theme and layout. */
export function landingPage(source: PageSourceOf<'Landing'>, context: PageContext): Page {
  const { landing, landingButtons } = source.page;
  return buttonPage(context, {
    source,
    kind: 'landing',
    owner: landing,
    scheme: landing.theme,
    buttons: withIds(landingButtons),
    list: { layout: landing.layout },
  });
}

/**
 * The page of a QRTag, with buttons by position. It is read in front of a sticker, so its targets are large, and each
 * shows where it leads: people mistrust codes stuck in public places.
 */
export function qrTagPage(source: PageSourceOf<'QRTag'>, context: PageContext): Page {
  const { qrTag, qrTagButtons } = source.page;
  return buttonPage(context, {
    source,
    kind: 'tag',
    owner: qrTag,
    scheme: 'Auto',
    buttons: byPosition(withIds(qrTagButtons)),
    list: { hasTarget: true },
  });
}

function withIds<Button extends object>(
  buttons: readonly Button[] = [],
): readonly (Button & { readonly id: string })[] {
  return buttons.map((button, index) => ({ ...button, id: `button:${index}` }));
}
