import { markup } from '../html/markup.js';
import type { Html } from '../html/markup.js';
import type { PageContext } from '../html/page-context.js';
import { ownerText } from '../parts/owner-text.js';
import type { MenuSection } from './shown-menu.js';

// What helps to find one's way in a menu. Its script is browser/menu.ts, which knows these parts by their attributes.

// A shorter menu is read faster than a word is typed.
const SEARCH_ITEMS_MIN = 20;

function hasSearch(itemCount: number): boolean {
  return itemCount >= SEARCH_ITEMS_MIN;
}

/** Returns the links to the categories; null where there is one. Without script they jump all the same. */
export function categoryBar(
  sections: readonly MenuSection[],
  itemCount: number,
  context: PageContext,
): Html | null {
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

/** Returns the search, which the script shows, as it does nothing without; null where the menu is short. */
export function searchField(itemCount: number, context: PageContext): Html | null {
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

/** Returns what the script shows an opened item in; without script a card opens where it stands. */
export function itemDialog(context: PageContext): Html {
  context.needScript();
  return markup`<dialog data-menu-item>
<button type="button" aria-label="${context.words.close}">${context.icon('close')}</button>
<div></div>
</dialog>`;
}
