import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import {
  type CachedSnapshot,
  isStoredFormOf,
  publishSnapshots,
  readCached,
  replaceCached,
  scanCached,
} from '@smartlink/links/publish';
import { print, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { toPrintable } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import {
  type Cache,
  estimateRows,
  listKeys,
  pickReadable,
  readTruth,
  type Snapshot,
  withRedis,
} from './redis.js';

/** A faulty entry of Redis, or a row of Postgres that is unreadable. */
const FAULTS = {
  older: 'older than Postgres',
  // No change can correct it.
  newer: 'newer than Postgres',
  different: 'of the same version, and different',
  damaged: 'damaged',
  unknown: 'of an address that Postgres does not know',
  unreadable: 'not to be compared: no snapshot can be made of its row in Postgres',
} as const;
type FaultKind = keyof typeof FAULTS;
const KINDS = Object.keys(FAULTS) as readonly FaultKind[];

type Fault = {
  readonly kind: FaultKind;
  readonly slugKey: string;
  /** null: the slug was never used. */
  readonly truth: Snapshot | null;
  readonly cached: CachedSnapshot | null;
};

type Verdict = {
  right: number;
  /** Not in Redis, which is no fault: visits fill it in. */
  missing: number;
  /** Changed again and again while compared, or a change waits in the outbox. */
  changing: number;
  faults: readonly Fault[];
};

// A change stays in the outbox from its commit until Redis has it; this covers one that is between the two reads.
const COMPARE_AGAIN_MS = 250;
const ROUNDS_MAX = 5;

/**
 * Compares entries of Redis with Postgres. A difference counts as a fault only if both sides are unchanged a moment later
 * and no change waits to be published. Rejects when an engine fails or `signal` aborts.
 */
async function judgeSlugs(
  db: Client,
  cache: Cache,
  slugKeys: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const verdict = await compareOnce(db, cache, slugKeys);
  let suspects = verdict.faults;
  const faults: Fault[] = [];
  for (let rounds = 1; suspects.length > 0 && rounds < ROUNDS_MAX; rounds++) {
    await wait(COMPARE_AGAIN_MS, undefined, { signal });
    const moving: Fault[] = [];
    const before = new Map(suspects.map((suspect) => [suspect.slugKey, suspect]));
    const keys = [...before.keys()];
    const again = await compareOnce(db, cache, keys);
    const waiting = 'select slug_key as key from publish_outbox where slug_key = any($1)';
    const unpublished = new Set(await listKeys(db, waiting, keys));
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

async function compareOnce(db: Client, cache: Cache, slugKeys: readonly string[]): Promise<Verdict> {
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
      const kind = judge(one);
      if (kind === 'right') right += 1;
      else if (kind === 'missing') missing += 1;
      else faults.push({ ...one, kind });
    }
  }
  return { right, missing, changing: 0, faults };
}

function judge({ truth, cached }: Omit<Fault, 'kind'>): FaultKind | 'right' | 'missing' {
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

/** Without a `sample`, a number of addresses, all are compared, and all entries of Redis. */
export type VerifyOptions = { readonly sample?: number; readonly repair?: true; readonly json?: true };

const SLUGS_PER_ROUND = 500;
const FAULTS_NAMED_MAX = 20;

const noCounts = () => ({
  checked: 0,
  right: 0,
  missing: 0,
  changing: 0,
  older: 0,
  newer: 0,
  different: 0,
  damaged: 0,
  unknown: 0,
  unreadable: 0,
  repaired: 0,
});
type Counts = ReturnType<typeof noCounts>;

/**
 * Compares Redis with Postgres, address by address, prints faults and, with `repair`, corrects them. Throws Problem when a
 * fault is left.
 */
export async function verifyCache(
  terminal: Terminal,
  { sample, repair, json }: VerifyOptions,
): Promise<void> {
  const counts = noCounts();
  await withSession(terminal.env, ({ db, addresses }) =>
    withRedis({ addresses }, (cache) =>
      whileListening(
        terminal,
        () => `: ${counts.checked} addresses were compared.`,
        async (signal) => {
          const total = Math.min(sample ?? Infinity, await estimateRows(db, 'slugs'));
          await withProgress(terminal, { doing: 'Comparing', total, unit: 'addresses' }, async (add) => {
            for await (const slugKeys of slugsOf(db, cache, sample)) {
              signal.throwIfAborted();
              const { faults, ...verdict } = await judgeSlugs(db, cache, slugKeys, signal);
              counts.checked += slugKeys.length;
              counts.right += verdict.right;
              counts.missing += verdict.missing;
              counts.changing += verdict.changing;
              for (const fault of faults) {
                counts[fault.kind] += 1;
                const isNamed = json !== true && countFaults(counts) <= FAULTS_NAMED_MAX;
                if (isNamed) terminal.stdout(`${describeFault(fault)}\n`);
                if (repair && (await repairEntry(db, cache, fault))) counts.repaired += 1;
              }
              add(slugKeys.length);
            }
          });
        },
      ),
    ),
  );
  printCounts(terminal, json, counts);
}

/** Yields addresses of Postgres and, without a sample, those that only Redis knows. */
async function* slugsOf(
  db: Client,
  cache: Cache,
  sample: number | undefined,
): AsyncGenerator<readonly string[]> {
  if (sample !== undefined) {
    const chosen = await listKeys(db, 'select key from slugs order by random() limit $1', sample);
    for (let i = 0; i < chosen.length; i += SLUGS_PER_ROUND) yield chosen.slice(i, i + SLUGS_PER_ROUND);
    return;
  }
  const next = 'select key from slugs where key > $1 order by key limit $2';
  let slugKeys = await listKeys(db, next, '', SLUGS_PER_ROUND);
  while (slugKeys.length > 0) {
    yield slugKeys;
    slugKeys = await listKeys(db, next, slugKeys.at(-1), SLUGS_PER_ROUND);
  }
  for await (const held of scanCached(cache.redis, cache.keyPrefix)) {
    const known = new Set(await listKeys(db, 'select key from slugs where key = any($1)', held));
    const unknown = held.filter((slugKey) => !known.has(slugKey));
    if (unknown.length > 0) yield unknown;
  }
}

/** Whether Redis now has what Postgres has, or nothing. */
async function repairEntry(db: Client, { redis, keyPrefix }: Cache, fault: Fault): Promise<boolean> {
  const { kind, slugKey, truth, cached } = fault;
  if (truth instanceof Error || cached === null) return false;
  if (kind !== 'older') await replaceCached(redis, keyPrefix, slugKey, cached, truth);
  for await (const { snapshots } of readTruth(db, [slugKey])) {
    await publishSnapshots(redis, keyPrefix, pickReadable(snapshots));
  }
  return true;
}

function describeFault({ kind, slugKey, truth, cached }: Fault): string {
  const versions = [
    ...(cached?.snapshot ? [`Redis has version ${cached.snapshot.version}`] : []),
    ...(truth === null || truth instanceof Error ? [] : [`Postgres ${truth.version}`]),
  ];
  return `${toPrintable(slugKey)}: ${FAULTS[kind]}${versions.length > 0 ? ` (${versions.join(', ')})` : ''}`;
}

const countFaults = (counts: Counts): number => KINDS.reduce((sum, kind) => sum + counts[kind], 0);

function printCounts(terminal: Terminal, json: true | undefined, counts: Counts): void {
  const { checked, right, missing, changing, repaired } = counts;
  const wrong = countFaults(counts);
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  const wrongs = `${wrong} wrong${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
  print(
    terminal,
    json,
    counts,
    `Compared ${checked} addresses: ${right} right, ${missing} not in Redis, ${changing} changing; ` +
      `${wrongs}, ${repaired} repaired.\n`,
  );
  if (wrong > repaired) {
    const left = wrong - repaired;
    throw new Problem(
      `${left} addresses are wrong in Redis: --repair corrects them, except unreadable rows.`,
    );
  }
}
