import { documentOf } from '../html/document.js';
import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import type { Page } from '../page.js';
import { openGraphCard } from '../parts/open-graph-card.js';
import { isVisible, isolated } from '../parts/owner-text.js';
import { pageDirection } from '../parts/page-direction.js';
import { pageTitle } from '../parts/page-title.js';
import { themeCss } from '../theme/theme-css.js';
import { cardJsonLd } from './card-json-ld.js';
import { cardRows } from './card-rows.js';
import { CARD_STYLE } from './card-style.js';

type Card = PageSourceOf<'DigiCard'>['page']['digiCard'];

/**
 * Returns the page of a DigiCard: who it is, a button that saves the contact, then how to reach them. Not for search
 * engines: a business card is given, not published.
 */
export function digiCardPage(source: PageSourceOf<'DigiCard'>, context: PageContext): Page {
  const { digiCard: card, digiCardButtons: buttons = [] } = source.page;
  const title = pageTitle(source, context.words);
  const role = roleOf(card, title);
  const direction = pageDirection([title, ...role, ...buttons.map((button) => button.title)]);
  const alone = buttons.length === 0 ? markup` class="alone"` : null;
  return documentOf(context, {
    title,
    share: openGraphCard(source, context, {
      title,
      description: role.join(' · '),
      images: [card.logoLink, card.bgLink],
      kind: 'card',
    }),
    isIndexed: false,
    theme: themeCss(card.themeColor, 'Auto'),
    style: CARD_STYLE,
    jsonLd: cardJsonLd(source, title),
    body: markup`<main${alone}${direction}>
<div class="who">
${band(context, card)}
${identity(context, { title, role, card })}
${saveButton(context, source.slug, card.ctaText)}
</div>
${cardRows(context, buttons)}</main>`,
  });
}

function band(context: PageContext, { bgLink, themeColor }: Card): Html {
  const box = themeColor === undefined ? 'band plain' : 'band';
  return context.image(bgLink, { box, isFirst: true }) ?? markup`<div class="${box}"></div>`;
}

/** What stands under the name: the job and the company, unless that is the name. */
function roleOf({ jobTitle, company }: Card, title: string): readonly string[] {
  return [jobTitle, company].filter(isVisible).filter((text) => text !== title);
}

// A name of more would push the button that saves it off the screen of a phone.
const LONG_NAME = 80;

function identity(
  context: PageContext,
  { title, role, card }: { readonly title: string; readonly role: readonly string[]; readonly card: Card },
): Html {
  const { words } = context;
  // A company's picture is a logo, which must be seen whole.
  const isCompany = !isVisible(card.title) || card.title === card.company;
  const photo = context.image(card.logoLink, { box: isCompany ? 'photo logo' : 'photo', isFirst: true });
  context.needScript();
  const classes = [
    'name',
    ...(photo === null ? ['bare'] : []),
    ...(title.length > LONG_NAME ? ['long'] : []),
  ];
  return markup`<div class="${classes.join(' ')}">
${photo}<h1>${isolated(title)}</h1>
<button class="btn alt share" type="button" data-share hidden>${context.icon('share')}<span>${words.share}</span></button>
${role.length === 0 ? null : markup`<p class="role">${role.map((text, index) => markup`${index === 0 ? null : ' · '}${isolated(text)}`)}</p>\n`}</div>`;
}

// A plain link: in Firefox and DuckDuckGo on iPhones a file that script makes cannot be opened.
function saveButton({ words, icon }: PageContext, slug: string, text: string | undefined): Html {
  const label = isVisible(text) ? isolated(text) : words.saveContact;
  return markup`<a class="btn save noprint" href="/-/card/${slug}.vcf">${icon('person-plus')}<span>${label}</span></a>
<p class="help small muted noprint" dir="ltr">${words.saveHelp}</p>`;
}
