import type { Queryable } from '@smartlink/process/database';

/** A custom domain with smartlinks. */
export type LinkDomain = { readonly number: number; readonly host: string };

export type DomainFault = 'NO_SUCH_DOMAIN' | 'DOMAIN_NOT_VERIFIED';

// A removal of a domain locks its row against this, and then looks for smartlinks.
const LOCK_DOMAINS = `
select number, host, is_default as "isDefault", status in ('Active', 'Failing') as "isServed" from domains
where user_id = $1 and status <> 'Removed' and (host = any($2::text[]) or (is_default and $3))
order by number for key share`;

type LockedDomain = LinkDomain & { readonly isDefault: boolean; readonly isServed: boolean };

/**
 * The domains in which an account's smartlinks are to be, by their hosts; null: the own host of the instance; undefined: the
 * default domain of the account, if it has one that is served. They cannot be removed until the transaction ends.
 */
export async function placeInDomains(
  db: Queryable,
  userId: string,
  wanted: readonly (string | null | undefined)[],
): Promise<readonly (LinkDomain | DomainFault | null)[]> {
  const hosts = [...new Set(wanted.filter((host) => typeof host === 'string'))];
  const needsDefault = wanted.includes(undefined);
  if (hosts.length === 0 && !needsDefault) return wanted.map(() => null);
  const { rows } = await db.query(LOCK_DOMAINS, [userId, hosts, needsDefault]);
  const found = rows as LockedDomain[];
  const byDefault = found.find(({ isDefault, isServed }) => isDefault && isServed);
  return wanted.map((host) => {
    if (host === null) return null;
    const domain = host === undefined ? byDefault : found.find((one) => one.host === host);
    if (domain === undefined) return host === undefined ? null : 'NO_SUCH_DOMAIN';
    return domain.isServed ? { number: domain.number, host: domain.host } : 'DOMAIN_NOT_VERIFIED';
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
