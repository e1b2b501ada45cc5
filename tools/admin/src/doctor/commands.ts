import type { Command } from 'commander';
import { formatTable, widthOf } from '../cli/table.js';
import { type Env, print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, plural } from '../cli/text.js';
import { readStackVariables, resolveFiles } from '../config/config.js';
import { type DoctorCheck, type Finding, runDoctor } from './check.js';
import { clickhouseCheck, postgresCheck } from './databases.js';
import { configurationCheck, hostCheck } from './host.js';
import { portsCheck, publicCheck } from './network.js';
import { redisCheck } from './redis.js';
import { spoolCheck } from './spool.js';

const CHECKS: readonly DoctorCheck[] = [
  configurationCheck,
  portsCheck,
  postgresCheck,
  redisCheck,
  clickhouseCheck,
  spoolCheck,
  publicCheck,
  hostCheck,
];

export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check an installation for faults, and print what to do about them')
    .option('--public-url <url>', 'address that visitors see; PUBLIC_BASE_URL by default')
    .option('--before-install', 'accept free ports: no service runs yet')
    .option('-j, --json', 'print {"findings": [{"check", "state", "seen", "todo"}]}')
    .addHelpText(
      'after',
      `
It reads the variables of the services, or the stack of npm start. Run it where redirect runs, as its user: spool, ports and
limits are those of this host. A port at which no service answers is a warning, unless --before-install is given. State is ok,
warning, problem, or unknown with the reason why it could not be checked. The exit code is 1 when there is a problem. It changes
nothing: it writes a file to the spool folder and a key to Redis, and removes them.
${examples('doctor', 'doctor --before-install', 'doctor --public-url https://sl.example.com --json')}`,
    )
    .action((options: Options) => doctor(terminal, options));
}

type Options = { publicUrl?: string; beforeInstall?: true; json?: true };

async function doctor(terminal: Terminal, options: Options): Promise<void> {
  const stack = readStackVariables(terminal.env);
  const given = Object.entries(terminal.env).filter(([, value]) => value !== undefined && value !== '');
  const env: Env = resolveFiles({ ...stack, ...Object.fromEntries(given) });
  const publicUrl = options.publicUrl ?? env['PUBLIC_BASE_URL'];
  if (options.publicUrl !== undefined && !/^https?:\/\/[^/]/.test(options.publicUrl)) {
    throw new Problem('--public-url: expected an address that begins with http:// or https://.');
  }
  const findings = await runDoctor(CHECKS, {
    env,
    isEmbedded: stack['DATABASE_URL'] !== undefined,
    isBeforeInstall: options.beforeInstall === true,
    publicUrl,
    now: Date.now,
  });
  print(terminal, options.json, { findings }, format(terminal, findings));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems > 0) throw new Problem(`${plural(problems, 'problem')}, as listed above.`);
}

/** A line for each finding or, in a terminal, the advice below what was seen. */
function format(terminal: Terminal, findings: readonly Finding[]): string {
  if (widthOf(terminal) === Infinity) {
    const rows = findings.map(({ check, state, seen, todo }) => [check, state, seen, todo]);
    return formatTable(terminal, ['check', 'state', 'seen', 'what to do'], rows);
  }
  const rows = findings.map(({ check, state, seen, todo }) => [
    state,
    check,
    todo === '' ? seen : `${seen}\n→ ${todo}`,
  ]);
  return formatTable(terminal, ['state', 'check', 'seen → what to do'], rows);
}
