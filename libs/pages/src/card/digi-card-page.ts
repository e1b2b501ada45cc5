import { brandOf } from '../html/brand-icons.js';
import { buttonHref, buttonIcon, isButtonLink, isSameText, linkTarget } from '../html/button-link.js';
import { contactOf } from '../html/contact-link.js';
import { documentOf, openGraphCard } from '../html/document.js';
import { compactCss, type Html, markup } from '../html/markup.js';
import { isVisible, isolated, pageDirection, pageTitle } from '../html/owner-text.js';
import type { PageContext } from '../html/page-context.js';
import type { Page, PageSourceOf } from '../site.js';
import { appearanceCss } from '../theme/appearance-css.js';
import { themeCss } from '../theme/theme-css.js';

type Card = PageSourceOf<'DigiCard'>['page']['digiCard'];

/**
 * The page of a DigiCard: the name, a button that saves the contact, and the contact rows. Not indexed: a business card
 * is given, not published.
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
    theme: themeCss(card.themeColor, 'Auto', { appearance: source.appearance }),
    style: CARD_STYLE + appearanceCss(source.appearance, 'buttons'),
    jsonLd: cardJsonLd(source, title),
    body: markup`<main${alone}${direction}>
${band(context, card)}<div class="who">
${identity(context, { title, role, card })}
${source.isLimited === true ? null : saveButton(context, source.slug, card.ctaText)}
</div>
${cardRows(context, source.slug, buttons)}</main>`,
  });
}

/** The picture or the colour behind the photo; null on a card without pictures, where it would be an empty bar. */
function band(context: PageContext, { bgLink, logoLink, themeColor }: Card): Html | null {
  const plain = themeColor === undefined ? 'band plain' : 'band';
  const picture = context.image(bgLink, {
    box: plain,
    shown: 'cover',
    isFirst: true,
    placeholder: COLOR_ALONE,
  });
  if (picture !== null) return markup`${picture}\n`;
  return logoLink === undefined ? null : markup`<div class="${plain}"></div>\n`;
}

const COLOR_ALONE = markup`<i></i>`;

/** The line under the name: job and company, unless the company is the name. */
function roleOf({ jobTitle, company }: Card, title: string): readonly string[] {
  return [jobTitle, company].filter(isVisible).filter((text) => text !== title);
}

// A longer name would push the save button off the screen of a phone.
const LONG_NAME = 80;

function identity(
  context: PageContext,
  { title, role, card }: { readonly title: string; readonly role: readonly string[]; readonly card: Card },
): Html {
  const { words } = context;
  // A company's picture is a logo and must not be cropped.
  const isCompany = !isVisible(card.title) || card.title === card.company;
  const box = isCompany ? 'photo logo' : 'photo';
  const letters = initialsOf(isVisible(card.title) ? card.title : (card.company ?? ''));
  const monogram = markup`<span class="letters" data-letters="${letters}" aria-hidden="true"></span>`;
  const photo =
    context.image(card.logoLink, { box, shown: 'logo', isFirst: true, placeholder: monogram }) ??
    (letters === '' ? null : markup`<span class="ph ${box}">${monogram}</span>`);
  const hasBand = card.bgLink !== undefined || card.logoLink !== undefined;
  context.needScript();
  const classes = [
    'name',
    ...(photo === null ? ['bare'] : []),
    ...(hasBand ? [] : ['top']),
    ...(title.length > LONG_NAME ? ['long'] : []),
  ];
  return markup`<div class="${classes.join(' ')}">
${photo}<h1>${isolated(title)}</h1>
<button class="btn alt share" type="button" data-share hidden>${context.icon('share')}<span>${words.share}</span></button>
${role.length === 0 ? null : markup`<p class="role">${role.map((text, index) => markup`${index === 0 ? null : ' · '}${isolated(text)}`)}</p>\n`}</div>`;
}

/**
 * The first letters of the first and the last word of a name, without titles such as `Dr.`; one letter in scripts whose
 * letters are joined or are words. '' if it has none.
 */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const named = words.filter((word) => !/^\p{L}{2,}\.$/u.test(word));
  const [first = '', ...others] = (named.length === 0 ? words : named).map(
    (word) => Array.from(word)[0] ?? '',
  );
  const letters = [first, ...others.slice(-1)];
  return (letters.every((letter) => ALPHABETS.test(letter)) ? letters.join('') : first).toLocaleUpperCase(
    /[əı]/.test(name) ? 'az' : undefined,
  );
}

const ALPHABETS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{N}]$/u;

