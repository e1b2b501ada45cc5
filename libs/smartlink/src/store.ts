import type { Queryable } from '@smartlink/process/database';
import type { Availability } from './availability.js';
import { addToOutbox } from './changes.js';
import type { LinkDomain } from './domains.js';
import { LOCK_USER, type Metadata, setTags } from './metadata.js';
import {
  IMPORTED_ADDRESSES_MAX,
  inDomain,
  isSlug,
  slugKey,
  type SmartlinkStatus,
  type SmartlinkType,
} from './model.js';
import type { RedirectOptions } from './redirect-options.js';
import type { Routing } from './routing-schema.js';
import { assignSlugs, type Claim, claimSlugs, keyOf } from './slug-claims.js';
import {
  type Content,
  NEXT_URL_CHECK,
  type PauseReason,
  SHOWN_COLUMNS,
  type SmartlinkRow,
} from './smartlink-row.js';
import type { Appearance, OpenGraph, Utm } from './snapshot.js';

export {
  addToOutbox,
  lockSmartlink,
  markDeleted,
  measureOutbox,
  OUTBOX_AGE_MAX_SECONDS,
  recordChanges,
  setStatuses,
  statusAction,
  writeDeletion,
  writeStatus,
} from './changes.js';
export type { ChangeRecord, OutboxEntry, StatusChange, WrittenChange } from './changes.js';
export { createDomainHosts, findOwnHosts, lockDomains, placeInDomains } from './domains.js';
export type { DomainFault, DomainHosts, LinkDomain, OwnDomain } from './domains.js';
export { isUuid, newId } from './ids.js';
export {
  ACCOUNT_FOLDERS_MAX,
  ACCOUNT_TAGS_MAX,
  addFolders,
  areSameTags,
  changeTags,
  checkMetadata,
  LOCK_USER,
  lockMetadata,
  nameKey,
  setTags,
} from './metadata.js';
export type { Metadata, MetadataFault, NewMetadata } from './metadata.js';
export { ALIASES_MAX, claimSlugs, countOtherAliases, findTaken, keepAsAliases } from './slug-claims.js';
export type { Claim } from './slug-claims.js';
export {
  ALL_COLUMNS,
  COLUMNS,
  DOMAIN_COLUMN,
  NEXT_URL_CHECK,
  SHOWN_COLUMNS,
  SHOWN_CONTENT,
  configurationOf,
  toDocument,
  toParts,
  urlsOf,
  urlsOfRow,
} from './smartlink-row.js';
export type { Content, DocumentParts, PauseReason, RowWithUrls, SmartlinkRow } from './smartlink-row.js';

export type NewSmartlink = {
  readonly id: string;
  readonly type: SmartlinkType;
  readonly name: string;
  /** undefined: one is assigned. */
  readonly slug: string | undefined;
  /** Of all its addresses; null: the own host of the instance. */
  readonly domain: LinkDomain | null;
  readonly openGraph: OpenGraph | null;
  readonly appearance?: Appearance | null | undefined;
  readonly utm?: Utm | null | undefined;
  readonly redirect?: RedirectOptions | null | undefined;
  readonly routing?: Routing | null;
  readonly availability?: Availability | null;
  /** By type: the current type's content, and content kept from earlier types. */
  readonly content: Partial<Record<SmartlinkType, Content>>;
  readonly passwordHash: string | null;
  /** Checked by checkMetadata. */
  readonly metadata?: Metadata;
  /** The person who creates it. */
  readonly createdBy?: string | null;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** For one that existed before, elsewhere. */
  readonly past?: {
    readonly status?: Exclude<SmartlinkStatus, 'Deleted'> | undefined;
    readonly pauseReason?: PauseReason | undefined;
    /** Of `maxVisits`. */
    readonly visitsUsed?: number | undefined;
    readonly createdAt?: Date | undefined;
    readonly updatedAt?: Date | undefined;
    readonly aliases?: readonly string[];
    /** Former addresses on other hosts. */
    readonly otherAliases?: readonly { readonly slug: string; readonly domain: LinkDomain | null }[];
    /** Looked up exactly as written; one without `-` and `_` differs from another slug of the user only in case. */
    readonly importedAddresses?: readonly string[];
  };
};

