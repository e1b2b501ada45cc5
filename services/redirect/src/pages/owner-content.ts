import { markup } from './html.js';
import type { Html } from './html.js';

/** What every page of an owner begins with; each part may be missing. */
export type Heading = {
  readonly title: string;
  readonly logoLink?: string | undefined;
  readonly description?: string | undefined;
};

/** Returns the head of an owner's page: logo, title, description. */
export function heading({ title, logoLink, description }: Heading): Html {
  return markup`<header>
${image(logoLink, 'logo')}<h1>${title}</h1>
${paragraph(description)}</header>`;
}

/** Returns the first of `texts` that shows something: what a page is called. */
export function firstVisible(...texts: readonly [...(string | undefined)[], string]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '') ?? '';
}

/** Returns a paragraph, nothing for no text. */
export function paragraph(text: string | undefined): Html | null {
  return text === undefined || text.trim() === '' ? null : markup`<p>${text}</p>\n`;
}

/**
 * Returns a picture at an owner's address, nothing where there is none. It says nothing that the text beside it does
 * not, so it has no name for those who do not see it; its host learns the visitor's address, and not the page's.
 */
export function image(link: string | undefined, className: 'logo' | 'icon' | 'photo'): Html | null {
  if (link === undefined || !WEB_SCHEME.test(link)) return null;
  return markup`<img class="${className}" src="${link}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">\n`;
}

export type LinkButton = {
  readonly title: string;
  readonly link: string;
  readonly iconUrl?: string | undefined;
};

/** Returns the list of an owner's buttons, in the order given. */
export function buttonList(buttons: readonly LinkButton[]): Html {
  if (buttons.length === 0) return NOTHING_YET;
  return markup`<ul class="buttons" role="list">
${buttons.map((button) => markup`<li>${anchor(button)}</li>\n`)}</ul>`;
}

export const NOTHING_YET = markup`<p>Nothing here yet</p>`;

/** Returns `list` by `position`, ascending; those without one come last, ties keep their order (decisions.md, Sizes). */
export function byPosition<Item extends { readonly position?: number | undefined }>(
  list: readonly Item[],
): readonly Item[] {
  return list.toSorted((a, b) => {
    const [left, right] = [a.position ?? Infinity, b.position ?? Infinity];
    return left === right ? 0 : left - right;
  });
}

// What a page may lead to (decisions.md, URLs). It was checked when it was stored; this is the last look before a
// browser acts on it, should anything else ever have written it. Stored addresses are normalised, schemes in lower case.
const WEB_SCHEME = /^https?:\/\//;
const BUTTON_SCHEME = /^(?:https?:\/\/|(?:tel|mailto|sms|geo|whatsapp):)/;

function anchor({ title, link, iconUrl }: LinkButton): Html {
  if (!BUTTON_SCHEME.test(link)) return markup`${title}`;
  return markup`<a href="${link}" rel="noopener nofollow">${image(iconUrl, 'icon')}${title}</a>`;
}
