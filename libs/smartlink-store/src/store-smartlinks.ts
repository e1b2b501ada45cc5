import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { slugKey } from '@smartlink/smartlink/slug';
import type { SmartlinkStatus, SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import type { OpenGraph } from '@smartlink/smartlink/snapshot';
import { assignSlugs } from './assign-slugs.js';
import { claimSlugs } from './slug-queries.js';
import type { Claim } from './slug-queries.js';
import { NEXT_URL_CHECK, SHOWN_COLUMNS } from './smartlink-row.js';
import type { Content, PauseReason, SmartlinkRow } from './smartlink-row.js';

/** A smartlink that is to be stored. */
export type NewSmartlink = {
  readonly id: string;
  readonly type: SmartlinkType;
  readonly name: string;
  /** undefined: one is assigned. */
  readonly slug: string | undefined;
  readonly openGraph: OpenGraph | null;
  /** By type: that of its present one, and what is kept of earlier ones. */
  readonly content: Partial<Record<SmartlinkType, Content>>;
  readonly passwordHash: string | null;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** For one that existed before, elsewhere. */
  readonly past?: {
    readonly status?: Exclude<SmartlinkStatus, 'Deleted'>;
    readonly pauseReason?: PauseReason;
    readonly createdAt?: Date;
    readonly updatedAt?: Date;
    readonly aliases?: readonly string[];
  };
};

/**
 * Stores a user's new smartlinks in a handful of statements, however many they are, and returns their rows in the same
 * order; null for one whose address, or one of whose aliases, belongs to another smartlink: of it nothing is stored.
 * Needs a transaction. All of it goes through one statement: a few MiB of content at most.
 */
export async function storeSmartlinks(
  db: Queryable,
  userId: string,
  wanted: readonly NewSmartlink[],
): Promise<readonly (SmartlinkRow | null)[]> {
  const storable = await claimAll(db, userId, wanted);
  const unnamed = storable.filter(({ slug }) => slug === undefined).map(({ id }) => id);
  const assigned = unnamed.length === 0 ? null : await assignSlugs(db, userId, unnamed);
  const records = storable.map((smartlink) =>
    toRecord(smartlink, smartlink.slug ?? assigned?.get(smartlink.id)),
  );
  const rows = records.length === 0 ? [] : await insertRows(db, userId, records);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return wanted.map(({ id }) => byId.get(id) ?? null);
}

/** Claims the addresses that smartlinks bring, and returns those smartlinks that have got all of theirs. */
async function claimAll(
  db: Queryable,
  userId: string,
  wanted: readonly NewSmartlink[],
): Promise<readonly NewSmartlink[]> {
  let candidates = withoutRepeats(wanted);
  const hasAliases = candidates.some(({ past }) => (past?.aliases?.length ?? 0) > 0);
  if (hasAliases) await db.query('savepoint claims', []);
  for (;;) {
    const claims = candidates.flatMap(claimsOf);
    if (claims.length === 0) return candidates;
    const claimed = await claimSlugs(db, userId, claims);
    const complete = candidates.filter((one) =>
      claimsOf(one).every(({ slug }) => claimed.has(slugKey(slug))),
    );
    if (complete.flatMap(claimsOf).length === claimed.size) return complete;
    // One of them has got an address and not its aliases: given back, and tried again without it.
    await db.query('rollback to savepoint claims', []);
    candidates = complete;
  }
}

/** Of several that want the same address the first is tried. */
function withoutRepeats(wanted: readonly NewSmartlink[]): readonly NewSmartlink[] {
  const seen = new Set<string>();
  return wanted.filter((one) => {
    const keys = new Set(claimsOf(one).map(({ slug }) => slugKey(slug)));
    if (keys.size < claimsOf(one).length || [...keys].some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function claimsOf({ id, slug, past }: NewSmartlink): readonly Claim[] {
  const aliases = (past?.aliases ?? []).map((alias) => ({ slug: alias, smartlinkId: id, isPrimary: false }));
  return slug === undefined ? aliases : [{ slug, smartlinkId: id, isPrimary: true }, ...aliases];
}

function toRecord(smartlink: NewSmartlink, slug: string | undefined): object {
  const { id, type, name, openGraph, content, passwordHash, urlsChecked, past } = smartlink;
  return {
    id,
    status: past?.status ?? 'Active',
    type,
    name,
    slug,
    open_graph: openGraph,
    content,
    password_hash: passwordHash,
    urls_checked: urlsChecked,
    pause_reason: past?.pauseReason ?? null,
    created_at: past?.createdAt ?? null,
    updated_at: past?.updatedAt ?? past?.createdAt ?? null,
  };
}

// The version is taken after the slugs were claimed (see slugs.smartlink_id in 0001).
const INSERT_ROWS = `
insert into smartlinks
  (id, user_id, status, type, name, slug, open_graph, content, password_hash, password_version, version,
   pause_reason, created_at, updated_at, urls_checked_at, urls_check_due_at)
select id, $1::uuid, status, type, name, slug, open_graph, content, password_hash,
       case when password_hash is null then 0 else 1 end, nextval('smartlink_version'), pause_reason,
       coalesce(created_at, now()), coalesce(updated_at, now()), case when urls_checked then now() end,
       ${NEXT_URL_CHECK('urls_checked')}
from jsonb_to_recordset($2::jsonb) as smartlink
  (id uuid, status text, type text, name text, slug text, open_graph jsonb, content jsonb, password_hash text,
   urls_checked boolean, pause_reason jsonb, created_at timestamptz, updated_at timestamptz)
returning ${SHOWN_COLUMNS}`;

async function insertRows(
  db: Queryable,
  userId: string,
  records: readonly object[],
): Promise<readonly SmartlinkRow[]> {
  const { rows } = await db.query(INSERT_ROWS, [userId, JSON.stringify(records)]);
  return rows as SmartlinkRow[];
}
