import type { Command } from 'commander';
import { examples } from './examples.js';
import { readLimits } from './limit-options.js';
import type { LimitOptions } from './limit-options.js';
import { findPlans } from './plan-queries.js';
import type { Limits, Plan } from './plan-queries.js';
import { changePlan, createPlan, removePlan } from './plans.js';
import { Problem } from './problem.js';
import { withSession } from './session.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

const NAME_LENGTH_MAX = 64;

// What a new plan allows unless it is said otherwise: as Enterprise does, which is what self-hosters expect.
const NEW_PLAN: Limits = { smartlinks: null, requestsPerMinute: 3_000, analyticsDays: null, advanced: true };

type PlanOptions = LimitOptions & { json?: true };

/** Adds `plans list|create|set|delete`. */
export function addPlanCommands(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('what users may do, and how much of it');
  plans
    .command('list')
    .description('list the plans, smallest first')
    .option('--json', 'print an array; null means unlimited')
    .addHelpText('after', examples('plans list', 'plans list --json'))
    .action((options: { json?: true }) => list(terminal, options));
  addLimitOptions(
    plans
      .command('create')
      .description('make a plan; what is not said is as generous as Enterprise was at first')
      .argument('<name>', 'unlike every other one, in any case'),
  )
    .addHelpText('after', examples('plans create Team --smartlinks 200 --requests-per-minute 1200'))
    .action((name: string, options: PlanOptions) => create(terminal, name, options));
  addLimitOptions(
    plans
      .command('set')
      .description('change limits of a plan; they hold within a second, for all of its users')
      .argument('<name>', 'see plans list'),
  )
    .addHelpText(
      'after',
      examples(
        'plans set Starter --smartlinks 5',
        'plans set Starter --analytics-days unlimited --advanced yes',
      ),
    )
    .action((name: string, options: PlanOptions) => set(terminal, name, options));
  plans
    .command('delete')
    .description('delete a plan that no user is on')
    .argument('<name>', 'see plans list')
    .option('--yes', 'also Starter, Professional and Enterprise, which every instance begins with')
    .option('--json', 'print {"name"}')
    .addHelpText('after', examples('plans delete Team', 'plans delete Professional --yes'))
    .action((name: string, options: { yes?: true; json?: true }) => remove(terminal, name, options));
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--smartlinks <n>', 'most smartlinks, paused ones too; or unlimited')
    .option('--requests-per-minute <n>', 'most requests to the API in a minute, over all keys of a user')
    .option('--analytics-days <n>', 'days that analytics reach back; or unlimited')
    .option('--advanced <yes|no>', 'hourly figures, CSV and bulk calls')
    .option('--json', 'print {"name","smartlinks","requestsPerMinute","analyticsDays","advanced"}');
}

async function list(terminal: Terminal, options: { json?: true }): Promise<void> {
  const plans = await withSession(terminal.env, ({ db }) => findPlans(db));
  if (options.json) {
    terminal.stdout(`${JSON.stringify(plans)}\n`);
    return;
  }
  terminal.stdout(
    formatTable(
      [...HEADINGS, 'USERS'],
      plans.map((plan) => [...toCells(plan), String(plan.users)]),
    ),
  );
}

async function create(terminal: Terminal, givenName: string, options: PlanOptions): Promise<void> {
  const name = givenName.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw new Problem(`The name of a plan must have 1 to ${NAME_LENGTH_MAX} characters on one line.`);
  }
  const plan = { name, ...NEW_PLAN, ...readLimits(options) };
  await withSession(terminal.env, ({ db }) => createPlan(db, plan));
  show(terminal, plan, options);
}

async function set(terminal: Terminal, name: string, options: PlanOptions): Promise<void> {
  const changes = readLimits(options);
  if (Object.keys(changes).length === 0) {
    throw new Problem(
      'Nothing to change: give --smartlinks, --requests-per-minute, --analytics-days or --advanced.',
    );
  }
  const plan = await withSession(terminal.env, ({ db }) => changePlan(db, name, changes));
  show(terminal, plan, options);
}

async function remove(terminal: Terminal, name: string, options: { yes?: true; json?: true }): Promise<void> {
  const deleted = await withSession(terminal.env, ({ db }) => removePlan(db, name, options.yes === true));
  terminal.stdout(options.json ? `${JSON.stringify({ name: deleted })}\n` : `Deleted the plan ${deleted}.\n`);
}

function show(terminal: Terminal, plan: Plan, options: { json?: true }): void {
  terminal.stdout(options.json ? `${JSON.stringify(plan)}\n` : formatTable(HEADINGS, [toCells(plan)]));
}

const HEADINGS = ['PLAN', 'SMARTLINKS', 'REQUESTS/MIN', 'ANALYTICS DAYS', 'ADVANCED'];

function toCells(plan: Plan): readonly string[] {
  const { name, smartlinks, requestsPerMinute, analyticsDays, advanced } = plan;
  return [
    name,
    String(smartlinks ?? 'unlimited'),
    String(requestsPerMinute),
    String(analyticsDays ?? 'unlimited'),
    advanced ? 'yes' : 'no',
  ];
}
