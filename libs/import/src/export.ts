import type { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { APPEARANCE_TYPES, REDIRECT_TYPES, relink } from '@smartlink/smartlink/model';
import { ALL_COLUMNS, type SmartlinkRow, toDocument } from '@smartlink/smartlink/store';
import { NO_TOTALS, type Totals } from '@smartlink/visits/analytics';
import { EXPORT_CSV_COLUMNS } from './files/recognise-format.js';
import type { pastSchema } from './store/check-row.js';
import { toCsvRow } from './text.js';

/** A smartlink with all of its content and its former addresses. */
export type ExportedRow = SmartlinkRow & {
  /** On the host of its address. */
  readonly aliases: readonly string[];
  readonly other_aliases: readonly { readonly slug: string; readonly domain: string | null }[];
  /** The name of its folder. */
  readonly folder: string | null;
  /** The totals that Postgres last heard; null: none. */
  readonly known_totals: Totals | null;
};

const IS_ALIAS = `slugs.smartlink_id = smartlinks.id and not slugs.is_primary and strpos(slugs.key, '=') = 0`;
const IS_ON_ITS_HOST = `left(slugs.key, strpos(slugs.key, '.')) = coalesce(smartlinks.domain_number || '.', '')`;

const FIND_EXPORTED = `
select ${ALL_COLUMNS},
       array(select slugs.slug from slugs
             where ${IS_ALIAS} and ${IS_ON_ITS_HOST}
             order by slugs.key) as aliases,
       array(select json_build_object('slug', slugs.slug, 'domain', domains.host)
             from slugs left join domains on domains.number::text = split_part(slugs.key, '.', 1) and strpos(slugs.key, '.') > 0
             where ${IS_ALIAS} and not ${IS_ON_ITS_HOST} and domains.status is distinct from 'Removed'
             order by slugs.key) as other_aliases,
       (select folders.name from folders where folders.id = smartlinks.folder_id) as folder,
       (select json_build_object('clicks', clicks, 'scans', scans, 'fallbacks', fallbacks) from smartlink_totals
        where smartlink_id = smartlinks.id) as known_totals
from unnest($1::uuid[]) with ordinality as wanted (id, place) join smartlinks on smartlinks.id = wanted.id
order by wanted.place`;

// As stored, compressed; text takes several times that.
const BYTES_AT_ONCE = 1024 * 1024;

/** A smartlink to export, and the size of its content as stored. */
export type ExportPlace = { readonly id: string; readonly bytes: number };

/** The smartlinks of `pages`, some hundred at a time and some ten MiB of text at most; those deleted by then are left out. */
async function* readSmartlinks(
  db: Queryable,
  pages: AsyncIterable<readonly ExportPlace[]>,
): AsyncGenerator<readonly ExportedRow[]> {
  const find = async (ids: readonly string[]) => (await db.query(FIND_EXPORTED, [ids])).rows as ExportedRow[];
  for await (const page of pages) {
    let ids: string[] = [];
    let idsBytes = 0;
    for (const { id, bytes } of page) {
      if (ids.length > 0 && idsBytes + bytes > BYTES_AT_ONCE) {
        yield await find(ids);
        [ids, idsBytes] = [[], 0];
      }
      ids.push(id);
      idsBytes += bytes;
    }
    if (ids.length > 0) yield await find(ids);
  }
}

const PAGE_ROWS = 500;

const FIND_PAGE = `
select id, pg_column_size(content) as bytes from smartlinks
where user_id = $1 and id > $2 and status in ('Active', 'Paused')
order by id
limit ${PAGE_ROWS}`;

/** A user's smartlinks that are not Deleted, oldest first by their ids, each page read when it is asked for. */
export async function* pagesToExport(db: Queryable, userId: string): AsyncGenerator<readonly ExportPlace[]> {
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = (await db.query(FIND_PAGE, [userId, afterId])).rows as ExportPlace[];
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    afterId = last.id;
  }
}

export const EXPORT_FORMATS = ['json', 'csv'] as const;

/** A format's text of smartlinks. */
type ExportText = {
  readonly start: string;
  readonly item: (row: ExportedRow, totals: Totals, isFirst: boolean) => string;
  readonly end: (count: number) => string;
};

