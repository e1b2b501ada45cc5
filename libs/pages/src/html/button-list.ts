import { domainToUnicode } from 'node:url';
import { compactCss, type Html, markup } from './markup.js';
import { isolated } from './owner-text.js';
import type { IconName, PageContext } from './page-context.js';

/** A button of any kind of page. */
export type LinkButton = {
  readonly title: string;
  readonly link: string;
  readonly iconUrl?: string | undefined;
  readonly preset?: string | undefined;
};

export type ButtonListOptions = {
  /** Grid: tiles, the icon above the words. A single button is never a tile. */
  readonly layout?: 'List' | 'Grid' | undefined;
  /** Whether each button shows its target below its words. */
  readonly hasTarget?: boolean;
  /** Accessible name of the list. */
  readonly label: string;
};

/**
 * A list of an owner's buttons in the given order, or a sentence if there are none. Its style is BUTTON_LIST_STYLE. A
 * button with a forbidden address is shown as text.
 */
export function buttonList(
  context: PageContext,
  buttons: readonly LinkButton[],
  { layout, hasTarget = false, label }: ButtonListOptions,
): Html {
  if (buttons.length === 0) return emptyNote(context);
  const classes = [
    'buttons',
    ...(isGrid(buttons, layout) ? ['grid'] : []),
    // Two or four tiles make whole rows of two.
    ...(buttons.length === 2 || buttons.length === 4 ? ['pairs'] : []),
    ...(hasTarget ? ['tall'] : []),
  ];
  return markup`<nav aria-label="${label}">
<ul class="${classes.join(' ')}" role="list">
${buttons.map((button) => markup`<li>${listButton(context, button, hasTarget)}</li>\n`)}</ul>
</nav>`;
}

/** Whether buttons are shown as tiles: a single one never is. */
export function isGrid(buttons: readonly unknown[], layout: string | undefined): boolean {
  return layout === 'Grid' && buttons.length > 1;
}

/** Placeholder of an empty page. */
export function emptyNote({ words }: PageContext): Html {
  return markup`<p class="none">${words.empty}</p>`;
}

function listButton(context: PageContext, button: LinkButton, hasTarget: boolean): Html {
  const { title, link, iconUrl, preset } = button;
  if (!isButtonLink(link)) return markup`<p class="none">${isolated(title)}</p>`;
  const icon =
    context.image(iconUrl, { box: 'tile' }) ??
    markup`<span class="slot">${context.icon(buttonIcon(link, preset))}</span>`;
  const target = hasTarget ? linkTarget(link) : null;
  return markup`<a class="btn" href="${link}" rel="noopener nofollow ugc">${icon}<span class="words">${isolated(title)}${target === null ? null : markup` <small><bdi dir="ltr">${target}</bdi></small>`}</span></a>`;
}

/** The style of buttonList, beside `.btn` of the base style. */
export const BUTTON_LIST_STYLE = compactCss(`
.buttons{display:grid;gap:12px}
.buttons .btn{padding-inline:7px 15px}
.words{flex:1;min-width:0}
.words small{display:block;font-size:.875rem;line-height:1.25rem;font-weight:400}
/* As wide as a picture of the owner's, so that all words begin on one line; as high as the first line of words. */
.slot,.tile{flex:none;align-self:start;width:40px}
.slot{display:grid;place-items:center;height:1.5rem}
.tile{height:40px;margin-block:calc(.75rem - 20px);border-radius:8px;background-color:var(--surface)}
.tile img{object-fit:contain}
.tall .btn{min-height:64px;padding-block:9px}
.tall .slot{height:2.75rem}
.grid{grid-template-columns:repeat(auto-fit,minmax(max(8.5rem,(100% - 24px)/3),1fr))}
.grid.pairs{grid-template-columns:1fr 1fr}
.grid li{display:grid}
.grid .btn{flex-direction:column;gap:8px;padding:19px 11px;text-align:center}
.grid .words{flex:none;max-width:100%}
.grid .slot,.grid .tile{align-self:center;height:40px;margin:0}
@media print{.buttons .btn{display:block;padding:11px 15px;break-inside:avoid}.slot,.words small{display:none}.btn::after{content:attr(href);display:block;font-size:.875rem;font-weight:400}}
`);

