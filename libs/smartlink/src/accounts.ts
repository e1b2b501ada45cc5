import { randomUUID } from 'node:crypto';
import type { Queryable } from '@smartlink/process/database';
import { createToken, tokenDigest } from './credentials.js';

// Accounts (rows of `users`), their plans, people, and one-time links: the statements that the API and the admin command share.

/** Limits of a plan; null: unlimited. */
export type Limits = {
  readonly smartlinks: number | null;
  readonly requestsPerMinute: number;
  readonly analyticsDays: number | null;
  readonly advanced: boolean;
  /** Of uploaded pictures. */
  readonly mediaBytes: number | null;
};
export type Plan = { readonly name: string } & Limits;

/** The smallest and the largest number that a limit may be. */
export const LIMIT_RANGES = {
  smartlinks: [0, 1_000_000_000],
  requestsPerMinute: [1, 1_000_000],
  analyticsDays: [1, 36_500],
  mediaBytes: [0, 1_000_000_000_000],
} as const;

/** The plan of accounts made without one. */
export const DEFAULT_PLAN = 'Enterprise';

const PLAN_COLUMNS = `
  plans.name, plans.smartlinks_max as smartlinks, plans.requests_per_minute as "requestsPerMinute",
  plans.analytics_days_max as "analyticsDays", plans.advanced_allowed as advanced,
  plans.media_bytes_max::float8 as "mediaBytes"`;

const LIST_PLANS = `
select ${PLAN_COLUMNS}, coalesce(counted.users, 0) as users
from plans
left join (select plan, count(*)::integer as users from users group by plan) as counted on counted.plan = plans.name
order by plans.requests_per_minute, plans.name`;

/** All plans, the smallest first, with their number of accounts. */
export async function findPlans(db: Queryable): Promise<readonly (Plan & { readonly users: number })[]> {
  const { rows } = await db.query(LIST_PLANS, []);
  return rows as (Plan & { users: number })[];
}

/** The stored name of a plan, from one in any case. */
export async function findPlanName(db: Queryable, name: string): Promise<string | null> {
  const { rows } = await db.query('select name from plans where lower(name) = lower($1)', [name]);
  return (rows[0] as { name: string } | undefined)?.name ?? null;
}

/** Locked against changes, deletion and new accounts until the transaction ends. `name` in any case. */
export async function lockPlan(db: Queryable, name: string): Promise<Plan | null> {
  const { rows } = await db.query(
    `select ${PLAN_COLUMNS} from plans where lower(name) = lower($1) for update`,
    [name],
  );
  return (rows[0] as Plan | undefined) ?? null;
}

/** In the order of the columns of `plans`. */
export const planValues = (plan: Plan) => [
  plan.name,
  plan.smartlinks,
  plan.requestsPerMinute,
  plan.analyticsDays,
  plan.advanced,
  plan.mediaBytes,
];

const UPDATE_PLAN = `
update plans set smartlinks_max = $2, requests_per_minute = $3, analytics_days_max = $4, advanced_allowed = $5,
  media_bytes_max = $6
where name = $1`;

/** Changes a locked plan. Returns it, and the details of the audit entry `plan.set`; null: nothing has changed. */
export async function updatePlan(
  db: Queryable,
  plan: Plan,
  changes: { readonly [Name in keyof Limits]?: Limits[Name] | undefined },
): Promise<{ readonly plan: Plan; readonly audit: Readonly<Record<string, unknown>> | null }> {
  const names = (Object.keys(changes) as (keyof Limits)[]).filter(
    (name) => changes[name] !== undefined && changes[name] !== plan[name],
  );
  if (names.length === 0) return { plan, audit: null };
  const pick = (from: Partial<Plan>) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const changed = { ...plan, ...pick(changes as Partial<Limits>) };
  await db.query(UPDATE_PLAN, planValues(changed));
  const audit = { plan: plan.name, from: limitsInWords(pick(plan)), to: limitsInWords(pick(changed)) };
  return { plan: changed, audit };
}

/** As the audit log keeps limits. */
export function limitsInWords(limits: Partial<Limits>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, value ?? 'unlimited']));
}

