import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { failureCode } from '@smartlink/process/database';
import { cannotWrite, type NewFile, openNewFile } from '../cli/files.js';
import { Problem, type Terminal } from '../cli/terminal.js';
import { plural, toCsvRow, toPrintable, toPrintableJson } from '../cli/text.js';
import { SLUG_PATH } from './check-row.js';
import type { ImportState, Remark } from './queries.js';
import { NO_ROOM, OWN_TAKEN } from './store-batch.js';

export type Report = {
  readonly add: (remarks: readonly Remark[]) => Promise<void>;
  /** The name of the complete file; null when there was no remark. */
  readonly close: () => Promise<string | null>;
  /** Keeps an earlier report. */
  readonly discard: () => Promise<void>;
};

const HEADING = ['row', 'line', 'slug', 'reason', 'created as'];

/** Throws Problem when something other than an earlier report has this name. */
export async function requireReportName(name: string): Promise<void> {
  try {
    // Opening a named pipe would wait for its writer.
    if ((await stat(name)).isFile()) {
      const heading = Buffer.from(toCsvRow(HEADING));
      const file = await open(name);
      try {
        const { buffer } = await file.read(Buffer.alloc(heading.length), 0, heading.length, 0);
        if (buffer.equals(heading)) return;
      } finally {
        await file.close();
      }
    }
  } catch (err) {
    if (failureCode(err) === 'ENOENT') return;
    throw cannotWrite(name, err);
  }
  throw new Problem(`${name} exists already, and is not a report of an import.`);
}

/** Throws Problem when no report can be written under this name. Nothing is left there. */
export async function requireWritable(name: string): Promise<void> {
  const file = openNewFile(name);
  file.stream.end();
  try {
    await finished(file.stream);
  } catch (err) {
    throw cannotWrite(name, err);
  }
  await file.discard();
}

/**
 * A report of rows as CSV, without formulas of spreadsheets or commands of terminals. The file is created with its first
 * remark, readable by its owner only, and gets its name once it is complete; without remarks an earlier report is deleted.
 * The functions reject with Problem when it cannot be written. The caller closes or discards it.
 */
export function openReport(name: string): Report {
  let file: NewFile | null = null;
  let failure: Error | null = null;
  const openFile = (): NewFile => {
    const opened = openNewFile(name);
    opened.stream.on('error', (err) => (failure = err));
    return opened;
  };
  const check = (): void => {
    if (failure !== null) throw cannotWrite(name, failure);
  };
  const fail = (err: unknown): never => {
    throw cannotWrite(name, err);
  };
  return {
    async add(remarks) {
      if (remarks.length === 0) return;
      const text = (file === null ? toCsvRow(HEADING) : '') + remarks.map(toRow).join('');
      file ??= openFile();
      if (!file.stream.write(text) && failure === null)
        await once(file.stream, 'drain').catch(() => undefined);
      check();
    },
    async close() {
      if (file === null) {
        await rm(name, { force: true }).catch(fail);
        return null;
      }
      file.stream.end();
      await finished(file.stream).catch(() => undefined);
      check();
      await file.keep().catch(fail);
      return name;
    },
    async discard() {
      if (file === null) return;
      file.stream.destroy();
      await file.discard();
    },
  };
}

const toRow = ({ rowNumber, line, slug, reason, createdAs }: Remark): string =>
  toCsvRow([`${rowNumber}`, line > 0 ? `${line}` : '', slug ?? '', reason, createdAs ?? ''].map(toPrintable));

/** The result of an import or, in a dry run, the expected one. */
export type Summary = {
  readonly dryRun: boolean;
  readonly rows: number;
  readonly created: number;
  readonly refused: number;
  /** Created with another address than requested. */
  readonly readdressed: number;
  /** Refused rows by the most frequent reasons. */
  readonly refusedBy: Readonly<Record<string, number>>;
  /** Refused rows to which --assign-slugs would give another address. */
  readonly assignable: number;
  /** The report; null without remarks. */
  readonly report: string | null;
  /** Smartlinks whose totals are not in ClickHouse yet. */
  readonly totalsWaiting: number;
  /** Rows that an earlier run had done: among `rows`, but not in a dry run. */
  readonly resumedAfter: number;
  readonly seconds: number;
};