// Allowed targets of buttons. They were checked when stored; this is the last check before a browser follows them. Stored
// addresses are normalised, with schemes in lower case.
const SCHEME = /^(?:(https?):\/\/|(tel|mailto|sms|geo|whatsapp):)/;

/** Whether a button may lead to `link`; one that may not is shown as text. */
export function isButtonLink(link: string): boolean {
  return SCHEME.test(link) && URL.canParse(link);
}

/** The icon of a button, by its preset or else by its link. */
export function buttonIcon(link: string, preset?: string): IconName {
  return PRESET_ICONS.get(preset ?? '') ?? SCHEME_ICONS.get(schemeOf(link)) ?? 'link';
}

// The preset `link` adds nothing to the link.
const PRESET_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['restaurant', 'restaurant'],
  ['delivery', 'delivery'],
  ['phone', 'phone'],
  ['email', 'email'],
  ['calendar', 'calendar'],
  ['social', 'social'],
  ['website', 'globe'],
  ['location', 'pin'],
  ['whatsapp', 'chat'],
]);

const SCHEME_ICONS: ReadonlyMap<string, IconName> = new Map([
  ['tel', 'phone'],
  ['mailto', 'email'],
  ['sms', 'chat'],
  ['whatsapp', 'chat'],
  ['geo', 'pin'],
]);

function schemeOf(link: string): string {
  const [, web, contact] = SCHEME.exec(link) ?? [];
  return contact ?? web ?? '';
}

/**
 * What a button's link leads to in words a person can check, such as `shop.example`, `+994 12 345 67 89` or
 * `info@shop.example`: the host of a web address, else the number, the address or the coordinates as the link holds
 * them. Null if there is none, as in a mail without a recipient.
 */
export function linkTarget(link: string): string | null {
  const target = decode(TARGETS[schemeOf(link)]?.(link) ?? '').trim();
  return target === '' ? null : target;
}

const TARGETS: Readonly<Record<string, (link: string) => string | undefined>> = {
  http: shownHost,
  https: shownHost,
  tel: numbers,
  sms: numbers,
  // Mail programs take several addresses with commas between them (RFC 6068).
  mailto: (link) => /^mailto:([^?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  geo: (link) => /^geo:([^;?]*)/.exec(link)?.[1]?.replaceAll(',', ', '),
  whatsapp: (link) => {
    const phone = /[?&]phone=(?:\+|%2B)?([0-9]+)/i.exec(link)?.[1];
    return phone === undefined ? 'WhatsApp' : `WhatsApp +${phone}`;
  },
};

// Without the parameters of RFC 3966 and the text of a message (RFC 5724).
function numbers(link: string): string | undefined {
  return /^\w+:([^;?&]*)/.exec(link)?.[1]?.replaceAll(/,(?=\S)/g, ', ');
}

/**
 * The host of a web address without `www.`, in Unicode if its letters cannot be mistaken for others: Latin ones with
 * marks, or one other script in the whole name, top-level domain included. `раураl.com` in Cyrillic
 * stays as `xn--…`, as in the address bar of browsers.
 */
function shownHost(link: string): string {
  const { host, hostname } = new URL(link);
  const letters = domainToUnicode(hostname);
  const isClear = CLEAR_HOSTS.some((pattern) => pattern.test(letters));
  return (isClear ? host.replace(hostname, letters) : host).replace(/^www\./, '');
}

const CLEAR_HOSTS: readonly RegExp[] = [
  /^[a-z0-9à-ÿāăąćčďđēěęğģīįķļłńňņōőœřśšşťţūůűųźżžəș.-]+$/,
  /^[\p{Script=Cyrillic}0-9.-]+$/u,
  /^[\p{Script=Arabic}0-9.-]+$/u,
  /^[\p{Script=Hebrew}0-9.-]+$/u,
];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
