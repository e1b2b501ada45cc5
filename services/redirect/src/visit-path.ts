import { isSlug } from '@smartlink/smartlink/slug';

export type VisitPath = {
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
export function parseVisitPath(path: string): VisitPath | null {
  const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length;
  const isScan = end > 3 && path.charAt(2) === '/' && (path.charAt(1) === 'q' || path.charAt(1) === 'Q');
  const slug = path.slice(isScan ? 3 : 1, end);
  return isSlug(slug) ? { slug, isScan } : null;
}