/**
 * Stores a user's new smartlinks in a few statements, inside a transaction, and returns their rows in the same order; null
 * for one that is not stored because another smartlink owns one of its addresses. At most a few MiB of content.
 */
export async function storeSmartlinks(
  db: Queryable,
  userId: string,
  wanted: readonly NewSmartlink[],
): Promise<readonly (SmartlinkRow | null)[]> {
  const storable = await claimAll(db, userId, wanted);
  const unnamed = storable
    .filter(({ slug }) => slug === undefined)
    .map(({ id, domain }) => ({ id, domainNumber: domain?.number ?? null }));
  const assigned = unnamed.length === 0 ? null : await assignSlugs(db, userId, unnamed);
  const records = storable.map((smartlink) =>
    toRecord(smartlink, smartlink.slug ?? assigned?.get(smartlink.id)),
  );
  const rows = records.length === 0 ? [] : await insertRows(db, userId, records);
  await setVisitsUsed(db, storable);
  const tagged = storable.flatMap(({ id, metadata }) =>
    metadata === undefined || metadata.tags.length === 0 ? [] : [{ id, tags: metadata.tags }],
  );
  const tags = await setTags(db, userId, tagged);
  const byId = new Map(rows.map((row) => [row.id, { ...row, tags: tags.get(row.id) ?? null }]));
  return wanted.map(({ id }) => byId.get(id) ?? null);
}

/** Claims the slugs of the smartlinks and returns the smartlinks that got all of theirs. */
async function claimAll(
  db: Queryable,
  userId: string,
  wanted: readonly NewSmartlink[],
): Promise<readonly NewSmartlink[]> {
  let candidates = withoutRepeats(wanted);
  const exact = candidates.flatMap(exactOf);
  if (exact.length > 0) await lockHolders(db, userId, exact);
  const hasOthers = candidates.some((one) => claimsOf(one).length > 1 || exactOf(one).length > 0);
  if (hasOthers) await db.query('savepoint claims', []);
  for (;;) {
    const claims = candidates.flatMap(claimsOf);
    if (claims.length === 0) return candidates;
    const claimed = await claimSlugs(db, userId, claims);
    const kept = await keepExact(db, userId, candidates.flatMap(exactOf));
    const complete = candidates.filter(
      (one) =>
        claimsOf(one).every((claim) => claimed.has(keyOf(claim))) &&
        exactOf(one).every(({ key, address }) => kept.has(keptName(key, address))),
    );
    if (complete.flatMap(claimsOf).length === claimed.size) return complete;
    // One got some of its addresses but not all: roll back and try again without it.
    await db.query('rollback to savepoint claims', []);
    candidates = complete;
  }
}

