import { appendFileSync } from 'node:fs';

/** Result of one trial of a promise. */
export type Figure = {
  /** Id in tools/chaos/src/promises.ts: `E1`. */
  readonly promise: string;
  /** Action and size: `20 SIGTERMs, 103,960 events`. */
  readonly trial: string;
  /** Result with units: `0 lost, 0 doubled, slowest exit 1.2 s`. */
  readonly measured: string;
  /** Whether the result is within the bound. Trials also assert counts, but not times, which depend on the machine. */
  readonly holds: boolean;
};

/** Prints a figure and appends it as a line of JSON to the file SMARTLINK_FIGURES, for docs/reliability.md. */
export function recordFigure(figure: Figure): void {
  const { promise, trial, measured, holds } = figure;
  console.log(`${promise}${holds ? '' : ' NOT HELD'}: ${trial}: ${measured}`);
  append(figure);
}

/** Records that a trial cannot run here. */
export function recordSkip(skip: {
  readonly promise: string;
  readonly trial: string;
  /** Reason: `a small disk can be mounted by root only`. */
  readonly skipped: string;
}): void {
  console.log(`${skip.promise} skipped: ${skip.trial}: ${skip.skipped}`);
  append(skip);
}

function append(line: object): void {
  const file = process.env['SMARTLINK_FIGURES'];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify(line)}\n`);
}
