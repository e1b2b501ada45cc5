import type { Command } from 'commander';
import type { Client } from 'pg';
import { z } from 'zod';
import {
  DEFAULT_PLAN,
  findPlanName,
  findPlans,
  LIMIT_RANGES,
  type Limits,
  limitsInWords,
  lockPlan,
  type Plan,
  planValues,
  updatePlan,
} from '@smartlink/smartlink/accounts';
import { formatTable } from '../cli/table.js';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples } from '../cli/text.js';
import { withSession, withTransaction } from '../engines/session.js';
import { addAuditEntry } from './audit.js';
import { readName } from './find-user.js';

const count = ([min, max]: readonly [number, number]) => {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,13}$/, { error, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error, abort: true });
};

const UNLIMITED = z.literal('unlimited').transform(() => null);
const countOrUnlimited = (range: readonly [number, number]) =>
  z.union([UNLIMITED, count(range)], `a whole number from ${range[0]} to ${range[1]}, or unlimited`);

/** The options; a message says what is expected. */
const limitsSchema = z.object({
  smartlinks: countOrUnlimited(LIMIT_RANGES.smartlinks),
  requestsPerMinute: count(LIMIT_RANGES.requestsPerMinute),
  /** Days of analytics a user may look back. */
  analyticsDays: countOrUnlimited(LIMIT_RANGES.analyticsDays),
  advanced: z.enum(['yes', 'no'], 'yes or no').transform((text) => text === 'yes'),
  mediaBytes: countOrUnlimited(LIMIT_RANGES.mediaBytes),
});

// Those of deploy/migrations/postgres/0001: no migration brings them back.
const BUILT_IN = new Set(['Starter', 'Professional', DEFAULT_PLAN]);
// As generous as Enterprise, which is what self-hosters expect.
const NEW_PLAN: Limits = {
  smartlinks: null,
  requestsPerMinute: 3_000,
  analyticsDays: null,
  advanced: true,
  mediaBytes: null,
};

type JsonOption = { json?: true };
type PlanOptions = Partial<z.input<typeof limitsSchema>> & JsonOption;

export function addPlanCommands(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('manage the plans that limit users');
  plans
    .command('list')
    .description('list the plans, smallest first')
    .option('-j, --json', 'print an array; null means unlimited')
    .addHelpText('after', examples('plans list', 'plans list --json'))
    .action((options: JsonOption) => listPlans(terminal, options));
  addLimitOptions(
    plans
      .command('create')
      .description('create a plan; limits default to those of Enterprise')
      .argument('<name>', 'name of the new plan; case is ignored'),
  )
    .addHelpText('after', examples('plans create Team --smartlinks 200 --requests-per-minute 1200'))
    .action((name: string, options: PlanOptions) => createPlan(terminal, name, options));
  addLimitOptions(
    plans
      .command('set')
      .description('change limits of a plan for all of its users; takes effect within a second')
      .argument('<name>', 'see plans list'),
  )
    .addHelpText(
      'after',
      examples(
        'plans set Starter --smartlinks 5',
        'plans set Starter --analytics-days unlimited --advanced yes',
      ),
    )
    .action((name: string, options: PlanOptions) => changePlan(terminal, name, options));
  plans
    .command('delete')
    .description('delete a plan without users')
    .argument('<name>', 'see plans list')
    .option('-y, --yes', 'delete also Starter, Professional or Enterprise, which every instance begins with')
    .option('-j, --json', 'print {"name"}')
    .addHelpText('after', examples('plans delete Team', 'plans delete Professional --yes'))
    .action((name: string, options: JsonOption & { yes?: true }) => deletePlan(terminal, name, options));
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--smartlinks <n>', 'maximum number of smartlinks, including paused ones, or unlimited')
    .option('--requests-per-minute <n>', 'maximum number of API requests per minute, over all keys of a user')
    .option('--analytics-days <n>', 'days that analytics reach back, or unlimited')
    .option('--advanced <yes|no>', 'hourly figures, CSV and bulk calls')
    .option('--media-bytes <n>', 'bytes of uploaded pictures, or unlimited')
    .option(
      '-j, --json',
      'print {"name","smartlinks","requestsPerMinute","analyticsDays","advanced","mediaBytes"}',
    );
}

