import { Command, CommanderError } from 'commander';
import { addAuditCommands } from './audit-commands.js';
import { addBackupCommands } from './backup-commands.js';
import { addCapacityCommand } from './capacity-commands.js';
import { addCacheCommands } from './cache-commands.js';
import { addConfigCommands } from './config-commands.js';
import { addDoctorCommand } from './doctor-commands.js';
import { addEventCommands } from './event-commands.js';
import { examples } from './examples.js';
import { hideKeys } from './hide-keys.js';
import { addKeyCommands } from './key-commands.js';
import { addPlanCommands } from './plan-commands.js';
import { toPrintable } from './printable.js';
import { Problem } from './problem.js';
import { addSafetyCommands } from './safety-commands.js';
import { describe } from './session.js';
import { addSmartlinkCommands } from './smartlink-commands.js';
import type { Terminal } from './terminal.js';
import { addUserCommands } from './user-commands.js';
import { addVisitCommands } from './visit-commands.js';

/** Runs the admin command and returns the exit code: 0, or 1 with one line on standard error. */
export async function runAdmin(terminal: Terminal): Promise<number> {
  const stderr = (text: string) => {
    // Names of files, and what engines answer, are the words of others; only our own ends of lines stay.
    terminal.stderr(hideKeys(text.split('\n').map(toPrintable).join('\n')));
  };
  const program = createProgram({ ...terminal, stderr });
  try {
    await program.parseAsync([...terminal.argv]);
    return 0;
  } catch (err) {
    if (err instanceof CommanderError) return err.exitCode;
    const line = err instanceof Problem ? err.message : `The command failed: ${describe(err)}`;
    // A line break within it would let others write lines of their own.
    stderr(`${toPrintable(line)}\n`);
    return 1;
  }
}

function createProgram(terminal: Terminal): Command {
  const { columns } = terminal;
  const program = new Command('npm run admin --')
    .description(
      'Manages the users of Smartlink, their API keys, their plans and their visits, and shows who changed what.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: terminal.stdout,
      writeErr: terminal.stderr,
      ...(columns === undefined ? {} : { getOutHelpWidth: () => columns, getErrHelpWidth: () => columns }),
    })
    .showHelpAfterError('Add --help to see what the command takes.')
    .addHelpText(
      'after',
      `
Without DATABASE_URL the command works on the stack that npm start has brought up. Otherwise it takes DATABASE_URL
and, for visits, CLICKHOUSE_URL; deleting a user takes REDIS_URL too.
${examples(
  'users create --email ann@example.com --plan Professional',
  'users list --json',
  'keys create ann@example.com --name laptop --expires 90d',
  'keys rotate slk_live_Ab12Cd34',
  'plans set Starter --smartlinks 5',
  'audit list --email ann@example.com --since 7d',
  'stats handbook',
  'tail --user ann@example.com',
  'import links.csv --email ann@example.com --dry-run',
  'events export --all --out visits.ndjson.gz',
)}`,
    );
  // Subcommands take the settings over, so they come after them.
  addUserCommands(program, terminal);
  addKeyCommands(program, terminal);
  addPlanCommands(program, terminal);
  addAuditCommands(program, terminal);
  addVisitCommands(program, terminal);
  addSmartlinkCommands(program, terminal);
  addEventCommands(program, terminal);
  addSafetyCommands(program, terminal);
  addBackupCommands(program, terminal);
  addCacheCommands(program, terminal);
  addCapacityCommand(program, terminal);
  addConfigCommands(program, terminal);
  addDoctorCommand(program, terminal);
  return program;
}