// A plain link: Firefox and DuckDuckGo on iPhones cannot open a file created by script.
function saveButton({ words, icon }: PageContext, slug: string, text: string | undefined): Html {
  const label = isVisible(text) ? isolated(text) : words.saveContact;
  return markup`<a class="btn save noprint" href="/-/card/${slug}.vcf">${icon('person-plus')}<span>${label}</span></a>
<p class="help small muted noprint" dir="ltr" data-in-app hidden>${words.saveHelp}</p>`;
}

type Button = NonNullable<PageSourceOf<'DigiCard'>['page']['digiCardButtons']>[number];

/**
 * Contact rows in the given order: a label, and the number, address or site as selectable text. Null without contacts;
 * addresses that a button may not have are left out.
 */
function cardRows(context: PageContext, slug: string, buttons: readonly Button[]): Html | null {
  if (buttons.length === 0) return null;
  return markup`<ul class="rows" role="list">
${buttons.map((button, index) => markup`<li class="row">${row(context, button, { slug, id: `contact:${index}` })}</li>\n`)}</ul>
`;
}

// The number is beside the link, because browsers cannot select text of a link with a mouse; the style extends the link
// over the whole row.
function row(
  context: PageContext,
  { title, link, preset }: Button,
  { slug, id }: { readonly slug: string; readonly id: string },
): Html {
  const icon = markup`<span class="mark">${context.icon(buttonIcon(link, preset))}</span>`;
  if (!isButtonLink(link)) return markup`${icon}<span class="words">${isolated(title)}</span>`;
  const value = valueOf(link, preset);
  const shownValue =
    value === null || isSameText(value.text, title) ? null : markup` <small>${value.html}</small>`;
  return markup`${icon}<span class="words"><a href="${buttonHref(link)}" rel="noopener nofollow ugc"${context.ping(slug, id)}>${isolated(title)}</a>${shownValue}</span>`;
}

// As short as an address on paper.
const PATH_LENGTH_MAX = 40;
const PLACE_LENGTH_MAX = 120;

/** The address of a place, the number of a chat, the path of a profile, otherwise the target of the link. */
function valueOf(
  link: string,
  preset: string | undefined,
): { readonly text: string; readonly html: Html } | null {
  const { numbers, webAddress, place } = contactOf(link);
  const isPlace = preset === 'location' || webAddress === null;
  if (isPlace && place !== null && place.length <= PLACE_LENGTH_MAX) {
    return { text: place, html: isolated(place) };
  }
  const isProfilePage = numbers.length === 0 && (preset === 'social' || isService(webAddress));
  const profile = isProfilePage && webAddress !== null ? shortPath(webAddress) : '';
  const target = linkTarget(link);
  if (target === null) return null;
  const text = target + profile;
  // Numbers and addresses are written from left to right among letters of every script.
  return { text, html: markup`<bdi dir="ltr">${text}</bdi>` };
}

function isService(webAddress: string | null): boolean {
  return webAddress !== null && brandOf(webAddress) !== null;
}

function shortPath(webAddress: string): string {
  const { pathname, search } = new URL(webAddress);
  const path = pathname.replace(/\/$/, '');
  return search === '' && path.length <= PATH_LENGTH_MAX && !path.includes('%') ? path : '';
}

/**
 * The schema.org data of a card called `name`: a person, or an organization where no person is named. Without
 * numbers and mail addresses, which harvesters would collect.
 */
function cardJsonLd({ page }: PageSourceOf<'DigiCard'>, name: string): object {
  const { title, jobTitle, company, logoLink } = page.digiCard;
  const sameAs = (page.digiCardButtons ?? []).flatMap(({ link, preset }) =>
    isProfile(link, preset) ? [link] : [],
  );
  const profiles = sameAs.length === 0 ? {} : { sameAs };
  const mainEntity =
    isVisible(title) && title !== company
      ? {
          '@type': 'Person',
          name,
          ...(isVisible(jobTitle) ? { jobTitle } : {}),
          ...(isVisible(company) ? { worksFor: { '@type': 'Organization', name: company } } : {}),
          ...(logoLink === undefined ? {} : { image: logoLink }),
          ...profiles,
        }
      : {
          '@type': 'Organization',
          // The title for previews may be the heading, but is not a name.
          name: isVisible(company) ? company : name,
          ...(logoLink === undefined ? {} : { logo: logoLink }),
          ...profiles,
        };
  return { '@type': 'ProfilePage', mainEntity };
}

const NO_PROFILES: ReadonlySet<string | undefined> = new Set([
  'location',
  'calendar',
  'whatsapp',
  'phone',
  'email',
]);

