import { SHARE_IMAGE_HEIGHT_PX, SHARE_IMAGE_WIDTH_PX } from '../site.js';
import type { ShareImageKind, Site } from '../site.js';
import { markup } from './markup.js';
import type { Html } from './markup.js';

/** What a preview of a link in a messenger or a social network shows. */
export type ShareCard = {
  readonly site: Site;
  readonly slug: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Addresses of the owner's pictures, the best first; those that previews do not show are passed over. */
  readonly images: readonly (string | undefined)[];
  /** Whose picture of ours stands in where the owner has none. */
  readonly kind: ShareImageKind;
  /** Whether the owner's picture was chosen to be shown large: one given for previews, or a cover. */
  readonly hasLargeImage: boolean;
};

// What the networks show at most, in code points (pages-design: 65 and 160).
const TITLE_LENGTH_MAX = 65;
const DESCRIPTION_LENGTH_MAX = 160;

/** Returns the description, Open Graph and canonical tags of a page (ogp.me), every attribute quoted. */
export function shareTags(card: ShareCard): Html {
  const title = cutAtWord(card.title, TITLE_LENGTH_MAX);
  const description =
    card.description === undefined ? '' : cutAtWord(card.description, DESCRIPTION_LENGTH_MAX);
  const address = `${card.site.publicBaseUrl}/${card.slug}`;
  const image = card.images.find((url) => url !== undefined && isShown(url));
  const type = image !== undefined && card.hasLargeImage ? 'summary_large_image' : 'summary';
  return markup`${description === '' ? null : markup`<meta name="description" content="${description}">\n`}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
${description === '' ? null : markup`<meta property="og:description" content="${description}">\n`}<meta property="og:url" content="${address}">
${image === undefined ? ownImage(card) : markup`<meta property="og:image" content="${image}">\n`}<meta name="twitter:card" content="${type}">
<link rel="canonical" href="${address}">
`;
}

function ownImage({ site, kind }: ShareCard): Html {
  return markup`<meta property="og:image" content="${site.publicBaseUrl}${site.shareImagePath(kind)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${String(SHARE_IMAGE_WIDTH_PX)}">
<meta property="og:image:height" content="${String(SHARE_IMAGE_HEIGHT_PX)}">
`;
}

// Several networks show no SVG and nothing that comes over plain http.
function isShown(url: string): boolean {
  return url.startsWith('https:') && !/\.svgz?(?:[?#]|$)/i.test(url);
}

/** Returns `text` in one line of at most `lengthMax` code points, cut behind a word where it has to be. */
export function cutAtWord(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  if (points.length <= lengthMax) return line;
  const cut = points.slice(0, lengthMax - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > lengthMax / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
