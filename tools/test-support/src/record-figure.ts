import { appendFileSync } from 'node:fs';

/** What one trial of a promise has shown. */
export type Figure = {
  /** As the promises are numbered in tools/chaos/src/promises.ts: `E1`. */
  readonly promise: string;
  /** What was done, with its size: `20 SIGTERMs, 103,960 events`. */
  readonly trial: string;
  /** What came of it, with units: `0 lost, 0 doubled, slowest exit 1.2 s`. */
  readonly measured: string;
  /**
   * Whether that is within the promise's bound. Counts are asserted by the trial itself as well; times are recorded
   * here and never asserted, for they belong to the machine.
   */
  readonly holds: boolean;
};

/**
 * Prints what a trial has shown, and adds it as a line of JSON to the file that SMARTLINK_FIGURES names, for the table
 * of promises (docs/reliability.md).
 */
export function recordFigure(figure: Figure): void {
  const { promise, trial, measured, holds } = figure;
  console.log(`${promise}${holds ? '' : ' NOT HELD'}: ${trial}: ${measured}`);
  append(figure);
}

/** As `recordFigure`, of a trial that cannot run here: it counts as told, and not as held. */
export function recordSkip(skip: {
  readonly promise: string;
  readonly trial: string;
  /** Why: `a small disk can be mounted by root only`. */
  readonly skipped: string;
}): void {
  console.log(`${skip.promise} skipped: ${skip.trial}: ${skip.skipped}`);
  append(skip);
}

function append(line: object): void {
  const file = process.env['SMARTLINK_FIGURES'];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify(line)}\n`);
}
