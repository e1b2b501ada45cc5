import type { Command } from 'commander';
import { SERVICES, readServiceConfig } from './config-read.js';
import type { ServiceName, Variable } from './config-read.js';
import { readStackVariables } from './config-stack.js';
import { examples } from './examples.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

const NAMES: readonly string[] = Object.keys(SERVICES);

/** Adds `config print`. */
export function addConfigCommands(program: Command, terminal: Terminal): void {
  program
    .command('config')
    .description('what the services would start with')
    .command('print')
    .description(
      'every variable with its value, where that comes from, and what is wrong; secrets are left out',
    )
    .option('--service <name>', `one of ${NAMES.join(', ')}; all of them by default`)
    .option('--json', 'print {"variables", "problems", "warnings"}')
    .addHelpText(
      'after',
      `
It reads the environment it is called in, and files that variables ending in _FILE name, as a service does at its start.
Without DATABASE_URL it takes what the stack of npm start gives its services. Of secrets it prints how long they are. The exit code is 1
when a service would refuse to start.
${examples('config print', 'config print --service redirect --json')}`,
    )
    .action((options: Options) => {
      printConfig(terminal, options);
    });
}

const NOT_THE_STACKS =
  'Those from the stack are what npm start runs with; all others are of this shell: npm start may have been given others.\n';

type Options = { service?: string; json?: true };

function printConfig(terminal: Terminal, options: Options): void {
  const services = NAMES.filter((name): name is ServiceName => (options.service ?? name) === name);
  if (services.length === 0) {
    // What was given is not repeated: it may have been meant for another option.
    throw new Problem(`--service: expected one of ${NAMES.join(', ')}.`);
  }
  const stack = readStackVariables(terminal.env);
  const configs = services.map((service) => readServiceConfig(service, terminal.env, stack));
  const variables = configs.flatMap((config) => config.variables);
  const problems = configs.flatMap((config, index) =>
    config.problems.map((problem) => ({ service: services[index] ?? 'redirect', problem })),
  );
  const warnings = [...new Set(configs.flatMap((config) => config.warnings))];
  if (options.json) {
    terminal.stdout(`${JSON.stringify({ variables, problems, warnings })}\n`);
  } else {
    terminal.stdout(formatTable(['service', 'variable', 'value', 'from'], variables.map(toRow)));
    if (stack['DATABASE_URL'] !== undefined) terminal.stdout(NOT_THE_STACKS);
    for (const line of warnings) terminal.stdout(`warning: ${line}\n`);
    for (const { service, problem } of problems) terminal.stdout(`problem: ${service}: ${problem}\n`);
  }
  if (problems.length > 0) {
    throw new Problem(
      `${plural(problems.length, 'problem')}: a service with this configuration refuses to start.`,
    );
  }
}

function toRow(variable: Variable): readonly string[] {
  const { service, name, value, source, isUsable } = variable;
  return [service, name, isUsable ? (value ?? '-') : '(not usable)', source === 'none' ? '-' : source];
}