/** Keeps the first of several with the same slug. */
function withoutRepeats(wanted: readonly NewSmartlink[]): readonly NewSmartlink[] {
  const seen = new Set<string>();
  return wanted.filter((one) => {
    const keys = new Set(claimsOf(one).map(keyOf));
    if (keys.size < claimsOf(one).length || [...keys].some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function claimsOf({ id, slug, domain, past }: NewSmartlink): readonly Claim[] {
  const domainNumber = domain?.number ?? null;
  const others = { smartlinkId: id, isPrimary: false, domainNumber };
  const aliases = (past?.aliases ?? []).map((alias) => ({ ...others, slug: alias }));
  const otherAliases = (past?.otherAliases ?? []).map((alias) => ({
    ...{ ...others, slug: alias.slug, domainNumber: alias.domain?.number ?? null },
  }));
  const imported = (past?.importedAddresses ?? []).map((address) => ({
    ...others,
    slug: address,
    isImported: true,
  }));
  const primary = slug === undefined ? [] : [{ slug, smartlinkId: id, isPrimary: true, domainNumber }];
  return [...primary, ...aliases, ...otherAliases, ...imported];
}

/** An imported address that is found through a slug, and the key of that. */
type ExactAddress = { readonly address: string; readonly key: string };

const exactOf = ({ past, domain }: NewSmartlink): readonly ExactAddress[] =>
  (past?.importedAddresses ?? [])
    .filter((address) => isSlug(address))
    .map((address) => ({ address, key: inDomain(slugKey(address), domain?.number ?? null) }));

const keptName = (key: string, address: string): string => `${key} ${address}`;

const LOCK_HOLDERS = `
select smartlinks.id from slugs join smartlinks on smartlinks.id = slugs.smartlink_id
where slugs.user_id = $1 and slugs.key = any($2::text[])
order by smartlinks.id for no key update of smartlinks`;

/** Before the slugs, as every change of a smartlink locks them. */
async function lockHolders(db: Queryable, userId: string, addresses: readonly ExactAddress[]): Promise<void> {
  await db.query(LOCK_HOLDERS, [userId, addresses.map(({ key }) => key)]);
}

const LOCK_SLUGS = `
select key, slug, exact, smartlink_id as "smartlinkId" from slugs
where user_id = $1 and key = any($2::text[])
order by key for no key update`;

type LockedSlug = {
  readonly key: string;
  readonly slug: string;
  readonly exact: readonly string[] | null;
  readonly smartlinkId: string;
};

const SET_EXACT = `
update slugs set exact = change.exact
from jsonb_to_recordset($1::jsonb) as change (key text, exact text[]) where slugs.key = change.key`;

const RENEW_VERSIONS = `
update smartlinks set version = nextval('smartlink_version') where id = any($1::uuid[]) returning id, version`;

/**
 * Notes imported addresses at the slugs from which they differ only in case, and returns those that are noted, by
 * keptName: the slug must be the user's, and have room. Its smartlink is published again.
 */
async function keepExact(
  db: Queryable,
  userId: string,
  addresses: readonly ExactAddress[],
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  if (addresses.length === 0) return kept;
  const { rows } = await db.query(LOCK_SLUGS, [userId, addresses.map((one) => one.key)]);
  const changes: { readonly key: string; readonly exact: readonly string[] }[] = [];
  const changedIds = new Set<string>();
  for (const { key, slug, exact, smartlinkId } of rows as LockedSlug[]) {
    const noted = new Set(exact);
    for (const { address, key: wanted } of addresses) {
      if (wanted !== key || address === slug) continue;
      if (!noted.has(address) && noted.size === IMPORTED_ADDRESSES_MAX) continue;
      noted.add(address);
      kept.add(keptName(key, address));
    }
    if (noted.size === (exact?.length ?? 0)) continue;
    changes.push({ key, exact: [...noted] });
    changedIds.add(smartlinkId);
  }
  if (changes.length === 0) return kept;
  await db.query(SET_EXACT, [JSON.stringify(changes)]);
  // Smartlinks of this transaction get their first version, and are published, later.
  const renewed = await db.query(RENEW_VERSIONS, [[...changedIds]]);
  await addToOutbox(db, renewed.rows as { id: string; version: string }[]);
  return kept;
}

/** By column; what is left out is null. */
function toRecord(smartlink: NewSmartlink, slug: string | undefined): object {
  const { openGraph, passwordHash, metadata, createdBy, urlsChecked, past, domain, ...columns } = smartlink;
  return {
    ...columns,
    status: past?.status ?? 'Active',
    slug,
    domain_number: domain?.number,
    open_graph: openGraph,
    password_hash: passwordHash,
    urls_checked: urlsChecked,
    pause_reason: past?.pauseReason,
    created_at: past?.createdAt,
    updated_at: past?.updatedAt ?? past?.createdAt,
    imported_addresses: past?.importedAddresses?.length ? past.importedAddresses : null,
    folder_id: metadata?.folderId,
    notes: metadata?.notes,
    archived: metadata?.archived ?? false,
    external_id: metadata?.externalId,
    created_by: createdBy,
  };
}

// The version is taken after the slugs were claimed (see slugs.smartlink_id in 0001).
const INSERT_ROWS = `
insert into smartlinks
  (id, user_id, status, type, name, slug, domain_number, open_graph, appearance, utm, redirect, routing, availability, content,
   password_hash, password_version, version, pause_reason, imported_addresses, folder_id, notes, archived_at, external_id, created_by, created_at,
   updated_at, urls_checked_at, urls_check_due_at)
select id, $1::uuid, status, type, name, slug, domain_number, open_graph, appearance, utm, redirect, routing, availability, content,
       password_hash, case when password_hash is null then 0 else 1 end, nextval('smartlink_version'), pause_reason, imported_addresses,
       folder_id, notes, case when archived then now() end, external_id, created_by,
       coalesce(created_at, now()), coalesce(updated_at, now()), case when urls_checked then now() end,
       ${NEXT_URL_CHECK('urls_checked')}
from jsonb_to_recordset($2::jsonb) as smartlink
  (id uuid, status text, type text, name text, slug text, domain_number integer, open_graph jsonb, appearance jsonb, utm jsonb, redirect jsonb, routing jsonb,
   availability jsonb, content jsonb, password_hash text, urls_checked boolean, pause_reason jsonb, imported_addresses text[], folder_id uuid,
   notes text, archived boolean, external_id text, created_by uuid, created_at timestamptz, updated_at timestamptz)
returning ${SHOWN_COLUMNS}`;

async function insertRows(
  db: Queryable,
  userId: string,
  records: readonly object[],
): Promise<readonly SmartlinkRow[]> {
  const { rows } = await db.query(INSERT_ROWS, [userId, JSON.stringify(records)]);
  return rows as SmartlinkRow[];
}

const SET_VISITS_USED = `
update link_allowances set used = past.used
from jsonb_to_recordset($1::jsonb) as past (id uuid, used integer) where link_allowances.smartlink_id = past.id`;

/** Of smartlinks with a limit that were used elsewhere. */
async function setVisitsUsed(db: Queryable, stored: readonly NewSmartlink[]): Promise<void> {
  const used = stored.flatMap(({ id, past, availability }) =>
    past?.visitsUsed === undefined || availability?.maxVisits === undefined
      ? []
      : [{ id, used: past.visitsUsed }],
  );
  if (used.length > 0) await db.query(SET_VISITS_USED, [JSON.stringify(used)]);
}

const FIND_SMARTLINKS_MAX = `
select plans.smartlinks_max from users join plans on plans.name = users.plan where users.id = $1`;

const COUNT_KEPT = `
select count(*)::integer as count from smartlinks where user_id = $1 and status in ('Active', 'Paused')`;

/**
 * Number of smartlinks that the user's plan still allows; null without a limit. With a limit, other transactions that add
 * smartlinks of the user wait until this one ends.
 */
export async function lockQuota(db: Queryable, userId: string): Promise<number | null> {
  const { rows } = await db.query(FIND_SMARTLINKS_MAX, [userId]);
  const smartlinksMax = (rows[0] as { smartlinks_max: number | null } | undefined)?.smartlinks_max ?? null;
  if (smartlinksMax === null) return null;
  await db.query(LOCK_USER, [userId]);
  return remainingQuota(db, userId, smartlinksMax);
}

/** Remaining smartlinks under a limit, at least 0; Deleted ones do not count. */
export async function remainingQuota(db: Queryable, userId: string, smartlinksMax: number): Promise<number> {
  const { rows } = await db.query(COUNT_KEPT, [userId]);
  return Math.max(0, smartlinksMax - (rows[0] as { count: number }).count);
}
