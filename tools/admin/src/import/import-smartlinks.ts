import type { Command } from 'commander';
import { failureMessage } from '@smartlink/process/database';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { findUser } from '../accounts/find-user.js';
import { fileOf } from '../cli/files.js';
import { Problem, type Terminal, whileListening } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import { createRowChecker } from './check-row.js';
import { IMPORT_FORMATS } from './files/import-row.js';
import { openInputFile } from './files/read-import-file.js';
import { beginOrContinue, type Begun, type ImportJob, isDoneIn, rehearse } from './job.js';
import { finishImport, type ImportState, listRemarks } from './queries.js';
import {
  countReasons,
  openReport,
  type Outcome,
  printSummary,
  type Report,
  requireReportName,
  requireWritable,
} from './report.js';
import { NO_ROOM, readBatches, storeBatch } from './store-batch.js';
import { createTotalsMover, finishTotals, moveWaitingTotals } from './totals.js';

export function addImportCommand(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('create smartlinks from a file: exported here, CSV, or from Bitly, Shlink, Kutt or YOURLS')
    .argument('[file]', 'file to import; the format is detected (.gz accepted)')
    .option('--email <address|id>', 'owner of the new smartlinks')
    .option('--dry-run', 'check everything and change nothing')
    .option('--format <format>', IMPORT_FORMATS.join(', '))
    .option('--assign-slugs', 'assign another address to rows whose own is taken or not possible')
    .option('--new-password-file <file>', 'password to set on links whose original password is not exported')
    .option('--report <file>', 'CSV file for refused rows and reasons; by default FILE.refused.csv')
    .option('--again', 'import the file again, though it was imported before')
    .option('--finish', 'only move click totals to ClickHouse that an import left behind')
    .option('--json', 'print {"rows","created","refused","readdressed","refusedBy","report",…}')
    .addHelpText(
      'after',
      `
Rows are stored some hundred at a time. After an interruption the same command continues. A row that cannot be stored is left
out and listed in the report; the exit code is 0 all the same, unless no row could be stored. The management service publishes
the links as they come, and has their URLs checked within the next minutes.
${examples(
  'import links.csv --email ann@example.com --dry-run',
  'import links.csv --email ann@example.com',
  'import bitly.json --email ann@example.com --assign-slugs --report refused.csv',
)}`,
    )
    .action((file: string | undefined, options: ImportOptions) => runImport(terminal, file, options));
}

type ImportOptions = {
  email?: string;
  format?: string;
  assignSlugs?: true;
  newPasswordFile?: string;
  report?: string;
  again?: true;
  dryRun?: true;
  finish?: true;
  json?: true;
};

async function runImport(
  terminal: Terminal,
  name: string | undefined,
  options: ImportOptions,
): Promise<void> {
  if (options.finish === true) {
    if (name !== undefined) throw new Problem('--finish takes no file.');
    await finishTotals(terminal, options.json);
    return;
  }
  if (name === undefined) throw new Problem('Which file? Give its name.');
  if (options.email === undefined) throw new Problem('Whose smartlinks? Give --email.');
  const file = fileOf(terminal, name);
  const reportName = options.report === undefined ? `${file}.refused.csv` : fileOf(terminal, options.report);
  const report = openReport(reportName);
  try {
    await requireReportName(reportName);
    if (options.report !== undefined) await requireWritable(reportName);
    await importSmartlinks(terminal, file, report, options);
  } finally {
    await report.discard();
  }
}

/**
 * Imports a file, or rehearses that, and prints a summary. Throws Problem when the file was imported already, when the import
 * breaks off, and when rows were refused and none was created. Stored rows stay, and the same command continues after them.
 */
