import type { ImportRow } from '@smartlink/import/files';
import {
  beginImport,
  type Counts,
  createRehearsal,
  findImport,
  finishImport,
  ImportConflict,
  type ImportState,
  isAssignable,
  listRemarks,
  NO_ROOM,
  NOTHING_DONE,
  readBatches,
  type Remark,
  reopenImport,
  type RowChecker,
  storeBatch,
} from '@smartlink/import/store';
import { failureMessage, inTransaction } from '@smartlink/process/database';
import { lockQuota, newId } from '@smartlink/smartlink/store';
import { Problem, type Terminal } from '../cli/terminal.js';
import { formatTime, plural } from '../cli/text.js';
import { type Session, tryLock } from '../engines/session.js';
import type { InputFile } from './files/read-import-file.js';
import { countReasons, type Summary, writeRefusedRows, writeReport } from './report.js';
import { createTotalsMover, moveWaitingTotals } from './totals.js';

/** Everything an import works with. */
export type ImportJob = {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly input: InputFile;
  readonly owner: { readonly id: string; readonly email: string };
  readonly assignSlugs: boolean;
  /** Imports a finished file once more. */
  readonly isAgain: boolean;
  readonly check: RowChecker;
  readonly reportName: string;
  readonly signal: AbortSignal;
};

/** The result of an import or of a dry run. */
export type Outcome = {
  readonly counts: Counts;
  /** Rows that an earlier run refused for good, if `counts` is without them. */
  readonly refusedBefore: number;
  readonly summary: Pick<
    Summary,
    'refusedBy' | 'losses' | 'assignable' | 'report' | 'refusedRows' | 'totalsWaiting' | 'resumedAfter'
  >;
  /** Why the import is not finished, although all rows were read. */
  readonly problem: Problem | null;
};

/** `waiting`: the done rows to try again, refused before for want of room or of another address. */
type Progress = { readonly state: Counts; readonly waiting: ReadonlySet<number> };

/** An import to continue. */
type Begun = Progress & { readonly state: ImportState };

type Rows = AsyncIterable<ImportRow>;

/** The import of this file that the next run continues, or null. Throws Problem when it is finished. */
async function findBegun(job: ImportJob): Promise<Begun | null> {
  const { session, input, owner, assignSlugs, isAgain } = job;
  const { name, sha256, format } = input;
  const state = await findImport(session.db, owner.id, sha256);
  if (state === null || (state.finishedAt !== null && isAgain && !assignSlugs)) return null;
  const waiting = new Set<number>();
  let assignable = 0;
  for await (const remarks of listRemarks(session.db, state.id)) {
    for (const { rowNumber, reason, createdAs } of remarks) {
      if (createdAs !== null) continue;
      if (isAssignable(reason)) assignable += 1;
      if (reason === NO_ROOM || (assignSlugs && isAssignable(reason))) waiting.add(rowNumber);
    }
  }
  if (state.finishedAt !== null && (isAgain || waiting.size === 0)) {
    const remedy = isAgain
      ? '--again with --assign-slugs would copy links; --assign-slugs alone retries refused rows'
      : `${assignable > 0 ? `add --assign-slugs to retry ${plural(assignable, 'refused row')}, or` : 'add'} --again to import it once more`;
    throw new Problem(
      `${name} was imported for ${owner.email} on ${formatTime(state.finishedAt)}, with ${plural(state.created, 'smartlink')} created: ${remedy}.`,
    );
  }
  if (state.format === format) return { state, waiting };
  throw new Problem(
    `An import of ${name} as ${state.format} is not finished: finish it first, with --format ${state.format}.`,
  );
}

/** The rows that are not done yet, in batches. */
function readRemaining({ check, signal }: ImportJob, { state, waiting }: Progress, rows: Rows) {
  const isDone = (rowNumber: number) => rowNumber <= state.rowsDone && !waiting.has(rowNumber);
  return readBatches(rows, { check, isDone, signal });
}