export type AccountRow = {
  readonly id: string;
  readonly email: string;
  /** Display name; null: the e-mail address. */
  readonly name: string | null;
  readonly plan: string;
  readonly createdAt: Date;
  /** Smartlinks that are not Deleted. */
  readonly smartlinks: number;
  /** Keys that are neither revoked nor expired. */
  readonly keys: number;
  readonly members: number;
  /** Of uploaded pictures. */
  readonly mediaBytes: number;
};

const ACCOUNT_COLUMNS = `
  users.id, users.email, users.name, users.plan, users.created_at as "createdAt",
  (select count(*)::integer from smartlinks
   where smartlinks.user_id = users.id and smartlinks.status in ('Active', 'Paused')) as smartlinks,
  (select count(*)::integer from api_keys
   where api_keys.user_id = users.id and api_keys.revoked_at is null
     and (api_keys.expires_at is null or api_keys.expires_at > now())) as keys,
  (select count(*)::integer from memberships where memberships.user_id = users.id) as members,
  (select coalesce(sum(bytes), 0)::float8 from media where media.user_id = users.id) as "mediaBytes"`;

export async function findAccount(
  db: Queryable,
  by: { readonly id: string } | { readonly email: string },
): Promise<AccountRow | null> {
  const isId = 'id' in by;
  const { rows } = await db.query(
    `select ${ACCOUNT_COLUMNS} from users where ${isId ? 'users.id = $1' : 'lower(users.email) = lower($1)'}`,
    [isId ? by.id : by.email],
  );
  return (rows[0] as AccountRow | undefined) ?? null;
}

/** A page of a list by address: those after the address `after`, with `search` in a name, in any case. */
export type AddressPage = {
  readonly after: string | null;
  readonly search: string | null;
  readonly limit: number;
};

const LIST_ACCOUNTS = `
select ${ACCOUNT_COLUMNS}
from users
where ($1::text is null or lower(users.email) > lower($1))
  and ($2::text is null or strpos(lower(users.email), lower($2)) > 0 or strpos(lower(users.name), lower($2)) > 0)
order by lower(users.email)
limit $3`;

/** The index users_email has the order: without a search only the page is read. */
export async function listAccounts(
  db: Queryable,
  { after, search, limit }: AddressPage,
): Promise<readonly AccountRow[]> {
  const { rows } = await db.query(LIST_ACCOUNTS, [after, search, limit]);
  return rows as AccountRow[];
}

/** The new account's id; null: the address belongs to one already. */
export async function insertAccount(
  db: Queryable,
  {
    email,
    name = null,
    plan,
  }: { readonly email: string; readonly name?: string | null; readonly plan: string },
): Promise<string | null> {
  const { rows } = await db.query(
    'insert into users (id, email, name, plan) values ($1, $2, $3, $4) on conflict do nothing returning id',
    [randomUUID(), email, name, plan],
  );
  return (rows[0] as { id: string } | undefined)?.id ?? null;
}

/** The roles of a person in an account; each includes the ones before it. */
export const ROLES = ['Viewer', 'Editor', 'Owner'] as const;
export type Role = (typeof ROLES)[number];

export const EMAIL_LENGTH_MAX = 254;

export function isEmailAddress(text: string): boolean {
  return (
    /^[^\s@\p{Cc}\p{Bidi_Control}]+@[^\s@\p{Cc}\p{Bidi_Control}]+$/u.test(text) &&
    text.length <= EMAIL_LENGTH_MAX &&
    text.isWellFormed()
  );
}

export type PersonRow = {
  readonly personId: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  /** At most 100, by address. */
  readonly accounts: readonly { readonly id: string; readonly email: string; readonly role: Role }[];
  readonly createdAt: Date;
  readonly lastSeenAt: Date | null;
  readonly disabledAt: Date | null;
};

const PERSON_COLUMNS = `
  people.id as "personId", people.email, people.is_operator as "isOperator",
  people.password_hash is not null as "hasPassword",
  (select coalesce(json_agg(json_build_object('id', id, 'email', email, 'role', role) order by lower(email)), '[]')
   from (select users.id, users.email, memberships.role
         from memberships join users on users.id = memberships.user_id
         where memberships.person_id = people.id
         order by lower(users.email) limit 100) as accounts) as accounts,
  people.created_at as "createdAt",
  (select max(last_seen_at) from sessions where sessions.person_id = people.id) as "lastSeenAt",
  people.disabled_at as "disabledAt"`;

