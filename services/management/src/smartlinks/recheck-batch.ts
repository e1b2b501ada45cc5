import type { Pool } from 'pg';
import type { Outbox } from './outbox.js';
import { pauseUnsafeLinks, toDue } from './recheck-pause.js';
import { noteRechecks, takeDue } from './recheck-queries.js';
import type { RecheckOutcome } from './recheck-queries.js';
import { askAboutGroup, cutIntoGroups } from './recheck-question.js';
import type { Asking, Due, GroupVerdict } from './recheck-question.js';

/** Most smartlinks taken at once, and about how much of their content: it is parsed in one go. */
const BATCH_LIMITS = { limit: 500, bytes: 4 * 1024 * 1024 };
// A batch that takes longer leaves the rest, well before somebody else may take it.
const BATCH_MS_MAX = 5 * 60_000;

export type JudgedOutcome = RecheckOutcome | 'unsafe';
export type JudgedCounts = Readonly<Record<JudgedOutcome, number>>;
export type JudgedBatch = { readonly counts: JudgedCounts; readonly isProviderDown: boolean };

export type RecheckDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly ask: Asking['ask'];
  readonly isStopped: () => boolean;
};

/**
 * Judges the URLs of the smartlinks that have been due longest, pauses those that have unsafe ones, and returns how
 * many came to what; all 0 when none is due. Rejects when Postgres fails; then what was taken is due again, at once if
 * Postgres still takes it, else in ten minutes.
 */
export async function recheckBatch(deps: RecheckDeps): Promise<JudgedBatch> {
  const taken = (await takeDue(deps.pg, BATCH_LIMITS)).map(toDue);
  const outcomes = new Map<string, JudgedOutcome>(taken.map(({ id }) => [id, 'left']));
  let isProviderDown = false;
  if (taken.length === 0) return { counts: countOutcomes(outcomes), isProviderDown };
  const endsAt = performance.now() + BATCH_MS_MAX;
  const mayGoOn = (): boolean => !deps.isStopped() && performance.now() < endsAt;
  try {
    for (const group of cutIntoGroups(taken)) {
      if (!mayGoOn()) break;
      const verdict = await askAboutGroup({ ask: deps.ask, mayGoOn }, group);
      isProviderDown ||= verdict.isProviderDown;
      for (const [id, outcome] of await settle(deps, group, verdict)) outcomes.set(id, outcome);
    }
  } finally {
    // In one statement, and after the unsafe ones have been paused: those are urgent.
    await noteRechecks(
      deps.pg,
      taken.flatMap(({ id, version }) => {
        const outcome = outcomes.get(id) ?? 'left';
        return outcome === 'unsafe' ? [] : [{ id, version, outcome }];
      }),
    );
  }
  return { counts: countOutcomes(outcomes), isProviderDown };
}

/** Pauses what is unsafe of a group, and returns what has come of each. */
async function settle(
  deps: RecheckDeps,
  group: readonly Due[],
  { unsafeUrls, checkedIds }: GroupVerdict,
): Promise<ReadonlyMap<string, JudgedOutcome>> {
  const unsafe = group.filter(({ urls }) => urls.some(({ url }) => unsafeUrls.has(url)));
  const unsafeIds = new Set(unsafe.map(({ id }) => id));
  const pausedIds = unsafe.length === 0 ? new Set() : await pauseUnsafeLinks(deps, unsafe, unsafeUrls);
  return new Map(
    group.map(({ id }) => {
      if (pausedIds.has(id)) return [id, 'unsafe'];
      // What was unsafe is gone.
      if (unsafeIds.has(id)) return [id, 'left'];
      return [id, checkedIds.has(id) ? 'safe' : 'unchecked'];
    }),
  );
}

function countOutcomes(outcomes: ReadonlyMap<string, JudgedOutcome>): JudgedCounts {
  const counts = { safe: 0, unsafe: 0, unchecked: 0, left: 0 };
  for (const outcome of outcomes.values()) counts[outcome] += 1;
  return counts;
}
