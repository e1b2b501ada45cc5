import type { Command } from 'commander';
import type { Client } from 'pg';
import { print, Problem, type Terminal } from '../cli/terminal.js';
import { examples, formatTable } from '../cli/text.js';
import { withSession, withTransaction } from '../engines/session.js';
import { addAuditEntry } from './audit.js';

/** null means unlimited. */
type Limits = {
  readonly smartlinks: number | null;
  readonly requestsPerMinute: number;
  /** Days of analytics a user may look back. */
  readonly analyticsDays: number | null;
  readonly advanced: boolean;
};
type Plan = { readonly name: string } & Limits;

/** The plan of users made without --plan. */
export const DEFAULT_PLAN = 'Enterprise';
// Those of deploy/migrations/postgres/0001: no migration brings them back.
const BUILT_IN = new Set(['Starter', 'Professional', DEFAULT_PLAN]);
// As generous as Enterprise, which is what self-hosters expect.
const NEW_PLAN: Limits = { smartlinks: null, requestsPerMinute: 3_000, analyticsDays: null, advanced: true };

const NAME_LENGTH_MAX = 64;
const SMARTLINKS_MAX = 1_000_000_000;
const REQUESTS_PER_MINUTE_MAX = 1_000_000;
const ANALYTICS_DAYS_MAX = 36_500;

type JsonOption = { json?: true };

