import type { Queryable } from '@smartlink/process/database';
import { recordDomainChange, SYSTEM_ACTOR, txtName, txtValue } from '@smartlink/smartlink/domains';
import type { DomainStatus, DocumentUrl } from '@smartlink/smartlink/model';
import { withoutNulls } from '../envelope.js';
import { isSmartlinkId } from '../requests.js';

/** Where visitors of a domain are sent; members of the API and columns. */
export const DESTINATIONS = {
  rootUrl: 'root_url',
  notFoundUrl: 'not_found_url',
  expiredUrl: 'expired_url',
} as const;
export type DestinationName = keyof typeof DESTINATIONS;

/** Members that a PATCH may change; texts or null. */
export const FILES = {
  appleAppSiteAssociation: 'apple_app_site_association',
  assetLinks: 'asset_links',
} as const;

export type DomainRow = Readonly<Record<DestinationName | keyof typeof FILES, string | null>> & {
  readonly id: string;
  readonly host: string;
  readonly status: DomainStatus;
  readonly isDefault: boolean;
  readonly token: string;
  readonly pointsHere: boolean | null;
  readonly checkedAt: Date | null;
  readonly problem: string | null;
  readonly smartlinkCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const VIEW = `
  id, host, status, is_default as "isDefault", root_url as "rootUrl", not_found_url as "notFoundUrl",
  expired_url as "expiredUrl", apple_app_site_association as "appleAppSiteAssociation", asset_links as "assetLinks", token,
  points_here as "pointsHere", checked_at as "checkedAt", problem,
  (select count(*)::integer from smartlinks
   where domain_number = domains.number and status in ('Active', 'Paused')) as "smartlinkCount",
  created_at as "createdAt", updated_at as "updatedAt"`;

const LIST = `
select ${VIEW} from domains
where user_id = $1 and status <> 'Removed' and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc limit $4`;

export async function listDomains(
  db: Queryable,
  userId: string,
  { after, limit }: { readonly after: { time: Date; id: string } | null; readonly limit: number },
): Promise<readonly DomainRow[]> {
  const { rows } = await db.query(LIST, [userId, after?.time ?? null, after?.id ?? null, limit]);
  return rows as DomainRow[];
}

const FIND_ONE = `select ${VIEW} from domains where id = $1 and user_id = $2 and status <> 'Removed'`;

/** A domain of an account. `isLocked`: it is neither changed nor removed until the transaction ends. */
export async function findDomain(
  db: Queryable,
  {
    id,
    userId,
    isLocked = false,
  }: { readonly id: string; readonly userId: string; readonly isLocked?: boolean },
): Promise<DomainRow | null> {
  if (!isSmartlinkId(id)) return null;
  const { rows } = await db.query(isLocked ? `${FIND_ONE} for no key update` : FIND_ONE, [id, userId]);
  return (rows[0] as DomainRow | undefined) ?? null;
}

/** A domain in answers. `cnameTarget` is the host of the public base. */
export function toDomain(row: DomainRow, cnameTarget: string) {
  const { token, pointsHere, checkedAt, problem, smartlinkCount, createdAt, updatedAt, ...rest } = row;
  return {
    ...rest,
    appleAppSiteAssociation: parsed(row.appleAppSiteAssociation),
    assetLinks: parsed(row.assetLinks),
    verification: withoutNulls({
      txtName: txtName(row.host),
      txtValue: txtValue(token),
      cnameTarget,
      pointsHere,
      checkedAt,
      problem,
    }),
    smartlinkCount,
    createdAt,
    updatedAt,
  };
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const COUNT = `select count(*)::integer as count from domains where user_id = $1 and status <> 'Removed'`;

export async function countDomains(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query(COUNT, [userId]);
  return (rows[0] as { count: number }).count;
}

const CLEAR_DEFAULT = `
update domains set is_default = false, updated_at = greatest(now(), updated_at + interval '1 millisecond')
where user_id = $1 and is_default and id <> $2`;

const UPDATE = `
update domains set
  root_url = $2, not_found_url = $3, expired_url = $4, apple_app_site_association = $5, asset_links = $6, is_default = $7,
  check_due_at = case when $8 then now() else check_due_at end,
  -- A create changes what it has just added.
  updated_at = case when created_at = now()::timestamptz(3) then updated_at
                    else greatest(now(), updated_at + interval '1 millisecond') end
where id = $1`;

/** `isUnjudged`: no safety provider has judged its destinations, so that they are judged soon. The account is locked. */
export async function updateDomain(
  db: Queryable,
  userId: string,
  row: Pick<DomainRow, 'id' | 'isDefault' | DestinationName | keyof typeof FILES>,
  { isUnjudged }: { readonly isUnjudged: boolean },
): Promise<void> {
  if (row.isDefault) await db.query(CLEAR_DEFAULT, [userId, row.id]);
  const { id, rootUrl, notFoundUrl, expiredUrl, appleAppSiteAssociation, assetLinks, isDefault } = row;
  await db.query(UPDATE, [
    ...[id, rootUrl, notFoundUrl, expiredUrl, appleAppSiteAssociation, assetLinks],
    ...[isDefault, isUnjudged],
  ]);
}

/** A domain whose records, and destinations, are due to be looked at. */
export type DueDomain = {
  readonly id: string;
  readonly userId: string;
  readonly host: string;
} & Readonly<Record<DestinationName, string | null>>;

const DUE_COLUMNS = `
  domains.id, domains.user_id as "userId", host, root_url as "rootUrl", not_found_url as "notFoundUrl",
  expired_url as "expiredUrl"`;

// Among the thousand that have been due longest, accounts take turns. The process has ten minutes.
const TAKE_DUE = `
with longest as (
  select id, user_id, check_due_at from domains
  where status <> 'Removed' and check_due_at <= now()
  order by check_due_at limit 1000
), chosen as (
  select id, row_number() over (partition by user_id order by check_due_at, id) as turn from longest
  order by turn, check_due_at
  limit $1
), locked as (
  select domains.id, turn from domains join chosen on chosen.id = domains.id
  where check_due_at <= now()
  for no key update of domains skip locked
)
update domains set check_due_at = now() + interval '10 minutes'
from locked where domains.id = locked.id
returning ${DUE_COLUMNS}, turn::integer`;

/** Takes at most `limit` domains that are due, in turns of accounts; no other process gets them for ten minutes. */
export async function takeDueDomains(db: Queryable, limit: number): Promise<readonly DueDomain[]> {
  const { rows } = await db.query(TAKE_DUE, [limit]);
  return (rows as (DueDomain & { turn: number })[]).sort((a, b) => a.turn - b.turn);
}

const MAKE_DUE = `update domains set check_due_at = least(check_due_at, now() + interval '10 minutes') where id = $1`;

/** Has it looked at soon again. */
export async function makeDomainDue(db: Queryable, id: string): Promise<void> {
  await db.query(MAKE_DUE, [id]);
}

const MEASURE_OVERDUE = `
select coalesce(extract(epoch from now() - min(check_due_at)), 0)::float8 as seconds
from domains where status <> 'Removed' and check_due_at <= now()`;

/** How long the first due domain has been due, in seconds. */
export async function measureOverdueLooks(db: Queryable): Promise<{ seconds: number }> {
  const { rows } = await db.query(MEASURE_OVERDUE, []);
  return rows[0] as { seconds: number };
}

const FIND_WITH_URLS = `
select ${DUE_COLUMNS} from domains
where status <> 'Removed' and id > $1 and num_nonnulls(root_url, not_found_url, expired_url) > 0
order by id limit $2`;

/** The next domains with destinations by id. */
export async function findDomainsWithUrls(
  db: Queryable,
  afterId: string,
  limit: number,
): Promise<readonly DueDomain[]> {
  const { rows } = await db.query(FIND_WITH_URLS, [afterId, limit]);
  return rows as DueDomain[];
}

/** The destinations of a domain, by member. */
export function urlsOfDomain(
  domain: Readonly<Partial<Record<DestinationName, string | null | undefined>>>,
): DocumentUrl[] {
  return (Object.keys(DESTINATIONS) as DestinationName[]).flatMap((path) => {
    const url = domain[path] ?? null;
    return url === null ? [] : [{ path, url }];
  });
}

const LOCK_URLS = `select ${DUE_COLUMNS} from domains where id = $1 and status <> 'Removed' for no key update`;

/** Clears the destinations of a domain that are still among `unsafe`, within a transaction; how many there were. */
export async function clearUnsafe(db: Queryable, id: string, unsafe: ReadonlySet<string>): Promise<number> {
  const { rows } = await db.query(LOCK_URLS, [id]);
  const domain = rows[0] as DueDomain | undefined;
  const cleared = domain === undefined ? [] : urlsOfDomain(domain).filter(({ url }) => unsafe.has(url));
  if (domain === undefined || cleared.length === 0) return 0;
  const columns = cleared.map(({ path }) => `${DESTINATIONS[path as DestinationName]} = null`);
  await db.query(
    `update domains set ${columns.join(', ')}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
     where id = $1`,
    [id],
  );
  const details = cleared.map(({ path }) => ({ path, message: 'URL was judged unsafe' }));
  await recordDomainChange(db, domain, SYSTEM_ACTOR, 'domain.unsafe', {
    changed: cleared.map(({ path }) => path),
    data: { details },
  });
  return cleared.length;
}