/** The limits that were given. Throws Problem, one line, with every faulty one. */
export function readLimits(options: PlanOptions): Partial<Limits> {
  const parsed = limitsSchema.partial().safeParse(options);
  if (parsed.success) return parsed.data as Partial<Limits>;
  const faults = parsed.error.issues.map(({ path: [name], message }) => {
    const option = String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${option} ${JSON.stringify(options[name as keyof Limits])}: expected ${message}`;
  });
  throw new Problem(`${faults.join('; ')}.`);
}

const HEADINGS = ['PLAN', 'SMARTLINKS', 'REQUESTS/MIN', 'ANALYTICS DAYS', 'ADVANCED', 'MEDIA BYTES'];

function toCell(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? 'unlimited');
}

const printPlan = (terminal: Terminal, plan: Plan, { json }: JsonOption): void => {
  print(terminal, json, plan, formatTable(terminal, HEADINGS, [planValues(plan).map(toCell)]));
};

async function listPlans(terminal: Terminal, { json }: JsonOption): Promise<void> {
  const plans = await withSession(terminal.env, ({ db }) => findPlans(db));
  const rows = plans.map((plan) => [...planValues(plan), plan.users].map(toCell));
  print(terminal, json, plans, formatTable(terminal, [...HEADINGS, 'USERS'], rows));
}

/** The stored name of a plan, from one in any case. Throws Problem when it does not exist. */
export async function requirePlanName(db: Client, name: string): Promise<string> {
  return (await findPlanName(db, name)) ?? (await noPlan(db, name));
}

async function noPlan(db: Client, name: string): Promise<never> {
  const names = (await findPlans(db)).map((plan) => plan.name);
  throw new Problem(`There is no plan ${name}: choose one of ${names.join(', ')}.`);
}

async function createPlan(terminal: Terminal, givenName: string, options: PlanOptions): Promise<void> {
  const name = readName('The name of a plan', givenName);
  const limits = { ...NEW_PLAN, ...readLimits(options) };
  const plan = { name, ...limits };
  await withTransaction(terminal.env, async (db) => {
    const { rows } = await db.query(
      `insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed,
                          media_bytes_max)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning name`,
      planValues(plan),
    );
    if (rows.length === 0) throw new Problem(`There is a plan ${name} already: plans set changes it.`);
    await addAuditEntry(db, 'plan.create', null, { plan: name, limits: limitsInWords(limits) });
  });
  printPlan(terminal, plan, options);
}

async function changePlan(terminal: Terminal, name: string, options: PlanOptions): Promise<void> {
  const changes = readLimits(options);
  if (Object.keys(changes).length === 0) {
    throw new Problem(
      'Nothing to change: give --smartlinks, --requests-per-minute, --analytics-days, --advanced or --media-bytes.',
    );
  }
  const plan = await withTransaction(terminal.env, async (db) => {
    const old = (await lockPlan(db, name)) ?? (await noPlan(db, name));
    const { plan: changed, audit } = await updatePlan(db, old, changes);
    if (audit !== null) await addAuditEntry(db, 'plan.set', null, audit);
    return changed;
  });
  printPlan(terminal, plan, options);
}

/** Throws Problem while the plan has users, and for a built-in one without --yes. */
async function deletePlan(
  terminal: Terminal,
  givenName: string,
  { yes, json }: JsonOption & { yes?: true },
): Promise<void> {
  const deleted = await withTransaction(terminal.env, async (db) => {
    const { name, ...limits } = (await lockPlan(db, givenName)) ?? (await noPlan(db, givenName));
    const users = (await findPlans(db)).find((plan) => plan.name === name)?.users ?? 0;
    if (users > 0) {
      const are = users === 1 ? 'One user is' : `${users} users are`;
      throw new Problem(`${are} on the plan ${name}: users set-plan gives a user another one.`);
    }
    if (BUILT_IN.has(name) && yes !== true) {
      const role =
        name === DEFAULT_PLAN ? 'the plan of users made without --plan' : 'a plan every instance begins with';
      throw new Problem(`${name} is ${role}: add --yes to delete it all the same.`);
    }
    await db.query('delete from plans where name = $1', [name]);
    await addAuditEntry(db, 'plan.delete', null, { plan: name, limits: limitsInWords(limits) });
    return name;
  });
  print(terminal, json, { name: deleted }, `Deleted the plan ${deleted}.\n`);
}
