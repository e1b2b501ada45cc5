import { createSmartlinkValidator } from '@smartlink/smartlink/validation';
import { readBatches } from './import-batches.js';
import { beginOrGoOn, isDoneIn } from './import-begin.js';
import type { Begun } from './import-begin.js';
import { createRowChecker } from './import-check-row.js';
import { rehearse } from './import-dry-run.js';
import { openInputFile } from './import-input.js';
import type { ImportJob } from './import-job.js';
import { finishImport, listRemarks } from './import-queries.js';
import type { ImportState } from './import-queries.js';
import { NO_ROOM } from './import-place-rows.js';
import { openReport, requireReportName, requireWritable } from './import-report.js';
import { storeBatch } from './import-store-batch.js';
import { countReasons, countsOf, printSummary, problemOf } from './import-summary.js';
import type { Outcome } from './import-summary.js';
import { createTotalsMover, moveWaitingTotals } from './import-totals.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { findUserRow } from './queries.js';
import { describe, withSession } from './session.js';
import type { Terminal } from './terminal.js';
import { noUser } from './user-commands.js';

export type ImportOptions = {
  email: string;
  format?: string;
  assignSlugs?: true;
  newPasswordFile?: string;
  report?: string;
  again?: true;
  dryRun?: true;
  json?: true;
};

/**
 * Imports a file of smartlinks for a user, or says what that would do, and prints a summary. Throws Problem when the file
 * or the owner is not there, when the file was imported already, when it breaks off, and when not one row was created of
 * those that were refused. What is stored by then stays, and the same command goes on behind it.
 */
export async function importSmartlinks(
  terminal: Terminal,
  file: string,
  options: ImportOptions,
): Promise<void> {
  const interrupt = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    interrupt.abort();
  });
  const reportName = options.report ?? `${file}.refused.csv`;
  const report = openReport(reportName);
  try {
    await requireReportName(reportName);
    if (options.report !== undefined) await requireWritable(reportName);
    const input = await openInputFile(terminal, file, {
      format: options.format,
      newPasswordFile: options.newPasswordFile,
    });
    await withSession(terminal.env, async (session) => {
      const owner = await findUserRow(session.db, options.email);
      if (owner === null) throw noUser(options.email);
      const { publicBaseUrl } = session.addresses;
      if (publicBaseUrl === undefined) {
        throw new Problem('PUBLIC_BASE_URL is not set: no smartlink may lead back to it.');
      }
      const assignSlugs = options.assignSlugs === true;
      const validator = createSmartlinkValidator({ publicBaseUrl });
      const job: ImportJob = {
        terminal,
        session,
        input,
        owner,
        target: { userId: owner.id, assignSlugs },
        check: createRowChecker({ validator, assignSlugs, now: Date.now }),
        report,
        signal: interrupt.signal,
      };
      const isAgain = options.again === true;
      const { summary, problem } = await (options.dryRun === true ? rehearse : run)(job, isAgain);
      printSummary(terminal, { file, owner: owner.email, json: options.json === true }, summary);
      if (problem !== null) throw problem;
    });
  } finally {
    await report.discard();
    stopListening();
  }
}

async function run(job: ImportJob, isAgain: boolean): Promise<Outcome> {
  const startedAt = performance.now();
  const { terminal, session } = job;
  // Those of an earlier run, also when there is nothing else left to do.
  await moveWaitingTotals(terminal, session);
  const begun = await beginOrGoOn(job, isAgain);
  const state = await storeRows(job, begun);
  const { told, report, problem } = await writeReport(job, state.id);
  // Else what it would tell stays for the next run.
  if (problem === null) await finishImport(session.db, state.id, NO_ROOM);
  const summary = {
    dryRun: false,
    ...countsOf(state),
    ...told,
    report,
    totalsWaiting: await moveWaitingTotals(terminal, session),
    resumedAfter: begun.state.rowsDone - begun.waiting.size,
    seconds: (performance.now() - startedAt) / 1_000,
  };
  return { summary, problem: problem ?? problemOf(summary) };
}

/** Stores what is left of the file's rows, batch by batch, and returns how far that has come: to the end. */
async function storeRows(job: ImportJob, begun: Begun): Promise<ImportState> {
  const { terminal, session, input, target, check, signal } = job;
  let { state } = begun;
  const moveSome = createTotalsMover(terminal, session);
  try {
    const rows = input.rows('Importing');
    const batches = readBatches(rows, { check, isDone: isDoneIn(begun), isDryRun: false, signal });
    for await (const batch of batches) {
      await input.requireUnchanged();
      state = await storeBatch(session.db, target, state, batch);
      await moveSome();
    }
    // A file that was cut shorter meanwhile has no further batch.
    await input.requireUnchanged();
  } catch (err) {
    if (err instanceof Problem && state === begun.state) throw err;
    throw new Problem(
      `${describe(err).replace(/\.$/, '')}. ${plural(state.rowsDone, 'row')} of the file are done. The same command goes on behind them.`,
    );
  }
  if (signal.aborted) {
    throw new Problem(
      `Interrupted. ${plural(state.rowsDone, 'row')} of the file are done; the same command goes on behind them.`,
    );
  }
  return state;
}

const REMARKS_AT_ONCE = 5_000;

/** Writes the remarks of all runs to the report, and returns how many rows were refused for what. */
async function writeReport({ session: { db }, report }: ImportJob, importId: string) {
  const reasons = countReasons();
  let problem: Problem | null = null;
  const unlessImpossible = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (problem !== null) return null;
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      problem = new Problem(`${err.message} The same command with another --report writes it.`);
      return null;
    }
  };
  let afterRow = 0;
  for (;;) {
    const remarks = await listRemarks(db, importId, afterRow, REMARKS_AT_ONCE);
    await unlessImpossible(() => report.add(remarks));
    reasons.add(remarks);
    afterRow = remarks.at(-1)?.rowNumber ?? afterRow;
    if (remarks.length < REMARKS_AT_ONCE) break;
  }
  const name = await unlessImpossible(() => report.close());
  return { told: reasons.told(), report: name, problem: problem as Problem | null };
}
