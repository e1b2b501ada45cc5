import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { FORGOTTEN_HOURS } from '@smartlink/visit-analytics/forgotten-visits';
import { withClickhouse } from './clickhouse.js';
import { examples } from './examples.js';
import { EXPORT_FORMATS, findMonths, headingOf, readMonth } from './export-events.js';
import type { ExportFormat } from './export-events.js';
import { fileOf } from './file-of.js';
import { writeOutput } from './output-file.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { purgeEvents } from './purge-events.js';
import type { PurgeOptions } from './purge-events.js';
import { replayEvents } from './replay-events.js';
import type { ReplayOptions } from './replay-events.js';
import { withSession } from './session.js';
import type { Terminal } from './terminal.js';
import { findScope } from './visit-scope.js';
import type { ScopeOptions } from './visit-scope.js';

/** Adds `events export|replay|purge`. */
export function addEventCommands(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('the visits as they are stored, one by one');
  addScopeOptions(
    events
      .command('export')
      .description('write events to a file or to standard output, oldest first')
      .option('--all', 'everybody'),
  )
    .option('--format <format>', EXPORT_FORMATS.join(' or '), 'ndjson')
    .option('--out <file>', 'a file, compressed when it ends in .gz; - is standard output', '-')
    .option('--force', 'replace the file when it is there already')
    .addHelpText(
      'after',
      `
Only ndjson, one JSON object a line, can be replayed. The file has its name once it is complete. An export is a copy
that no purge and no deleted user reaches: delete it yourself.
${examples(
  'events export --all --out visits.ndjson.gz',
  'events export --smartlink handbook --from 2026-01-01 --to 2026-01-31 --format csv --out january.csv',
)}`,
    )
    .action((options: ExportOptions) =>
      exportEvents(terminal, { ...options, out: fileOf(terminal, options.out) }),
    );
  events
    .command('replay')
    .description('insert events again that an export has written; those that are there already stay one each')
    .argument('[files...]', 'of events export, ndjson or ndjson.gz')
    .option(
      '--quarantine <folder>',
      'insert what the redirect service has put aside in SPOOL_DIR/quarantine, once the cause is mended',
    )
    .option('--json', 'print {"inserted","skipped","gone","purged","refused","segments"}')
    .addHelpText(
      'after',
      `
Lines that are no events are left out, told by number and written to FILE.refused; the exit code is 1 then. Skipped are
events of days that are no longer kept one by one, as what those days count is final; events whose smartlink or user is
gone; and what was purged in the last ${FORGOTTEN_HOURS} hours. Later a file brings purged visits back: it is a copy that a purge does
not reach.
${examples('events replay visits.ndjson.gz', `events replay --quarantine ${quarantineOf(terminal)}`)}`,
    )
    .action((files: string[], { quarantine, ...options }: ReplayOptions) =>
      replayEvents(
        terminal,
        files.map((file) => fileOf(terminal, file)),
        { ...options, ...(quarantine !== undefined && { quarantine: fileOf(terminal, quarantine) }) },
      ),
    );
  addScopeOptions(events.command('purge').description('delete visits for good, and what they count for'))
    .option('--all-before <day>', 'the visits of everybody on all days before this one')
    .option('--dry-run', 'only say how much would go')
    .option('--yes', 'do not ask')
    .option('--json', 'print {"events","rolledUpDays","deleted"}')
    .addHelpText(
      'after',
      `
Both the events and the figures of the days go, and no rollup brings them back. Visits of today go up to now. What is
still in a spool of the redirect service is deleted as it arrives, for ${FORGOTTEN_HOURS} hours. Files of events export are not reached.
${examples(
  'events purge --user ann@example.com --dry-run',
  'events purge --smartlink handbook --from 2026-01-01 --to 2026-01-31',
  'events purge --all-before 2025-01-01 --yes',
)}`,
    )
    .action((options: PurgeOptions) => purgeEvents(terminal, options));
}

/** The folder of the stack that npm start brings up. */
function quarantineOf({ env }: Terminal): string {
  const dataDir = env['SMARTLINK_DATA_DIR'] ?? '';
  return join(dataDir === '' ? '.data' : dataDir, 'spool', 'quarantine');
}

function addScopeOptions(command: Command): Command {
  return command
    .option('--smartlink <id|slug>', 'of this smartlink')
    .option('--user <id|address>', 'of all smartlinks of this user; the id when the user is gone')
    .option('--from <day>', 'the first day, like 2026-01-31 (UTC)')
    .option('--to <day>', 'the last day, included (UTC)');
}

type ExportOptions = ScopeOptions & { all?: true; format: string; out: string; force?: true };

async function exportEvents(terminal: Terminal, options: ExportOptions): Promise<void> {
  const { format, out } = options;
  if (!isFormat(format)) {
    throw new Problem(`--format ${JSON.stringify(format)}: expected ${EXPORT_FORMATS.join(' or ')}.`);
  }
  if (out !== '-' && options.force !== true && existsSync(out)) {
    throw new Problem(`${out} is there already: add --force to replace it.`);
  }
  const isNamed = options.smartlink !== undefined || options.user !== undefined;
  if (isNamed === (options.all === true)) {
    throw new Problem(
      isNamed ? '--all is everybody: give it alone.' : 'Whose visits? Give --smartlink, --user or --all.',
    );
  }
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  let count = 0;
  let isWhole: boolean;
  try {
    isWhole = await withSession(terminal.env, (session) =>
      withClickhouse(session, async (clickhouse) => {
        const scope = await findScope(session.db, options);
        const months = await findMonths(clickhouse, scope);
        const progress = showProgress(
          terminal,
          'Exporting',
          months.reduce((sum, { rows }) => sum + rows, 0),
        );
        const onEvents = (events: number) => {
          count += events;
          progress.add(events);
        };
        const texts = (async function* () {
          yield headingOf(format);
          for (const month of months) {
            yield* readMonth(clickhouse, scope, month, { format, signal: interrupt.signal, onEvents });
          }
        })();
        try {
          return await writeOutput(terminal, out, texts, interrupt.signal);
        } finally {
          progress.stop();
        }
      }),
    );
  } catch (err) {
    throw interrupt.signal.aborted ? new Problem('Interrupted: nothing is kept of it.') : err;
  } finally {
    stopListening();
  }
  if (!isWhole) return;
  if (out === '-') terminal.stderr(`Exported ${plural(count, 'event')}.\n`);
  else terminal.stdout(`Exported ${plural(count, 'event')} to ${out}.\n`);
}

const isFormat = (text: string): text is ExportFormat => (EXPORT_FORMATS as readonly string[]).includes(text);
