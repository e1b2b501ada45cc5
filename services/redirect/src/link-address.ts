import { isSlug } from '@smartlink/smartlink/slug';
import { cleanVisitorQuery } from '@smartlink/visit-routing/decide';

const SLASH = '/'.charCodeAt(0);
const LETTER_Q = 'q'.charCodeAt(0);

export type VisitAddress = {
  /** As the visitor typed it. */
  readonly slug: string;
  /** The address of a QR code: `/q/<slug>`. */
  readonly isScan: boolean;
};

/**
 * Returns the slug in `/<slug>`, `/<slug>/`, `/q/<slug>`, `/q/<slug>/` (also `/Q/`), or null where the path is
 * something else. `/q` and `/q/` are the slug `q`. Nothing is decoded: no character of a slug needs it, so an encoded
 * path is not a slug's address.
 */
export function parseVisitPath(path: string): VisitAddress | null {
  const { length } = path;
  const end = length > 1 && path.charCodeAt(length - 1) === SLASH ? length - 1 : length;
  const isScan = end > 3 && path.charCodeAt(2) === SLASH && (path.charCodeAt(1) | 0x20) === LETTER_Q;
  const start = isScan ? 3 : 1;
  return isSlug(path, start, end) ? { slug: path.slice(start, end), isScan } : null;
}

/**
 * Returns the path and query of a visit to a link, from which nothing can lead away: the path is made of a slug, so it
 * begins with one slash only.
 */
export function visitAddress({ slug, isScan, query }: VisitAddress & { readonly query: string }): string {
  const path = `/${isScan ? 'q/' : ''}${slug}`;
  const cleaned = cleanVisitorQuery(query);
  return cleaned === '' ? path : `${path}?${cleaned}`;
}

/** An address of ours that belongs to a link: all begin with `/-/`, which no slug can. */
export type InternalAddress =
  /** A visit whose visitor has said what their device is, on the page that tells iPads from Macs. */
  | {
      readonly kind: 'chosen';
      readonly slug: string;
      readonly isScan: boolean;
      readonly platform: 'ipad' | 'mac';
    }
  | { readonly kind: 'preview'; readonly slug: string }
  | { readonly kind: 'vcard'; readonly slug: string }
  | { readonly kind: 'qr'; readonly slug: string; readonly format: 'svg' | 'png' };

const CHOSEN = /^\/-\/(ipad|mac)\/(q\/)?([^/.]+)$/;
const PREVIEW = /^\/-\/preview\/([^/.]+)\/?$/;
const VCARD = /^\/-\/card\/([^/.]+)\.vcf$/;
const QR = /^\/-\/qr\/([^/.]+)\.(svg|png)$/;

/** Returns what an address below `/-/` is of a link; null when it is something else. */
export function parseInternalPath(path: string): InternalAddress | null {
  const address = readInternalPath(path);
  return address !== null && isSlug(address.slug) ? address : null;
}

function readInternalPath(path: string): InternalAddress | null {
  const chosen = CHOSEN.exec(path);
  if (chosen !== null) {
    const [, platform, scanMark, slug = ''] = chosen;
    return {
      kind: 'chosen',
      slug,
      isScan: scanMark !== undefined,
      platform: platform === 'ipad' ? 'ipad' : 'mac',
    };
  }
  const previewed = PREVIEW.exec(path)?.[1];
  if (previewed !== undefined) return { kind: 'preview', slug: previewed };
  const carded = VCARD.exec(path)?.[1];
  if (carded !== undefined) return { kind: 'vcard', slug: carded };
  const [, slug, format] = QR.exec(path) ?? [];
  if (slug === undefined) return null;
  return { kind: 'qr', slug, format: format === 'svg' ? 'svg' : 'png' };
}