async function importSmartlinks(
  terminal: Terminal,
  file: string,
  report: Report,
  { email = '', format, newPasswordFile, ...options }: ImportOptions,
): Promise<void> {
  await whileListening(
    terminal,
    () => '.',
    async (signal) => {
      const password = newPasswordFile === undefined ? undefined : fileOf(terminal, newPasswordFile);
      const input = await openInputFile(terminal, file, { format, newPasswordFile: password });
      await withSession(terminal.env, async (session) => {
        const owner = await findUser(session.db, email);
        const { publicBaseUrl } = session.addresses;
        if (publicBaseUrl === undefined) {
          throw new Problem('PUBLIC_BASE_URL is not set: smartlinks must not lead back to it.');
        }
        const assignSlugs = options.assignSlugs === true;
        const validator = createSmartlinkValidator({ publicBaseUrl });
        const target = { userId: owner.id, assignSlugs };
        const check = createRowChecker({ validator, assignSlugs, now: Date.now });
        const job = { terminal, session, input, owner, target, check, report, signal };
        const dryRun = options.dryRun === true;
        const startedAt = performance.now();
        const outcome = await (dryRun ? rehearse : run)(job, options.again);
        const { rowsDone: rows, created, refused, readdressed } = outcome.state;
        const seconds = (performance.now() - startedAt) / 1_000;
        const summary = { dryRun, rows, created, refused, readdressed, ...outcome.summary, seconds };
        printSummary(terminal, { file, owner: owner.email, json: options.json === true }, summary);
        if (outcome.problem !== null) throw outcome.problem;
        if (created + outcome.createdBefore > 0 || refused === 0) return;
        throw new Problem(
          `Nothing ${dryRun ? 'would be' : 'was'} imported: ${plural(refused, 'row')} refused.`,
        );
      });
    },
  );
}

async function run(job: ImportJob, isAgain: true | undefined): Promise<Outcome> {
  const { terminal, session } = job;
  // Those of an earlier run, also when nothing else is left to do.
  await moveWaitingTotals(terminal, session);
  const begun = await beginOrContinue(job, isAgain);
  const state = await storeRows(job, begun);
  const { counted, report, problem } = await writeReport(job, state.id);
  // Otherwise the next run writes the report.
  if (problem === null) await finishImport(session.db, state.id, NO_ROOM);
  const totalsWaiting = await moveWaitingTotals(terminal, session);
  const resumedAfter = begun.state.rowsDone - begun.waiting.size;
  return { state, problem, createdBefore: 0, summary: { ...counted, report, totalsWaiting, resumedAfter } };
}

/** Stores the remaining rows, batch by batch, and returns the state at the end of the file. */
async function storeRows(job: ImportJob, begun: Begun): Promise<ImportState> {
  const { terminal, session, input, target, check, signal } = job;
  let { state } = begun;
  const moveSome = createTotalsMover(terminal, session);
  const progress = () => `${plural(state.rowsDone, 'row')} of the file are done`;
  try {
    await input.read('Importing', async (rows) => {
      const batches = readBatches(rows, { check, isDone: isDoneIn(begun), isDryRun: false, signal });
      for await (const batch of batches) {
        await input.requireUnchanged();
        state = await storeBatch(session.db, target, state, batch);
        await moveSome();
      }
    });
    // A file that was cut shorter in between has no further batch.
    await input.requireUnchanged();
  } catch (err) {
    if (err instanceof Problem && state === begun.state) throw err;
    const reason = failureMessage(err).replace(/\.$/, '');
    throw new Problem(`${reason}. ${progress()}. The same command continues after them.`);
  }
  if (signal.aborted) {
    throw new Problem(`Interrupted. ${progress()}; the same command continues after them.`);
  }
  return state;
}

const REMARKS_AT_ONCE = 5_000;

/** Writes the remarks of all runs to the report, and counts the reasons of refusals. */
async function writeReport({ session: { db }, report }: ImportJob, importId: string) {
  const reasons = countReasons();
  let problem: Problem | null = null;
  const unlessFailed = async <T>(work: () => Promise<T>): Promise<T | null> => {
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
    await unlessFailed(() => report.add(remarks));
    reasons.add(remarks);
    afterRow = remarks.at(-1)?.rowNumber ?? afterRow;
    if (remarks.length < REMARKS_AT_ONCE) break;
  }
  const name = await unlessFailed(() => report.close());
  return { counted: reasons.counted(), report: name, problem: problem as Problem | null };
}
