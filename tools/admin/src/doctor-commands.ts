import type { Command } from 'commander';
import type { Env } from './addresses.js';
import { resolveFiles } from './config-read.js';
import { readStackVariables } from './config-stack.js';
import { runDoctor } from './doctor-check.js';
import type { DoctorCheck, Finding } from './doctor-check.js';
import { clickhouseCheck } from './doctor-clickhouse.js';
import { configurationCheck } from './doctor-configuration.js';
import { hostCheck } from './doctor-host.js';
import { portsCheck } from './doctor-ports.js';
import { postgresCheck } from './doctor-postgres.js';
import { publicCheck } from './doctor-public.js';
import { redisCheck } from './doctor-redis.js';
import { spoolCheck } from './doctor-spool.js';
import { examples } from './examples.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

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

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('looks at an installation from where it runs: what is wrong, and what to do')
    .option('--public-url <url>', 'address that visitors see; PUBLIC_BASE_URL by default')
    .option('--before-install', 'no service is to run yet: ports that are free are ok')
    .option('--json', 'print {"findings": [{"check", "state", "seen", "todo"}]}')
    .addHelpText(
      'after',
      `
It takes the variables that the services take, or the stack of npm start. Run it where redirect runs, as its user: spool, ports and
limits are those of this host. A port at which no service answers is a warning, unless --before-install is given. State is ok, warning, problem, or unknown with the reason why it could not be looked at. The exit code is 1
when there is a problem. It changes nothing: it writes a file to the spool folder and a key to Redis, which are gone after it.
${examples('doctor', 'doctor --before-install', 'doctor --public-url https://sl.example.com --json')}`,
    )
    .action((options: Options) => doctor(terminal, options));
}

type Options = { publicUrl?: string; beforeInstall?: true; json?: true };

async function doctor(terminal: Terminal, options: Options): Promise<void> {
  const stack = readStackVariables(terminal.env);
  const env: Env = resolveFiles({ ...stack, ...withoutEmpty(terminal.env) });
  const publicUrl = options.publicUrl ?? env['PUBLIC_BASE_URL'];
  if (options.publicUrl !== undefined && !/^https?:\/\/[^/]/.test(options.publicUrl)) {
    throw new Problem('--public-url: expected an address that begins with http:// or https://.');
  }
  const isEmbedded = stack['DATABASE_URL'] !== undefined;
  const isBeforeInstall = options.beforeInstall === true;
  const now = () => Date.now();
  const findings = await runDoctor(CHECKS, { env, isEmbedded, isBeforeInstall, publicUrl, now });
  if (options.json) terminal.stdout(`${JSON.stringify({ findings })}\n`);
  else terminal.stdout(formatTable(['check', 'state', 'seen', 'what to do'], findings.map(toRow)));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (problems > 0) throw new Problem(`${plural(problems, 'problem')}, as told above.`);
}

const toRow = ({ check, state, seen, todo }: Finding): readonly string[] => [check, state, seen, todo];

const withoutEmpty = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
