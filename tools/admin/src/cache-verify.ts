import { replaceCached, scanCached } from '@smartlink/link-resolver/cached-snapshots';
import { publishSnapshots } from '@smartlink/link-resolver/link-publisher';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import type { LinkSnapshot } from '@smartlink/smartlink/snapshot';
import { FAULTS, judgeSlugs } from './cache-judge.js';
import type { Fault, FaultKind } from './cache-judge.js';
import { countAbout, findKnownSlugs, listSlugs, sampleSlugs } from './cache-queries.js';
import { readTruth, withRedis } from './cache-redis.js';
import type { Cache } from './cache-redis.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { withSession } from './session.js';
import type { Terminal } from './terminal.js';
import { toPrintable } from './printable.js';
import { whileListening } from './while-listening.js';

export type VerifyOptions = {
  /** Of addresses; null: all, and everything that Redis holds beside them. */
  readonly sample: number | null;
  readonly repair: boolean;
  readonly json: boolean;
};

const SLUGS_PER_LOOK = 500;
const FAULTS_NAMED_MAX = 20;
const ADDRESSES = { name: 'addresses', size: 1 };

type Counts = Record<FaultKind, number> & {
  checked: number;
  right: number;
  missing: number;
  changing: number;
  repaired: number;
};

/**
 * Compares Redis with Postgres, address by address, and tells what is wrong; with `repair` it puts that right. Throws
 * Problem, for the exit code 1, when something is wrong and was not repaired, and when an engine is not there.
 */
export async function verifyCache(terminal: Terminal, options: VerifyOptions): Promise<void> {
  const counts = noCounts();
  await withSession(terminal.env, ({ db, addresses }) =>
    withRedis({ addresses }, (cache) =>
      whileListening(
        terminal,
        () => `: ${counts.checked} addresses were compared.`,
        (signal) => compare(terminal, { db, cache, counts, options }, signal),
      ),
    ),
  );
  tell(terminal, options, counts);
}

async function compare(terminal: Terminal, taking: Taking, signal: AbortSignal): Promise<void> {
  const { db, cache, counts, options } = taking;
  const total = Math.min(options.sample ?? Infinity, await countAbout(db, 'slugs'));
  const progress = showProgress(terminal, 'Comparing', total, ADDRESSES);
  try {
    for await (const slugKeys of slugsOf(db, cache, options.sample)) {
      signal.throwIfAborted();
      const { faults, ...verdict } = await judgeSlugs(db, cache, slugKeys, signal);
      counts.checked += slugKeys.length;
      counts.right += verdict.right;
      counts.missing += verdict.missing;
      counts.changing += verdict.changing;
      for (const fault of faults) await take(terminal, taking, fault);
      progress.add(slugKeys.length);
    }
  } finally {
    progress.stop();
  }
}

/** Yields what is to be compared: addresses of Postgres, and, of all, what only Redis knows. */
async function* slugsOf(
  db: Queryable,
  cache: Cache,
  sample: number | null,
): AsyncGenerator<readonly string[]> {
  if (sample !== null) {
    const chosen = await sampleSlugs(db, sample);
    for (let i = 0; i < chosen.length; i += SLUGS_PER_LOOK) yield chosen.slice(i, i + SLUGS_PER_LOOK);
    return;
  }
  for (let slugKeys = await listSlugs(db, '', SLUGS_PER_LOOK); slugKeys.length > 0;) {
    yield slugKeys;
    slugKeys = await listSlugs(db, slugKeys.at(-1) ?? '', SLUGS_PER_LOOK);
  }
  for await (const held of scanCached(cache.redis, cache.keyPrefix)) {
    const known = await findKnownSlugs(db, held);
    const unknown = held.filter((slugKey) => !known.has(slugKey));
    if (unknown.length > 0) yield unknown;
  }
}

type Taking = {
  readonly db: Queryable;
  readonly cache: Cache;
  readonly counts: Counts;
  readonly options: VerifyOptions;
};

async function take(terminal: Terminal, { db, cache, counts, options }: Taking, fault: Fault): Promise<void> {
  counts[fault.kind] += 1;
  if (!options.json && faultsIn(counts) <= FAULTS_NAMED_MAX) terminal.stdout(`${describeFault(fault)}\n`);
  if (options.repair && (await repair(db, cache, fault))) counts.repaired += 1;
}

/** Returns whether Redis now holds what Postgres says, or nothing. */
async function repair(db: Queryable, { redis, keyPrefix }: Cache, fault: Fault): Promise<boolean> {
  const { kind, slugKey, truth, cached } = fault;
  if (truth instanceof Error || cached === null) return false;
  if (kind !== 'older') await replaceCached(redis, keyPrefix, slugKey, cached, truth);
  for await (const { snapshots } of readTruth(db, [slugKey])) {
    const fresh = [...snapshots].filter((one): one is [string, LinkSnapshot] => !(one[1] instanceof Error));
    await publishSnapshots(redis, keyPrefix, new Map(fresh));
  }
  return true;
}

const WORDS: Readonly<Record<FaultKind, string>> = {
  older: 'older than Postgres',
  newer: 'newer than Postgres',
  different: 'of the same version, and different',
  damaged: 'damaged',
  unknown: 'of an address that Postgres does not know',
  unreadable: 'not to be compared: no snapshot can be made of its row in Postgres',
};

function describeFault({ kind, slugKey, truth, cached }: Fault): string {
  const versions = [
    cached?.snapshot ? `Redis has version ${cached.snapshot.version}` : null,
    truth === null || truth instanceof Error ? null : `Postgres ${truth.version}`,
  ].filter((part) => part !== null);
  return `${toPrintable(slugKey)}: ${WORDS[kind]}${versions.length > 0 ? ` (${versions.join(', ')})` : ''}`;
}

const faultsIn = (counts: Counts): number => FAULTS.reduce((sum, kind) => sum + counts[kind], 0);

function tell(terminal: Terminal, { json }: VerifyOptions, counts: Counts): void {
  const wrong = faultsIn(counts);
  const parts = FAULTS.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`);
  terminal.stdout(
    json
      ? `${JSON.stringify(counts)}\n`
      : `Compared ${counts.checked} addresses: ${counts.right} right, ${counts.missing} not in Redis, ${counts.changing} changing; ` +
          `${wrong} wrong${parts.length > 0 ? ` (${parts.join(', ')})` : ''}, ${counts.repaired} repaired.\n`,
  );
  const left = wrong - counts.repaired;
  if (left > 0)
    throw new Problem(
      `Redis is wrong of ${left} addresses: --repair puts that right, but for unreadable rows.`,
    );
}

function noCounts(): Counts {
  const none = { checked: 0, right: 0, missing: 0, changing: 0 };
  return { ...none, older: 0, newer: 0, different: 0, damaged: 0, unknown: 0, unreadable: 0, repaired: 0 };
}
