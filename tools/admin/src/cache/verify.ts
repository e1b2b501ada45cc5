import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import { toPrintable } from '@smartlink/import/text';
import {
  type CachedSnapshot,
  isStoredFormOf,
  publishSnapshots,
  readCached,
  replaceCached,
  scanCached,
} from '@smartlink/links/publish';
import { print, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
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

/** Differences that --repair corrects, except for unreadable rows. */
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
const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

/**
 * `missing`: not in Redis, which is no fault: visits fill it in. `changing`: changed with every comparison, or a change waits
 * in the outbox.
 */
type Kind = FaultKind | 'right' | 'missing' | 'changing';

type Entry = {
  readonly kind: Kind;
  readonly slugKey: string;
  /** null: the slug was never used. */
  readonly truth: Snapshot | null;
  readonly cached: CachedSnapshot | null;
};
type Fault = Entry & { readonly kind: FaultKind };

// A change stays in the outbox from its commit until Redis has it; this covers one that is between the two reads.
const COMPARE_AGAIN_MS = 250;
const ROUNDS_MAX = 5;
const FIND_WAITING = 'select slug_key as key from publish_outbox where slug_key = any($1)';

/**
 * Compares entries of Redis with Postgres. A difference counts as a fault only if both sides are unchanged a moment later
 * and no change waits to be published. Rejects when an engine fails or `signal` aborts.
 */
async function judgeSlugs(
  db: Client,
  cache: Cache,
  slugKeys: readonly string[],
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const judged = await compareOnce(db, cache, slugKeys);
  let suspects: Entry[] = [...judged.values()].filter(isFault);
  for (let rounds = 1; suspects.length > 0 && rounds < ROUNDS_MAX; rounds++) {
    await wait(COMPARE_AGAIN_MS, undefined, { signal });
    const keys = suspects.map(({ slugKey }) => slugKey);
    const again = [...(await compareOnce(db, cache, keys)).values()];
    const waiting = new Set(await listKeys(db, FIND_WAITING, keys));
    suspects = [];
    for (const entry of again) {
      const isWaiting = isFault(entry) && waiting.has(entry.slugKey);
      const isMoving = isFault(entry) && !isSame(entry, judged.get(entry.slugKey));
      judged.set(entry.slugKey, isWaiting ? { ...entry, kind: 'changing' } : entry);
      if (isMoving && !isWaiting) suspects.push(entry);
    }
  }
  for (const entry of suspects) judged.set(entry.slugKey, { ...entry, kind: 'changing' });
  return [...judged.values()];
}

async function compareOnce(
  db: Client,
  { redis, keyPrefix }: Cache,
  slugKeys: readonly string[],
): Promise<Map<string, Entry>> {
  const entries: Entry[] = [];
  for await (const { slugKeys: some, snapshots } of readTruth(db, slugKeys)) {
    const found = some.map(async (slugKey): Promise<Entry> => {
      const truth = snapshots.get(slugKey) ?? null;
      const cached = await readCached(redis, keyPrefix, slugKey);
      return { kind: judge(truth, cached), slugKey, truth, cached };
    });
    entries.push(...(await Promise.all(found)));
  }
  return new Map(entries.map((entry) => [entry.slugKey, entry]));
}

function judge(truth: Entry['truth'], cached: Entry['cached']): Kind {
  if (truth instanceof Error) return 'unreadable';
  if (cached === null) return 'missing';
  if (truth === null) return 'unknown';
  if (cached.snapshot === null) return 'damaged';
  if (cached.snapshot.version !== truth.version) {
    return cached.snapshot.version < truth.version ? 'older' : 'newer';
  }
  return isStoredFormOf(cached, truth) ? 'right' : 'different';
}

const isFault = (entry: Entry): entry is Fault => entry.kind in FAULTS;

const isSame = (entry: Entry, before: Entry | undefined): boolean =>
  entry.kind === before?.kind &&
  versionOf(entry.truth) === versionOf(before.truth) &&
  isDeepStrictEqual(entry.cached?.value, before.cached?.value);

const versionOf = (truth: Entry['truth']): number | null =>
  truth === null || truth instanceof Error ? null : truth.version;

/** Without a `sample`, a number of addresses, all are compared, and all entries of Redis. */
export type VerifyOptions = { readonly sample?: number; readonly repair?: true; readonly json?: true };

const SLUGS_PER_ROUND = 500;
const FAULTS_NAMED_MAX = 20;
const COUNTED = ['checked', 'right', 'missing', 'changing', ...FAULT_KINDS, 'repaired'] as const;
type Counts = Record<(typeof COUNTED)[number], number>;

/**
 * Compares Redis with Postgres, address by address, prints faults and, with `repair`, corrects them. Throws Problem when a
 * fault is left.
 */
export async function verifyCache(
  terminal: Terminal,
  { sample, repair, json }: VerifyOptions,
): Promise<void> {
  const counts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
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
              for (const entry of await judgeSlugs(db, cache, slugKeys, signal)) {
                counts.checked += 1;
                counts[entry.kind] += 1;
                if (!isFault(entry)) continue;
                const isNamed = json !== true && countFaults(counts) <= FAULTS_NAMED_MAX;
                if (isNamed) terminal.stdout(`${describeFault(entry)}\n`);
                if (repair && (await repairEntry(db, cache, entry))) counts.repaired += 1;
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

const countFaults = (counts: Counts): number => FAULT_KINDS.reduce((sum, kind) => sum + counts[kind], 0);

function printCounts(terminal: Terminal, json: true | undefined, counts: Counts): void {
  const { checked, right, missing, changing, repaired } = counts;
  const wrong = countFaults(counts);
  const parts = FAULT_KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
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
