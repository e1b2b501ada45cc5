import { ICONS } from '../parts/icons.js';
import type { IconName } from '../parts/icons.js';
import type { Site } from '../site.js';
import type { Words } from '../words/words.js';
import { Html, markup } from './markup.js';

/** How a picture of the owner stands in a page. */
export type ImageOptions = {
  /** Classes of its box, which gives it its size: pictures are never fetched by us, so theirs is not known. */
  readonly box: string;
  /** The picture that a visitor sees first: fetched at once, where all others wait until they come near. */
  readonly isFirst?: boolean;
};

/** What the parts of one page need, and what they used: its icons, its pictures, its script. */
export type PageContext = {
  readonly site: Site;
  readonly words: Words;
  /** Returns an icon of ours, 24 pixels, for the eye only. */
  readonly icon: (name: IconName) => Html;
  /** Returns a picture at an owner's address in its box; nothing where there is none. */
  readonly image: (url: string | undefined, options: ImageOptions) => Html | null;
  /** Says that the page does more with its script (`data-` hooks of libs/pages/browser). */
  readonly needScript: () => void;
  readonly used: Readonly<Usage>;
};

type Usage = {
  readonly icons: Set<IconName>;
  hasImages: boolean;
  hasPlainHttpImages: boolean;
  hasScript: boolean;
};

// What a page may show of an owner (decisions.md, URLs). It was checked when it was stored; this is the last look.
const WEB_SCHEME = /^https?:\/\//;

/** Returns the context of one page that is about to be made. */
export function createPageContext(site: Site, words: Words): PageContext {
  const used: Usage = {
    icons: new Set(),
    hasImages: false,
    hasPlainHttpImages: false,
    hasScript: false,
  };
  return {
    site,
    words,
    used,
    icon(name) {
      used.icons.add(name);
      return markup`<svg class="i" width="24" height="24" aria-hidden="true"><use href="#i-${name}"></use></svg>`;
    },
    image(url, { box, isFirst = false }) {
      if (url === undefined || !WEB_SCHEME.test(url)) return null;
      used.hasImages = true;
      // One that cannot be had is taken away by the script, so that its box shows what it shows without a picture.
      used.hasScript = true;
      if (url.startsWith('http:')) used.hasPlainHttpImages = true;
      const loading = isFirst ? FIRST_LOADING : LAZY_LOADING;
      return markup`<span class="ph ${box}"><img src="${url}" alt="" ${loading} decoding="async" referrerpolicy="no-referrer"></span>`;
    },
    needScript() {
      used.hasScript = true;
    },
  };
}

const FIRST_LOADING = markup`fetchpriority="high"`;
const LAZY_LOADING = markup`loading="lazy"`;

/** Returns the definitions of the icons that a page used, as nothing to see; null when it used none. */
export function iconSprite(names: ReadonlySet<IconName>): Html | null {
  if (names.size === 0) return null;
  const symbols = [...names].map(
    (name) => markup`<symbol id="i-${name}" viewBox="0 0 24 24">${new Html([ICONS[name]], [])}</symbol>`,
  );
  // `hidden` does nothing on an svg: without a size of 0 it leaves 150 empty pixels (measured).
  return markup`<svg class="sprite" width="0" height="0" aria-hidden="true">${symbols}</svg>\n`;
}
