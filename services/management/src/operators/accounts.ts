import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { withTransaction } from '@smartlink/process/database';
import {
  type AccountRow,
  addMember,
  addOneTimeLink,
  DEFAULT_PLAN,
  ensurePerson,
  findAccount,
  findPlans,
  insertAccount,
  listAccounts,
  lockPlan,
  type OneTimeUrl,
  updatePlan,
} from '@smartlink/smartlink/accounts';
import { LOCK_USER } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { sendPage } from '../collections/collection.js';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault, nameTaken } from '../errors.js';
import { isSmartlinkId, parseBody, parseQuery } from '../requests.js';
import {
  accountOperations,
  createAccountSchema,
  type CreateAccount,
  updateAccountSchema,
  type UpdateAccount,
  updatePlanSchema,
  type UpdatePlan,
} from './account-operations.js';
import { addressCursor, listQuerySchema, pageOf } from './operations.js';

const access: Access = { person: 'operator' };
const confirmed: Access = { ...access, isConfirmed: true };

/** GET, POST and PATCH /admin/accounts, GET and PATCH /admin/plans. `baseUrl` is MANAGEMENT_BASE_URL. */
export function installationRoutes(
  app: FastifyInstance,
  { baseUrl }: { readonly baseUrl: string },
  done: () => void,
): void {
  const { pg } = app;
  const path = '/admin/accounts';
  const operations = accountOperations();

  app.get(path, { config: { operation: operations.list, access } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const page = { path, query, message: 'Accounts retrieved' };
    return sendPage(reply, page, {
      find: async (limit) => (await listAccounts(pg, pageOf(query, limit))).map(toView),
      cursorOf: addressCursor,
    });
  });

  app.post(path, { config: { operation: operations.create, access: confirmed } }, async (request, reply) => {
    const principal = principalOf(request);
    const body = parseBody(createAccountSchema, request);
    const data = await createAccount(pg, principal, { ...body, baseUrl });
    return reply.code(201).send(success('Account created', data));
  });

  app.patch(path, { config: { operation: operations.update, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const body = parseBody(updateAccountSchema, request);
    return success('Account updated', await updateAccount(pg, principal, body));
  });

  app.get('/admin/plans', { config: { operation: operations.plans, access } }, async () => {
    const plans = await findPlans(pg);
    return success(
      'Plans retrieved',
      plans.map(({ users, ...plan }) => ({ ...plan, accounts: users })),
    );
  });

  app.patch('/admin/plans', { config: { operation: operations.updatePlan, access } }, async (request) => {
    const body = parseBody(updatePlanSchema, request);
    return success('Plan updated', await changePlan(pg, principalOf(request), body));
  });
  done();
}

/** An account as answers have it, without its content. */
function toView({ name, smartlinks, mediaBytes, ...account }: AccountRow) {
  return { ...account, name: name ?? account.email, usage: { smartlinks, mediaBytes } };
}

async function withLink(client: PoolClient, id: string, link: OneTimeUrl | null): Promise<object> {
  const account = await findAccount(client, { id });
  if (account === null) throw new ApiError('NOT_FOUND', { message: 'Account not found' });
  return withoutNulls({ ...toView(account), link });
}

/** Makes the account and its Owner. Rejects with NAME_TAKEN for the address of an account. */
function createAccount(
  pg: Pool,
  { actor }: Principal,
  { email, name, plan, baseUrl }: CreateAccount & { readonly baseUrl: string },
): Promise<object> {
  return withTransaction(pg, async (client) => {
    const planName = await requirePlan(client, plan ?? DEFAULT_PLAN);
    const userId = await insertAccount(client, { email, name: name ?? null, plan: planName });
    if (userId === null) throw nameTaken('email');
    const { person } = await ensurePerson(client, email);
    if (person.disabledAt !== null) throw fault('email', 'The person is disabled');
    const membership = { personId: person.personId, role: 'Owner' } as const;
    await addMember(client, { userId, ...membership });
    await addAuditEntry(client, { actor, userId }, 'user.create', { plan: planName });
    await addAuditEntry(client, { actor, userId }, 'member.create', membership);
    const link = person.hasPassword
      ? null
      : await addOneTimeLink(client, baseUrl, { purpose: 'setup', email });
    return withLink(client, userId, link);
  });
}

/** Locks the plan. Throws VALIDATION_FAILED for an unknown one. */
async function requirePlan(client: PoolClient, name: string): Promise<string> {
  const plan = await lockPlan(client, name);
  if (plan === null) throw fault('plan', 'No such plan');
  return plan.name;
}

function updateAccount(pg: Pool, { actor }: Principal, { id, plan, name }: UpdateAccount): Promise<object> {
  return withTransaction(pg, async (client) => {
    if (isSmartlinkId(id)) await client.query(LOCK_USER, [id]);
    const before = isSmartlinkId(id) ? await findAccount(client, { id }) : null;
    if (before === null) throw new ApiError('NOT_FOUND', { message: 'Account not found' });
    const planName = plan === undefined ? before.plan : await requirePlan(client, plan);
    if (planName !== before.plan) {
      await client.query('update users set plan = $2 where id = $1', [id, planName]);
      const details = { from: before.plan, to: planName };
      await addAuditEntry(client, { actor, userId: id }, 'user.set-plan', details);
    }
    if (name !== undefined && name !== before.name) {
      await client.query('update users set name = $2 where id = $1', [id, name]);
      await addAuditEntry(client, { actor, userId: id }, 'account.update', { changed: ['name'] });
    }
    return withLink(client, id, null);
  });
}

function changePlan(pg: Pool, { actor }: Principal, { name, ...changes }: UpdatePlan): Promise<object> {
  return withTransaction(pg, async (client) => {
    const before = await lockPlan(client, name);
    if (before === null) throw new ApiError('NOT_FOUND', { message: 'Plan not found' });
    const { plan, audit } = await updatePlan(client, before, changes);
    if (audit !== null) await addAuditEntry(client, { actor, userId: null }, 'plan.set', audit);
    const accounts = (await findPlans(client)).find((each) => each.name === plan.name)?.users ?? 0;
    return { ...plan, accounts };
  });
}
