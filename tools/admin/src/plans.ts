import type { Client } from 'pg';
import { addAuditEntry } from './audit-queries.js';
import { countUsers, deletePlan, findPlans, insertPlan, lockPlan, updatePlan } from './plan-queries.js';
import type { Limits, Plan } from './plan-queries.js';
import { Problem } from './problem.js';
import { inTransaction } from './session.js';

/** The plan of users made without --plan, as self-hosters expect (decisions.md, Keys, users, plans). */
export const DEFAULT_PLAN = 'Enterprise';
// Those of deploy/migrations/postgres/0001: no migration brings them back.
const BUILT_IN = new Set(['Starter', 'Professional', DEFAULT_PLAN]);

/** Returns the name of a plan as it is stored. Throws Problem when there is none of that name in any case. */
export async function findPlanName(db: Client, name: string): Promise<string> {
  const names = (await findPlans(db)).map((plan) => plan.name);
  const found = names.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new Problem(`There is no plan ${name}: choose one of ${names.join(', ')}.`);
  return found;
}

/** Makes a plan and notes it. Throws Problem when the name is taken. */
export async function createPlan(db: Client, plan: Plan): Promise<void> {
  await inTransaction(db, async () => {
    if (!(await insertPlan(db, plan))) {
      throw new Problem(`There is a plan ${plan.name} already: plans set changes it.`);
    }
    const { name, ...limits } = plan;
    await addAuditEntry(db, 'plan.create', null, { plan: name, limits: inWords(limits) });
  });
}

/** Returns a plan with its new limits; what changed is noted with its old value. Throws Problem when there is none. */
export async function changePlan(db: Client, name: string, changes: Partial<Limits>): Promise<Plan> {
  return inTransaction(db, async () => {
    const old = await takePlan(db, name);
    const plan = { ...old, ...changes };
    const changed = (Object.keys(changes) as (keyof Limits)[]).filter((limit) => old[limit] !== plan[limit]);
    // Nothing happened, so there is nothing to note.
    if (changed.length === 0) return old;
    await updatePlan(db, plan);
    const pick = (limits: Limits) =>
      inWords(Object.fromEntries(changed.map((limit) => [limit, limits[limit]])));
    await addAuditEntry(db, 'plan.set', null, { plan: old.name, from: pick(old), to: pick(plan) });
    return plan;
  });
}

/**
 * Removes a plan, notes it, and returns its name as it was stored. Throws Problem while users are on it, and for one
 * that every instance begins with unless `isSure`.
 */
export async function removePlan(db: Client, name: string, isSure: boolean): Promise<string> {
  return inTransaction(db, async () => {
    const { name: stored, ...limits } = await takePlan(db, name);
    const users = await countUsers(db, stored);
    if (users > 0) {
      const who = users === 1 ? 'One user is' : `${users} users are`;
      throw new Problem(`${who} on the plan ${stored}: users set-plan gives a user another one.`);
    }
    if (BUILT_IN.has(stored) && !isSure) throw builtIn(stored);
    await deletePlan(db, stored);
    await addAuditEntry(db, 'plan.delete', null, { plan: stored, limits: inWords(limits) });
    return stored;
  });
}

function builtIn(name: string): Problem {
  const role =
    name === DEFAULT_PLAN ? 'the plan of users made without --plan' : 'a plan every instance begins with';
  return new Problem(`${name} is ${role}: add --yes to delete it all the same.`);
}

async function takePlan(db: Client, name: string): Promise<Plan> {
  const plan = await lockPlan(db, await findPlanName(db, name));
  if (plan === null) throw new Problem(`The plan ${name} was deleted just now.`);
  return plan;
}

/** Returns limits as the audit log keeps them: in the words of the options. */
function inWords(limits: Partial<Limits>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, value ?? 'unlimited']));
}
