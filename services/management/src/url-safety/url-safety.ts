import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';

/** What is said of some URLs. */
export type SafetyVerdict = {
  readonly unsafe: readonly DocumentUrl[];
  /** False when nobody has judged them: they are judged later. */
  readonly isChecked: boolean;
};

/** Says which of some URLs are unsafe. */
export type UrlSafety = {
  /** Rejects with SERVICE_UNAVAILABLE when the provider cannot be asked and the operator wants that to be a refusal. */
  readonly check: (urls: readonly DocumentUrl[]) => Promise<SafetyVerdict>;
};

/** The provider `none`: nothing is checked. */
export const NO_URL_SAFETY: UrlSafety = {
  check: () => Promise.resolve({ unsafe: [], isChecked: false }),
};

/**
 * Returns whether the URLs were judged, all of them safe. Throws UNSAFE_URL with a detail per URL that is not, and
 * SERVICE_UNAVAILABLE as UrlSafety does.
 */
export async function requireSafeUrls(safety: UrlSafety, urls: readonly DocumentUrl[]): Promise<boolean> {
  const { unsafe, isChecked } = await safety.check(urls);
  if (unsafe.length === 0) return isChecked;
  throw new ApiError('UNSAFE_URL', {
    details: unsafe.map(({ path }) => ({ path, message: 'URL was judged unsafe' })),
  });
}
