import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Command } from 'commander';
import { toCsvRow } from '@smartlink/import/text';
import { selectRows } from '@smartlink/visits/analytics';
import { FORGOTTEN_HOURS, STATEMENT_MS_MAX, type VisitScope, whoseOf } from '@smartlink/visits/rollup';
import { fileOf, requireNew, writeOutput } from '../cli/files.js';
import { addAccountOption, readChoice } from '../cli/options.js';
import { type OnProgress, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { withClickhouse } from '../engines/clickhouse.js';
import { dataFolderOf, withSession } from '../engines/session.js';
import { findScope, type ScopeOptions } from '../visits/scope.js';
import { purgeEvents, type PurgeOptions } from './purge.js';
import { replayEvents, type ReplayOptions } from './replay.js';
import { COLUMN_NAMES } from './rows.js';

const FORMATS = ['ndjson', 'csv'] as const;

export function addEventCommands(program: Command, terminal: Terminal): void {
  const events = program.command('events').description('export, replay or purge single visits');
  addScopeOptions(
    events
      .command('export')
      .description('write events to a file or to standard output, oldest first')
      .option('--all', 'export the visits of all users'),
  )
    .option('--format <format>', FORMATS.join(' or '), 'ndjson')
    .option('-o, --out <file>', 'a file, compressed when it ends in .gz; - is standard output', '-')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
Only ndjson, one JSON object a line, can be replayed. The file gets its name once it is complete. An export is a copy
that no purge and no deleted user reaches: delete it yourself.
${examples(
  'events export --all --out visits.ndjson.gz',
  'events export --smartlink spring --from 2026-01-01 --to 2026-01-31 --format csv --out january.csv',
)}`,
    )
    .action((options: ExportOptions) =>
      exportEvents(terminal, { ...options, out: fileOf(terminal, options.out) }),
    );
  const { env } = terminal;
  const quarantine = env['SMARTLINK_DATA_DIR'] ? dataFolderOf(env) : '.data';
  events
    .command('replay')
    .description('insert exported events again; duplicates count once')
    .argument('[files...]', 'files of events export, ndjson or ndjson.gz')
    .option(
      '--quarantine <folder>',
      'insert the rows that the redirect service has put into SPOOL_DIR/quarantine, once the cause is corrected',
    )
    .option('-j, --json', 'print {"inserted","skipped","gone","purged","refused","segments"}')
    .addHelpText(
      'after',
      `
Lines that are not events are left out, printed by number and written to FILE.refused; the exit code is then 1. Events are
skipped if single visits of their day are no longer kept (their figures are final), if their smartlink or user is deleted, or
if they were purged in the last ${FORGOTTEN_HOURS} hours. After that, a file restores purged visits: a purge does not reach copies.
${examples('events replay visits.ndjson.gz', `events replay --quarantine ${join(quarantine, 'spool', 'quarantine')}`)}`,
    )
    .action((files: string[], { quarantine, ...options }: ReplayOptions) =>
      replayEvents(
        terminal,
        files.map((file) => fileOf(terminal, file)),
        { ...options, ...(quarantine !== undefined && { quarantine: fileOf(terminal, quarantine) }) },
      ),
    );
  addPurgeCommand(events, terminal);
}

function addPurgeCommand(events: Command, terminal: Terminal): void {
  addScopeOptions(events.command('purge').description('delete visits and their figures permanently'))
    .option('--all-before <day>', 'delete the visits of all users on all days before this one')
    .option('--dry-run', 'print the counts and delete nothing')
    .option('-y, --yes', 'do not ask')
    .option('-j, --json', 'print {"events","rolledUpDays","deleted"}')
    .addHelpText(
      'after',
      `
Events and figures of the days are deleted, and cannot be restored. The visits of today are deleted up to now. Visits that are
still in a spool of the redirect service are deleted as they arrive, for ${FORGOTTEN_HOURS} hours. Files of events export stay.
${examples(
  'events purge --account ann@example.com --dry-run',
  'events purge --smartlink spring --from 2026-01-01 --to 2026-01-31',
  'events purge --all-before 2025-01-01 --yes',
)}`,
    )
    .action((options: PurgeOptions) => purgeEvents(terminal, options));
}

function addScopeOptions(command: Command): Command {
  return addAccountOption(command, 'only visits to smartlinks of this user; of a deleted user by id')
    .option('--smartlink <id|slug>', 'only visits to this smartlink')
    .option('--from <day>', 'the first day, like 2026-01-31 (UTC)')
    .option('--to <day>', 'the last day, included (UTC)');
}

type ExportOptions = ScopeOptions & { all?: true; format: string; out: string; force?: true };

async function exportEvents(terminal: Terminal, options: ExportOptions): Promise<void> {
  const { out, all } = options;
  const format = readChoice('--format', options.format, FORMATS);
  requireNew(out, options.force);
  const isNamed = options.smartlink !== undefined || options.account !== undefined;
  if (isNamed && all) throw new Problem('--all means all users: give it alone.');
  if (!isNamed && !all) throw new Problem('Whose visits? Give --smartlink, --account or --all.');
  let count = 0;
  const isWhole = await withSession(terminal.env, (session) =>
    withClickhouse(session, (clickhouse) =>
      whileListening(
        terminal,
        () => ': nothing is kept of it.',
        async (signal) => {
          const scope = await findScope(session.db, options);
          const spans = await findSpans(clickhouse, scope);
          const total = spans.reduce((sum, { rows }) => sum + rows, 0);
          return withProgress(terminal, { doing: 'Exporting', total }, (add) => {
            const onEvents = (events: number) => {
              count += events;
              add(events);
            };
            const reading = { clickhouse, scope, format, signal, onEvents };
            return writeOutput(terminal, out, readText(reading, spans), signal);
          });
        },
      ),
    ),
  );
  if (!isWhole) return;
  if (out === '-') terminal.stderr(`Exported ${plural(count, 'event')}.\n`);
  else terminal.stdout(`Exported ${plural(count, 'event')} to ${out}.\n`);
}

/** Milliseconds since 1970, the end excluded. Of an event that was sent twice `rows` may have both. */
type Span = { readonly fromMs: number; readonly untilMs: number; readonly rows: number };

type Reading = {
  readonly clickhouse: ClickHouseClient;
  readonly scope: VisitScope;
  readonly format: (typeof FORMATS)[number];
  readonly signal: AbortSignal;
  readonly onEvents: OnProgress;
};

// Some 450 bytes each. The embedded ClickHouse has a whole answer in memory before it sends the first byte.
const EVENTS_PER_QUERY = 50_000;

const whichOf = (scope: VisitScope): string =>
  `${whoseOf(scope)} and ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') and ts < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')`;

/** Cuts the time of the events into spans that begin with minutes: of `rowsMax` rows, and those of their last minute. */
export async function findSpans(
  clickhouse: ClickHouseClient,
  { from, until, ...scope }: VisitScope,
  rowsMax = EVENTS_PER_QUERY,
): Promise<readonly Span[]> {
  const [fromMs, untilMs] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${until}T00:00:00Z`)];
  const spans = await selectRows<{ fromMs: number; rows: number }>(
    clickhouse,
    `select min(minute) * 60000 as fromMs, sum(events) as rows
     from (
       select intDiv(toUnixTimestamp64Milli(ts), 60000) as minute, count() as events,
              sum(events) over (order by minute) as upTo
       from events
       where ${whichOf({ from, until, ...scope })}
       group by minute
     )
     group by intDiv(upTo - events, {rowsMax:UInt32})
     order by fromMs`,
    { ...scope, fromMs, untilMs, rowsMax },
    STATEMENT_MS_MAX,
  );
  return spans.map((span, i) => ({ ...span, untilMs: spans[i + 1]?.fromMs ?? untilMs }));
}

