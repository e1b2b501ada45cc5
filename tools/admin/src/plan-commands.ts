import type { Command } from 'commander';
import { examples } from './examples.js';
import { findPlans } from './plan-queries.js';
import type { Limits, Plan } from './plan-queries.js';
import { changePlan, createPlan, removePlan } from './plans.js';
import { Problem } from './problem.js';
import { withSession } from './session.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

const NAME_LENGTH_MAX = 64;
const SMARTLINKS_MAX = 1_000_000_000;
const REQUESTS_PER_MINUTE_MAX = 1_000_000;
// A hundred years.
const ANALYTICS_DAYS_MAX = 36_500;

// What a new plan allows unless it is said otherwise: as Enterprise does, which is what self-hosters expect.
const NEW_PLAN: Limits = { smartlinks: null, requestsPerMinute: 3_000, analyticsDays: null, advanced: true };

type LimitOptions = {
  smartlinks?: string;
  requestsPerMinute?: string;
  analyticsDays?: string;
  advanced?: string;
  json?: true;
};

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
    .action((name: string, options: LimitOptions) => create(terminal, name, options));
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
    .action((name: string, options: LimitOptions) => set(terminal, name, options));
  plans
    .command('delete')
    .description('delete a plan that no user is on')
    .argument('<name>', 'see plans list')
    .option('--json', 'print {"name"}')
    .addHelpText('after', examples('plans delete Team'))
    .action((name: string, options: { json?: true }) => remove(terminal, name, options));
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--smartlinks <n>', 'most smartlinks, paused ones too; or unlimited')
    .option('--requests-per-minute <n>', 'most requests to the API in a minute, over all keys of a user')
    .option('--analytics-days <n>', 'days that analytics reach back; or unlimited')
    .option('--advanced <yes|no>', 'hourly figures and CSV')
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

async function create(terminal: Terminal, givenName: string, options: LimitOptions): Promise<void> {
  const name = givenName.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw new Problem(`The name of a plan must have 1 to ${NAME_LENGTH_MAX} characters on one line.`);
  }
  const plan = { name, ...NEW_PLAN, ...readLimits(options) };
  await withSession(terminal.env, ({ db }) => createPlan(db, plan));
  show(terminal, plan, options);
}

async function set(terminal: Terminal, name: string, options: LimitOptions): Promise<void> {
  const changes = readLimits(options);
  if (Object.keys(changes).length === 0) {
    throw new Problem(
      'Nothing to change: give --smartlinks, --requests-per-minute, --analytics-days or --advanced.',
    );
  }
  const plan = await withSession(terminal.env, ({ db }) => changePlan(db, name, changes));
  show(terminal, plan, options);
}

async function remove(terminal: Terminal, name: string, options: { json?: true }): Promise<void> {
  const deleted = await withSession(terminal.env, ({ db }) => removePlan(db, name));
  terminal.stdout(options.json ? `${JSON.stringify({ name: deleted })}\n` : `Deleted the plan ${deleted}.\n`);
}

/** Returns the limits that were given. Throws Problem on the first that is none. */
function readLimits(options: LimitOptions): Partial<Limits> {
  const { smartlinks, requestsPerMinute, analyticsDays, advanced } = options;
  return {
    ...(smartlinks !== undefined && { smartlinks: readMost('--smartlinks', smartlinks, 0, SMARTLINKS_MAX) }),
    ...(requestsPerMinute !== undefined && {
      requestsPerMinute: readCount('--requests-per-minute', requestsPerMinute, 1, REQUESTS_PER_MINUTE_MAX),
    }),
    ...(analyticsDays !== undefined && {
      analyticsDays: readMost('--analytics-days', analyticsDays, 1, ANALYTICS_DAYS_MAX),
    }),
    ...(advanced !== undefined && { advanced: readYesNo('--advanced', advanced) }),
  };
}

function readMost(option: string, text: string, min: number, max: number): number | null {
  return text === 'unlimited' ? null : readCount(option, text, min, max, ', or unlimited');
}

function readCount(option: string, text: string, min: number, max: number, otherwise = ''): number {
  const count = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= min && count <= max) return count;
  throw new Problem(
    `${option} ${JSON.stringify(text)}: expected a whole number from ${min} to ${max}${otherwise}.`,
  );
}

function readYesNo(option: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') {
    throw new Problem(`${option} ${JSON.stringify(text)}: expected yes or no.`);
  }
  return text === 'yes';
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
