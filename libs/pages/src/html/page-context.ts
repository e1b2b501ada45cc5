import { mediaSrcset } from '@smartlink/media/address';
import type { Site } from '../site.js';
import type { Words } from '../words/words.js';
import { BRAND_PATHS, type BrandName } from './brand-icons.js';
import { Html, markup } from './markup.js';

/** Layout of a picture of the owner. */
type ImageOptions = {
  /** Classes of its box, which gives it its size: pictures are never fetched by us, so theirs is not known. */
  readonly box: string;
  /** The width it is shown at, for the choice among the files of an uploaded picture. */
  readonly shown: keyof typeof SHOWN;
  /** The picture that a visitor sees first: fetched at once, where all others wait until they come near. */
  readonly isFirst?: boolean;
  /** An element shown in the box of a picture that cannot be loaded; without one the box is removed. */
  readonly placeholder?: Html;
};

/** Icons, pictures and script that the parts of one page use. */
export type PageContext = {
  readonly site: Site;
  readonly words: Words;
  /** A decorative icon of 24 pixels. */
  readonly icon: (name: IconName) => Html;
  /** A picture at an owner's address in its box; empty without an address. */
  readonly image: (url: string | undefined, options: ImageOptions) => Html | null;
  /** Says that the page does more with its script (`data-` hooks of libs/pages/browser). */
  readonly needScript: () => void;
  /** The attribute of a link whose presses are reported, for a button of buttonsOf; null in drafts. */
  readonly ping: (slug: string, button: string) => Html | null;
  readonly used: Readonly<Usage>;
};

type Usage = {
  readonly icons: Set<IconName>;
  hasImages: boolean;
  hasPlainHttpImages: boolean;
  hasScript: boolean;
  hasPings: boolean;
};

/** `sizes` of pictures, and the width in pixels that is enough on a screen of three pixels a CSS pixel (photos: two). */
const SHOWN = {
  icon: { sizes: '40px', widthMax: 120 },
  logo: { sizes: '112px', widthMax: 336 },
  // An opened photo is wider. Lazy images may have `auto`: Chromium takes the laid-out width, other browsers what follows.
  photo: { sizes: 'auto, 12rem', widthMax: 768 },
  cover: { sizes: '(min-width: 76rem) 76rem, 100vw', widthMax: 1600 },
} as const;

// Owners' addresses that a page may show. They were checked when stored; this is the last check.
const WEB_SCHEME = /^https?:\/\//;

/** The context of one page that is about to be made. */
export function createPageContext(site: Site, words: Words): PageContext {
  const used: Usage = {
    icons: new Set(),
    hasImages: false,
    hasPlainHttpImages: false,
    hasScript: false,
    hasPings: false,
  };
  return {
    site,
    words,
    used,
    icon(name) {
      used.icons.add(name);
      return markup`<svg class="i" width="24" height="24" aria-hidden="true"><use href="#i-${name}"></use></svg>`;
    },
    image(url, { box, shown, isFirst = false, placeholder }) {
      if (url === undefined || !WEB_SCHEME.test(url)) return null;
      used.hasImages = true;
      // The script removes what cannot be loaded.
      used.hasScript = true;
      if (url.startsWith('http:')) used.hasPlainHttpImages = true;
      const loading = isFirst ? FIRST_LOADING : LAZY_LOADING;
      const { sizes, widthMax } = SHOWN[shown];
      const srcset = mediaSrcset(url, site.mediaBaseUrl ?? site.publicBaseUrl, widthMax);
      const choice = srcset === null ? null : markup` srcset="${srcset}" sizes="${sizes}"`;
      return markup`<span class="ph ${box}"><img src="${url}"${choice} alt="" ${loading} decoding="async" referrerpolicy="no-referrer">${placeholder ?? null}</span>`;
    },
    needScript() {
      used.hasScript = true;
    },
    ping(slug, button) {
      if (site.isForDrafts === true) return null;
      used.hasPings = true;
      // It reports presses where the browser does not know `ping`.
      used.hasScript = true;
      return markup` ping="/-/press/${slug}/${button}"`;
    },
  };
}

const FIRST_LOADING = markup`fetchpriority="high"`;
const LAZY_LOADING = markup`loading="lazy"`;

/** Hidden definitions of the icons that a page uses; null if there are none. */
export function iconSprite(names: ReadonlySet<IconName>): Html | null {
  if (names.size === 0) return null;
  const symbols = [...names].map((name) =>
    isBrand(name)
      ? // Marks reach the edge of their square: with a margin they look as large as the other icons.
        markup`<symbol id="i-${name}" viewBox="-2 -2 28 28"><path fill="currentColor" stroke="none" d="${BRAND_PATHS[name]}"/></symbol>`
      : markup`<symbol id="i-${name}" viewBox="0 0 24 24">${new Html([ICONS[name]], [])}</symbol>`,
  );
  // `hidden` does nothing on an svg: without a size of 0 it leaves 150 empty pixels (measured).
  return markup`<svg class="sprite" width="0" height="0" aria-hidden="true">${symbols}</svg>\n`;
}

