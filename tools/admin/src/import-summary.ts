import type { ImportState, Remark } from './import-queries.js';
import { SLUG_PATH } from './import-check-row.js';
import { NO_ROOM, OWN_TAKEN } from './import-place-rows.js';
import { plural } from './plural.js';
import { toPrintable, toPrintableJson } from './printable.js';
import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';

/** What an import has done, or, in a dry run, would do. */
export type Summary = {
  readonly dryRun: boolean;
  readonly rows: number;
  readonly created: number;
  readonly refused: number;
  /** Among the created ones: those that have another address than they asked for. */
  readonly readdressed: number;
  /** How many were refused for each of the most frequent reasons. */
  readonly refusedBy: Readonly<Record<string, number>>;
  /** Among the refused ones: those that --assign-slugs would give another address. */
  readonly assignable: number;
  /** The file that names the rows; null when there is nothing to tell. */
  readonly report: string | null;
  /** Smartlinks whose totals are not in ClickHouse yet. */
  readonly totalsWaiting: number;
  /** Rows that an earlier run had done: among `rows`, but not in a dry run. */
  readonly resumedAfter: number;
  readonly seconds: number;
};

/** `problem`: why the exit code is not 0, though all rows were read. */
export type Outcome = { readonly summary: Summary; readonly problem: Problem | null };

/** Returns the problem that rows were refused and none was created, nor any of the `createdBefore`, by an earlier run. */
export function problemOf({ dryRun, created, refused }: Summary, createdBefore = 0): Problem | null {
  if (created + createdBefore > 0 || refused === 0) return null;
  return new Problem(`Nothing ${dryRun ? 'would be' : 'was'} imported: ${plural(refused, 'row')} refused.`);
}

const REASONS_SHOWN_MAX = 20;
const REASONS_COUNTED_MAX = 1_000;
const REASON_WIDTH_MAX = 160;

/** Returns what counts reasons; of very many different ones the later are `another reason`. */
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
    told: (): Pick<Summary, 'refusedBy' | 'assignable'> => ({
      refusedBy: Object.fromEntries(
        [...counts].toSorted(([, a], [, b]) => b - a).slice(0, REASONS_SHOWN_MAX),
      ),
      assignable,
    }),
  };
}

/** Faults are told one behind the other. Whoever has the address already needs no second link. */
const isForSlugAlone = (reason: string): boolean =>
  reason !== OWN_TAKEN && reason.split('; ').every((fault) => fault.startsWith(`${SLUG_PATH}: `));

/** Prints a summary: one line of JSON, or some for people. */
export function printSummary(
  terminal: Terminal,
  { file, owner, json }: { readonly file: string; readonly owner: string; readonly json: boolean },
  summary: Summary,
): void {
  if (json) {
    terminal.stdout(`${toPrintableJson(summary)}\n`);
    return;
  }
  const { dryRun, rows, created, refused, readdressed, report, seconds, resumedAfter } = summary;
  const perSecond = Math.round((dryRun ? rows : rows - resumedAfter) / Math.max(seconds, 0.001));
  const would = dryRun ? 'would be ' : '';
  const lines = [
    `${file} for ${owner}: ${plural(rows, 'row')} read, ${created} ${would}created, ${refused} ${would}refused (${seconds.toFixed(1)} s, ${perSecond} rows/s).`,
    ...Object.entries(summary.refusedBy).map(
      ([reason, count]) => `${`${count}`.padStart(9)}  ${cut(reason)}`,
    ),
    ...(NO_ROOM in summary.refusedBy
      ? [
          "The owner's plan has no room for more. Once users set-plan gives it some, the same command imports those rows.",
        ]
      : []),
    ...(summary.assignable > 0
      ? [`${summary.assignable} of these would get another address with --assign-slugs.`]
      : []),
    ...(readdressed > 0
      ? [`${plural(readdressed, 'row')} ${dryRun ? 'would get' : 'got'} another address than asked for.`]
      : []),
    ...(report === null
      ? []
      : [refused > 0 ? `Which rows, and why: ${report}` : `Which rows, and what they asked for: ${report}`]),
    ...(dryRun ? ['This was a dry run: nothing was changed.'] : []),
    ...(summary.totalsWaiting > 0 ? [waitingLine(summary.totalsWaiting)] : []),
  ];
  terminal.stdout(lines.map((line) => `${toPrintable(line)}\n`).join(''));
}

/** What is to be said of totals that wait for ClickHouse. */
const waitingLine = (count: number): string =>
  `The click totals of ${plural(count, 'smartlink')} wait for ClickHouse: import --finish moves them once it answers.`;

/** Returns the figures of an import that are in its state. */
export function countsOf({ rowsDone, created, refused, readdressed }: ImportState) {
  return { rows: rowsDone, created, refused, readdressed };
}

const cut = (reason: string): string =>
  reason.length > REASON_WIDTH_MAX ? `${reason.slice(0, REASON_WIDTH_MAX)}…` : reason;
