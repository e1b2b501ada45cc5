import type { ClickHouseClient } from '@clickhouse/client';
import type { Command } from 'commander';
import type { Client } from 'pg';
import { EXPORT_FORMATS, type ExportedRow, type ExportPlace, exportPieces } from '@smartlink/import/export';
import { moveCarriedTotals } from '@smartlink/import/store';
import { failureMessage } from '@smartlink/process/database';
import { findTotals, readRollupState, type Totals } from '@smartlink/visits/analytics';
import { findUser } from '../accounts/find-user.js';
import { fileOf, requireNew, writeOutput } from '../cli/files.js';
import { addAccountOption, readChoice, requireAccount } from '../cli/options.js';
import { type OnProgress, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { ANSWER_LIMIT_MS, explainFailure, openClickhouse } from '../engines/clickhouse.js';
import { type Session, withSession } from '../engines/session.js';

// In an order that does not depend on ids, which differ between databases. Only ids and sizes are sorted and kept.
const OPEN_CURSOR = `
declare exported no scroll cursor for
select id, pg_column_size(content) as bytes from smartlinks
where user_id = $1 and status in ('Active', 'Paused')
order by created_at, lower(slug) collate "C"`;

/** A user's smartlinks that are not Deleted, oldest first. In a transaction, which keeps the cursor. */
async function* pagesOfCursor(db: Client, userId: string): AsyncGenerator<readonly ExportPlace[]> {
  await db.query(OPEN_CURSOR, [userId]);
  for (;;) {
    const { rows } = await db.query<ExportPlace>('fetch 500 from exported');
    if (rows.length === 0) return;
    yield rows;
  }
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
      const { publicBaseUrl = '' } = addresses;
      if (publicBaseUrl === '' && format === 'csv') {
        throw new Problem('PUBLIC_BASE_URL is not set: every address begins with it.');
      }
      // Postgres as it is at one moment; not repeated after a conflict, since the text may have been written.
      await db.query('begin isolation level repeatable read, read only');
      // The snapshot comes before the totals: a later smartlink would lack those that it brings.
      const total = await countSmartlinks(db, ownerId);
      const totals = await openTotals(terminal, session, ownerId);
      let count = 0;
      async function* toPieces(onRows: OnProgress): AsyncGenerator<string> {
        const pieces = exportPieces(db, {
          pages: pagesOfCursor(db, ownerId),
          format,
          publicBaseUrl,
          findTotals: totals.find,
        });
        for await (const piece of pieces) {
          signal.throwIfAborted();
          yield piece.text;
          count += piece.count;
          onRows(piece.count);
        }
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
async function openTotals(terminal: Terminal, { addresses }: Session, ownerId: string) {
  let clickhouse: ClickHouseClient | null = null;
  try {
    const client = openClickhouse(addresses);
    clickhouse = client;
    const state = await readRollupState(client, ANSWER_LIMIT_MS);
    // Totals that an import left behind. On another connection: the session's transaction only reads.
    await withSession(terminal.env, (other) => moveCarriedTotals(other.db, client));
    return {
      find: (rows: readonly ExportedRow[]) =>
        findTotals(client, state, { ownerId, ids: rows.map(({ id }) => id) }, TOTALS_LIMIT_MS),
      close: () => client.close(),
    };
  } catch (err) {
    await clickhouse?.close();
    const why = failureMessage(explainFailure(err)).replace(/\.$/, '');
    terminal.stderr(`${why}. Click totals are the last known ones.\n`);
    return { find: findKnownTotals, close: () => Promise.resolve() };
  }
}

const findKnownTotals = (rows: readonly ExportedRow[]): Promise<ReadonlyMap<string, Totals>> =>
  Promise.resolve(
    new Map(rows.flatMap(({ id, known_totals }) => (known_totals === null ? [] : [[id, known_totals]]))),
  );
