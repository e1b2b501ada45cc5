import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { Queryable } from '@smartlink/process/database';
import { tokenDigest } from '@smartlink/smartlink/credentials';
import type { ApiError } from '../errors.js';
import { forbidden } from './access.js';
import { unauthorized } from './accounts.js';
import { addAuditEntry } from './audit.js';
import type { Role } from './roles.js';

// The statements of people, their memberships and their one-time links.

export type Person = {
  readonly id: string;
  readonly email: string;
  readonly language: string;
  readonly isOperator: boolean;
  readonly passwordHash: string | null;
};

const PERSON_COLUMNS = `
  people.id, people.email, people.language, people.is_operator as "isOperator", people.password_hash as "passwordHash"`;

/** The person with this id or e-mail; null for none, and for a disabled one. */
export async function findPerson(
  db: Queryable,
  by: { readonly id: string } | { readonly email: string },
): Promise<Person | null> {
  const isId = 'id' in by;
  const { rows } = await db.query(
    `select ${PERSON_COLUMNS} from people
     where ${isId ? 'id = $1' : 'lower(email) = lower($1)'} and disabled_at is null`,
    [isId ? by.id : by.email],
  );
  return (rows[0] as Person | undefined) ?? null;
}

export type Membership = { readonly id: string; readonly name: string; readonly role: Role };

/** The person's accounts, the oldest membership first. */
export async function findMemberships(db: Queryable, personId: string): Promise<readonly Membership[]> {
  const { rows } = await db.query(
    `select users.id, coalesce(users.name, users.email) as name, memberships.role
     from memberships join users on users.id = memberships.user_id
     where memberships.person_id = $1
     order by memberships.created_at, users.id`,
    [personId],
  );
  return rows as Membership[];
}

export type OneTimeLink = {
  readonly purpose: 'setup' | 'sign-in' | 'invite' | 'reset';
  readonly email: string;
  /** Of an invitation. */
  readonly userId: string | null;
  readonly role: Role | null;
};

const LINK_COLUMNS = `purpose, email, user_id as "userId", role`;
// An invitation is void once its author may no longer invite.
const IS_OPEN = `
token_sha256 = $1 and used_at is null and expires_at > now()
and (invited_by is null or exists (
  select from memberships join people on people.id = memberships.person_id
  where memberships.user_id = one_time_links.user_id and memberships.person_id = one_time_links.invited_by
    and memberships.role = 'Owner' and people.disabled_at is null))`;

/** An unused link that has not expired. */
export async function findLink(db: Queryable, token: string): Promise<OneTimeLink | null> {
  const { rows } = await db.query(`select ${LINK_COLUMNS} from one_time_links where ${IS_OPEN}`, [
    tokenDigest(token),
  ]);
  return (rows[0] as OneTimeLink | undefined) ?? null;
}

export type Invitation = {
  /** The account's name. */
  readonly account: string;
  readonly role: Role;
  /** E-mail address of its author; null for one made by an admin command. */
  readonly invitedBy: string | null;
};

/** Null for links that are no invitations. */
export async function findInvitation(db: Queryable, token: string): Promise<Invitation | null> {
  const { rows } = await db.query(
    `select coalesce(users.name, users.email) as account, one_time_links.role, people.email as "invitedBy"
     from one_time_links join users on users.id = one_time_links.user_id left join people on people.id = invited_by
     where token_sha256 = $1 and purpose = 'invite'`,
    [tokenDigest(token)],
  );
  return (rows[0] as Invitation | undefined) ?? null;
}

/** Uses the link up. Of any number at once, one gets it; the others null. */
export async function takeLink(db: Queryable, token: string): Promise<OneTimeLink | null> {
  const { rows } = await db.query(
    `update one_time_links set used_at = now() where ${IS_OPEN} returning ${LINK_COLUMNS}`,
    [tokenDigest(token)],
  );
  return (rows[0] as OneTimeLink | undefined) ?? null;
}

export const notInvited = (): ApiError => forbidden('You may not do this', 'Needs the invited person');

/** Makes the invited address a member; and, if it is none yet, a person with this password. */
export async function joinAccount(
  db: PoolClient,
  { email, userId, role }: OneTimeLink,
  passwordHash: string | null,
): Promise<void> {
  const added = await db.query(
    `insert into people (id, email, password_hash) values ($1, $2, $3) on conflict (lower(email)) do nothing`,
    [randomUUID(), email, passwordHash],
  );
  // The address became a person since it was looked up: only that person may join.
  if (passwordHash !== null && added.rowCount === 0) throw notInvited();
  const { rows } = await db.query<{ personId: string }>(
    `insert into memberships (user_id, person_id, role)
     select $1, id, $2 from people where lower(email) = lower($3)
     on conflict do nothing
     returning person_id as "personId"`,
    [userId, role, email],
  );
  const [member] = rows;
  if (member === undefined || userId === null) return;
  const actor = `session ${member.personId}`;
  await addAuditEntry(db, { actor, userId }, 'member.join', { personId: member.personId, role });
}

/**
 * Sets the password, and ends every session and unused link of the person. Throws UNAUTHORIZED if the password has changed since
 * the person was read.
 */
export async function setPassword(
  db: PoolClient,
  { id, passwordHash: before }: Person,
  passwordHash: string,
): Promise<void> {
  const { rowCount } = await db.query(
    `update people set password_hash = $3
     where id = $1 and password_hash is not distinct from $2 and disabled_at is null`,
    [id, before, passwordHash],
  );
  if (rowCount === 0) throw unauthorized('Session expired');
  await db.query('delete from sessions where person_id = $1', [id]);
  await db.query(
    `delete from one_time_links where person_id = $1 and used_at is null and purpose <> 'invite'`,
    [id],
  );
}
