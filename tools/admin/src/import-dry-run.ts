import { slugKey } from '@smartlink/smartlink/slug';
import { lockRoom } from '@smartlink/smartlink-store/plan-limit';
import type { NewSmartlink } from '@smartlink/smartlink-store/store-smartlinks';
import { readBatches } from './import-batches.js';
import { findBegun, isDoneIn } from './import-begin.js';
import { placeRows } from './import-place-rows.js';
import type { Places } from './import-place-rows.js';
import { findTaken } from './import-queries.js';
import type { ImportState, TakenKeys } from './import-queries.js';
import type { ImportJob } from './import-job.js';
import { addCounts, countBatch } from './import-store-batch.js';
import { countReasons, countsOf, problemOf } from './import-summary.js';
import type { Outcome } from './import-summary.js';
import { plural } from './plural.js';
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

/**
 * Returns what an import would do now, with what is left of the file, and writes its report. Nothing else is written.
 * Throws Problem when the import would do nothing, as the file was imported already.
 */
export async function rehearse(job: ImportJob, isAgain: boolean): Promise<Outcome> {
  const startedAt = performance.now();
  const { terminal, session, input, target, check, report, signal } = job;
  const begun = (await findBegun(job, isAgain)) ?? { state: NOTHING_DONE, waiting: new Set<number>() };
  const resumedAfter = begun.state.rowsDone - begun.waiting.size;
  if (resumedAfter > 0) {
    terminal.stderr(
      `${plural(resumedAfter, 'row')} of the file are done already: what follows is about the rest.\n`,
    );
  }
  const reasons = countReasons();
  const room = await inTransaction(session.db, () => lockRoom(session.db, target.userId));
  const claim = createClaims(session, target.userId);
  let state = NOTHING_DONE;
  const rows = input.rows('Checking');
  for await (const batch of readBatches(rows, { check, isDone: isDoneIn(begun), isDryRun: true, signal })) {
    const places = { ...claim, room: room === null ? null : room - state.created };
    const { placed, remarks } = await placeRows(batch.candidates, places, target.assignSlugs);
    const told = [...batch.refusals, ...remarks].toSorted((a, b) => a.rowNumber - b.rowNumber);
    await report.add(told);
    reasons.add(told);
    state = addCounts(state, countBatch(batch, placed.length, remarks, 0));
  }
  await input.requireUnchanged();
  if (signal.aborted) throw new Problem('Interrupted.');
  const summary = {
    dryRun: true,
    ...countsOf(state),
    ...reasons.told(),
    report: await report.close(),
    totalsWaiting: 0,
    resumedAfter,
    seconds: (performance.now() - startedAt) / 1_000,
  };
  return { summary, problem: problemOf(summary, begun.state.created) };
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
