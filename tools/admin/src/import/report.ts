import { createReadStream } from 'node:fs';
import { access, constants, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { MONTH_FIRST, NO_PASSWORD } from '@smartlink/import/files';
import {
  isAboutAddress,
  isAssignable,
  NO_ROOM,
  type Remark,
  REPORT_HEADING,
  toReportRow,
} from '@smartlink/import/store';
import { toPrintable } from '@smartlink/import/text';
import { failureCode } from '@smartlink/process/database';
import { cannotWrite, writeOutput } from '../cli/files.js';
import { Problem, type Terminal } from '../cli/terminal.js';
import { plural, toPrintableJson } from '../cli/text.js';
import type { InputFile } from './files/read-import-file.js';

/** Throws Problem when something other than an earlier report has this name. */
export async function requireReportName(name: string): Promise<void> {
  try {
    // Opening a named pipe would wait for its writer.
    const isFile = (await stat(name)).isFile();
    if (isFile && (await text(createReadStream(name, { end: REPORT_HEADING.length - 1 }))) === REPORT_HEADING)
      return;
  } catch (err) {
    if (failureCode(err) === 'ENOENT') return;
    throw cannotWrite(name, err);
  }
  throw new Problem(`${name} exists already, and is not a report of an import.`);
}

/** Throws Problem when the folder of a report does not exist or cannot be written to. */
export async function requireWritable(name: string): Promise<void> {
  await access(`${dirname(name)}/`, constants.W_OK).catch((err: unknown) => {
    throw cannotWrite(name, err);
  });
}

/**
 * Writes remarks as CSV and returns `name`. The file is readable by
 * its owner only and gets its name once it is complete. Without remarks it deletes an earlier report and returns null. Throws
 * Problem when the report cannot be written.
 */
export async function writeReport(
  terminal: Terminal,
  name: string,
  remarks: AsyncGenerator<readonly Remark[], void>,
  signal: AbortSignal,
): Promise<string | null> {
  const first = await remarks.next();
  if (first.done === true) {
    await rm(name, { force: true }).catch((err: unknown) => {
      throw cannotWrite(name, err);
    });
    return null;
  }
  const start = first.value;
  async function* texts(): AsyncGenerator<string> {
    yield REPORT_HEADING + start.map(toReportRow).join('');
    for await (const more of remarks) yield more.map(toReportRow).join('');
  }
  await writeOutput(terminal, name, texts(), signal);
  return name;
}

/**
 * Writes the refused rows beside the file, in its own columns and with the reason, and returns the name. Without any it deletes
 * those of an earlier run and returns null. Throws Problem when it cannot be written.
 */
export async function writeRefusedRows(
  terminal: Terminal,
  input: InputFile,
  reasons: ReadonlyMap<number, string>,
  signal: AbortSignal,
): Promise<string | null> {
  const name = `${input.name}.refused.${input.kind}`;
  if (reasons.size > 0) {
    await writeOutput(terminal, name, input.originalRows(reasons), signal);
    return name;
  }
  await rm(name, { force: true }).catch((err: unknown) => {
    throw cannotWrite(name, err);
  });
  return null;
}

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
  /** Created rows by what they lost, the most frequent first. */
  readonly losses: Readonly<Record<string, number>>;
  /** Refused rows that --assign-slugs would import. */
  readonly assignable: number;
  /** The report; null without remarks. */
  readonly report: string | null;
  /** The refused rows as a file to correct and import; null without any. */
  readonly refusedRows: string | null;
  /** Smartlinks whose totals are not in ClickHouse yet. */
  readonly totalsWaiting: number;
  /** Rows that an earlier run had done: among `rows`, but not in a dry run. */
  readonly resumedAfter: number;
  readonly seconds: number;
};

const REASONS_SHOWN_MAX = 20;
const REASONS_COUNTED_MAX = 1_000;
/** Refused rows that are copied for correction; some 20 MB of reasons. */
const ROWS_COPIED_MAX = 100_000;