/** What an import would do now with the rest of the file. Writes its report and nothing else. */
export async function rehearse(job: ImportJob): Promise<Outcome> {
  const { terminal, session, input, owner, assignSlugs, signal } = job;
  const begun: Progress = (await findBegun(job)) ?? { state: NOTHING_DONE, waiting: new Set() };
  const resumedAfter = begun.state.rowsDone - begun.waiting.size;
  if (resumedAfter > 0) {
    terminal.stderr(
      `${plural(resumedAfter, 'row')} of the file are done already: what follows is about the rest.\n`,
    );
  }
  const room = await findRoom(job);
  const reasons = countReasons();
  const rehearsal = createRehearsal(session.db, { userId: owner.id, assignSlugs, room });
  async function* findRemarks(rows: Rows): AsyncGenerator<readonly Remark[], void> {
    for await (const batch of readRemaining(job, begun, rows)) {
      const remarks = await rehearsal.add(batch);
      reasons.add(remarks);
      if (remarks.length > 0) yield remarks;
    }
  }
  let report: string | null = null;
  await input.read('Checking', async (rows) => {
    report = await writeReport(terminal, job.reportName, findRemarks(rows), signal);
  });
  await input.requireUnchanged();
  signal.throwIfAborted();
  const refusedRows = await writeRefusedRows(terminal, input, reasons.reasons, signal);
  const counts = rehearsal.counts();
  return {
    counts,
    refusedBefore: begun.state.refused - begun.waiting.size,
    summary: {
      ...reasons.counted(room === null ? null : room - counts.created),
      report,
      refusedRows,
      totalsWaiting: 0,
      resumedAfter,
    },
    problem: null,
  };
}

/** Smartlinks that the owner's plan has room for; null: unlimited. */
const findRoom = ({ session: { db }, owner }: ImportJob): Promise<number | null> =>
  inTransaction(db, () => lockQuota(db, owner.id));

/**
 * Imports the rest of the file. Throws Problem when another process imports it, when it is finished, and when the import breaks
 * off: stored rows stay, and the same command continues after them.
 */
export async function runImport(job: ImportJob): Promise<Outcome> {
  const { terminal, session } = job;
  // Those of an earlier run, also when nothing else is left to do.
  await moveWaitingTotals(terminal, session);
  const begun = await beginOrContinue(job);
  const counts = await storeRows(job, begun);
  const { id } = begun.state;
  const reasons = countReasons();
  for await (const remarks of listRemarks(session.db, id)) reasons.add(remarks);
  let report: string | null = null;
  let refusedRows: string | null = null;
  let problem: Problem | null = null;
  try {
    report = await writeReport(terminal, job.reportName, listRemarks(session.db, id), job.signal);
    refusedRows = await writeRefusedRows(terminal, job.input, reasons.reasons, job.signal);
    await finishImport(session.db, id, reasons.hasRetryable());
  } catch (err) {
    if (!(err instanceof Problem)) throw err;
    // The import stays unfinished, so that the next run writes the report.
    problem = new Problem(`${err.message} The same command with another --report writes it.`);
  }
  const totalsWaiting = await moveWaitingTotals(terminal, session);
  const resumedAfter = begun.state.rowsDone - begun.waiting.size;
  const summary = {
    ...reasons.counted(await findRoom(job)),
    report,
    refusedRows,
    totalsWaiting,
    resumedAfter,
  };
  return { counts, refusedBefore: 0, summary, problem };
}

/** The import of this file to continue, which is printed, or a new one. */
async function beginOrContinue(job: ImportJob): Promise<Begun> {
  const { terminal, input, owner } = job;
  const { db } = job.session;
  const { name, sha256, format } = input;
  if (!(await tryLock(db, `smartlink-import ${owner.id} ${sha256.toString('hex')}`))) {
    throw new Problem(`${name} is being imported for ${owner.email} by another process: wait until it ends.`);
  }
  const begun = await findBegun(job);
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
    terminal.stderr(`Trying ${plural(waiting.size, 'refused row')} again.\n`);
  }
  return begun;
}

/** Stores the remaining rows, batch by batch, and returns the counts at the end of the file. */
async function storeRows(job: ImportJob, begun: Begun): Promise<Counts> {
  const { terminal, session, input, owner, assignSlugs, signal } = job;
  let { state } = begun;
  const target = { userId: owner.id, assignSlugs, actor: 'admin', placed: new Map() };
  const moveSome = createTotalsMover(terminal, session);
  const progress = () => `${plural(state.rowsDone, 'row')} of the file are done`;
  try {
    await input.read('Importing', async (rows) => {
      for await (const batch of readRemaining(job, begun, rows)) {
        await input.requireUnchanged();
        state = await storeBatch(session.db, target, state, batch);
        await moveSome();
      }
    });
    // A file that was cut shorter in between has no further batch.
    await input.requireUnchanged();
  } catch (err) {
    const isWhole = err instanceof Problem || err instanceof ImportConflict;
    if (isWhole && state === begun.state) throw new Problem(err.message);
    const reason = failureMessage(err).replace(/\.$/, '');
    throw new Problem(`${reason}. ${progress()}. The same command continues after them.`);
  }
  if (signal.aborted) {
    throw new Problem(`Interrupted. ${progress()}; the same command continues after them.`);
  }
  return state;
}
