import { existsSync } from 'node:fs';
import type { Client } from 'pg';
import { NO_TOTALS } from '@smartlink/visit-analytics/totals';
import { EXPORT_FORMATS, exportTextOf } from './export-text.js';
import type { ExportFormat, ExportText } from './export-text.js';
import { countSmartlinks, readExportedSmartlinks } from './export-queries.js';
import { withExportTotals } from './export-totals.js';
import { writeOutput } from './output-file.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { findUserRow } from './queries.js';
import { inTransaction, withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { noUser } from './user-commands.js';

export type ExportOptions = { email: string; out: string; format: string; force?: true };

/**
 * Writes a user's smartlinks, but for deleted ones, in the order of their creation: as JSON that `import` takes back, or
 * as CSV for people. While ClickHouse does not answer totals are the last known ones, and that is said. Throws Problem
 * when the user or Postgres is not there, when the file is there already or cannot be written, and at Ctrl-C; then
 * nothing is left of it.
 */
export async function exportSmartlinks(terminal: Terminal, options: ExportOptions): Promise<void> {
  const { out } = options;
  const format = readFormat(options.format);
  if (out !== '-' && options.force !== true && existsSync(out)) {
    throw new Problem(`${out} is there already: add --force to replace it.`);
  }
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  let count: number | null;
  try {
    count = await withSession(terminal.env, async (session) => {
      const owner = await findUserRow(session.db, options.email);
      if (owner === null) throw noUser(options.email);
      const text = exportTextOf(format, session.addresses.publicBaseUrl);
      return atOneMoment(session.db, () =>
        writeAll(terminal, session, { ownerId: owner.id, out, text, signal: interrupt.signal }),
      );
    });
  } catch (err) {
    throw interrupt.signal.aborted ? new Problem('Interrupted: nothing is kept of it.') : err;
  } finally {
    stopListening();
  }
  if (count === null) return;
  const done = `Exported ${plural(count, 'smartlink')}`;
  if (out === '-') terminal.stderr(`${done}.\n`);
  else terminal.stdout(`${done} to ${out}.\n`);
}

function readFormat(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new Problem(`--format ${JSON.stringify(text)}: expected ${EXPORT_FORMATS.join(' or ')}.`);
}

type Writing = {
  readonly ownerId: string;
  readonly out: string;
  readonly text: ExportText;
  readonly signal: AbortSignal;
};

const SMARTLINKS = { name: 'smartlinks', size: 1 };

/** Returns what `work` returns. It sees Postgres as its first query finds it; later changes are in the next export. */
function atOneMoment<T>(db: Client, work: () => Promise<T>): Promise<T> {
  return inTransaction(db, async () => {
    await db.query('set transaction isolation level repeatable read, read only');
    return work();
  });
}

/** Returns how many smartlinks were written; null when nobody has read them to the end. */
async function writeAll(terminal: Terminal, session: Session, writing: Writing): Promise<number | null> {
  const { db } = session;
  const { ownerId, out, text, signal } = writing;
  // Before totals are looked for: a smartlink that comes later would be without those that it brings.
  const total = await countSmartlinks(db, ownerId);
  return withExportTotals(terminal, session, ownerId, async (findTotals) => {
    const progress = showProgress(terminal, 'Exporting', total, SMARTLINKS);
    let count = 0;
    const pieces = (async function* () {
      yield text.start;
      for await (const rows of readExportedSmartlinks(db, ownerId)) {
        signal.throwIfAborted();
        const totals = await findTotals(rows.map(({ id }) => id));
        yield rows.map((row, i) => text.item(row, totals.get(row.id) ?? NO_TOTALS, count + i === 0)).join('');
        count += rows.length;
        progress.add(rows.length);
      }
      yield text.end(count);
    })();
    try {
      const isWhole = await writeOutput(terminal, out, pieces, signal);
      return isWhole ? count : null;
    } finally {
      progress.stop();
    }
  });
}
