import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';

/** Says which of some URLs are unsafe. A provider that cannot be asked decides by its own policy; it never rejects. */
export type UrlSafety = {
  readonly findUnsafe: (urls: readonly DocumentUrl[]) => Promise<readonly DocumentUrl[]>;
};

/** The provider `none`: nothing is checked. */
export const NO_URL_SAFETY: UrlSafety = { findUnsafe: () => Promise.resolve([]) };

/** Throws UNSAFE_URL with a detail per URL that the provider calls unsafe. */
export async function requireSafeUrls(safety: UrlSafety, urls: readonly DocumentUrl[]): Promise<void> {
  const unsafe = await safety.findUnsafe(urls);
  if (unsafe.length === 0) return;
  throw new ApiError('UNSAFE_URL', {
    details: unsafe.map(({ path }) => ({ path, message: 'URL was judged unsafe' })),
  });
}
