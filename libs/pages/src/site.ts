import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { AppContent, Appearance, LiveLink, OpenGraph, PageContent } from '@smartlink/smartlink/document';
import { targetOf } from '@smartlink/visits/routing';
import type { Language } from './words/words.js';

export { chooseLanguage } from './words/translations.js';
export { LANGUAGES } from './words/words.js';
export type { Language } from './words/words.js';

/** Settings of the instance that pages use. */
export type Site = {
  /** Without a slash at its end: `https://sl.example.com`. */
  readonly publicBaseUrl: string;
  /** Start of the addresses of uploaded pictures, where it is another one. */
  readonly mediaBaseUrl?: string;
  /** https or mailto address for reports of visitors; null if the operator has none. */
  readonly abuseContactUrl: string | null;
  /** Path of the pages' script, `/-/assets/p.<hash>.js`. */
  readonly scriptPath: string;
  /** Path of the default preview picture, 1200 by 630 pixels, image/png. */
  readonly shareImagePath: (kind: ShareImageKind) => string;
  /** Pages are of drafts, and report no presses. */
  readonly isForDrafts?: boolean;
};

/** A Site in a form that can be sent to a thread. */
export type SiteOptions = Omit<Site, 'shareImagePath'> & {
  readonly shareImagePaths: Readonly<Record<ShareImageKind, string>>;
};

export function createSite({ shareImagePaths, ...rest }: SiteOptions): Site {
  return { ...rest, shareImagePath: (kind) => shareImagePaths[kind] };
}

/** The site under another base address, that of a custom domain. Uploaded pictures keep theirs. */
export function siteAt(site: Site, publicBaseUrl: string): Site {
  return { ...site, publicBaseUrl, mediaBaseUrl: site.publicBaseUrl };
}

/** The pictures there are for previews: one for each kind of page. */
export const SHARE_IMAGE_KINDS = ['link', 'landing', 'tag', 'card', 'text', 'menu', 'app'] as const;
export type ShareImageKind = (typeof SHARE_IMAGE_KINDS)[number];

export const SHARE_IMAGE_WIDTH_PX = 1200;
export const SHARE_IMAGE_HEIGHT_PX = 630;

/** A page and the values of its headers. */
export type Page = {
  readonly html: string;
  /** Content-Security-Policy that allows exactly the content of the page. Printable ASCII. */
  readonly policy: string;
  /** Of the fixed words; the owner's texts say theirs themselves. */
  readonly language: Language;
  /** Whether search engines may list it. */
  readonly isIndexed: boolean;
};

/** The data of a link that pages get: nothing of its owner, no password, and no target of a protected link. */
export type PageSource = {
  /** As its owner typed it. */
  readonly slug: string;
  readonly openGraph?: OpenGraph;
  /** Where rules and variants lead; left out without any, and of a protected link. */
  readonly destinations?: readonly string[];
  /** Its visits are limited: pages for programs and previews show nothing of it. */
  readonly isLimited?: boolean;
} & (
  | { readonly type: 'Url'; readonly isProtected: false; readonly url: string }
  | { readonly type: 'Url'; readonly isProtected: true }
  | FromJson<AppContent>
  | FromJson<PageContent>
);

export function pageSourceOf(link: LiveLink): PageSource {
  const { slug } = link;
  const destinations = destinationsOf(link);
  const base = {
    slug,
    ...(link.openGraph === undefined ? {} : { openGraph: link.openGraph }),
    ...(destinations.length === 0 ? {} : { destinations }),
    ...(link.availability?.isLimited === true ? { isLimited: true } : {}),
  };
  switch (link.type) {
    case 'Url':
      return link.password === undefined
        ? { ...base, type: 'Url', isProtected: false, url: targetOf(link) }
        : { ...base, type: 'Url', isProtected: true };
    case 'App':
      return { ...base, type: 'App', storeLinks: link.storeLinks };
    case 'TxtBin':
      return { ...base, type: 'TxtBin', page: link.page };
    default:
      // JSON omits undefined members.
      return { ...base, type: link.type, page: link.page, appearance: link.appearance } as PageSource;
  }
}

function destinationsOf(link: LiveLink): readonly string[] {
  if (link.routing === undefined || (link.type === 'Url' && link.password !== undefined)) return [];
  const { rules = [], variants = [] } = link.routing;
  const all = [...rules.flatMap((rule) => [rule, ...(rule.variants ?? [])]), ...variants];
  const urls = new Set(all.flatMap(({ url }) => url ?? []));
  const utm = link.type === 'Url' && link.utm !== undefined ? { utm: link.utm } : {};
  return [...urls].map((url) => targetOf({ url, ...utm }));
}

/**
 * The pages there are of a link:
 * - `own`: its page, or an App link's list of stores
 * - `ipad-or-mac`, `ipad-or-mac-scan`: distinguishes the two, for a visit by click and by scan
 * - `password`: the form
 * - `share`: for preview agents, where people are redirected
 * - `preview`: where it leads, for people, without going there
 */
export const PAGE_VIEWS = ['own', 'ipad-or-mac', 'ipad-or-mac-scan', 'password', 'share', 'preview'] as const;
export type PageView = (typeof PAGE_VIEWS)[number];

/** The source of a page of one type. */
export type PageSourceOf<Type extends PageSource['type']> = Extract<PageSource, { type: Type }>;

/** The look that an owner chose; the default for each missing member. */
export type PageAppearance = FromJson<Appearance>;

/** `T` as parsed from JSON: members that may be undefined may be absent. */
export type FromJson<T> = T extends readonly (infer Item)[]
  ? readonly FromJson<Item>[]
  : T extends object
    ? { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: FromJson<T[Key]> } & {
        readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: FromJson<T[Key]>;
      }
    : T;

// Level 9 makes pages of this size 14 % smaller than level 5 and takes 55 ms instead of 16; level 11 would take 1.5 s
// (measured on menus of 2,000 items).
const LARGE_BYTES = 256 * 1024;
const BROTLI_LEVEL = 5;
const BROTLI_LEVEL_LARGE = 9;
const GZIP_LEVEL = 6;

/**
 * A page (or any text) in the two encodings that visitors are served, large ones better compressed than small
 * ones. Each Buffer fills its memory exactly, so it may be kept for long and handed to another thread. Takes up to
 * 55 ms for a menu of 2,000 items: not for a thread that answers visits.
 */
export function compressPage(text: Buffer | string): {
  brotli: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer>;
} {
  const plain = typeof text === 'string' ? Buffer.from(text) : text;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: plain.length < LARGE_BYTES ? BROTLI_LEVEL : BROTLI_LEVEL_LARGE,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  return {
    brotli: exactly(brotliCompressSync(plain, { params })),
    gzip: exactly(gzipSync(plain, { level: GZIP_LEVEL })),
  };
}

/**
 * A copy without the memory around it: zlib returns views on 16 KiB, so a page of 3 KiB in both encodings would
 * hold 32 KiB as long as it is kept.
 */
function exactly(bytes: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(Uint8Array.from(bytes).buffer);
}
