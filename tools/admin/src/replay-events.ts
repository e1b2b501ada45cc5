import type { ClickHouseClient } from '@clickhouse/client';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { addAuditEntry } from './audit-queries.js';
import { withClickhouse } from './clickhouse.js';
import { toPrintable } from './printable.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { replayFile } from './replay-files.js';
import { replayQuarantine } from './replay-quarantine.js';
import { withSession } from './session.js';
import type { Terminal } from './terminal.js';

const STATE_LIMIT_MS = 60_000;
const REFUSED_SHOWN_MAX = 10;
// A reason may repeat a name that the line has made up.
const REFUSED_LINE_MAX = 500;

export type ReplayOptions = { quarantine?: string; json?: true };

/**
 * Inserts the events of files and of a quarantine, and tells how many. Throws Problem when there is nothing to insert
 * from, when one cannot be read, and, after everything else was inserted, when something was refused.
 */
export async function replayEvents(
  terminal: Terminal,
  files: readonly string[],
  options: ReplayOptions,
): Promise<void> {
  if (files.length === 0 && options.quarantine === undefined) {
    throw new Problem('Which events? Give files of events export, or --quarantine <folder>.');
  }
  const total = { inserted: 0, skipped: 0, refused: 0, segments: 0 };
  await withSession(terminal.env, (session) =>
    withClickhouse(session, async (clickhouse) => {
      for (const source of [...files, null]) {
        const replayed = await replaySource(terminal, clickhouse, source, options);
        for (const [name, count] of Object.entries(replayed)) total[name as keyof typeof total] += count;
        if (replayed.inserted > 0) {
          await addAuditEntry(session.db, 'events.replay', null, { events: replayed.inserted });
        }
      }
    }),
  );
  tell(terminal, options, total);
  if (total.refused > 0)
    throw new Problem(`${total.refused} ${total.refused === 1 ? 'was' : 'were'} refused.`);
}

type Counts = Readonly<Record<'inserted' | 'skipped' | 'refused' | 'segments', number>>;

/** Null is the quarantine, if there is one. */
async function replaySource(
  terminal: Terminal,
  clickhouse: ClickHouseClient,
  file: string | null,
  { quarantine }: ReplayOptions,
): Promise<Counts> {
  const nothing: Counts = { inserted: 0, skipped: 0, refused: 0, segments: 0 };
  if (file === null && quarantine === undefined) return nothing;
  const { rawFrom } = await readRollupState(clickhouse, STATE_LIMIT_MS);
  const onRefused = createRefusalTeller(terminal);
  if (file === null) return replayQuarantine(clickhouse, quarantine ?? '', { rawFrom, onRefused });
  const progress = showProgress(terminal, `Replaying ${file}`, 0);
  return { ...nothing, ...(await replayFile(clickhouse, file, { rawFrom, progress, onRefused })) };
}

function tell(terminal: Terminal, options: ReplayOptions, total: Counts): void {
  if (options.json === true) {
    terminal.stdout(`${JSON.stringify(total)}\n`);
    return;
  }
  const { inserted, skipped, segments } = total;
  const parts = [
    `Inserted ${inserted} events`,
    ...(skipped > 0 ? [`skipped ${skipped} of days that are final`] : []),
    ...(segments > 0 ? [`moved ${segments} segments back into the spool`] : []),
  ];
  terminal.stdout(`${parts.join(', ')}.\n`);
}

/** Returns what tells of refused lines; of many it shows the first few. */
function createRefusalTeller(terminal: Terminal): (line: string) => void {
  let told = 0;
  return (line) => {
    told += 1;
    if (told <= REFUSED_SHOWN_MAX) terminal.stderr(`${toPrintable(line.slice(0, REFUSED_LINE_MAX))}\n`);
    else if (told === REFUSED_SHOWN_MAX + 1) terminal.stderr('There are more.\n');
  };
}