/**
 * Yields the events as text, oldest first, some thousand at a time; memory is bounded by the events of the busiest minute.
 * Rejects when ClickHouse fails or `signal` aborts.
 */
async function* readText(reading: Reading, spans: readonly Span[]): AsyncGenerator<string> {
  const { clickhouse, scope, format, signal, onEvents } = reading;
  yield format === 'csv' ? toCsvRow(COLUMN_NAMES) : '';
  for (const { fromMs, untilMs } of spans) {
    signal.throwIfAborted();
    const result = await clickhouse.query({
      query: `select ${COLUMN_NAMES.join(', ')} from events final where ${whichOf(scope)} order by ts, event_id`,
      query_params: { ownerId: scope.ownerId, smartlinkId: scope.smartlinkId, fromMs, untilMs },
      format: 'JSONEachRow',
      abort_signal: signal,
      clickhouse_settings: {
        max_execution_time: STATEMENT_MS_MAX / 1_000,
        do_not_merge_across_partitions_select_final: 1,
        // JavaScript rounds 64 bits.
        output_format_json_quote_64bit_integers: 1,
      },
    });
    for await (const rows of result.stream<Record<string, string>>()) {
      const lines = rows.map((row) => (format === 'csv' ? toCsvRow(toValues(row.json())) : `${row.text}\n`));
      yield lines.join('');
      onEvents(rows.length);
    }
  }
}

const toValues = (row: Record<string, string>): readonly string[] =>
  COLUMN_NAMES.map((name) => row[name] ?? '');
