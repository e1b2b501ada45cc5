import type { Client } from 'pg';
import { inTransaction } from '@smartlink/process/database';
import { lockQuota, newId } from '@smartlink/smartlink/store';
import { Problem, type Terminal } from '../cli/terminal.js';
import { plural } from '../cli/text.js';
import { type Session, tryLock } from '../engines/session.js';
import type { RowChecker } from './check-row.js';
import type { InputFile } from './files/read-import-file.js';
import {
  beginImport,
  findImport,
  findTaken,
  type ImportState,
  listRefused,
  reopenImport,
  type TakenKeys,
} from './queries.js';
import { countReasons, type Outcome, type Report } from './report.js';
import {
  addCounts,
  countBatch,
  type ImportTarget,
  keysOf,
  NO_ROOM,
  placeRows,
  type Places,
  readBatches,
} from './store-batch.js';

/** Everything an import works with. */
export type ImportJob = {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly input: InputFile;
  readonly owner: { readonly id: string; readonly email: string };
  readonly target: ImportTarget;
  readonly check: RowChecker;
  readonly report: Report;
  readonly signal: AbortSignal;
};

/** An import to continue. `waiting`: those of the done rows that the plan had no room for. */
export type Begun = { readonly state: ImportState; readonly waiting: ReadonlySet<number> };

export const isDoneIn =
  ({ state, waiting }: Begun) =>
  (rowNumber: number): boolean =>
    rowNumber <= state.rowsDone && !waiting.has(rowNumber);

/**
 * The import of this file to continue, which is printed, or a new one. Throws Problem when another process works on it, and
 * when it is finished.
 */
export async function beginOrContinue(job: ImportJob, isAgain: true | undefined): Promise<Begun> {
  const { terminal, input, owner } = job;
  const { db } = job.session;
  const { name, sha256, format } = input;
  if (!(await tryLock(db, `smartlink-import ${owner.id} ${sha256.toString('hex')}`))) {
    throw new Problem(`${name} is being imported for ${owner.email} by another process: wait until it ends.`);
  }
  const begun = await findBegun(job, isAgain);
  if (begun === null) {
    const state = await beginImport(db, { id: newId(Date.now()), userId: owner.id, sha256, format });
    return { state, waiting: new Set() };
  }
  const { state, waiting } = begun;
  if (state.finishedAt !== null) await reopenImport(db, state.id);
  else if (state.rowsDone > 0) {
    terminal.stderr(
      `Continuing after row ${state.rowsDone}: an earlier run had created ${state.created} and refused ${state.refused}.\n`,
    );
  }
  if (waiting.size > 0) {
    terminal.stderr(`Trying ${plural(waiting.size, 'row')} again that the plan had no room for.\n`);
  }
  return begun;
}

/** The import of this file that the next run continues; null: it begins one. Throws Problem as that does. */
async function findBegun(
  { session: { db }, input, owner }: ImportJob,
  isAgain: true | undefined,
): Promise<Begun | null> {
  const { name, sha256, format } = input;
  const state = await findImport(db, owner.id, sha256);
  if (state === null || (state.finishedAt !== null && isAgain)) return null;
  const waiting = await listRefused(db, state.id, NO_ROOM);
  if (state.finishedAt !== null && waiting.size === 0) {
    const day = state.finishedAt.toISOString().slice(0, 16).replace('T', ' ');
    throw new Problem(
      `${name} was imported for ${owner.email} on ${day} UTC, with ${plural(state.created, 'smartlink')} created: add --again to import it once more.`,
    );
  }
  if (state.format === format) return { state, waiting };
  throw new Problem(
    `An import of ${name} as ${state.format} is not finished: finish it first, with --format ${state.format}.`,
  );
}

// The address that will be assigned is not known yet.
const ASSIGNED = '(assigned)';

const NOTHING_DONE: ImportState = {
  id: '',
  format: '',
  rowsDone: 0,
  created: 0,
  refused: 0,
  readdressed: 0,
  finishedAt: null,
};

/** What an import would do now with the rest of the file. Writes its report and nothing else. */
export async function rehearse(job: ImportJob, isAgain: true | undefined): Promise<Outcome> {
  const { terminal, session, input, target, check, report, signal } = job;
  const begun = (await findBegun(job, isAgain)) ?? { state: NOTHING_DONE, waiting: new Set<number>() };
  const resumedAfter = begun.state.rowsDone - begun.waiting.size;
  if (resumedAfter > 0) {
    terminal.stderr(
      `${plural(resumedAfter, 'row')} of the file are done already: what follows is about the rest.\n`,
    );
  }
  const reasons = countReasons();
  const room = await inTransaction(session.db, () => lockQuota(session.db, target.userId));
  const claim = createClaims(session.db, target.userId);
  let state = NOTHING_DONE;
  await input.read('Checking', async (rows) => {
    const options = { check, isDone: isDoneIn(begun), isDryRun: true, signal };
    for await (const batch of readBatches(rows, options)) {
      const left = room === null ? null : room - state.created;
      const { placed, remarks } = await placeRows(batch.candidates, { ...claim, ...target, room: left });
      const all = [...batch.refusals, ...remarks].toSorted((a, b) => a.rowNumber - b.rowNumber);
      await report.add(all);
      reasons.add(all);
      state = addCounts(state, countBatch(batch, placed.length, remarks, 0));
    }
  });
  await input.requireUnchanged();
  if (signal.aborted) throw new Problem('Interrupted.');
  const summary = { ...reasons.counted(), report: await report.close(), totalsWaiting: 0, resumedAfter };
  return { state, problem: null, createdBefore: begun.state.created, summary };
}

/** Addresses in the database, and those claimed by earlier rows of the file: some 100 bytes each. */
function createClaims(
  db: Client,
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