export async function findPerson(
  db: Queryable,
  by: { readonly id: string } | { readonly email: string },
): Promise<PersonRow | null> {
  const isId = 'id' in by;
  const { rows } = await db.query(
    `select ${PERSON_COLUMNS} from people where ${isId ? 'people.id = $1' : 'lower(people.email) = lower($1)'}`,
    [isId ? by.id : by.email],
  );
  return (rows[0] as PersonRow | undefined) ?? null;
}

const LIST_PEOPLE = `
select ${PERSON_COLUMNS}
from people
where ($1::text is null or lower(people.email) > lower($1))
  and ($2::text is null or strpos(lower(people.email), lower($2)) > 0)
order by lower(people.email)
limit $3`;

export async function listPeople(
  db: Queryable,
  { after, search, limit }: AddressPage,
): Promise<readonly PersonRow[]> {
  const { rows } = await db.query(LIST_PEOPLE, [after, search, limit]);
  return rows as PersonRow[];
}

/** The person with this address, made without a password if there is none. */
export async function ensurePerson(
  db: Queryable,
  email: string,
): Promise<{ readonly person: PersonRow; readonly isNew: boolean }> {
  const { rows } = await db.query(
    'insert into people (id, email) values ($1, $2) on conflict (lower(email)) do nothing returning id',
    [randomUUID(), email],
  );
  const person = await findPerson(db, { email });
  if (person === null) throw new Error('The person was deleted just now');
  return { person, isNew: rows.length > 0 };
}

/** Whether the person has become a member; false: it was one already. */
export async function addMember(
  db: Queryable,
  { userId, personId, role }: { readonly userId: string; readonly personId: string; readonly role: Role },
): Promise<boolean> {
  const { rows } = await db.query(
    `insert into memberships (user_id, person_id, role) values ($1, $2, $3)
     on conflict do nothing returning person_id`,
    [userId, personId, role],
  );
  return rows.length > 0;
}

/** Ends the person's sessions and unused links, and keeps the person from signing in. */
export async function disablePerson(db: Queryable, personId: string): Promise<void> {
  await db.query('update people set disabled_at = now() where id = $1', [personId]);
  await db.query('delete from sessions where person_id = $1', [personId]);
  await db.query('delete from one_time_links where person_id = $1 and used_at is null', [personId]);
}

/** How long a link can be redeemed. */
const VALID = { setup: '24 hours', 'sign-in': '15 minutes', reset: '30 minutes', invite: '7 days' } as const;
export type LinkPurpose = keyof typeof VALID;

/** Only its digest is stored: the URL cannot be shown again. */
export type OneTimeUrl = { readonly url: string; readonly expiresAt: Date };

// An open invitation of the same address is replaced: its link stops working.
const ADD_LINK = `
insert into one_time_links (token_sha256, purpose, email, user_id, role, expires_at, invited_by, person_id)
values ($1, $2, $3, $4, $5, now() + $6::interval, $7, (select id from people where lower(email) = lower($3)))
on conflict (user_id, lower(email)) where purpose = 'invite' and used_at is null
do update set token_sha256 = excluded.token_sha256, person_id = excluded.person_id, email = excluded.email,
              role = excluded.role, created_at = now(), expires_at = excluded.expires_at, invited_by = excluded.invited_by
returning expires_at as "expiresAt"`;

/**
 * `baseUrl`: MANAGEMENT_BASE_URL, without a slash at the end. `userId`, `role` and `invitedBy`, the id of a person, are of an
 * invitation.
 */
export async function addOneTimeLink(
  db: Queryable,
  baseUrl: string,
  link: {
    readonly purpose: LinkPurpose;
    readonly email: string;
    readonly userId?: string;
    readonly role?: Role;
    readonly invitedBy?: string;
  },
): Promise<OneTimeUrl> {
  const { purpose, email, userId = null, role = null, invitedBy = null } = link;
  const token = createToken();
  const { rows } = await db.query(ADD_LINK, [
    tokenDigest(token),
    purpose,
    email,
    userId,
    role,
    VALID[purpose],
    invitedBy,
  ]);
  const { expiresAt } = rows[0] as { expiresAt: Date };
  return { url: `${baseUrl}/welcome#${token}`, expiresAt };
}
