import type { Pool, PoolClient } from 'pg';
import { withTransaction } from '@smartlink/process/database';
import type { DocumentUrl } from '@smartlink/smartlink/model';
import { addToOutbox, type PauseReason, recordChanges, urlsOf } from '@smartlink/smartlink/store';
import type { SafetyVerdict } from '../../url-safety/url-safety.js';
import { unsafeUrlReason } from '../documents/smartlink-view.js';
import type { Outbox } from '../publishing/outbox.js';
import {
  type DueRow,
  findParts,
  lockActive,
  noteRechecks,
  pauseUnsafe,
  type RecheckOutcome,
  takeDue,
} from './queries.js';

// The content is parsed at once.
const BATCH_LIMITS = { limit: 500, bytes: 4 * 1024 * 1024 };
// Then the rest of the batch is left, well before another process may take it.
const BATCH_MS_MAX = 5 * 60_000;

export type JudgedOutcome = RecheckOutcome | 'unsafe';
export type JudgedCounts = Readonly<Record<JudgedOutcome, number>>;
type JudgedBatch = { readonly counts: JudgedCounts; readonly isProviderDown: boolean };

type RecheckDeps = {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly ask: Asking['ask'];
  readonly isStopped: () => boolean;
};

/**
 * Judges the URLs of the smartlinks that have been due longest and pauses those with unsafe URLs. The counts are all 0
 * if none is due. Rejects if Postgres fails; then the batch is due again, at once if Postgres can still record it, else in
 * ten minutes.
 */
export async function recheckBatch(deps: RecheckDeps): Promise<JudgedBatch> {
  const taken = (await takeDue(deps.pg, BATCH_LIMITS)).map(toDue);
  const { outcomes, isProviderDown } = await judgeLinks(deps, taken, BATCH_MS_MAX);
  return { counts: countOutcomes(outcomes), isProviderDown };
}

/**
 * Judges the URLs of Active smartlinks within `limitMs` and pauses those with unsafe URLs. The outcomes are by id. Rejects if
 * Postgres fails.
 */
export async function judgeLinks(deps: RecheckDeps, taken: readonly Due[], limitMs: number) {
  const outcomes = new Map<string, JudgedOutcome>(taken.map(({ id }) => [id, 'left']));
  let isProviderDown = false;
  if (taken.length === 0) return { outcomes, isProviderDown };
  const endsAt = performance.now() + limitMs;
  const mayGoOn = (): boolean => !deps.isStopped() && performance.now() < endsAt;
  try {
    for (const group of cutIntoGroups(taken)) {
      if (!mayGoOn()) break;
      const verdict = await askAboutGroup({ ask: deps.ask, mayGoOn }, group);
      isProviderDown ||= verdict.isProviderDown;
      for (const [id, outcome] of await pauseUnsafeOf(deps, group, verdict)) outcomes.set(id, outcome);
    }
  } finally {
    // In one statement, after the unsafe links were paused: those are urgent.
    await noteRechecks(
      deps.pg,
      taken.flatMap(({ id, version }) => {
        const outcome = outcomes.get(id) ?? 'left';
        return outcome === 'unsafe' ? [] : [{ id, version, outcome }];
      }),
    );
  }
  return { outcomes, isProviderDown };
}

/** Pauses the unsafe links of a group. The outcomes are by id. */
async function pauseUnsafeOf(
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
      // Its unsafe URLs are gone.
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

export type Due = { readonly id: string; readonly version: string; readonly urls: readonly DocumentUrl[] };

type Asking = {
  /** Never rejects. */
  readonly ask: (urls: readonly DocumentUrl[]) => Promise<SafetyVerdict>;
  /** Whether there is time for another question. */
  readonly mayGoOn: () => boolean;
};

type GroupVerdict = {
  readonly unsafeUrls: ReadonlySet<string>;
  /** Ids of smartlinks of which all URLs were judged. */
  readonly checkedIds: ReadonlySet<string>;
  readonly isProviderDown: boolean;
};

// Few enough that a slow URL delays little, and that the first verdict is not old when the last one comes.
const URLS_PER_QUESTION_MAX = 100;
// Concurrent questions about one smartlink each: a slow one costs the others little.
const CONCURRENCY = 8;

/** Groups for one question; a smartlink with many URLs is alone. */
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

/**
 * Asks about a group in one question. If that fails and the provider is up, each smartlink is asked about alone: a URL
 * that the provider cannot judge then delays only its own smartlink.
 */
async function askAboutGroup(asking: Asking, group: readonly Due[]): Promise<GroupVerdict> {
  const together = await askAbout(asking, group);
  const unsafeUrls = new Set(together.unsafeUrls);
  const checkedIds = new Set(
    group.filter(({ urls }) => together.isChecked || urls.length === 0).map(({ id }) => id),
  );
  let { isProviderDown } = together;
  const rest = group.filter(({ id }) => !checkedIds.has(id));
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let due = rest[next++]; due !== undefined; due = rest[next++]) {
      if (isProviderDown || !asking.mayGoOn()) return;
      const alone = await askAbout(asking, [due]);
      for (const url of alone.unsafeUrls) unsafeUrls.add(url);
      if (alone.isChecked) checkedIds.add(due.id);
      isProviderDown ||= alone.isProviderDown;
    }
  };
  // A smartlink that was alone has its answer.
  if (rest.length > 1) await Promise.all(Array.from({ length: CONCURRENCY }, askOn));
  return { unsafeUrls, checkedIds, isProviderDown };
}

