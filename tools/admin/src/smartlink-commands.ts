import type { Command } from 'commander';
import { examples } from './examples.js';
import { exportSmartlinks } from './export-smartlinks.js';
import type { ExportOptions } from './export-smartlinks.js';
import { fileOf } from './file-of.js';
import { IMPORT_FORMATS } from './import-files/import-row.js';
import { importSmartlinks } from './import-smartlinks.js';
import type { ImportOptions } from './import-smartlinks.js';
import { finishTotals } from './import-totals.js';
import { Problem } from './problem.js';
import type { Terminal } from './terminal.js';

/** Adds `import` and `export`. */
export function addSmartlinkCommands(program: Command, terminal: Terminal): void {
  program
    .command('import')
    .description('create smartlinks for a user out of a file: ours, CSV, or of Bitly, Shlink, Kutt or YOURLS')
    .argument('[file]', 'what it is, it is recognised by; .gz too')
    .option('--email <address|id>', 'whose they are to be')
    .option('--dry-run', 'check everything and change nothing')
    .option('--format <format>', IMPORT_FORMATS.join(', '))
    .option('--assign-slugs', 'give another address to a row whose own is taken or not possible here')
    .option(
      '--new-password-file <file>',
      'holds a password for links that had one elsewhere, which is not told',
    )
    .option(
      '--report <file>',
      'a CSV file of the rows that were refused, and why; by default FILE.refused.csv',
    )
    .option('--again', 'once more, though this file was imported before')
    .option('--finish', 'only bring click totals to ClickHouse that an import had to leave behind')
    .option('--json', 'print {"rows","created","refused","readdressed","refusedBy","report",…}')
    .addHelpText(
      'after',
      `
Rows are stored some hundred at a time. Whatever breaks off an import, the same command goes on where it was. A row that
cannot be stored is left out and told in the report; the exit code is 0 all the same, unless not one could be. The
management service publishes the links as they come, and has their addresses checked within the next minutes.
${examples(
  'import links.csv --email ann@example.com --dry-run',
  'import links.csv --email ann@example.com',
  'import bitly.json --email ann@example.com --assign-slugs --report refused.csv',
)}`,
    )
    .action((file: string | undefined, options: Partial<ImportOptions> & { finish?: true }) =>
      runImport(terminal, file, options),
    );
  program
    .command('export')
    .description('write all smartlinks of a user to a file, which import takes back')
    .requiredOption('--email <address|id>', 'whose')
    .option('--out <file>', 'compressed when it ends in .gz; - is standard output', '-')
    .option('--format <format>', 'json, or csv for people', 'json')
    .option('--force', 'replace the file when it is there already')
    .addHelpText(
      'after',
      `
The file holds what the links are, former addresses, times, click totals and hashes of passwords: keep it as you keep the
database. Left out are deleted smartlinks, single visits, and the figures by day. It has its name once it is complete.
${examples('export --email ann@example.com --out ann.json.gz')}`,
    )
    .action((options: ExportOptions) =>
      exportSmartlinks(terminal, { ...options, out: fileOf(terminal, options.out) }),
    );
}

async function runImport(
  terminal: Terminal,
  file: string | undefined,
  options: Partial<ImportOptions> & { finish?: true },
): Promise<void> {
  const { email, finish } = options;
  if (finish === true) {
    if (file !== undefined) throw new Problem('--finish takes no file.');
    await finishTotals(terminal, options.json === true ? { json: true } : {});
    return;
  }
  if (file === undefined) throw new Problem('Which file? Give its name.');
  if (email === undefined) throw new Problem('Whose smartlinks? Give --email.');
  const { report, newPasswordFile } = options;
  await importSmartlinks(terminal, fileOf(terminal, file), {
    ...options,
    email,
    ...(report !== undefined && { report: fileOf(terminal, report) }),
    ...(newPasswordFile !== undefined && { newPasswordFile: fileOf(terminal, newPasswordFile) }),
  });
}
