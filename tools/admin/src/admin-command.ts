import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { toPrintable } from '@smartlink/import/text';
import { failureMessage } from '@smartlink/process/database';
import { addAuditCommands } from './accounts/audit.js';
import { addDomainCommands } from './accounts/domains.js';
import { hideKeys } from './accounts/find-user.js';
import { addKeyCommands } from './accounts/keys.js';
import { addPeopleCommands } from './accounts/people.js';
import { addPlanCommands } from './accounts/plans.js';
import { addUserCommands } from './accounts/users.js';
import { addBackupCommands } from './backup/backup.js';
import { addCacheCommands } from './cache/commands.js';
import { addCapacityCommand } from './capacity/commands.js';
import { addCompletionCommand } from './cli/completion.js';
import { wrapParagraphs } from './cli/table.js';
import { Problem, type Terminal } from './cli/terminal.js';
import { examples } from './cli/text.js';
import { addConfigCommands } from './config/config.js';
import { addDoctorCommand } from './doctor/commands.js';
import { addEventCommands } from './events/commands.js';
import { addImportCommand } from './import/import-smartlinks.js';
import { addExportCommand } from './smartlinks/export-smartlinks.js';
import { addLinkCommands } from './smartlinks/links.js';
import { addSafetyCommands } from './smartlinks/safety.js';
import { addVisitCommands } from './visits/tail.js';

const ADD_COMMANDS: readonly ((program: Command, terminal: Terminal) => void)[] = [
  addUserCommands,
  addPeopleCommands,
  addKeyCommands,
  addDomainCommands,
  addPlanCommands,
  addAuditCommands,
  addLinkCommands,
  addVisitCommands,
  addImportCommand,
  addExportCommand,
  addEventCommands,
  addSafetyCommands,
  addBackupCommands,
  addCacheCommands,
  addCapacityCommand,
  addConfigCommands,
  addDoctorCommand,
  addCompletionCommand,
];

/** Runs the admin command and returns the exit code: 0, or 1 with one line on standard error. */
export async function runAdmin(terminal: Terminal): Promise<number> {
  const stderr = (text: string) => {
    // File names and answers of engines are foreign text.
    terminal.stderr(hideKeys(text.split('\n').map(toPrintable).join('\n')));
  };
  const program = createProgram({ ...terminal, stderr });
  try {
    await program.parseAsync([...terminal.argv]);
    return 0;
  } catch (err) {
    if (err instanceof CommanderError) return err.exitCode;
    const line = err instanceof Problem ? err.message : `The command failed: ${failureMessage(err)}`;
    // Foreign text must not add lines.
    stderr(`${toPrintable(line)}\n`);
    return 1;
  }
}

const HELP_WIDTH = 80;

function createProgram(terminal: Terminal): Command {
  const { columns } = terminal;
  const program = new Command('npm run admin --')
    .description(
      'Manage the users of Smartlink, their API keys, plans and visits, and show who changed what.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        terminal.stdout(wrapParagraphs(text, columns ?? HELP_WIDTH));
      },
      writeErr: terminal.stderr,
      outputError: (text, write) => {
        write(text + adviseAccount(program, terminal.argv, text));
      },
      ...(columns === undefined ? {} : { getOutHelpWidth: () => columns, getErrHelpWidth: () => columns }),
    })
    .showHelpAfterError('Add --help to see what the command takes.')
    .addHelpText(
      'after',
      `
Without DATABASE_URL the command works on the stack that npm start has brought up. Otherwise it takes DATABASE_URL
and, for visits, CLICKHOUSE_URL; deleting a user takes REDIS_URL too.
${examples(
  'users create --account ann@example.com --plan Professional',
  'users list --json',
  'keys create --account ann@example.com --name laptop --expires 90d',
  'keys rotate slk_live_Ab12Cd34',
  'plans set Starter --smartlinks 5',
  'audit list --account ann@example.com --since 7d',
  'links create https://example.com/sale --account ann@example.com --slug spring',
  'stats spring',
  'tail --account ann@example.com',
  'import links.csv --account ann@example.com --dry-run',
  'events export --all --out visits.ndjson.gz',
)}`,
    );
  // Subcommands inherit the settings, so they come after them.
  for (const addCommands of ADD_COMMANDS) addCommands(program, terminal);
  return program;
}

function readVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}

const WRONG_ACCOUNT =
  /^error: (?:too many arguments|unknown option '--(?:mail|e-mail|owner|id|address|user-id)')/;

/** Names --account where an account was given in another way. */
function adviseAccount(program: Command, argv: readonly string[], text: string): string {
  let command = program;
  for (const word of argv.slice(2)) command = command.commands.find((one) => one.name() === word) ?? command;
  const takesAccount = command.options.some(({ long }) => long === '--account');
  return takesAccount && WRONG_ACCOUNT.test(text) ? '(Name an account with --account <email>.)\n' : '';
}
