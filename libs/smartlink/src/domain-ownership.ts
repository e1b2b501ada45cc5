import { randomInt } from 'node:crypto';
import type { Queryable } from '@smartlink/process/database';
import { BASE62 } from './credentials.js';
import { type DomainLook, txtName, txtValue } from './domain-proof.js';
import { newId } from './ids.js';
import type { DomainStatus } from './model.js';

export { createDomainLookup, txtName, txtValue } from './domain-proof.js';
export type { DomainLook } from './domain-proof.js';

/** The actor of what no key or person does. */
export const SYSTEM_ACTOR = 'domains';
/** Domains of an account that are not removed. */
export const DOMAINS_MAX = 100;
const TOKEN_LENGTH = 32;
/** A Failing domain is suspended after this long. */
const FAILING_DAYS_MAX = 14;
/** A domain that is never proven is removed after this long. */
const PENDING_DAYS_MAX = 30;

const INSERT = `
insert into domains (id, user_id, host, token, status, is_trusted, check_due_at)
values ($1, $2, $3, $4, $5, $6, now() + interval '1 hour')
on conflict do nothing
returning id`;

/**
 * Adds a domain to an account, Active if it is trusted and else Pending; its id, or null if the account has the host
 * already or, for a trusted one, another account has proven it.
 */
