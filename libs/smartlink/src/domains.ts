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
 * a removal locks the domain for update before it counts smartlinks, and locks no smartlink.
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

/** A custom domain with smartlinks. */
export type LinkDomain = Pick<OwnDomain, 'host' | 'number'>;

export type DomainFault = 'NO_SUCH_DOMAIN' | 'DOMAIN_NOT_VERIFIED';

const isServed = ({ status }: OwnDomain): boolean => status === 'Active' || status === 'Failing';

/**
 * The domains in which an account's smartlinks are to be, by their hosts, locked; null: the own host of the instance;
 * undefined: the default domain of the account, if it has one that is served.
 */
export async function placeInDomains(
  db: Queryable,
  userId: string,
  wanted: readonly (string | null | undefined)[],
): Promise<readonly (LinkDomain | DomainFault | null)[]> {
  const hosts = [...new Set(wanted.filter((host) => typeof host === 'string'))];
  const found = await lockDomains(db, userId, hosts, { withDefault: wanted.includes(undefined) });
  const byDefault = found.find((domain) => domain.isDefault && isServed(domain));
  return wanted.map((host) => {
    if (host === null) return null;
    const domain = host === undefined ? byDefault : found.find((one) => one.host === host);
    if (domain === undefined) return host === undefined ? null : 'NO_SUCH_DOMAIN';
    return isServed(domain) ? { number: domain.number, host: domain.host } : 'DOMAIN_NOT_VERIFIED';
  });
}

const FIND_VERSION = 'select version from domains_version';
const FIND_HOSTS = `select host from domains where status in ('Active', 'Failing')`;

/** The hosts of all accounts' domains, to which no smartlink may lead. */
export type DomainHosts = {
  /** Reads them again if a domain has changed. Rejects if Postgres does not answer. */
  readonly refresh: () => Promise<void>;
  readonly has: (host: string) => boolean;
};

export function createDomainHosts(db: Queryable): DomainHosts {
  let known = { version: '', hosts: new Set<string>() };
  return {
    async refresh() {
      const found = await db.query(FIND_VERSION, []);
      const version = (found.rows[0] as { version: string } | undefined)?.version ?? '';
      if (version === known.version) return;
      const { rows } = await db.query(FIND_HOSTS, []);
      known = { version, hosts: new Set((rows as { host: string }[]).map(({ host }) => host)) };
    },
    has: (host) => known.hosts.has(host),
  };
}
