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
  /** Whether the best of the owner's pictures is meant to be shown large: one given for previews, or a cover. */
  readonly hasLargeImage: boolean;
};

// What the networks show at most, in code points (pages-design: 65 and 160).
const TITLE_LENGTH_MAX = 65;
const DESCRIPTION_LENGTH_MAX = 160;

/**
 * Returns the description, Open Graph and canonical tags of a page (ogp.me), every attribute quoted: WhatsApp shows no
 * picture without. Its address is the one for clicks, so that a preview of a scanned link leads to no scan.
 */
export function shareTags(card: ShareCard): Html {
  const { site, slug } = card;
  const address = `${site.publicBaseUrl}/${slug}`;
  const title = cutAtWord(card.title, TITLE_LENGTH_MAX);
  const description = cutAtWord(card.description ?? '', DESCRIPTION_LENGTH_MAX);
  // WhatsApp wants one that is not empty, search engines make a better one of their own.
  const shownDescription = description === '' ? address.replace(/^https?:\/\//, '') : description;
  return markup`${description === '' ? null : markup`<meta name="description" content="${description}">\n`}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${shownDescription}">
<meta property="og:url" content="${address}">
${imageTags(card)}<link rel="canonical" href="${address}">
`;
}

function imageTags(card: ShareCard): Html {
  const image = card.images.find((url) => url !== undefined && isShown(url));
  if (image === undefined) return markup`${ownImage(card)}<meta name="twitter:card" content="summary">\n`;
  // A picture that stands in for a better one, which previews do not show, is as a rule a logo.
  const isBest = image === card.images.find((url) => url !== undefined);
  const type = isBest && card.hasLargeImage ? 'summary_large_image' : 'summary';
  return markup`<meta property="og:image" content="${image}">
<meta name="twitter:card" content="${type}">
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
  return url.startsWith('https://') && !/^[^?#]*\.svgz?(?:[?#]|$)/i.test(url);
}

/** Returns `text` in one line of at most `lengthMax` code points, cut behind a word where it has to be. */
export function cutAtWord(text: string, lengthMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = Array.from(line);
  if (points.length <= lengthMax) return line;
  // One more than fits: the last word fits whole when a space follows it.
  const cut = points.slice(0, lengthMax).join('');
  const space = cut.lastIndexOf(' ');
  // A language without spaces, or an address, is cut where it has to be.
  const isCutAtSpace = space > cut.length / 2;
  return `${isCutAtSpace ? cut.slice(0, space) : points.slice(0, lengthMax - 1).join('')}…`;
}
