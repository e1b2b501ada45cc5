import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import type { PageSourceOf } from '../page-source.js';
import { buttonIcon, isButtonLink, linkTarget } from '../parts/button-link.js';
import { isolated } from '../parts/owner-text.js';
import { contactOf } from './contact.js';

type Button = NonNullable<PageSourceOf<'DigiCard'>['page']['digiCardButtons']>[number];

/**
 * Returns the ways to reach somebody, in the order given: what each is called and, as text that can be selected and
 * copied, the number, address or site itself. Null where there are none. An address that no button may have is left out.
 */
export function cardRows(context: PageContext, buttons: readonly Button[]): Html | null {
  if (buttons.length === 0) return null;
  return markup`<ul class="rows" role="list">
${buttons.map((button) => markup`<li class="row">${row(context, button)}</li>\n`)}</ul>
`;
}

// The number stands beside the link, not in it, and its style spreads the link over all of the row: browsers select no
// text of a link with a mouse.
function row(context: PageContext, { title, link, preset }: Button): Html {
  const icon = markup`<span class="mark">${context.icon(buttonIcon(link, preset))}</span>`;
  if (!isButtonLink(link)) return markup`${icon}<span class="words">${isolated(title)}</span>`;
  const value = valueOf(link, preset);
  const shownValue = value === null || value.text === title ? null : markup` <small>${value.html}</small>`;
  return markup`${icon}<span class="words"><a href="${link}" rel="noopener nofollow ugc">${isolated(title)}</a>${shownValue}</span>`;
}

// As short as an address on paper.
const PATH_LENGTH_MAX = 40;
const PLACE_LENGTH_MAX = 120;

/** A place is known by its address, a chat by its number, a profile by its path, all else by what the link says. */
function valueOf(
  link: string,
  preset: string | undefined,
): { readonly text: string; readonly html: Html } | null {
  const { numbers, webAddress, place } = contactOf(link);
  const isPlace = preset === 'location' || webAddress === null;
  if (isPlace && place !== null && place.length <= PLACE_LENGTH_MAX) {
    return { text: place, html: isolated(place) };
  }
  const chatNumber = webAddress === null ? undefined : numbers[0]?.number;
  const profile = preset === 'social' && webAddress !== null ? shortPath(webAddress) : '';
  const target = linkTarget(link);
  if (target === null) return null;
  const text = chatNumber ?? target + profile;
  // Numbers and addresses are written from left to right among letters of every script.
  return { text, html: markup`<bdi dir="ltr">${text}</bdi>` };
}

function shortPath(webAddress: string): string {
  const { pathname, search } = new URL(webAddress);
  const path = pathname.replace(/\/$/, '');
  return search === '' && path.length <= PATH_LENGTH_MAX && !path.includes('%') ? path : '';
}
