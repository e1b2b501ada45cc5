import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { withTransaction } from '@smartlink/process/database';
import {
  addMember,
  addOneTimeLink,
  disablePerson,
  ensurePerson,
  findPerson,
  listPeople,
  type OneTimeUrl,
  type PersonRow,
} from '@smartlink/smartlink/accounts';
import { LOCK_USER } from '@smartlink/smartlink/store';
import type { Access } from '../accounts/access.js';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { addAuditEntry } from '../accounts/audit.js';
import { requireRoomForMember } from '../accounts/members.js';
import { sendPage } from '../collections/collection.js';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault, nameTaken } from '../errors.js';
import { isSmartlinkId, parseBody, parseQuery } from '../requests.js';
import { addressCursor, listQuerySchema, pageOf } from './operations.js';
import {
  createPersonSchema,
  type CreatePerson,
  personOperations,
  updatePersonSchema,
  type UpdatePerson,
} from './person-operations.js';

const access: Access = { person: 'operator' };
const confirmed: Access = { ...access, isConfirmed: true };

/** GET, POST and PATCH /admin/people. `baseUrl` is MANAGEMENT_BASE_URL. */
export function peopleRoutes(
  app: FastifyInstance,
  { baseUrl }: { readonly baseUrl: string },
  done: () => void,
): void {
  const { pg } = app;
  const path = '/admin/people';
  const operations = personOperations();

  app.get(path, { config: { operation: operations.list, access } }, (request, reply) => {
    const query = parseQuery(listQuerySchema, request);
    const page = { path, query, message: 'People retrieved' };
    return sendPage<PersonRow>(reply, page, {
      find: (limit) => listPeople(pg, pageOf(query, limit)),
      cursorOf: addressCursor,
    });
  });

  app.post(path, { config: { operation: operations.create, access: confirmed } }, async (request, reply) => {
    const principal = principalOf(request);
    const body = parseBody(createPersonSchema, request);
    if ((body.accountId === undefined) !== (body.role === undefined)) {
      throw fault(body.role === undefined ? 'role' : 'accountId', 'Required');
    }
    const data = await createPerson(pg, principal, { ...body, baseUrl });
    return reply.code(201).send(success('Person created', data));
  });

  app.patch(path, { config: { operation: operations.update, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const body = parseBody(updatePersonSchema, request);
    return success('Person updated', await updatePerson(pg, principal, { ...body, baseUrl }));
  });
  done();
}

// An entry for each account of the person, so that its Owners see it; without an account one of the installation.
const ADD_ENTRIES = `
insert into audit_entries (actor, action, user_id, details)
select $1, $2, memberships.user_id, $3
from (select) as person left join memberships on memberships.person_id = $4`;

async function addPersonEntries(
  client: PoolClient,
  { actor }: Principal,
  action: `person.${string}`,
  { personId, ...details }: { readonly personId: string; readonly [name: string]: unknown },
): Promise<void> {
  await client.query(ADD_ENTRIES, [actor, action, JSON.stringify({ personId, ...details }), personId]);
}

/** A person as answers have it, with the link that was made. */
async function withLink(client: PoolClient, personId: string, link: OneTimeUrl | null): Promise<object> {
  return withoutNulls({ ...(await findPerson(client, { id: personId })), link });
}

/** Makes a person, a member of an account, or both. Rejects with NAME_TAKEN if there is neither to make. */
function createPerson(
  pg: Pool,
  principal: Principal,
  { email, accountId, role, isOperator, baseUrl }: CreatePerson & { readonly baseUrl: string },
): Promise<object> {
  return withTransaction(pg, async (client) => {
    if (accountId !== undefined) await lockAccount(client, accountId);
    const { person, isNew } = await ensurePerson(client, email);
    const { personId, hasPassword } = person;
    if (!isNew && accountId === undefined) throw nameTaken('email');
    if (person.disabledAt !== null) throw fault('email', 'The person is disabled');
    if (isNew) await addPersonEntries(client, principal, 'person.create', { personId });
    if (isOperator === true && !person.isOperator) await setOperator(client, principal, personId, true);
    if (accountId !== undefined && role !== undefined) {
      await requireRoomForMember(client, accountId, email);
      if (!(await addMember(client, { userId: accountId, personId, role }))) throw nameTaken('email');
      const concerned = { actor: principal.actor, userId: accountId };
      await addAuditEntry(client, concerned, 'member.create', { personId, role });
    }
    const link = hasPassword ? null : await addOneTimeLink(client, baseUrl, { purpose: 'setup', email });
    return withLink(client, personId, link);
  });
}

async function lockAccount(client: PoolClient, accountId: string): Promise<void> {
  const { rows } = isSmartlinkId(accountId) ? await client.query(LOCK_USER, [accountId]) : { rows: [] };
  if (rows.length === 0) throw fault('accountId', 'No such account');
}

/** Rejects with NOT_FOUND, and with VALIDATION_FAILED for a change that leaves no operator. */
function updatePerson(
  pg: Pool,
  principal: Principal,
  { personId, isOperator, isDisabled, link, baseUrl }: UpdatePerson & { readonly baseUrl: string },
): Promise<object> {
  return withTransaction(pg, async (client) => {
    const operators = isOperator === false || isDisabled === true ? await lockOperators(client) : [];
    const person = await lockPerson(client, personId);
    if (operators.length === 1 && operators[0] === personId) {
      throw fault(isOperator === false ? 'isOperator' : 'isDisabled', 'There must be another operator');
    }
    if (isOperator !== undefined && isOperator !== person.isOperator) {
      await setOperator(client, principal, personId, isOperator);
    }
    const isDisabledNow = person.disabledAt !== null;
    if (isDisabled === true && !isDisabledNow) {
      await disablePerson(client, personId);
      await addPersonEntries(client, principal, 'person.disable', { personId });
    }
    if (isDisabled === false && isDisabledNow) {
      await client.query('update people set disabled_at = null where id = $1', [personId]);
      await addPersonEntries(client, principal, 'person.enable', { personId });
    }
    if (link === undefined) return withLink(client, personId, null);
    if (isDisabled ?? isDisabledNow) throw fault('link', 'The person is disabled');
    // A person without a password has nothing to reset.
    const purpose = link === 'reset' && !person.hasPassword ? 'setup' : link;
    await addPersonEntries(client, principal, 'person.link', { personId, purpose });
    const made = await addOneTimeLink(client, baseUrl, { purpose, email: person.email });
    return withLink(client, personId, made);
  });
}

// The lock makes concurrent removals of the right wait for each other; the order prevents deadlocks.
const LOCK_OPERATORS = `
select id from people where is_operator and disabled_at is null order by id for no key update`;

/** The ids of the operators who can sign in. */
async function lockOperators(client: PoolClient): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(LOCK_OPERATORS);
  return rows.map(({ id }) => id);
}

async function lockPerson(client: PoolClient, personId: string): Promise<PersonRow> {
  const lock = 'select from people where id = $1 for no key update';
  if (isSmartlinkId(personId)) await client.query(lock, [personId]);
  const person = isSmartlinkId(personId) ? await findPerson(client, { id: personId }) : null;
  if (person === null) throw new ApiError('NOT_FOUND', { message: 'Person not found' });
  return person;
}

async function setOperator(
  client: PoolClient,
  principal: Principal,
  personId: string,
  isOperator: boolean,
): Promise<void> {
  await client.query('update people set is_operator = $2 where id = $1', [personId, isOperator]);
  await addPersonEntries(client, principal, 'person.update', {
    personId,
    changed: ['isOperator'],
    isOperator,
  });
}
