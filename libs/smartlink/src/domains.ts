import type { Queryable } from '@smartlink/process/database';
import type { DomainStatus } from './model.js';

// Its condition is part of that of domains_host, which answers it.
const FIND_OWN_HOSTS = `select host from domains where host = any($1::text[]) and status in ('Active', 'Failing')`;

/**
 * Those of the hosts that are domains of the instance, in whichever account. Links must not lead there: a ring of redirects
 * could form. Hosts are in the form of `parseDomainHost`.
 */
export async function findOwnHosts(db: Queryable, hosts: Iterable<string>): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(hosts)];
  if (wanted.length === 0) return new Set();
  const { rows } = await db.query(FIND_OWN_HOSTS, [wanted]);
  return new Set((rows as { host: string }[]).map(({ host }) => host));
}

/** A domain of an account, as its smartlinks need it. */
export type OwnDomain = {
  readonly host: string;
  /** In the keys of its slugs. */
  readonly number: number;
  readonly status: DomainStatus;
  readonly isDefault: boolean;
};

const LOCK_DOMAINS = `
select host, number, status, is_default as "isDefault" from domains
where user_id = $1 and status <> 'Removed' and (host = any($2::text[]) or $3 and is_default)
order by number
for key share`;

/**
 * The account's domains of these hosts, and its default one if asked for. They are not removed until the transaction ends:
 * a removal locks the domain for update before it counts smartlinks. Lock domains before smartlinks.
 */
export async function lockDomains(
  db: Queryable,
  userId: string,
  hosts: readonly string[],
  { withDefault = false }: { readonly withDefault?: boolean } = {},
): Promise<readonly OwnDomain[]> {
  if (hosts.length === 0 && !withDefault) return [];
  const { rows } = await db.query(LOCK_DOMAINS, [userId, hosts, withDefault]);
  return rows as OwnDomain[];
}
