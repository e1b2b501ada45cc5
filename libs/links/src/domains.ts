import type { Queryable } from '@smartlink/process/database';

/** A proven domain, as far as visitors meet it. */
export type ServedDomain = {
  /** In the keys of its slugs. Belongs to one host and one account for ever. */
  readonly number: number;
  /** Lower case, A-labels, no final dot. */
  readonly host: string;
  /** False: Suspended. Its addresses are 404. */
  readonly isServed: boolean;
  /** Normalised hrefs. */
  readonly rootUrl: string | null;
  readonly notFoundUrl: string | null;
  readonly expiredUrl: string | null;
  /** JSON texts. */
  readonly appleAppSiteAssociation: string | null;
  readonly assetLinks: string | null;
};

export type DomainTable = { readonly version: number; readonly domains: readonly ServedDomain[] };

const FIND_VERSION = 'select version from domains_version';

const FIND_DOMAINS = `
select number, host, status <> 'Suspended' as "isServed", root_url as "rootUrl", not_found_url as "notFoundUrl",
       expired_url as "expiredUrl", apple_app_site_association as "appleAppSiteAssociation", asset_links as "assetLinks"
from domains where status in ('Active', 'Failing', 'Suspended')`;

/** The proven domains of all accounts; null: unchanged since `version`. Rejects if Postgres does not answer. */
export async function readDomainTable(db: Queryable, version: number | null): Promise<DomainTable | null> {
  const found = await db.query(FIND_VERSION, []);
  // Read first: domains that change between the two are read again.
  const current = Number((found.rows[0] as { version: string } | undefined)?.version ?? 0);
  if (current === version) return null;
  const { rows } = await db.query(FIND_DOMAINS, []);
  return { version: current, domains: rows as ServedDomain[] };
}
