import { spread } from './figures.js';
import type { Spread } from './figures.js';

export type Turns = {
  readonly rounds: number;
  readonly signal: AbortSignal;
  /** Called after each measurement. */
  readonly onStep?: () => void;
};

/**
 * Measures each of `names` once a round, one after the other and never two at once, and returns what `measure` did, by
 * name and round. Every second round goes backwards, so that what drifts with time favours nobody.
 */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  { rounds, signal, onStep }: Turns,
  measure: (name: Name, round: number) => Promise<Result>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      signal.throwIfAborted();
      results[name].push(await measure(name, round));
      onStep?.();
    }
  }
  return results;
}

/** Returns the ratios of `values` to `base`, round by round: what slows a whole round for a while is in both. */
export function ratios(values: readonly number[], base: readonly number[]): Spread {
  return spread(values.map((value, round) => value / (base[round] ?? Number.NaN)));
}
