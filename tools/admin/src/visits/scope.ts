import type { Client } from 'pg';
import { addressKey, importedKey, inDomain, isAddress } from '@smartlink/smartlink/model';
import { DOMAIN_COLUMN, isUuid } from '@smartlink/smartlink/store';
import { addDays, isDate } from '@smartlink/visits/analytics';
import { ALL_DAYS, type VisitScope } from '@smartlink/visits/rollup';
import { findUserRow, noUser } from '../accounts/find-user.js';
import { Problem } from '../cli/terminal.js';

export type SmartlinkRow = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  /** As it was typed. */
  readonly slug: string;
  /** Host of its custom domain; null: the own host of the instance. */
  readonly domain: string | null;
  readonly status: string;
  readonly type: string;
  readonly created_at: Date;
  readonly aliases: readonly string[];
  readonly imported_addresses: readonly string[];
};

const FIND_SMARTLINK = `
select smartlinks.id, smartlinks.user_id, users.email, smartlinks.name, smartlinks.slug, ${DOMAIN_COLUMN}, smartlinks.status,
       smartlinks.type, smartlinks.created_at, coalesce(smartlinks.imported_addresses, '{}') as imported_addresses,
       array(select slugs.slug from slugs
             where slugs.smartlink_id = smartlinks.id and not slugs.is_primary and strpos(slugs.key, '=') = 0
             order by slugs.key) as aliases
from smartlinks join users on users.id = smartlinks.user_id
where smartlinks.id = coalesce($1::uuid,
  (select smartlink_id from slugs where key = any($2) order by strpos(key, '=') > 0 desc limit 1))`;

const FIND_DOMAIN = `
select number from domains where host = $1 and status in ('Active', 'Failing', 'Suspended')`;

/**
 * The smartlink with this id, imported address, or slug or alias in any case; null if unknown. Those of a custom domain have
 * its host before them: `go.example.com/spring`.
 */
export async function findSmartlink(db: Client, idOrAddress: string): Promise<SmartlinkRow | null> {
  const found = async (...values: [string | null, readonly string[]]): Promise<SmartlinkRow | null> =>
    (await db.query<SmartlinkRow>(FIND_SMARTLINK, values)).rows[0] ?? null;
  if (isUuid(idOrAddress)) return found(idOrAddress, []);
  const slash = idOrAddress.indexOf('/');
  const address = idOrAddress.slice(slash + 1);
  if (!isAddress(address)) return null;
  let domainNumber: number | null = null;
  if (slash !== -1) {
    const host = idOrAddress.slice(0, slash).toLowerCase();
    domainNumber = (await db.query<{ number: number }>(FIND_DOMAIN, [host])).rows[0]?.number ?? null;
    if (domainNumber === null) return null;
  }
  return found(
    null,
    [importedKey(address), addressKey(address)].map((key) => inDomain(key, domainNumber)),
  );
}

export const SMARTLINK_NAMES =
  'slug or alias (case is ignored), imported address, or id; on a custom domain go.example.com/slug';

export const noSmartlink = (idOrSlug: string): Problem =>
  new Problem(`There is no smartlink ${JSON.stringify(idOrSlug)}.`);

/** For an option that takes the id of a smartlink. */
export const readSmartlinkId =
  (option: string) =>
  (text: string): string => {
    if (isUuid(text)) return text;
    throw new Problem(`${option} ${JSON.stringify(text)}: expected the id of a smartlink.`);
  };

/** The visits that the user names by options. */
export type ScopeOptions = {
  smartlink?: string;
  account?: string;
  from?: string;
  to?: string;
  /** Instead of these: every day before this one. */
  before?: string;
};

/** A scope with its name for messages. */
export type NamedScope = VisitScope & { readonly name: string };

/**
 * The scope that options name, of all visits when they are empty. A deleted user or smartlink is known by the id only. Throws
 * Problem on a faulty day, and for an unknown name.
 */
export async function findScope(db: Client, options: ScopeOptions): Promise<NamedScope> {
  const { smartlink, account } = options;
  if (smartlink !== undefined && account !== undefined) {
    throw new Problem('Give --smartlink or --account, not both.');
  }
  const days = readDays(options);
  if (smartlink !== undefined) {
    const link = await findSmartlink(db, smartlink);
    if (link === null && !isUuid(smartlink)) throw noSmartlink(smartlink);
    const smartlinkId = link?.id ?? smartlink;
    const name = `the smartlink ${link?.slug ?? smartlink}`;
    return { ownerId: link?.user_id ?? null, smartlinkId, name, ...days };
  }
  if (account !== undefined) {
    const row = await findUserRow(db, account);
    if (row === null && !isUuid(account)) throw noUser(account);
    const name = row?.email ?? `the user ${account}`;
    return { ownerId: row?.id ?? account, smartlinkId: null, name, ...days };
  }
  return { ownerId: null, smartlinkId: null, name: 'all users', ...days };
}

function readDays({ from, to, before }: ScopeOptions): Pick<VisitScope, 'from' | 'until'> {
  for (const [option, text] of Object.entries({ '--from': from, '--to': to, '--all-before': before })) {
    if (text !== undefined && !isDate(text)) {
      throw new Problem(`${option} ${JSON.stringify(text)}: expected a day like 2026-01-31.`);
    }
  }
  if (from !== undefined && to !== undefined && from > to) throw new Problem('--from is after --to.');
  const until = to === undefined ? ALL_DAYS.until : addDays(to, 1);
  return { from: from ?? ALL_DAYS.from, until: before ?? until };
}

export function describeDays({ from, until }: Pick<VisitScope, 'from' | 'until'>): string {
  const to = addDays(until, -1);
  if (from === ALL_DAYS.from) return until === ALL_DAYS.until ? 'all days' : `all days up to ${to}`;
  return until === ALL_DAYS.until ? `${from} and later` : from === to ? from : `${from} to ${to}`;
}
