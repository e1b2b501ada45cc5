import { slugKey } from '@smartlink/smartlink/slug';
import { lockRoom } from '@smartlink/smartlink-store/plan-limit';
import type { NewSmartlink } from '@smartlink/smartlink-store/store-smartlinks';
import { readBatches } from './import-batches.js';
import { placeRows } from './import-place-rows.js';
import type { Places } from './import-place-rows.js';
import { findTaken } from './import-queries.js';
import type { ImportState, TakenKeys } from './import-queries.js';
import type { ImportJob } from './import-job.js';
import { addCounts, countBatch } from './import-store-batch.js';
import { countReasons, countsOf } from './import-summary.js';
import type { Summary } from './import-summary.js';
import { Problem } from './problem.js';
import { inTransaction } from './session.js';
import type { Session } from './session.js';

// An address that is assigned is not known before.
const ASSIGNED = '(assigned)';

const NOTHING_DONE: ImportState = {
  id: '',
  format: '',
  rowsDone: 0,
  created: 0,
  refused: 0,
  readdressed: 0,
  startedAt: new Date(0),
  finishedAt: null,
};

/** Returns what an import of the whole file would do now, and writes its report. Nothing else is written. */
export async function rehearse(job: ImportJob): Promise<Summary> {
  const startedAt = performance.now();
  const { session, input, target, check, report, signal } = job;
  const reasons = countReasons();
  const room = await inTransaction(session.db, () => lockRoom(session.db, target.userId));
  const claim = createClaims(session, target.userId);
  let state = NOTHING_DONE;
  const rows = input.rows('Checking');
  for await (const batch of readBatches(rows, { check, isDone: () => false, isDryRun: true, signal })) {
    const places = { ...claim, room: room === null ? null : room - state.created };
    const { placed, remarks } = await placeRows(batch.candidates, places, target.assignSlugs);
    const told = [...batch.refusals, ...remarks].toSorted((a, b) => a.rowNumber - b.rowNumber);
    await report.add(told);
    reasons.add(told);
    state = addCounts(state, countBatch(batch, placed.length, remarks, 0));
  }
  await input.requireUnchanged();
  if (signal.aborted) throw new Problem('Interrupted.');
  return {
    dryRun: true,
    ...countsOf(state),
    ...reasons.told(),
    report: await report.close(),
    totalsWaiting: 0,
    resumedAfter: 0,
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/** Addresses as the database has them, and those that rows of the file have got: some 100 bytes each. */
function createClaims(
  { db }: Session,
  userId: string,
): Pick<Places<{ readonly slug: string }>, 'store' | 'findTaken'> {
  const claimed = new Set<string>();
  const findTakenToo = async (keys: readonly string[]): Promise<TakenKeys> => {
    const taken = await findTaken(db, userId, keys);
    const inFile = keys.filter((key) => claimed.has(key)).map((key) => [key, { isOwn: true }] as const);
    return new Map([...taken, ...inFile]);
  };
  return {
    findTaken: findTakenToo,
    async store(smartlinks) {
      const taken = await findTakenToo(smartlinks.flatMap(keysOf));
      return smartlinks.map((one) => {
        const keys = keysOf(one);
        if (keys.some((key) => taken.has(key) || claimed.has(key))) return null;
        for (const key of keys) claimed.add(key);
        return { slug: one.slug ?? ASSIGNED };
      });
    },
  };
}

const keysOf = ({ slug, past }: NewSmartlink): readonly string[] =>
  [...(slug === undefined ? [] : [slug]), ...(past?.aliases ?? [])].map(slugKey);