// A page about the same person or company; not a map, and not a chat, whose address contains a number.
function isProfile(link: string, preset: string | undefined): boolean {
  const { numbers, webAddress } = contactOf(link);
  return webAddress?.startsWith('https:') === true && numbers.length === 0 && !NO_PROFILES.has(preset);
}

/** The style of a DigiCard's page. */
export const CARD_STYLE = compactCss(`
body{max-width:none;padding-top:0}
.band{margin-inline:calc(-1*clamp(16px,4vw,32px));height:clamp(7rem,33vw,16rem);border-bottom:1px solid var(--edge);background:var(--accent)}
.ph.band{width:auto;border-color:var(--border)}
/* The ink that replaces a colour is nearly white here: too much of it on a dark page. */
@media(prefers-color-scheme:dark){.plain{border-color:var(--border);background:var(--tint)}}
.name{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:16px;margin-bottom:24px}
.name>*{grid-column:1/-1}
.band,.photo{--under:var(--accent)}
.photo{grid-column:1;position:relative;width:112px;height:112px;margin:-56px 0 12px;border:4px solid var(--bg);border-radius:50%;background:var(--surface)}
.logo{border-radius:28px}
.logo img{object-fit:contain}
.letters{display:grid;place-items:center;height:100%;background:var(--accent);color:var(--on);font-size:2.25rem;font-weight:600;letter-spacing:.02em;line-height:1}
.letters::before{content:attr(data-letters)}
.top{padding-top:32px}
.top .photo{margin-top:0;border-color:var(--edge);border-width:1px}
.bare h1{grid-column:1;padding-top:4px}
.long h1{font-size:1.25rem;line-height:1.3}
.share{grid-area:1/2;width:auto;min-height:44px;margin-top:12px;padding:9px 15px 9px 11px;gap:8px;align-self:start}
.share[hidden]{display:none}
.bare .share{margin-block:-4px}
.top:not(.bare) .share{margin-top:0}
.role{margin-top:4px;color:var(--muted)}
.save{justify-content:center;text-align:center}
.help{margin-top:8px;text-align:center;text-wrap:balance}
.rows{margin-top:32px;border:1px solid var(--border);border-radius:14px;background:var(--surface);box-shadow:var(--shadow)}
li+li{border-top:1px solid var(--border)}
.row{position:relative;display:flex;align-items:center;gap:16px;min-height:64px;padding:11px 15px}
.row:first-child{border-start-start-radius:13px;border-start-end-radius:13px}
.row:last-child{border-end-start-radius:13px;border-end-end-radius:13px}
.row a{color:var(--text);text-decoration:none}
.row a::after{content:"";position:absolute;inset:0;border-radius:8px}
.row a:focus-visible{outline:0;box-shadow:none}
.row a:focus-visible::after{outline:3px solid var(--focus);outline-offset:-3px}
.mark{flex:none;display:grid;place-items:center;width:40px;height:40px;border-radius:8px;background:var(--tint);color:var(--link)}
.words{min-width:0;font-weight:600}
.words small{display:block;width:fit-content;padding-inline-end:24px;font-size:1rem;font-weight:400;color:var(--muted)}
@media(hover:hover){.row:has(a):hover{background:var(--tint)}}
/* With a mouse the number is there to be selected; a finger calls it. */
@media(pointer:fine){.words small{position:relative;z-index:1}}
/* One card with two halves, so that both are equally high. */
@media(min-width:768px){
  body{display:flex;flex-direction:column;max-width:calc(60rem + 64px);padding-block:32px}
  main{display:grid;grid-template-columns:1fr 1fr;width:100%;margin-block:auto;border:1px solid var(--border);border-radius:20px;overflow:clip;background:var(--surface);box-shadow:var(--shadow)}
  .alone{grid-template-columns:minmax(0,30rem);width:auto;margin-inline:auto}
  .band{grid-column:1/-1;margin:0;height:12rem}
  .band:not(.ph){height:7rem}
  .who{align-self:start;position:sticky;top:0;padding:0 32px 32px}
  .photo{border-color:var(--surface)}
  .name:not(.long) h1{font-size:1.75rem}
  .rows{margin:0;padding:16px;border-width:0 0 0 1px;border-radius:0;box-shadow:none}
  [dir=rtl] .rows{border-width:0 1px 0 0}
  .row,.row:first-child,.row:last-child{border-radius:8px}
  .top+.rows,.rows{align-content:center}
}
@media print{.band,.share,.mark,.photo{display:none}main{display:block;border:0}.who{position:static}.row{min-height:0}.row a[href^=http]::after{content:" " attr(href);position:static;font-weight:400}}
`);