export async function addDomain(
  db: Queryable,
  {
    userId,
    host,
    isTrusted,
  }: { readonly userId: string; readonly host: string; readonly isTrusted: boolean },
): Promise<string | null> {
  const status: DomainStatus = isTrusted ? 'Active' : 'Pending';
  const token = Array.from({ length: TOKEN_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
  const { rows } = await db.query(INSERT, [newId(Date.now()), userId, host, token, status, isTrusted]);
  return (rows[0] as { id: string } | undefined)?.id ?? null;
}

const LOCK_ONE = `
select number, host from domains where id = $1 and user_id = $2 and status <> 'Removed' for update`;

// A statement of its own, which sees the smartlinks that were created while the lock was awaited.
const IS_USED = `
select exists (select from smartlinks where domain_number = $1 and status in ('Active', 'Paused')) as "isUsed"`;

/** Removes a domain of an account, within a transaction. `used`: it is the primary address of smartlinks, and stays. */
export async function removeDomain(
  db: Queryable,
  { id, userId, actor }: { readonly id: string; readonly userId: string; readonly actor: string },
): Promise<'removed' | 'unknown' | 'used'> {
  const found = await db.query(LOCK_ONE, [id, userId]);
  const domain = found.rows[0] as { number: number; host: string } | undefined;
  if (domain === undefined) return 'unknown';
  const { rows } = await db.query(IS_USED, [domain.number]);
  if ((rows[0] as { isUsed: boolean }).isUsed) return 'used';
  await endDomain(db, id);
  await recordDomainChange(db, { id, userId, host: domain.host }, actor, 'domain.delete');
  return 'removed';
}

// Only a domain that smartlinks name keeps its row; so adding and removing hosts in turn leaves nothing.
const DELETE_UNNAMED = `
delete from domains
where id = $1 and not exists (select from smartlinks where domain_number = domains.number)
returning id`;
const MARK_REMOVED = `
update domains set status = 'Removed', is_default = false, updated_at = now() where id = $1`;

/** The row must be locked for update. */
async function endDomain(db: Queryable, id: string): Promise<void> {
  const { rows } = await db.query(DELETE_UNNAMED, [id]);
  if (rows.length === 0) await db.query(MARK_REMOVED, [id]);
}

export type DomainAction =
  `domain.${'create' | 'update' | 'delete' | 'verify' | 'failing' | 'suspend' | 'lose' | 'unsafe'}`;

/** Webhook event by action. */
const MESSAGE_TYPES: Readonly<Partial<Record<DomainAction, string>>> = {
  'domain.failing': 'domain.failing',
  'domain.unsafe': 'domain.unsafe',
};

const RECORD_CHANGE = `
with audited as (
  insert into audit_entries (actor, action, user_id, details) values ($1, $2, $3, $4)
)
insert into webhook_deliveries (webhook_id, event_type, data)
select id, $5, $6 from webhooks
where user_id = $3 and is_enabled and $5::text = any(event_types)
for key share of webhooks`;

/** Writes, in the transaction of a change, its audit entry and the deliveries to webhooks. */
export async function recordDomainChange(
  db: Queryable,
  { id, userId, host }: { readonly id: string; readonly userId: string; readonly host: string },
  actor: string,
  action: DomainAction,
  more: { readonly changed?: readonly string[]; readonly data?: object } = {},
): Promise<void> {
  const details = { domainId: id, host, changed: more.changed };
  const data = { domainId: id, host, ...more.data };
  await db.query(RECORD_CHANGE, [
    ...[actor, action, userId, JSON.stringify(details)],
    ...[MESSAGE_TYPES[action] ?? null, JSON.stringify(data)],
  ]);
}

type LockedDomain = {
  readonly id: string;
  readonly userId: string;
  readonly host: string;
  readonly status: DomainStatus;
  readonly isTrusted: boolean;
  readonly token: string;
  readonly isOverdue: boolean;
};

const LOCK_HOST = `
select id, user_id as "userId", host, status, is_trusted as "isTrusted", token,
       coalesce(failing_since < now() - interval '${FAILING_DAYS_MAX} days', false) as "isOverdue"
from domains
where host = (select host from domains where id = $1) and status <> 'Removed'
order by number
for update`;

// After a look without a result in an hour. A new one is looked up hourly for a day. A sixth of random time spreads
// domains that were added together.
const NOTE_LOOK = `
update domains set
  status = $2, problem = $3, points_here = coalesce($4, points_here), checked_at = now(),
  is_default = is_default and $2 in ('Active', 'Failing'),
  failing_since = case when $2 = 'Failing' then coalesce(failing_since, now()) when $2 = 'Suspended' then failing_since end,
  check_due_at = now() + (1 - random() / 6) * case
    when not $5 or ($2 = 'Pending' and created_at > now() - interval '1 day') then interval '1 hour'
    else interval '1 day'
  end,
  updated_at = case when status = $2 then updated_at else greatest(now(), updated_at + interval '1 millisecond') end
where id = $1`;

/** `taken`: it is proven, but another account has the host. */
export type LookOutcome = 'proven' | 'missing' | 'unknown' | 'taken';

/**
 * Applies a look at its records to the status of a domain, within a transaction; null if it is removed. A host goes to the
 * account that proves it, unless another has it Active.
 */
export async function recordLook(
  db: Queryable,
  { id, actor }: { readonly id: string; readonly actor: string },
  { txt, pointsHere }: DomainLook,
): Promise<LookOutcome | null> {
  const { rows } = await db.query(LOCK_HOST, [id]);
  const domains = rows as LockedDomain[];
  const own = domains.find((domain) => domain.id === id);
  if (own === undefined) return null;
  const note = async (status: DomainStatus, problem: string | null) => {
    const isKnown = txt.kind !== 'unknown' && pointsHere !== null;
    await db.query(NOTE_LOOK, [id, status, problem, pointsHere, isKnown]);
  };
  if (own.isTrusted) {
    await note(own.status, null);
    return 'proven';
  }
  if (txt.kind === 'unknown') {
    await note(own.status, txt.problem);
    return 'unknown';
  }
  if (txt.kind === 'absent' || !txt.values.includes(txtValue(own.token))) {
    const status = withoutProof(own);
    const action = status === 'Failing' ? 'domain.failing' : 'domain.suspend';
    const problem = missingProblem(own.host, txt);
    await note(status, problem);
    if (status !== own.status)
      await recordDomainChange(db, own, actor, action, { data: { status, problem } });
    return 'missing';
  }
  const holder = domains.find((domain) => domain !== own && domain.status !== 'Pending');
  if (holder?.status === 'Active') {
    await note(own.status, 'Another account has this domain');
    return 'taken';
  }
  if (holder !== undefined) {
    await endDomain(db, holder.id);
    // The holder does not learn by whom.
    await recordDomainChange(db, holder, SYSTEM_ACTOR, 'domain.lose');
  }
  await note('Active', null);
  if (own.status !== 'Active') await recordDomainChange(db, own, actor, 'domain.verify');
  return 'proven';
}

function withoutProof({ status, isOverdue }: LockedDomain): DomainStatus {
  if (status === 'Active') return 'Failing';
  return status === 'Failing' && isOverdue ? 'Suspended' : status;
}

function missingProblem(host: string, txt: Exclude<DomainLook['txt'], { kind: 'unknown' }>): string {
  const name = txtName(host);
  if (txt.kind === 'absent') return `There is no TXT record at ${name}`;
  return `The TXT records at ${name} do not have this value`;
}

// They have never been served, and no smartlink names them.
const REMOVE_STALE = `
with stale as (
  delete from domains where id = any(array(
    select id from domains
    where status = 'Pending' and created_at < now() - interval '${PENDING_DAYS_MAX} days'
    limit 1000 for update skip locked))
  returning id, user_id, host
)
insert into audit_entries (actor, action, user_id, details)
select '${SYSTEM_ACTOR}', 'domain.delete', user_id, jsonb_build_object('domainId', id, 'host', host) from stale`;

/** Removes domains that stayed Pending for 30 days. */
export async function removeStaleDomains(db: Queryable): Promise<void> {
  await db.query(REMOVE_STALE, []);
}