/** Counts reasons; beyond REASONS_COUNTED_MAX different ones it counts `another reason`. */
function createCounter() {
  const counts = new Map<string, number>();
  return {
    add(reason: string): void {
      const name = counts.has(reason) || counts.size < REASONS_COUNTED_MAX ? reason : 'another reason';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    mostFrequent: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN_MAX)),
  };
}

/** Counts refusals and losses. */
export function countReasons() {
  const refused = createCounter();
  const lost = createCounter();
  const reasons = new Map<number, string>();
  let assignable = 0;
  let withoutRoom = 0;
  return {
    /** Of refused rows, by their number. */
    reasons: reasons as ReadonlyMap<number, string>,
    add(remarks: readonly Remark[]): void {
      for (const { rowNumber, reason, createdAs } of remarks) {
        if (createdAs !== null) {
          for (const part of reason.split('; ')) if (!isAboutAddress(part)) lost.add(part);
          continue;
        }
        if (reasons.size < ROWS_COPIED_MAX) reasons.set(rowNumber, toPrintable(reason));
        if (isAssignable(reason)) assignable += 1;
        if (reason === NO_ROOM) withoutRoom += 1;
        // The report has the row of the other link.
        refused.add(reason.replace(/ \(row \d+\)/g, ''));
      }
    },
    /** Whether the same command, or one with --assign-slugs, may import some of them. */
    hasRetryable: () => assignable + withoutRoom > 0,
    /** `room`: smartlinks that the plan still allows, null: unlimited. */
    counted: (room: number | null): Pick<Summary, 'refusedBy' | 'losses' | 'assignable'> => ({
      refusedBy: refused.mostFrequent(),
      losses: lost.mostFrequent(),
      assignable: Math.min(assignable, room ?? assignable),
    }),
  };
}

const REASON_WIDTH_MAX = 160;

const listCounts = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).map(([reason, count]) => `${`${count}`.padStart(9)}  ${cut(reason)}`);

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
  const { dryRun, rows, created, refused, refusedBy, losses, readdressed, report, refusedRows, seconds } =
    summary;
  const perSecond = Math.round((dryRun ? rows : rows - summary.resumedAfter) / Math.max(seconds, 0.001));
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `${file} for ${owner}: ${plural(rows, 'row')} read, ${created} ${would}created, ${refused} ${would}refused (${seconds.toFixed(1)} s, ${perSecond} rows/s).`,
    ...listCounts(refusedBy),
    NO_ROOM in refusedBy &&
      "The owner's plan has no room for more. Once users set-plan gives it some, the same command imports those rows.",
    Object.keys(refusedBy).some((reason) => reason.includes(NO_PASSWORD.message)) &&
      'With --new-password-file links whose passwords are not exported get another one.',
    summary.assignable > 0 &&
      `The same command with --assign-slugs ${dryRun ? 'would import' : 'imports'} ${summary.assignable} of these under another address.`,
    readdressed > 0 &&
      `${plural(readdressed, 'row')} ${dryRun ? 'would get' : 'got'} another address than requested.`,
    Object.keys(losses).length > 0 && `Created, but ${dryRun ? 'would lose' : 'lost'} something:`,
    ...listCounts(losses),
    MONTH_FIRST in losses &&
      'With --date-format dmy such dates are read with the day first, with mdy without this remark.',
    report !== null && `Which rows, and why: ${report}`,
    refusedRows !== null && `The refused rows, to correct and import: ${refusedRows}`,
    dryRun && 'This was a dry run: nothing was changed.',
    summary.totalsWaiting > 0 &&
      `The click totals of ${plural(summary.totalsWaiting, 'smartlink')} wait for ClickHouse: import --finish moves them once it answers.`,
  ].filter((line) => line !== false);
  terminal.stdout(lines.map((line) => `${toPrintable(line)}\n`).join(''));
}
