import { setTimeout as wait } from 'node:timers/promises';
import { isStoredFormOf, readCached } from '@smartlink/link-resolver/cached-snapshots';
import type { CachedSnapshot } from '@smartlink/link-resolver/cached-snapshots';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { findUnpublished } from './cache-queries.js';
import { readTruth } from './cache-redis.js';
import type { Cache } from './cache-redis.js';

/**
 * What is wrong with what Redis holds: `newer` than Postgres, which no change can mend; `different` under the same
 * version; `damaged` beyond reading; of a slug that is `unknown` to Postgres. `unreadable` is Postgres' own row.
 */
export const FAULTS = ['older', 'newer', 'different', 'damaged', 'unknown', 'unreadable'] as const;
export type FaultKind = (typeof FAULTS)[number];

export type Fault = {
  readonly kind: FaultKind;
  readonly slugKey: string;
  /** null: the slug was never used. */
  readonly truth: LinkSnapshot | Error | null;
  readonly cached: CachedSnapshot | null;
};

export type Verdict = {
  right: number;
  /** Not in Redis, which is no fault: visits fill it in. */
  missing: number;
  /** Changed again and again while they were looked at, or a change waits in the outbox. */
  changing: number;
  faults: readonly Fault[];
};

// A change stands in the outbox from its commit until Redis has it; this is for what is on its way between two reads.
const LOOK_AGAIN_MS = 250;
const LOOKS_MAX = 5;

/**
 * Compares what Redis holds for slugs with Postgres. What seems wrong is looked at again a moment later: it is a fault
 * only when both are what they were, and no change waits to be published. Rejects when an engine does not answer, and when `signal` says so.
 */
export async function judgeSlugs(
  db: Queryable,
  cache: Cache,
  slugKeys: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const verdict = await look(db, cache, slugKeys);
  let suspects = verdict.faults;
  const faults: Fault[] = [];
  for (let looks = 1; suspects.length > 0 && looks < LOOKS_MAX; looks++) {
    await wait(LOOK_AGAIN_MS, undefined, { signal });
    const moving: Fault[] = [];
    const before = new Map(suspects.map((suspect) => [suspect.slugKey, suspect]));
    const again = await look(db, cache, [...before.keys()]);
    const unpublished = await findUnpublished(db, [...before.keys()]);
    for (const fault of again.faults) {
      if (unpublished.has(fault.slugKey)) verdict.changing += 1;
      else if (isSame(fault, before.get(fault.slugKey))) faults.push(fault);
      else moving.push(fault);
    }
    suspects = moving;
    verdict.right += again.right;
    verdict.missing += again.missing;
  }
  return { ...verdict, faults, changing: verdict.changing + suspects.length };
}

async function look(db: Queryable, cache: Cache, slugKeys: readonly string[]): Promise<Verdict> {
  const faults: Fault[] = [];
  let right = 0;
  let missing = 0;
  for await (const { slugKeys: some, snapshots } of readTruth(db, slugKeys)) {
    const found = await Promise.all(
      some.map(async (slugKey) => ({
        slugKey,
        truth: snapshots.get(slugKey) ?? null,
        cached: await readCached(cache.redis, cache.keyPrefix, slugKey),
      })),
    );
    for (const one of found) {
      const kind = compare(one);
      if (kind === 'right') right += 1;
      else if (kind === 'missing') missing += 1;
      else faults.push({ ...one, kind });
    }
  }
  return { right, missing, changing: 0, faults };
}

function compare({ truth, cached }: Omit<Fault, 'kind'>): FaultKind | 'right' | 'missing' {
  if (truth instanceof Error) return 'unreadable';
  if (cached === null) return 'missing';
  if (truth === null) return 'unknown';
  if (cached.snapshot === null) return 'damaged';
  if (cached.snapshot.version !== truth.version) {
    return cached.snapshot.version < truth.version ? 'older' : 'newer';
  }
  return isStoredFormOf(cached, truth) ? 'right' : 'different';
}

function isSame(fault: Fault, before: Fault | undefined): boolean {
  if (before?.kind !== fault.kind || versionOf(before.truth) !== versionOf(fault.truth)) return false;
  if (fault.cached === null || before.cached === null) return fault.cached === before.cached;
  const [now, then] = [fault.cached.value, before.cached.value];
  return now === null || then === null ? now === then : now.equals(then);
}

const versionOf = (truth: Fault['truth']): number | null =>
  truth === null || truth instanceof Error ? null : truth.version;
