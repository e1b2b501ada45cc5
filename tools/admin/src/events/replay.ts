import { createReadStream } from 'node:fs';
import { appendFile, rm, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { isZlibError, type Line, readLines } from '@smartlink/import/files';
import { toPrintable } from '@smartlink/import/text';
import { EVENT_INSERT_SETTINGS } from '@smartlink/visits/event';
import { addAuditEntry } from '../accounts/audit.js';
import { cannotRead, cannotWrite, isFileError } from '../cli/files.js';
import { type OnProgress, print, Problem, type Terminal, withProgress } from '../cli/terminal.js';
import { plural } from '../cli/text.js';
import { withClickhouse } from '../engines/clickhouse.js';
import { withSession } from '../engines/session.js';
import { replayQuarantine } from './quarantine.js';
import {
  COLUMN_NAMES,
  type Counts,
  type ExportedEvent,
  noCounts,
  openVisitJudge,
  parseEventLine,
  type Visit,
  type VisitJudge,
} from './rows.js';

const REFUSED_SHOWN_MAX = 10;
// A reason may repeat a name from the line.
const REFUSED_LINE_MAX = 500;

export type ReplayOptions = { quarantine?: string; json?: true };

/**
 * Inserts the events of files and of a quarantine, and prints the counts. Throws Problem when a file cannot be read and,
 * after everything else was inserted, when something was refused.
 */
export async function replayEvents(
  terminal: Terminal,
  files: readonly string[],
  { quarantine, json }: ReplayOptions,
): Promise<void> {
  if (files.length === 0 && quarantine === undefined) {
    throw new Problem('Which events? Give files of events export, or --quarantine <folder>.');
  }
  const total = noCounts();
  let purgedOn: readonly string[] = [];
  const refusedIn: string[] = [];
  await withSession(terminal.env, ({ db, addresses }) =>
    withClickhouse({ addresses }, async (clickhouse) => {
      const visitJudge = await openVisitJudge(db, clickhouse);
      const onRefused = createRefusalPrinter(terminal);
      const replaying = { judge: visitJudge.judge, onRefused };
      const add = async (counts: Counts, refusedGoTo: string) => {
        for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
        if (counts.refused > 0) refusedIn.push(refusedGoTo);
        if (counts.inserted === 0) return;
        await addAuditEntry(db, 'events.replay', null, { events: counts.inserted });
      };
      for (const file of files) {
        const counts = await withProgress(terminal, { doing: `Replaying ${file}`, total: 0 }, (onEvents) =>
          replayFile(clickhouse, file, { ...replaying, onEvents }),
        );
        await add(counts, `${file}.refused`);
      }
      if (quarantine !== undefined) {
        await add(await replayQuarantine(clickhouse, quarantine, replaying), quarantine);
      }
      purgedOn = visitJudge.purgedOn();
    }),
  );
  print(terminal, json, total, format(total, purgedOn, files.length === 0));
  if (total.refused > 0) {
    const were = total.refused === 1 ? 'was' : 'were';
    throw new Problem(`${total.refused} ${were} refused: see ${refusedIn.join(', ')}.`);
  }
}

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

function createRefusalPrinter(terminal: Terminal): (line: string) => void {
  let refused = 0;
  return (line) => {
    refused += 1;
    if (refused <= REFUSED_SHOWN_MAX) terminal.stderr(`${toPrintable(line.slice(0, REFUSED_LINE_MAX))}\n`);
    else if (refused === REFUSED_SHOWN_MAX + 1) terminal.stderr('There are more.\n');
  };
}

const EVENTS_PER_INSERT = 10_000;
// The text columns together have less than 3 KiB, escaped in the worst case six times that.
const LINE_BYTES_MAX = 64 * 1024;
const CSV_START = COLUMN_NAMES.slice(0, 2).join(',');

type Replaying = {
  readonly judge: VisitJudge['judge'];
  readonly onEvents: OnProgress;
  /** Receives every refused line, as `FILE:12: reason`. */
  readonly onRefused: (line: string) => void;
};

/**
 * Inserts the events of a file from `events export`. Lines that are not events are left out and written unchanged to
 * `<file>.refused`, which replaces an earlier one, to be corrected and replayed. Throws Problem when a file cannot be read or
 * is CSV; events inserted before stay, and do not count twice when the file is replayed again.
 */
async function replayFile(
  clickhouse: ClickHouseClient,
  file: string,
  { judge, onEvents, onRefused }: Replaying,
): Promise<Counts> {
  const counts = noCounts();
  // Beside a pipe or a terminal no file can be put.
  const isPlainFile = (await stat(file).catch(() => null))?.isFile() === true;
  const refusedFile = `${file}.refused`;
  let batch: ExportedEvent[] = [];
  const send = async () => {
    if (batch.length === 0) return;
    const verdicts = await judge(batch.map(toVisit));
    for (const verdict of verdicts) counts[verdict] += 1;
    const values = batch.filter((_event, i) => verdicts[i] === 'inserted');
    const columns = COLUMN_NAMES as [string, ...string[]];
    const how = { columns, format: 'JSONEachRow', clickhouse_settings: EVENT_INSERT_SETTINGS } as const;
    if (values.length > 0) await clickhouse.insert({ table: 'events', values, ...how });
    onEvents(batch.length);
    batch = [];
  };
  const refuse = async ({ number, bytes }: Line, reason: string) => {
    counts.refused += 1;
    onRefused(`${file}:${number}: ${reason}`);
    if (bytes === null || !isPlainFile) return;
    await appendFile(refusedFile, `${bytes.toString()}\n`, { mode: 0o600 }).catch((err: unknown) => {
      throw cannotWrite(refusedFile, err);
    });
  };
  try {
    if (isPlainFile) await rm(refusedFile, { force: true });
    for await (const line of readLines(openBytes(file), LINE_BYTES_MAX)) {
      if (line.number === 1 && line.bytes?.toString().startsWith(CSV_START) === true) {
        throw new Problem(`${file} is CSV: only ndjson can be replayed.`);
      }
      if (line.bytes === null) await refuse(line, `is longer than ${LINE_BYTES_MAX} bytes`);
      else if (line.bytes.length > 0) {
        const event = parseEventLine(line.bytes.toString());
        if ('reason' in event) await refuse(line, event.reason);
        else batch.push(event);
      }
      if (batch.length >= EVENTS_PER_INSERT) await send();
    }
    await send();
  } catch (err) {
    throw isFileError(err) || isZlibError(err) ? cannotRead(file, err) : err;
  }
  return counts;
}

const toVisit = (event: ExportedEvent): Visit => ({
  ownerId: event.owner_id,
  smartlinkId: event.smartlink_id,
  timeMs: Date.parse(`${event.ts.replace(' ', 'T')}Z`),
});

function openBytes(file: string): AsyncIterable<Buffer> {
  const bytes = createReadStream(file);
  if (!file.endsWith('.gz')) return bytes;
  const text = createGunzip();
  // `pipe` hands no failure on.
  bytes.on('error', (err) => text.destroy(err));
  return bytes.pipe(text);
}
