import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** null means unlimited. */
export type Limits = {
  /** Smartlinks that are not Deleted. */
  readonly smartlinks: number | null;
  readonly requestsPerMinute: number;
  /** Days of analytics a user may look back. */
  readonly analyticsDays: number | null;
  /** Hourly figures and CSV. */
  readonly advanced: boolean;
};

export type Plan = { readonly name: string } & Limits;

const FIND_PLANS = `
select plans.name, plans.smartlinks_max as smartlinks, plans.requests_per_minute as "requestsPerMinute",
       plans.analytics_days_max as "analyticsDays", plans.advanced_allowed as advanced,
       coalesce(counted.users, 0) as users
from plans
left join (select plan, count(*)::integer as users from users group by plan) as counted on counted.plan = plans.name
order by plans.requests_per_minute, plans.name`;

/** Returns the plans with the number of their users, smallest first. */
export async function findPlans(db: Queryable): Promise<readonly (Plan & { readonly users: number })[]> {
  const { rows } = await db.query(FIND_PLANS, []);
  return rows as (Plan & { users: number })[];
}

const LOCK_PLAN = `
select name, smartlinks_max as smartlinks, requests_per_minute as "requestsPerMinute",
       analytics_days_max as "analyticsDays", advanced_allowed as advanced
from plans where name = $1 for update`;

/** Returns a plan, which nobody changes, deletes or gives to a user until the transaction ends; null when it is gone. */
export async function lockPlan(db: Queryable, name: string): Promise<Plan | null> {
  const { rows } = await db.query(LOCK_PLAN, [name]);
  return (rows[0] as Plan | undefined) ?? null;
}

const COUNT_USERS = `select count(*)::integer as users from users where plan = $1`;

/** Returns how many users are on a plan. */
export async function countUsers(db: Queryable, plan: string): Promise<number> {
  const { rows } = await db.query(COUNT_USERS, [plan]);
  return (rows[0] as { users: number }).users;
}

const INSERT_PLAN = `
insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed)
values ($1, $2, $3, $4, $5) on conflict do nothing returning name`;

/** Stores a plan; false when there is one of that name, in any case. */
export async function insertPlan(db: Queryable, plan: Plan): Promise<boolean> {
  const { rows } = await db.query(INSERT_PLAN, values(plan));
  return rows.length === 1;
}

const UPDATE_PLAN = `
update plans set smartlinks_max = $2, requests_per_minute = $3, analytics_days_max = $4, advanced_allowed = $5
where name = $1`;

/** Gives a plan other limits. */
export async function updatePlan(db: Queryable, plan: Plan): Promise<void> {
  await db.query(UPDATE_PLAN, values(plan));
}

const DELETE_PLAN = `delete from plans where name = $1`;

/** Removes a plan that has no users. */
export async function deletePlan(db: Queryable, name: string): Promise<void> {
  await db.query(DELETE_PLAN, [name]);
}

function values(plan: Plan): unknown[] {
  return [plan.name, plan.smartlinks, plan.requestsPerMinute, plan.analyticsDays, plan.advanced];
}
