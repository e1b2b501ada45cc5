import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { urlsOf } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import type { PauseReason, SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';

// As many as a Landing has buttons; a menu may have fifty thousand images on one bad host.
const DETAILS_MAX = 100;

/** Returns why the service pauses a smartlink with these unsafe URLs, the first 100 of them named; null for none. */
export function unsafeUrlReason(unsafe: readonly DocumentUrl[]): PauseReason | null {
  if (unsafe.length === 0) return null;
  const details = unsafe
    .slice(0, DETAILS_MAX)
    .map(({ path }) => ({ path, message: 'URL was judged unsafe' }));
  return { code: 'UNSAFE_URL', details };
}

/**
 * Returns what is left of why the service has paused a smartlink once it has become `parts`: the same URLs, where they
 * stand now; null when none of them is left.
 */
export function remainingReason(
  row: Pick<SmartlinkRow, 'pause_reason' | 'content' | 'type' | 'open_graph'>,
  parts: Pick<DocumentParts, 'content' | 'openGraph'>,
): PauseReason | null {
  if (row.pause_reason === null) return null;
  const paths = new Set(row.pause_reason.details.map(({ path }) => path));
  const before = urlsOf({ content: row.content[row.type] ?? {}, openGraph: row.open_graph });
  const unsafe = new Set(before.filter(({ path }) => paths.has(path)).map(({ url }) => url));
  return unsafeUrlReason(urlsOf(parts).filter(({ url }) => unsafe.has(url)));
}
