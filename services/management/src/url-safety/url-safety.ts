import { ApiError } from '../errors.js';

export type CheckedUrl = { readonly path: string; readonly url: string };

/** Says which of some URLs are unsafe. A provider that cannot be asked decides by its own policy; it never rejects. */
export type UrlSafety = {
  readonly findUnsafe: (urls: readonly CheckedUrl[]) => Promise<readonly CheckedUrl[]>;
};

/** The provider `none`: nothing is checked. */
export const NO_URL_SAFETY: UrlSafety = { findUnsafe: () => Promise.resolve([]) };

/** Throws UNSAFE_URL with a detail per URL that the provider calls unsafe. */
export async function requireSafeUrls(safety: UrlSafety, urls: readonly CheckedUrl[]): Promise<void> {
  const unsafe = await safety.findUnsafe(urls);
  if (unsafe.length === 0) return;
  throw new ApiError('UNSAFE_URL', {
    details: unsafe.map(({ path }) => ({ path, message: 'URL was judged unsafe' })),
  });
}
