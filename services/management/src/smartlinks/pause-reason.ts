import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { urlsOf, urlsOfRow } from '@smartlink/smartlink-store/document-parts';
import type { DocumentParts } from '@smartlink/smartlink-store/document-parts';
import type { PauseReason, SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { unsafeDetails } from '../url-safety/url-safety.js';

// As many as a Landing has buttons; a menu may have fifty thousand images on one bad host.
const DETAILS_MAX = 100;

/** Returns why the service pauses a smartlink with these unsafe URLs, the first 100 of them named; null for none. */
export function unsafeUrlReason(unsafe: readonly DocumentUrl[]): PauseReason | null {
  if (unsafe.length === 0) return null;
  return { code: 'UNSAFE_URL', details: unsafeDetails(unsafe.slice(0, DETAILS_MAX)) };
}

/** Whether a paused smartlink still has a URL that the service has paused it for. */
export function hasUnsafeUrls(
  row: Pick<SmartlinkRow, 'pause_reason' | 'content' | 'type' | 'open_graph'>,
): boolean {
  return remainingReason(row, { content: row.content[row.type] ?? {}, openGraph: row.open_graph }) !== null;
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
  const unsafe = new Set(
    urlsOfRow(row)
      .filter(({ path }) => paths.has(path))
      .map(({ url }) => url),
  );
  return unsafeUrlReason(urlsOf(parts).filter(({ url }) => unsafe.has(url)));
}
