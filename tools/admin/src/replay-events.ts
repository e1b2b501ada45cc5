import { addAuditEntry } from './audit-queries.js';
import { withClickhouse } from './clickhouse.js';
import { openVisitJudge } from './judge-visits.js';
import { plural } from './plural.js';
import { toPrintable } from './printable.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { replayFile } from './replay-files.js';
import { replayQuarantine } from './replay-quarantine.js';
import type { ReplayedQuarantine } from './replay-quarantine.js';
import { withSession } from './session.js';
import type { Terminal } from './terminal.js';

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
  let total = NOTHING;
  let purgedOn: readonly string[] = [];
  const refusedIn: string[] = [];
  await withSession(terminal.env, (session) =>
    withClickhouse(session, async (clickhouse) => {
      const visitJudge = await openVisitJudge(session.db, clickhouse);
      const { judge } = visitJudge;
      const onRefused = createRefusalTeller(terminal);
      const add = async (replayed: Counts, refusedGoTo: string) => {
        total = addUp(total, replayed);
        if (replayed.refused > 0) refusedIn.push(refusedGoTo);
        if (replayed.inserted > 0) {
          await addAuditEntry(session.db, 'events.replay', null, { events: replayed.inserted });
        }
      };
      for (const file of files) {
        const progress = showProgress(terminal, `Replaying ${file}`, 0);
        const replayed = await replayFile(clickhouse, file, { judge, progress, onRefused });
        await add({ ...replayed, segments: 0 }, `${file}.refused`);
      }
      const { quarantine } = options;
      if (quarantine !== undefined) {
        await add(await replayQuarantine(clickhouse, quarantine, { judge, onRefused }), quarantine);
      }
      purgedOn = visitJudge.purgedOn();
    }),
  );
  terminal.stdout(
    options.json === true ? `${JSON.stringify(total)}\n` : format(total, purgedOn, files.length === 0),
  );
  if (total.refused > 0) {
    throw new Problem(
      `${total.refused} ${total.refused === 1 ? 'was' : 'were'} refused: see ${refusedIn.join(', ')}.`,
    );
  }
}

type Counts = ReplayedQuarantine;

const NOTHING: Counts = { inserted: 0, skipped: 0, gone: 0, purged: 0, refused: 0, segments: 0 };

const addUp = (a: Counts, b: Counts): Counts => ({
  inserted: a.inserted + b.inserted,
  skipped: a.skipped + b.skipped,
  gone: a.gone + b.gone,
  purged: a.purged + b.purged,
  refused: a.refused + b.refused,
  segments: a.segments + b.segments,
});

function format(total: Counts, purgedOn: readonly string[], isQuarantineOnly: boolean): string {
  const { inserted, skipped, gone, purged, segments } = total;
  if (isQuarantineOnly && Object.values(total).every((count) => count === 0)) {
    return 'Nothing is in quarantine.\n';
  }
  const lines = [
    `Sent ${plural(inserted, 'event')}${inserted === 0 ? '' : '; what was there already counts once'}.`,
    ...(segments > 0 ? [`Moved ${plural(segments, 'segment')} back into the spool.`] : []),
    ...(skipped > 0 ? [`${skipped} skipped: the figures of their days are final.`] : []),
    ...(gone > 0 ? [`${gone} skipped: their smartlink is gone.`] : []),
    ...(purged > 0 ? [`${purged} skipped: they were purged on ${purgedOn.join(' and ')}.`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
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
