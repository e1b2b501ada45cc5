import type { ClickHouseClient } from '@clickhouse/client';
import type { Command } from 'commander';
import type { Client } from 'pg';
import type { z } from 'zod';
import { failureMessage } from '@smartlink/process/database';
import { APPEARANCE_TYPES, relink } from '@smartlink/smartlink/model';
import { ALL_COLUMNS, type SmartlinkRow, toDocument } from '@smartlink/smartlink/store';
import { findTotals, NO_TOTALS, readRollupState, type Totals } from '@smartlink/visits/analytics';
import { findUser } from '../accounts/find-user.js';
import { fileOf, requireNew, writeOutput } from '../cli/files.js';
import { addAccountOption, readChoice, requireAccount } from '../cli/options.js';
import { type OnProgress, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples, plural, toCsvRow } from '../cli/text.js';
import { ANSWER_LIMIT_MS, explainFailure, openClickhouse } from '../engines/clickhouse.js';
import { type Session, withSession } from '../engines/session.js';
import type { pastSchema } from '../import/check-row.js';
import { EXPORT_CSV_COLUMNS } from '../import/files/recognise-format.js';
import { moveCarriedTotals } from '../import/totals.js';

/** A smartlink with all of its content and its former addresses. */
type ExportedRow = SmartlinkRow & { readonly aliases: readonly string[] };

// In an order that does not depend on ids, which differ between databases. Only ids and sizes are sorted and kept.
const OPEN_CURSOR = `
declare exported no scroll cursor for
select id, pg_column_size(content) as bytes from smartlinks
where user_id = $1 and status in ('Active', 'Paused')
order by created_at, lower(slug) collate "C"`;

const FIND_EXPORTED = `
select ${ALL_COLUMNS},
       array(select slugs.slug from slugs
             where slugs.smartlink_id = smartlinks.id and not slugs.is_primary and not starts_with(slugs.key, '=')
             order by slugs.key) as aliases
from unnest($1::uuid[]) with ordinality as wanted (id, place) join smartlinks on smartlinks.id = wanted.id
order by wanted.place`;

// As stored, compressed; text takes several times that.
const BYTES_AT_ONCE = 1024 * 1024;

/**
 * Yields a user's smartlinks that are not Deleted, oldest first, some hundred at a time and some ten MiB of text at most. In
 * a transaction, which keeps the cursor.
 */
async function* readExportedSmartlinks(db: Client, userId: string): AsyncGenerator<readonly ExportedRow[]> {
  await db.query(OPEN_CURSOR, [userId]);
  const find = async (ids: readonly string[]) => (await db.query<ExportedRow>(FIND_EXPORTED, [ids])).rows;
  for (;;) {
    const { rows } = await db.query<{ id: string; bytes: number }>('fetch 500 from exported');
    if (rows.length === 0) return;
    let ids: string[] = [];
    let idsBytes = 0;
    for (const { id, bytes } of rows) {
      if (ids.length > 0 && idsBytes + bytes > BYTES_AT_ONCE) {
        yield await find(ids);
        [ids, idsBytes] = [[], 0];
      }
      ids.push(id);
      idsBytes += bytes;
    }
    yield await find(ids);
  }
}

const EXPORT_FORMATS = ['json', 'csv'] as const;

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
    ...(row.imported_addresses !== null && { importedAddresses: [...row.imported_addresses] }),
    totals: { clicks, scans, fallbacks },
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(Object.keys(otherContent).length > 0 && { otherContent }),
    ...(row.appearance !== null && !APPEARANCE_TYPES.has(row.type) && { otherAppearance: row.appearance }),
    ...(row.utm !== null && row.type !== 'Url' && { otherUtm: row.utm }),
  };
  return { ...toDocument(row, row.type), export: past };
}

/** Throws Problem when the start of the addresses is not known. */
function csvText(publicBaseUrl: string | undefined): ExportText {
  if (publicBaseUrl === undefined)
    throw new Problem('PUBLIC_BASE_URL is not set: every address begins with it.');
  return {
    start: toCsvRow(EXPORT_CSV_COLUMNS),
    item: (row, { clicks, scans, fallbacks }) => {
      const address = relink(publicBaseUrl, row.slug);
      const known = [
        row.name,
        address,
        row.type,
        destinationOf(row),
        row.status,
        row.created_at.toISOString(),
      ];
      return toCsvRow([...known, ...[clicks, scans, fallbacks].map(String)]);
    },
    end: () => '',
  };
}

