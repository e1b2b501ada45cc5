import { newId } from '@smartlink/smartlink-store/new-id';
import type { ImportJob } from './import-job.js';
import { NO_ROOM } from './import-place-rows.js';
import {
  beginImport,
  findImport,
  forgetRemarks,
  listRefused,
  reopenImport,
  tryLock,
} from './import-queries.js';
import type { ImportState } from './import-queries.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';

/** An import that goes on. `waiting`: the rows, of those that are done, that the plan had no room for. */
export type Begun = { readonly state: ImportState; readonly waiting: ReadonlySet<number> };

/** Returns what tells rows that need not be tried any more. */
export const isDoneIn =
  ({ state, waiting }: Begun) =>
  (rowNumber: number): boolean =>
    rowNumber <= state.rowsDone && !waiting.has(rowNumber);

/**
 * Returns the import of this file that is to go on, or a new one, and says on standard error if an earlier run has done
 * some of it. One connection at a time goes on with it. Throws Problem when another does, and when all is done already.
 */
export async function beginOrGoOn(job: ImportJob, isAgain: boolean): Promise<Begun> {
  const { terminal, input, owner } = job;
  const { db } = job.session;
  const { name, sha256, format } = input;
  if (!(await tryLock(db, `smartlink-import ${owner.id} ${sha256.toString('hex')}`))) {
    throw new Problem(`${name} is being imported for ${owner.email} at this moment, by another process.`);
  }
  const begun = await findBegun(job, isAgain);
  if (begun === null) {
    await forgetRemarks(db, owner.id, sha256);
    const state = await beginImport(db, { id: newId(Date.now()), userId: owner.id, sha256, format });
    return { state, waiting: new Set() };
  }
  const { state, waiting } = begun;
  if (state.finishedAt !== null) await reopenImport(db, state.id);
  else if (state.rowsDone > 0) {
    terminal.stderr(
      `Going on behind row ${state.rowsDone}: an earlier run had created ${state.created} and refused ${state.refused}.\n`,
    );
  }
  if (waiting.size > 0) {
    terminal.stderr(`Trying ${plural(waiting.size, 'row')} again that the plan had no room for.\n`);
  }
  return begun;
}

/** Returns the import of this file that the next run goes on with; null: it begins one. Throws Problem as that does. */
export async function findBegun(
  { session: { db }, input, owner }: ImportJob,
  isAgain: boolean,
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
    `An import of ${name} as ${state.format} is not at its end: finish that one first, with --format ${state.format}.`,
  );
}