/**
 * The icons: content of a `<symbol>` of 24 by 24. Two-pixel strokes with round ends in the colour of the text, which the
 * base style gives to `.i`; a margin of 2 stays empty. Marks of services are in brand-icons.ts.
 */
const ICONS = {
  // What a button does.
  link: '<path d="M7 17 17 7M9 7h8v8"/>',
  restaurant: '<path d="M4 3v5a3 3 0 0 0 6 0V3M7 3v18M18.5 21V3c-3 1.5-4.5 4.5-4.5 8v3h4.5"/>',
  delivery:
    '<circle cx="6" cy="18.5" r="2.5"/><circle cx="18.5" cy="18.5" r="2.5"/><path d="M8.5 18.5h4.5c.3-3.5 1.5-5.5 4-6.5l-1.7-6.5h-2.8M2.5 17c0-2.5 1.6-4 4-4H11M3.5 4h5.5v5.5H3.5z"/>',
  phone:
    '<path d="M5.2 3.5h3.6l1.8 4.6-2.4 1.7a12 12 0 0 0 6 6l1.7-2.4 4.6 1.8v3.6a2 2 0 0 1-2.2 2A17 17 0 0 1 3.2 5.7a2 2 0 0 1 2-2.2z"/>',
  email: '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="m3.5 7.5 8.5 6 8.5-6"/>',
  calendar: '<rect x="4" y="5" width="16" height="16" rx="2"/><path d="M4 10.5h16M8.5 3v4M15.5 3v4"/>',
  social:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c0-3.6 2.8-5.5 6.5-5.5s6.5 1.9 6.5 5.5M15.5 4.6a3.5 3.5 0 0 1 0 6.8M18.5 15.2c1.9.8 3 2.5 3 4.8"/>',
  mobile: '<rect x="6.5" y="3" width="11" height="18" rx="2"/><path d="M11 17.5h2"/>',
  chat: '<path d="M20.5 15a2 2 0 0 1-2 2H9l-5.5 4V6a2 2 0 0 1 2-2h13a2 2 0 0 1 2 2z"/>',
  globe: '<circle cx="12" cy="12" r="9"/><ellipse cx="12" cy="12" rx="4" ry="9"/><path d="M3 12h18"/>',
  pin: '<path d="M12 21.5c4.7-4.7 7-8.4 7-11.8a7 7 0 0 0-14 0c0 3.4 2.3 7.1 7 11.8z"/><circle cx="12" cy="9.8" r="2.5"/>',
  'person-plus':
    '<circle cx="9.5" cy="8" r="4"/><path d="M2.5 20.5c0-3.8 3-5.8 7-5.8s7 2 7 5.8M19 7.5v6M16 10.5h6"/>',
  share:
    '<circle cx="18" cy="5.5" r="2.5"/><circle cx="6" cy="12" r="2.5"/><circle cx="18" cy="18.5" r="2.5"/><path d="m8.2 10.8 7.6-4.1M8.2 13.2l7.6 4.1"/>',
  // What a page offers.
  search: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="M15.5 15.5 21 21"/>',
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  copy: '<rect x="9" y="9" width="12" height="12" rx="2"/><path d="M15 9V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h4"/>',
  check: '<path d="m4.5 12.5 5 5L19.5 7"/>',
  download: '<path d="M12 3.5v12M7 11l5 5 5-5M4.5 20.5h15"/>',
  eye: '<path d="M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12z"/><circle cx="12" cy="12" r="3"/>',
  'eye-off':
    '<path d="M8.5 6.2A9.5 9.5 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5s-1 1.9-2.9 3.6M15 17.9a9.5 9.5 0 0 1-3 .6c-6 0-9.5-6.5-9.5-6.5s1.2-2.3 3.5-4.2M4 4l16 16"/>',
  text: '<path d="M5 6h14M5 12h14M5 18h9"/>',
  // Devices and stores.
  tablet: '<rect x="4.5" y="3" width="15" height="18" rx="2"/><path d="M11 17.5h2"/>',
  laptop: '<rect x="4.5" y="5" width="15" height="10.5" rx="2"/><path d="M2.5 19.5h19"/>',
  desktop: '<rect x="3" y="4" width="18" height="12.5" rx="2"/><path d="M12 16.5v4M8 20.5h8"/>',
  // How a link is.
  lock: '<rect x="5" y="11" width="14" height="10" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  pause: '<circle cx="12" cy="12" r="9"/><path d="M10 8.5v7M14 8.5v7"/>',
  removed: '<circle cx="12" cy="12" r="9"/><path d="m9 9 6 6M15 9l-6 6"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  warning: '<path d="M12 4 2.5 20.5h19zM12 10.5v4M12 17.5v.01"/>',
} as const;

export type IconName = keyof typeof ICONS | BrandName;

function isBrand(name: IconName): name is BrandName {
  return name in BRAND_PATHS;
}