/** Only a Url link has one. */
function destinationOf({ type, content }: ExportedRow): string {
  if (type !== 'Url') return '';
  return (content.Url?.['shortener'] as { readonly url: string } | undefined)?.url ?? '';
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  addAccountOption(program.command('export'), 'owner of the smartlinks (required)')
    .description('write all smartlinks of a user to a file that import accepts')
    .option('-o, --out <file>', 'file to write, compressed if it ends in .gz; - is standard output', '-')
    .option('--format <format>', 'json, or csv for spreadsheets', 'json')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
The file holds links, former addresses, times, click totals and password hashes: protect it like the database. Deleted
smartlinks, single visits and figures by day are not exported. The file gets its name once it is complete.
${examples('export --account ann@example.com --out ann.json.gz')}`,
    )
    .action((options: ExportOptions) =>
      exportSmartlinks(terminal, { ...options, out: fileOf(terminal, options.out) }),
    );
}

type ExportOptions = { account?: string; out: string; format: string; force?: true };

/**
 * Writes a user's smartlinks in the order of their creation, without deleted ones: as JSON that `import` accepts, or as CSV.
 * While ClickHouse does not answer it writes the last known totals, and prints a line. Nothing is left of the file when it is
 * interrupted.
 */
async function exportSmartlinks(
  terminal: Terminal,
  { account, out, ...options }: ExportOptions,
): Promise<void> {
  const owner = requireAccount(account, 'to export');
  const format = readChoice('--format', options.format, EXPORT_FORMATS);
  requireNew(out, options.force);
  const work = (signal: AbortSignal) =>
    withSession(terminal.env, async (session) => {
      const { db, addresses } = session;
      const { id: ownerId } = await findUser(db, owner);
      const text = format === 'json' ? JSON_TEXT : csvText(addresses.publicBaseUrl);
      // Postgres as it is at one moment; not repeated after a conflict, since the text may have been written.
      await db.query('begin isolation level repeatable read, read only');
      // The snapshot comes before the totals: a later smartlink would lack those that it brings.
      const total = await countSmartlinks(db, ownerId);
      const totals = await openTotals(terminal, session, ownerId);
      let count = 0;
      async function* toPieces(onRows: OnProgress): AsyncGenerator<string> {
        yield text.start;
        for await (const rows of readExportedSmartlinks(db, ownerId)) {
          signal.throwIfAborted();
          const found = await totals.find(rows.map(({ id }) => id));
          const items = rows.map((row, i) => text.item(row, found.get(row.id) ?? NO_TOTALS, count + i === 0));
          yield items.join('');
          count += rows.length;
          onRows(rows.length);
        }
        yield text.end(count);
      }
      try {
        return await withProgress(
          terminal,
          { doing: 'Exporting', total, unit: 'smartlinks' },
          async (onRows) => ((await writeOutput(terminal, out, toPieces(onRows), signal)) ? count : null),
        );
      } finally {
        await totals.close();
      }
    });
  const count = await whileListening(terminal, () => ': the export was discarded.', work);
  if (count === null) return;
  const done = `Exported ${plural(count, 'smartlink')}`;
  if (out === '-') terminal.stderr(`${done}.\n`);
  else terminal.stdout(`${done} to ${out}.\n`);
}

async function countSmartlinks(db: Client, userId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from smartlinks where user_id = $1 and status in ('Active', 'Paused')`,
    [userId],
  );
  return rows[0]?.count ?? 0;
}

const TOTALS_LIMIT_MS = 60_000;

/**
 * Finds totals of some hundred smartlinks by id, without those that were never visited: in ClickHouse or, while that does not
 * answer, the last known ones in Postgres. Either has those of all smartlinks that the session's transaction sees, also during
 * an import. The caller closes it.
 */
async function openTotals(terminal: Terminal, { db, addresses }: Session, ownerId: string) {
  let clickhouse: ClickHouseClient | null = null;
  try {
    const client = openClickhouse(addresses);
    clickhouse = client;
    const state = await readRollupState(client, ANSWER_LIMIT_MS);
    // Totals that an import left behind. On another connection: the session's transaction only reads.
    await withSession(terminal.env, (other) => moveCarriedTotals(other.db, client));
    return {
      find: (ids: readonly string[]) => findTotals(client, state, { ownerId, ids }, TOTALS_LIMIT_MS),
      close: () => client.close(),
    };
  } catch (err) {
    await clickhouse?.close();
    const why = failureMessage(explainFailure(err)).replace(/\.$/, '');
    terminal.stderr(`${why}. Click totals are the last known ones.\n`);
    return { find: (ids: readonly string[]) => findKnownTotals(db, ids), close: () => Promise.resolve() };
  }
}

async function findKnownTotals(db: Client, ids: readonly string[]): Promise<ReadonlyMap<string, Totals>> {
  const { rows } = await db.query<Totals & { id: string }>(
    `select smartlink_id as id, clicks::float8 as clicks, scans::float8 as scans, fallbacks::float8 as fallbacks
     from smartlink_totals where smartlink_id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...totals }) => [id, totals]));
}
