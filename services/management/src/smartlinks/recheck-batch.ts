import type { Pool } from 'pg';
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { urlsOf } from '@smartlink/smartlink-store/document-parts';
import { addToOutbox } from '@smartlink/smartlink-store/publish-outbox';
import { recordChanges } from '@smartlink/smartlink-store/record-changes';
import { withTransaction } from '../transaction.js';
import type { SafetyVerdict } from '../url-safety/url-safety.js';
import type { Outbox } from './outbox.js';
import { unsafeUrlReason } from './pause-reason.js';
import { noteRechecks, pauseUnsafe, takeDue } from './recheck-queries.js';
import type { DueRow, RecheckOutcome } from './recheck-queries.js';

/** Most smartlinks taken at once, and about how much of their content: it is parsed in one go. */
const BATCH_LIMITS = { limit: 500, bytes: 4 * 1024 * 1024 };
// A batch that takes longer leaves the rest, well before somebody else may take it.
const BATCH_MS_MAX = 5 * 60_000;
// Most URLs asked about at once. Few enough that what one of them holds up is little, and that the verdict on the
// first is not old when that on the last comes.
const URLS_PER_QUESTION_MAX = 100;

export type JudgedOutcome = RecheckOutcome | 'unsafe';
export type JudgedCounts = Readonly<Record<JudgedOutcome, number>>;

export type RecheckDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  /** Asks about URLs; never rejects. */
  readonly ask: (urls: readonly DocumentUrl[]) => Promise<SafetyVerdict>;
  readonly isStopped: () => boolean;
};

type Due = Pick<DueRow, 'id' | 'version'> & { readonly urls: readonly DocumentUrl[] };

/**
 * Judges the URLs of the smartlinks that have been due longest, pauses those that have unsafe ones, and returns how
 * many came to what; all 0 when none is due. Rejects when Postgres fails; then what was taken is due again, at once if
 * Postgres still takes it, else in ten minutes.
 */
export async function recheckBatch(deps: RecheckDeps): Promise<JudgedCounts> {
  const taken = (await takeDue(deps.pg, BATCH_LIMITS)).map(toDue);
  const outcomes = new Map<string, JudgedOutcome>(taken.map(({ id }) => [id, 'left']));
  if (taken.length === 0) return countOutcomes(outcomes);
  const endsAt = performance.now() + BATCH_MS_MAX;
  const mayGoOn = (): boolean => !deps.isStopped() && performance.now() < endsAt;
  try {
    for (const group of cutIntoGroups(taken)) {
      if (!mayGoOn()) break;
      for (const [id, outcome] of await judge(deps, group, mayGoOn)) outcomes.set(id, outcome);
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
  return countOutcomes(outcomes);
}

function toDue({ id, version, content, open_graph }: DueRow): Due {
  return { id, version, urls: urlsOf({ content: content ?? {}, openGraph: open_graph }) };
}

/** Smartlinks that are asked about together; one with many URLs is alone. */
function cutIntoGroups(taken: readonly Due[]): readonly (readonly Due[])[] {
  const groups: Due[][] = [];
  let room = 0;
  for (const due of taken) {
    if (due.urls.length > room || groups.length === 0) {
      groups.push([]);
      room = URLS_PER_QUESTION_MAX;
    }
    groups.at(-1)?.push(due);
    room -= due.urls.length;
  }
  return groups;
}

async function judge(
  deps: RecheckDeps,
  group: readonly Due[],
  mayGoOn: () => boolean,
): Promise<ReadonlyMap<string, JudgedOutcome>> {
  const { unsafeUrls, isChecked } = await askAll(deps, group, mayGoOn);
  const unsafe = group.flatMap(({ id, version, urls }) => {
    const reason = unsafeUrlReason(urls.filter(({ url }) => unsafeUrls.has(url)));
    return reason === null ? [] : [{ id, version, reason }];
  });
  const pausedIds = unsafe.length === 0 ? new Set() : await pause(deps, unsafe);
  const changedIds = new Set(unsafe.map(({ id }) => id).filter((id) => !pausedIds.has(id)));
  return new Map(
    group.map(({ id, urls }) => {
      if (pausedIds.has(id)) return [id, 'unsafe'];
      if (changedIds.has(id)) return [id, 'left'];
      return [id, isChecked || urls.length === 0 ? 'safe' : 'unchecked'];
    }),
  );
}

async function askAll(
  { ask }: RecheckDeps,
  group: readonly Due[],
  mayGoOn: () => boolean,
): Promise<{ unsafeUrls: ReadonlySet<string>; isChecked: boolean }> {
  // Each once: a thousand links may lead to one place.
  const urls = [...new Map(group.flatMap((due) => due.urls.map((one) => [one.url, one] as const))).values()];
  const unsafeUrls = new Set<string>();
  let isChecked = true;
  for (let start = 0; start < urls.length && isChecked; start += URLS_PER_QUESTION_MAX) {
    const verdict = mayGoOn()
      ? await ask(urls.slice(start, start + URLS_PER_QUESTION_MAX))
      : { unsafe: [], isChecked: false };
    for (const { url } of verdict.unsafe) unsafeUrls.add(url);
    isChecked = verdict.isChecked;
  }
  return { unsafeUrls, isChecked };
}

/** Returns the ids of those that are paused now, and published as far as there was time. */
async function pause(
  { pg, outbox }: RecheckDeps,
  unsafe: Parameters<typeof pauseUnsafe>[1],
): Promise<ReadonlySet<string>> {
  const reasons = new Map(unsafe.map(({ id, reason }) => [id, reason]));
  const { paused, entries } = await withTransaction(pg, async (client) => {
    const rows = await pauseUnsafe(client, unsafe);
    if (rows.length === 0) return { paused: rows, entries: [] };
    await recordChanges(
      client,
      rows.map((row) => ({
        actor: 'url-safety',
        action: 'smartlink.unsafe',
        smartlink: row,
        details: reasons.get(row.id)?.details ?? [],
      })),
    );
    return { paused: rows, entries: await addToOutbox(client, rows) };
  });
  if (entries.length > 0) await outbox.publish(entries);
  return new Set(paused.map(({ id }) => id));
}

function countOutcomes(outcomes: ReadonlyMap<string, JudgedOutcome>): JudgedCounts {
  const counts = { safe: 0, unsafe: 0, unchecked: 0, left: 0 };
  for (const outcome of outcomes.values()) counts[outcome] += 1;
  return counts;
}
