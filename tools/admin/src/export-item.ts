import { toDocument } from '@smartlink/smartlink-store/document-parts';
import type { Totals } from '@smartlink/visit-analytics/totals';
import type { ExportedRow } from './export-queries.js';
import type { pastSchema } from './import-past.js';
import type { z } from 'zod';

/**
 * Returns a smartlink as `import` takes it back: what creates it, and under `export` what no create says. Its password
 * goes along as its hash.
 */
export function toExportItem(row: ExportedRow, totals: Totals): object {
  const { [row.type]: _, ...otherContent } = row.content;
  const past: z.input<typeof pastSchema> = {
    version: 1,
    status: row.status === 'Paused' ? 'Paused' : 'Active',
    ...(row.pause_reason === null
      ? {}
      : { pauseReason: row.pause_reason as z.input<typeof pastSchema>['pauseReason'] }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    aliases: [...row.aliases],
    totals: { clicks: totals.clicks, scans: totals.scans, fallbacks: totals.fallbacks },
    ...(row.password_hash === null ? {} : { passwordHash: row.password_hash }),
    ...(Object.keys(otherContent).length === 0 ? {} : { otherContent }),
  };
  return { ...toDocument(row, row.type), export: past };
}