/** The result of an import or of a dry run. */
export type Outcome = {
  readonly state: ImportState;
  /** Smartlinks that an earlier run created, if `state` is without them. */
  readonly createdBefore: number;
  readonly summary: Pick<Summary, 'refusedBy' | 'assignable' | 'report' | 'totalsWaiting' | 'resumedAfter'>;
  /** Why the exit code is not 0, although all rows were read. */
  readonly problem: Problem | null;
};

const REASONS_SHOWN_MAX = 20;
const REASONS_COUNTED_MAX = 1_000;

/** Counts reasons; after very many different ones all others are `another reason`. */
export function countReasons() {
  const counts = new Map<string, number>();
  let assignable = 0;
  return {
    add(remarks: readonly Remark[]): void {
      for (const { reason, createdAs } of remarks) {
        if (createdAs !== null) continue;
        if (isForSlugAlone(reason)) assignable += 1;
        const name = counts.has(reason) || counts.size < REASONS_COUNTED_MAX ? reason : 'another reason';
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    },
    /** The most frequent ones first. */
    counted: (): Pick<Summary, 'refusedBy' | 'assignable'> => {
      const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
      return { refusedBy: Object.fromEntries(sorted.slice(0, REASONS_SHOWN_MAX)), assignable };
    },
  };
}

/** The owner of the address needs no second link. */
const isForSlugAlone = (reason: string): boolean =>
  reason !== OWN_TAKEN && reason.split('; ').every((fault) => fault.startsWith(`${SLUG_PATH}: `));

const REASON_WIDTH_MAX = 160;

const cut = (reason: string): string =>
  reason.length > REASON_WIDTH_MAX ? `${reason.slice(0, REASON_WIDTH_MAX)}…` : reason;

/** Prints a summary, as one line of JSON or as text. */
export function printSummary(
  terminal: Terminal,
  { file, owner, json }: { readonly file: string; readonly owner: string; readonly json: boolean },
  summary: Summary,
): void {
  if (json) {
    terminal.stdout(`${toPrintableJson(summary)}\n`);
    return;
  }
  const { dryRun, rows, created, refused, refusedBy, readdressed, report, seconds } = summary;
  const perSecond = Math.round((dryRun ? rows : rows - summary.resumedAfter) / Math.max(seconds, 0.001));
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `${file} for ${owner}: ${plural(rows, 'row')} read, ${created} ${would}created, ${refused} ${would}refused (${seconds.toFixed(1)} s, ${perSecond} rows/s).`,
    ...Object.entries(refusedBy).map(([reason, count]) => `${`${count}`.padStart(9)}  ${cut(reason)}`),
    NO_ROOM in refusedBy &&
      "The owner's plan has no room for more. Once users set-plan gives it some, the same command imports those rows.",
    summary.assignable > 0 && `${summary.assignable} of these would get another address with --assign-slugs.`,
    readdressed > 0 &&
      `${plural(readdressed, 'row')} ${dryRun ? 'would get' : 'got'} another address than asked for.`,
    report !== null && `Which rows, and ${refused > 0 ? 'why' : 'what they asked for'}: ${report}`,
    dryRun && 'This was a dry run: nothing was changed.',
    summary.totalsWaiting > 0 &&
      `The click totals of ${plural(summary.totalsWaiting, 'smartlink')} wait for ClickHouse: import --finish moves them once it answers.`,
  ].filter((line) => line !== false);
  terminal.stdout(lines.map((line) => `${toPrintable(line)}\n`).join(''));
}