async function askAbout(
  { ask, mayGoOn }: Asking,
  group: readonly Due[],
): Promise<{ unsafeUrls: ReadonlySet<string>; isChecked: boolean; isProviderDown: boolean }> {
  // Each URL once: a thousand links may lead to one place.
  const urls = [...new Map(group.flatMap((due) => due.urls.map((one) => [one.url, one] as const))).values()];
  const unsafeUrls = new Set<string>();
  for (let start = 0; start < urls.length; start += URLS_PER_QUESTION_MAX) {
    if (!mayGoOn()) return { unsafeUrls, isChecked: false, isProviderDown: false };
    const verdict = await ask(urls.slice(start, start + URLS_PER_QUESTION_MAX));
    for (const { url } of verdict.unsafe) unsafeUrls.add(url);
    if (!verdict.isChecked) {
      return { unsafeUrls, isChecked: false, isProviderDown: verdict.isProviderDown === true };
    }
  }
  return { unsafeUrls, isChecked: true, isProviderDown: false };
}

/**
 * Pauses the Active `links` that have a URL of `unsafeUrls`, even if they have changed since they were judged: otherwise
 * an owner could avoid it by renaming a link more often than the provider answers. The ids of the paused links.
 */
async function pauseUnsafeLinks(
  { pg, outbox }: { readonly pg: Pool; readonly outbox: Outbox },
  links: readonly Due[],
  unsafeUrls: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const { paused, entries } = await withTransaction(pg, async (client) => {
    const unsafe = await findUnsafeNow(client, links, unsafeUrls);
    if (unsafe.length === 0) return { paused: [], entries: [] };
    const rows = await pauseUnsafe(client, unsafe);
    const reasons = new Map(unsafe.map(({ id, reason }) => [id, reason]));
    const origin = { actor: 'url-safety', action: 'smartlink.unsafe' } as const;
    const records = rows.map((row) => ({
      ...origin,
      smartlink: row,
      details: reasons.get(row.id)?.details ?? [],
    }));
    await recordChanges(client, records);
    return { paused: rows, entries: await addToOutbox(client, rows) };
  });
  if (entries.length > 0) await outbox.publish(entries);
  return new Set(paused.map(({ id }) => id));
}

export function toDue({ id, version, content, open_graph: openGraph, routing, availability }: DueRow): Due {
  return { id, version, urls: urlsOf({ content: content ?? {}, openGraph, routing, availability }) };
}

/** Locks the links. The reasons of those still unsafe name the current paths of the URLs. */
async function findUnsafeNow(
  client: PoolClient,
  links: readonly Due[],
  unsafeUrls: ReadonlySet<string>,
): Promise<{ id: string; reason: PauseReason }[]> {
  const judged = new Map(links.map((due) => [due.id, due]));
  const unsafe: { id: string; reason: PauseReason }[] = [];
  for (const { id, version } of await lockActive(client, [...judged.keys()])) {
    const seen = judged.get(id);
    // Changed links are read again one at a time: each may be a MiB.
    const { urls } = seen?.version === version ? seen : toDue(await findParts(client, id));
    const reason = unsafeUrlReason(urls.filter(({ url }) => unsafeUrls.has(url)));
    if (reason !== null) unsafe.push({ id, reason });
  }
  return unsafe;
}