export function addPlanCommands(program: Command, terminal: Terminal): void {
  const plans = program.command('plans').description('manage the plans that limit users');
  plans
    .command('list')
    .description('list the plans, smallest first')
    .option('--json', 'print an array; null means unlimited')
    .addHelpText('after', examples('plans list', 'plans list --json'))
    .action((options: JsonOption) => list(terminal, options));
  addLimitOptions(
    plans
      .command('create')
      .description('create a plan; limits that are not given are those of Enterprise')
      .argument('<name>', 'a new name, in any case'),
  )
    .addHelpText('after', examples('plans create Team --smartlinks 200 --requests-per-minute 1200'))
    .action((name: string, options: PlanOptions) => create(terminal, name, options));
  addLimitOptions(
    plans
      .command('set')
      .description('change limits of a plan, within a second, for all of its users')
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
    .option('--yes', 'delete also Starter, Professional or Enterprise, which every instance begins with')
    .option('--json', 'print {"name"}')
    .addHelpText('after', examples('plans delete Team', 'plans delete Professional --yes'))
    .action((name: string, options: JsonOption & { yes?: true }) => remove(terminal, name, options));
}

function addLimitOptions(command: Command): Command {
  return command
    .option('--smartlinks <n>', 'most smartlinks, including paused ones; or unlimited')
    .option('--requests-per-minute <n>', 'most API requests in a minute, over all keys of a user')
    .option('--analytics-days <n>', 'days that analytics reach back; or unlimited')
    .option('--advanced <yes|no>', 'hourly figures, CSV and bulk calls')
    .option('--json', 'print {"name","smartlinks","requestsPerMinute","analyticsDays","advanced"}');
}

type LimitOptions = {
  smartlinks?: string;
  requestsPerMinute?: string;
  analyticsDays?: string;
  advanced?: string;
};
type PlanOptions = LimitOptions & JsonOption;

/** Undefined for anything that is no such value; `expected` says what is. */
type Form<Value> = { readonly expected: string; readonly read: (text: string) => Value | undefined };

const YES_OR_NO: Form<boolean> = {
  expected: 'yes or no',
  read: (text) => (text === 'yes' ? true : text === 'no' ? false : undefined),
};

function count(min: number, max: number): Form<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

const orUnlimited = (form: Form<number>): Form<number | null> => ({
  expected: `${form.expected}, or unlimited`,
  read: (text) => (text === 'unlimited' ? null : form.read(text)),
});

/** The limits that were given. Throws Problem, one line, with every faulty one. */
function readLimits(options: LimitOptions): Partial<Limits> {
  const faults: string[] = [];
  const read = <Value>(option: string, text: string | undefined, form: Form<Value>): Value | undefined => {
    if (text === undefined) return undefined;
    const value = form.read(text);
    if (value === undefined) faults.push(`${option} ${JSON.stringify(text)}: expected ${form.expected}`);
    return value;
  };
  const { smartlinks, requestsPerMinute, analyticsDays, advanced } = options;
  const limits = {
    smartlinks: read('--smartlinks', smartlinks, orUnlimited(count(0, SMARTLINKS_MAX))),
    requestsPerMinute: read('--requests-per-minute', requestsPerMinute, count(1, REQUESTS_PER_MINUTE_MAX)),
    analyticsDays: read('--analytics-days', analyticsDays, orUnlimited(count(1, ANALYTICS_DAYS_MAX))),
    advanced: read('--advanced', advanced, YES_OR_NO),
  };
  if (faults.length > 0) throw new Problem(`${faults.join('; ')}.`);
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

const HEADINGS = ['PLAN', 'SMARTLINKS', 'REQUESTS/MIN', 'ANALYTICS DAYS', 'ADVANCED'];

const toCells = ({ name, smartlinks, requestsPerMinute, analyticsDays, advanced }: Plan): string[] => [
  name,
  String(smartlinks ?? 'unlimited'),
  String(requestsPerMinute),
  String(analyticsDays ?? 'unlimited'),
  advanced ? 'yes' : 'no',
];

const printPlan = (terminal: Terminal, plan: Plan, { json }: JsonOption): void => {
  print(terminal, json, plan, formatTable(HEADINGS, [toCells(plan)]));
};

async function list(terminal: Terminal, { json }: JsonOption): Promise<void> {
  const plans = await withSession(terminal.env, ({ db }) => findPlans(db));
  const rows = plans.map((plan) => [...toCells(plan), String(plan.users)]);
  print(terminal, json, plans, formatTable([...HEADINGS, 'USERS'], rows));
}

const PLAN_COLUMNS = `
  plans.name, plans.smartlinks_max as smartlinks, plans.requests_per_minute as "requestsPerMinute",
  plans.analytics_days_max as "analyticsDays", plans.advanced_allowed as advanced`;

async function findPlans(db: Client): Promise<readonly (Plan & { readonly users: number })[]> {
  const { rows } = await db.query<Plan & { users: number }>(
    `select ${PLAN_COLUMNS}, coalesce(counted.users, 0) as users
     from plans
     left join (select plan, count(*)::integer as users from users group by plan) as counted
       on counted.plan = plans.name
     order by plans.requests_per_minute, plans.name`,
  );
  return rows;
}

/** The name of a plan as it is stored, from one in any case. Throws Problem when there is none. */
export async function findPlanName(db: Client, name: string): Promise<string> {
  const names = (await findPlans(db)).map((plan) => plan.name);
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Problem(`There is no plan ${name}: choose one of ${names.join(', ')}.`);
  return found;
}

const toValues = (plan: Plan): unknown[] => [
  plan.name,
  plan.smartlinks,
  plan.requestsPerMinute,
  plan.analyticsDays,
  plan.advanced,
];

async function create(terminal: Terminal, givenName: string, options: PlanOptions): Promise<void> {
  const name = givenName.trim();
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw new Problem(`The name of a plan must have 1 to ${NAME_LENGTH_MAX} characters on one line.`);
  }
  const limits = { ...NEW_PLAN, ...readLimits(options) };
  const plan = { name, ...limits };
  await withTransaction(terminal.env, async (db) => {
    const { rows } = await db.query(
      `insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed)
       values ($1, $2, $3, $4, $5) on conflict do nothing returning name`,
      toValues(plan),
    );
    if (rows.length === 0) throw new Problem(`There is a plan ${name} already: plans set changes it.`);
    await addAuditEntry(db, 'plan.create', null, { plan: name, limits: inWords(limits) });
  });
  printPlan(terminal, plan, options);
}

async function set(terminal: Terminal, name: string, options: PlanOptions): Promise<void> {
  const changes = readLimits(options);
  if (Object.keys(changes).length === 0) {
    throw new Problem(
      'Nothing to change: give --smartlinks, --requests-per-minute, --analytics-days or --advanced.',
    );
  }
  const plan = await withTransaction(terminal.env, (db) => changePlan(db, name, changes));
  printPlan(terminal, plan, options);
}

async function changePlan(db: Client, name: string, changes: Partial<Limits>): Promise<Plan> {
  const old = await lockPlan(db, name);
  const plan = { ...old, ...changes };
  const changed = (Object.keys(changes) as (keyof Limits)[]).filter((limit) => old[limit] !== plan[limit]);
  if (changed.length === 0) return old;
  await db.query(
    `update plans set smartlinks_max = $2, requests_per_minute = $3, analytics_days_max = $4, advanced_allowed = $5
     where name = $1`,
    toValues(plan),
  );
  const pick = (limits: Limits) =>
    inWords(Object.fromEntries(changed.map((limit) => [limit, limits[limit]])));
  await addAuditEntry(db, 'plan.set', null, { plan: old.name, from: pick(old), to: pick(plan) });
  return plan;
}

async function remove(
  terminal: Terminal,
  name: string,
  { yes, json }: JsonOption & { yes?: true },
): Promise<void> {
  const deleted = await withTransaction(terminal.env, (db) => removePlan(db, name, yes === true));
  print(terminal, json, { name: deleted }, `Deleted the plan ${deleted}.\n`);
}

/** Deletes a plan and returns its stored name. Throws Problem while users are on it, and for a built-in one unless `isSure`. */
async function removePlan(db: Client, givenName: string, isSure: boolean): Promise<string> {
  const { name, ...limits } = await lockPlan(db, givenName);
  const { rows } = await db.query<{ users: number }>(
    'select count(*)::integer as users from users where plan = $1',
    [name],
  );
  const users = rows[0]?.users ?? 0;
  if (users > 0) {
    const who = users === 1 ? 'One user is' : `${users} users are`;
    throw new Problem(`${who} on the plan ${name}: users set-plan gives a user another one.`);
  }
  if (BUILT_IN.has(name) && !isSure) {
    const role =
      name === DEFAULT_PLAN ? 'the plan of users made without --plan' : 'a plan every instance begins with';
    throw new Problem(`${name} is ${role}: add --yes to delete it all the same.`);
  }
  await db.query('delete from plans where name = $1', [name]);
  await addAuditEntry(db, 'plan.delete', null, { plan: name, limits: inWords(limits) });
  return name;
}

/** Locked against changes, deletion and new users until the transaction ends. */
async function lockPlan(db: Client, name: string): Promise<Plan> {
  const { rows } = await db.query<Plan>(`select ${PLAN_COLUMNS} from plans where name = $1 for update`, [
    await findPlanName(db, name),
  ]);
  if (rows[0] === undefined) throw new Problem(`The plan ${name} was deleted just now.`);
  return rows[0];
}

/** As the audit log keeps limits: in the words of the options. */
function inWords(limits: Partial<Limits>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, value ?? 'unlimited']));
}
