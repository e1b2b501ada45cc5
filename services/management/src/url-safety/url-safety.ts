// The front file of the feature: what the rest of the service may use.
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';
import type { UrlSafety } from './safety-verdict.js';

export { cannotBeChecked } from './create-url-safety.js';
export { SafetyStartError, openUrlSafety } from './open-url-safety.js';
export type { OpenUrlSafety } from './open-url-safety.js';
export type { SafetyVerdict, UrlSafety } from './safety-verdict.js';

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
  throw new ApiError('UNSAFE_URL', { details: unsafeDetails(unsafe) });
}

/** Returns what is said of unsafe URLs, a detail each. */
export function unsafeDetails(unsafe: readonly DocumentUrl[]): { path: string; message: string }[] {
  return unsafe.map(({ path }) => ({ path, message: 'URL was judged unsafe' }));
}
