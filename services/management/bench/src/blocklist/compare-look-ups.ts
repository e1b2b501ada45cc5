import type { Spread } from '@smartlink/bench/figures';
import { spread } from '@smartlink/bench/figures';
import { inTurns, ratios } from '@smartlink/bench/pairs';

/** Says of so many URLs how many are on the list. */
export type CountUnsafe = (urls: readonly string[]) => number | Promise<number>;

export type LookUpFigures = {
  /** Of one URL of three labels, in µs. */
  readonly us: Spread;
  /** The time of the other way in units of ours, pair by pair. */
  readonly otherTakes: Spread;
};

/** Hosts `bad-…` with numbers below it are on every list that has as many entries. */
export const BAD_HOSTS = 400_000;
const LOOK_UPS = 400_000;
const LOOK_UPS_A_CALL = 1_000;

/** Times look-ups of URLs that are on the list, or are not, in turns of two ways. Rejects when one finds something else. */
export async function compareLookUps(
  ways: { readonly ours: CountUnsafe; readonly other: CountUnsafe },
  {
    kind,
    entries,
    rounds,
  }: { readonly kind: 'free' | 'bad'; readonly entries: number; readonly rounds: number },
): Promise<LookUpFigures> {
  const batches = makeUrls(kind, Math.min(entries, BAD_HOSTS));
  const { signal } = new AbortController();
  const names = ['ours', 'other'] as const;
  for (const name of names) await time(ways[name], kind, batches.slice(0, batches.length / 10));
  const us = await inTurns(names, { rounds, signal }, (name) => time(ways[name], kind, batches));
  return { us: spread(us.ours), otherTakes: ratios(us.other, us.ours) };
}

function makeUrls(kind: 'free' | 'bad', hosts: number): readonly (readonly string[])[] {
  return Array.from({ length: LOOK_UPS / LOOK_UPS_A_CALL }, (_, batch) =>
    Array.from({ length: LOOK_UPS_A_CALL }, (_none, i) => {
      const host = ((batch * LOOK_UPS_A_CALL + i) % hosts).toString(36);
      return `https://www.${kind}-${host}.example/some/path?a=${i}`;
    }),
  );
}

async function time(
  countUnsafe: CountUnsafe,
  kind: 'free' | 'bad',
  batches: readonly (readonly string[])[],
): Promise<number> {
  const start = performance.now();
  let found = 0;
  for (const urls of batches) found += await countUnsafe(urls);
  const elapsedMs = performance.now() - start;
  const count = batches.length * LOOK_UPS_A_CALL;
  if (found !== (kind === 'bad' ? count : 0)) throw new Error(`${found} of ${count} URLs were found`);
  return (elapsedMs * 1_000) / count;
}