/** An array with an item a line, so that it can be read and written piece by piece. */
const JSON_TEXT: ExportText = {
  start: '[',
  item: (row, totals, isFirst) => `${isFirst ? '\n' : ',\n'}${JSON.stringify(toExportItem(row, totals))}`,
  end: (count) => (count === 0 ? ']\n' : '\n]\n'),
};

/** A create body, and under `export` what no create body has. A password is exported as its hash. */
function toExportItem(row: ExportedRow, { clicks, scans, fallbacks }: Totals): object {
  const { [row.type]: _, ...otherContent } = row.content;
  const past: z.input<typeof pastSchema> = {
    version: 1,
    status: row.status === 'Paused' ? 'Paused' : 'Active',
    ...(row.pause_reason !== null && {
      pauseReason: row.pause_reason as z.input<typeof pastSchema>['pauseReason'],
    }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    aliases: [...row.aliases],
    ...(row.other_aliases.length > 0 && { otherAliases: [...row.other_aliases] }),
    ...(row.imported_addresses !== null && { importedAddresses: [...row.imported_addresses] }),
    totals: { clicks, scans, fallbacks },
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(Object.keys(otherContent).length > 0 && { otherContent }),
    ...(row.appearance !== null && !APPEARANCE_TYPES.has(row.type) && { otherAppearance: row.appearance }),
    ...(row.utm !== null && row.type !== 'Url' && { otherUtm: row.utm }),
    ...(row.redirect !== null && !REDIRECT_TYPES.has(row.type) && { otherRedirect: row.redirect }),
    ...(row.visits_used !== null && row.visits_used > 0 && { visitsUsed: row.visits_used }),
    // Ids differ between instances.
    ...(row.folder !== null && { folder: row.folder }),
  };
  const metadata = {
    ...(row.tags !== null && { tags: row.tags }),
    ...(row.notes !== null && { notes: row.notes }),
    ...(row.archived_at !== null && { archived: true }),
    ...(row.external_id !== null && { externalId: row.external_id }),
  };
  return { ...toDocument(row, row.type), ...metadata, export: past };
}

/** A table for spreadsheets, with the most of what a link is known by. */
const csvText = (publicBaseUrl: string): ExportText => ({
  start: toCsvRow(EXPORT_CSV_COLUMNS),
  item: (row, { clicks, scans, fallbacks }) => {
    const address = relink(publicBaseUrl, row.slug, row.domain);
    const known = [row.name, address, row.type, destinationOf(row), row.status, row.created_at.toISOString()];
    return toCsvRow([...known, ...[clicks, scans, fallbacks].map(String)]);
  },
  end: () => '',
});

/** Only a Url link has one. */
function destinationOf({ type, content }: ExportedRow): string {
  if (type !== 'Url') return '';
  return (content.Url?.['shortener'] as { readonly url: string } | undefined)?.url ?? '';
}

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The pieces of an export, with the number of smartlinks in each. `publicBaseUrl`: the start of addresses, for CSV alone. */
export async function* exportPieces(
  db: Queryable,
  {
    pages,
    format,
    publicBaseUrl,
    findTotals,
    hasPasswords = true,
  }: {
    readonly pages: AsyncIterable<readonly ExportPlace[]>;
    readonly format: ExportFormat;
    readonly publicBaseUrl: string;
    readonly findTotals: (rows: readonly ExportedRow[]) => Promise<ReadonlyMap<string, Totals>>;
    /** Whether the hashes of passwords are exported; an import needs a new password for links without. */
    readonly hasPasswords?: boolean;
  },
): AsyncGenerator<{ readonly text: string; readonly count: number }> {
  const text = format === 'json' ? JSON_TEXT : csvText(publicBaseUrl);
  let total = 0;
  yield { text: text.start, count: 0 };
  for await (const rows of readSmartlinks(db, pages)) {
    const found = await findTotals(rows);
    const items = rows.map((row, i) => {
      const exported = hasPasswords ? row : { ...row, password_hash: null };
      return text.item(exported, found.get(row.id) ?? NO_TOTALS, total + i === 0);
    });
    yield { text: items.join(''), count: rows.length };
    total += rows.length;
  }
  yield { text: text.end(total), count: 0 };
}
