import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { type Queryable, withTransaction } from '@smartlink/process/database';
import { addOneTimeLink } from '@smartlink/smartlink/accounts';
import { LOCK_USER } from '@smartlink/smartlink/store';
import { success, withoutNulls } from '../envelope.js';
import { ApiError, fault, nameTaken } from '../errors.js';
import { isSmartlinkId, parseBody } from '../requests.js';
import { type Principal, principalOf } from './accounts.js';
import { addAuditEntry } from './audit.js';
import {
  accountBodySchema,
  inviteBodySchema,
  type InviteBody,
  memberOperations,
  MEMBERS_MAX,
  removeBodySchema,
  roleBodySchema,
} from './member-operations.js';
import type { Role } from './roles.js';

const owner = { person: 'Owner' } as const;
const confirmed = { ...owner, isConfirmed: true } as const;

/** GET and PATCH /account, and its members. `baseUrl` is MANAGEMENT_BASE_URL. */
export function memberRoutes(
  app: FastifyInstance,
  { baseUrl }: { readonly baseUrl: string },
  done: () => void,
): void {
  const { pg } = app;
  const operations = memberOperations();
  const members = createMemberManager(pg, baseUrl);

  app.get(
    '/account',
    { config: { operation: operations.account, access: { person: 'Viewer' } } },
    async (request) => success('Account retrieved', await readAccount(pg, principalOf(request))),
  );

  app.patch('/account', { config: { operation: operations.rename, access: owner } }, async (request) => {
    const principal = principalOf(request);
    await renameAccount(pg, principal, parseBody(accountBodySchema, request).name);
    return success('Account updated', await readAccount(pg, principal));
  });

  app.get('/members', { config: { operation: operations.list, access: owner } }, async (request) =>
    success('Members retrieved', await members.list(principalOf(request))),
  );

  app.post(
    '/members',
    { config: { operation: operations.invite, access: confirmed } },
    async (request, reply) => {
      const principal = principalOf(request);
      const body = parseBody(inviteBodySchema, request);
      return reply.code(201).send(success('Invitation created', await members.invite(principal, body)));
    },
  );

  app.patch('/members', { config: { operation: operations.change, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const { personId, role } = parseBody(roleBodySchema, request);
    return success('Member updated', await members.changeRole(principal, personId, role));
  });

  app.delete('/members', { config: { operation: operations.remove, access: confirmed } }, async (request) => {
    const principal = principalOf(request);
    const { personId } = parseBody(removeBodySchema, request);
    await members.remove(principal, personId);
    return success('Member removed', null);
  });
  done();
}

const FIND_ACCOUNT = `
select coalesce(name, email) as name,
       (select count(*)::integer from smartlinks
        where user_id = users.id and status in ('Active', 'Paused')) as smartlinks,
       (select coalesce(sum(bytes), 0)::float8 from media where user_id = users.id) as "mediaBytes"
from users where id = $1`;

async function readAccount(db: Queryable, { userId, credential, plan }: Principal): Promise<object> {
  const { rows } = await db.query(FIND_ACCOUNT, [userId]);
  const [account] = rows as { name: string; smartlinks: number; mediaBytes: number }[];
  if (account === undefined) throw new ApiError('NOT_FOUND', { message: 'Account not found' });
  return {
    id: userId,
    name: account.name,
    plan: {
      name: plan.name,
      smartlinks: plan.smartlinksMax,
      requestsPerMinute: plan.requestsPerMinute,
      analyticsDays: plan.analyticsDaysMax,
      advanced: plan.advancedAllowed,
      mediaBytes: plan.mediaBytesMax,
    },
    usage: { smartlinks: account.smartlinks, mediaBytes: account.mediaBytes },
    role: credential.kind === 'session' ? credential.role : null,
  };
}

function renameAccount(
  pg: Pool,
  { userId, actor }: Principal,
  name: string | null | undefined,
): Promise<void> {
  return withTransaction(pg, async (client) => {
    const { rowCount } = await client.query(
      'update users set name = $2 where id = $1 and name is distinct from $2',
      [userId, name],
    );
    if (rowCount === 1)
      await addAuditEntry(client, { actor, userId }, 'account.update', { changed: ['name'] });
  });
}

// Persons see each other's presence in this account alone.
const MEMBERS = `
select people.id as "personId", people.email, memberships.role, memberships.created_at as "createdAt",
       (select max(last_seen_at) from sessions
        where sessions.person_id = people.id and sessions.user_id = memberships.user_id) as "lastSeenAt"
from memberships join people on people.id = memberships.person_id
where memberships.user_id = $1`;
const LIST_MEMBERS = `${MEMBERS} order by memberships.created_at, people.id`;
const FIND_MEMBER = `${MEMBERS} and people.id = $2`;

// The user's row is the lock of its memberships.
const COUNT_OTHER_OWNERS = `
select count(*)::integer as count
from memberships join people on people.id = memberships.person_id
where user_id = $1 and role = 'Owner' and person_id <> $2 and disabled_at is null`;

// Open invitations count: each may become a member.
const COUNT_OTHERS = `
select (select count(*)::integer from memberships where user_id = $1)
     + (select count(*)::integer from one_time_links
        where user_id = $1 and purpose = 'invite' and used_at is null and expires_at > now()
          and lower(email) <> lower($2)) as count`;
const IS_MEMBER = `
select from memberships join people on people.id = memberships.person_id
where user_id = $1 and lower(email) = lower($2)`;

/** The account must be locked. Throws VALIDATION_FAILED if it has as many members as it may have without `email`. */
export async function requireRoomForMember(client: Queryable, userId: string, email: string): Promise<void> {
  const { rows } = await client.query(COUNT_OTHERS, [userId, email]);
  if ((rows[0] as { count: number }).count >= MEMBERS_MAX) {
    throw fault('', `An account has at most ${MEMBERS_MAX} members`);
  }
}

type MemberRow = {
  readonly personId: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
};

/** The use cases of an account's members. They reject with NOT_FOUND for a person who is none. */
function createMemberManager(pg: Pool, baseUrl: string) {
  async function lockMember(client: Queryable, userId: string, personId: string): Promise<MemberRow> {
    await client.query(LOCK_USER, [userId]);
    const { rows } = isSmartlinkId(personId)
      ? await client.query(FIND_MEMBER, [userId, personId])
      : { rows: [] };
    if (rows[0] === undefined) throw new ApiError('NOT_FOUND', { message: 'Member not found' });
    return rows[0] as MemberRow;
  }

  /** Throws VALIDATION_FAILED at `path` if the member is the last Owner who can sign in. */
  async function requireOtherOwner(
    client: Queryable,
    { userId }: Principal,
    { personId, role }: MemberRow,
    path: string,
  ): Promise<void> {
    if (role !== 'Owner') return;
    const { rows } = await client.query(COUNT_OTHER_OWNERS, [userId, personId]);
    if ((rows[0] as { count: number }).count === 0) throw fault(path, 'An account has at least one Owner');
  }

  return {
    /** All of them, at most 200. */
    async list({ userId }: Principal): Promise<object[]> {
      const { rows } = await pg.query<MemberRow>(LIST_MEMBERS, [userId]);
      return rows.map((row) => withoutNulls(row));
    },

    /** Only this answer holds the link. Rejects with NAME_TAKEN for a member, with VALIDATION_FAILED above the maximum. */
    invite(principal: Principal, { email, role }: InviteBody): Promise<object> {
      const { userId, credential } = principal;
      if (credential.kind !== 'session') throw new Error('BUG: this route is for persons');
      return withTransaction(pg, async (client) => {
        await client.query(LOCK_USER, [userId]);
        if ((await client.query(IS_MEMBER, [userId, email])).rows.length > 0) throw nameTaken('email');
        await requireRoomForMember(client, userId, email);
        const link = { purpose: 'invite', email, userId, role, invitedBy: credential.personId } as const;
        const { url, expiresAt } = await addOneTimeLink(client, baseUrl, link);
        await addAuditEntry(client, principal, 'member.invite', { role });
        return { inviteUrl: url, expiresAt };
      });
    },

    /** A role that the member has already leaves no audit entry. */
    changeRole(principal: Principal, personId: string, role: Role): Promise<object> {
      const { userId } = principal;
      return withTransaction(pg, async (client) => {
        const member = await lockMember(client, userId, personId);
        if (member.role === role) return withoutNulls(member);
        await requireOtherOwner(client, principal, member, 'role');
        const values = [userId, personId, role];
        await client.query('update memberships set role = $3 where user_id = $1 and person_id = $2', values);
        await addAuditEntry(client, principal, 'member.update', { personId, changed: ['role'], role });
        return withoutNulls({ ...member, role });
      });
    },

    remove(principal: Principal, personId: string): Promise<void> {
      const { userId } = principal;
      return withTransaction(pg, async (client) => {
        const member = await lockMember(client, userId, personId);
        await requireOtherOwner(client, principal, member, 'personId');
        await client.query('delete from memberships where user_id = $1 and person_id = $2', [
          userId,
          personId,
        ]);
        await addAuditEntry(client, principal, 'member.remove', { personId });
      });
    },
  };
}
