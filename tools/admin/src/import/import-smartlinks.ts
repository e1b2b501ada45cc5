import type { Command } from 'commander';
import { DATE_ORDERS, IMPORT_FORMATS } from '@smartlink/import/files';
import { createRowChecker } from '@smartlink/import/store';
import { createSmartlinkValidator } from '@smartlink/smartlink/document';
import { createDomainHosts } from '@smartlink/smartlink/store';
import { findUser } from '../accounts/find-user.js';
import { fileOf } from '../cli/files.js';
import { addAccountOption, requireAccount } from '../cli/options.js';
import { Problem, type Terminal, whileListening } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { withSession } from '../engines/session.js';
import { openInputFile } from './files/read-import-file.js';
import { rehearse, runImport } from './job.js';
import { printSummary, requireReportName, requireWritable } from './report.js';
import { finishTotals } from './totals.js';

export function addImportCommand(program: Command, terminal: Terminal): void {
  addAccountOption(program.command('import'), 'owner of the new smartlinks (required)')
    .description('create smartlinks from a file: an export, CSV, or a file of Bitly, Shlink, Kutt or YOURLS')
    .argument('[file]', 'file to import; the format is detected (.gz accepted)')
    .option('--dry-run', 'check everything and change nothing')
    .option('--format <format>', `file format: ${IMPORT_FORMATS.join(', ')}`)
    .option('--date-format <order>', `order of dates like 01/02/2026: ${DATE_ORDERS.join(', ')}`)
    .option(
      '--assign-slugs',
      'assign another address to rows whose own is taken or invalid; on an imported file, retry those rows',
    )
    .option('--new-password-file <file>', 'password for links that had one in another service')
    .option('--report <file>', 'CSV file for reasons and losses by row (default: FILE.report.csv)')
    .option('--again', 'import a file that was imported before')
    .option('--finish', 'only move waiting click totals to ClickHouse (takes no file)')
    .option('-j, --json', 'print {"rows","created","refused","readdressed","refusedBy","report",…}')
    .addHelpText(
      'after',
      `
Rows are stored in batches of some hundred. After an interruption the same command continues. Rows that cannot be stored are
skipped and listed in the report; the exit code is then 1. The management service publishes the new
links at once and checks their URLs within minutes.
${examples(
  'import links.csv --account ann@example.com --dry-run',
  'import links.csv --account ann@example.com',
  'import bitly.csv --account ann@example.com --assign-slugs',
)}`,
    )
    .action((file: string | undefined, options: ImportOptions) => importFile(terminal, file, options));
}

type ImportOptions = {
  account?: string;
  format?: string;
  dateFormat?: string;
  assignSlugs?: true;
  newPasswordFile?: string;
  report?: string;
  again?: true;
  dryRun?: true;
  finish?: true;
  json?: true;
};

/**
 * Imports a file, or rehearses that, and prints a summary. Throws Problem when the file was imported already, when the import
 * breaks off, and when rows were refused.
 */
async function importFile(
  terminal: Terminal,
  name: string | undefined,
  { account, ...options }: ImportOptions,
): Promise<void> {
  if (options.finish === true) {
    if (name !== undefined) throw new Problem('--finish takes no file.');
    await finishTotals(terminal, options.json);
    return;
  }
  if (name === undefined) throw new Problem('Which file? Give its name.');
  const ownerName = requireAccount(account, 'that gets the smartlinks');
  const file = fileOf(terminal, name);
  const reportName = options.report === undefined ? `${file}.report.csv` : fileOf(terminal, options.report);
  await requireReportName(reportName);
  if (options.report !== undefined) await requireWritable(reportName);
  const password = options.newPasswordFile && fileOf(terminal, options.newPasswordFile);
  const work = async (signal: AbortSignal) => {
    const input = await openInputFile(terminal, file, {
      format: options.format,
      newPasswordFile: password,
      dateFormat: options.dateFormat,
    });
    await withSession(terminal.env, async (session) => {
      const owner = await findUser(session.db, ownerName);
      const { publicBaseUrl } = session.addresses;
      if (publicBaseUrl === undefined) {
        throw new Problem('PUBLIC_BASE_URL is not set: smartlinks must not lead back to it.');
      }
      const assignSlugs = options.assignSlugs === true;
      const isAgain = options.again === true;
      const domainHosts = createDomainHosts(session.db);
      await domainHosts.refresh();
      const check = createRowChecker({
        validator: createSmartlinkValidator({ publicBaseUrl, isDomain: domainHosts.has }),
        publicBaseUrl,
      });
      const job = { terminal, session, input, owner, assignSlugs, isAgain, check, reportName, signal };
      const dryRun = options.dryRun === true;
      const startedAt = performance.now();
      const outcome = await (dryRun ? rehearse : runImport)(job);
      const { rowsDone: rows, created, refused, readdressed } = outcome.counts;
      const seconds = (performance.now() - startedAt) / 1_000;
      const summary = { dryRun, rows, created, refused, readdressed, ...outcome.summary, seconds };
      printSummary(terminal, { file, owner: owner.email, json: options.json === true }, summary);
      if (outcome.problem !== null) throw outcome.problem;
      const refusedInAll = refused + outcome.refusedBefore;
      if (refusedInAll > 0)
        throw new Problem(`${plural(refusedInAll, 'row')} ${dryRun ? 'would be ' : ''}refused.`);
    });
  };
  await whileListening(terminal, () => '.', work);
}
