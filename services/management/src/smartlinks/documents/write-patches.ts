import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '@smartlink/process/database';
import { inDomain, slugKey, TAGS_MAX } from '@smartlink/smartlink/model';
import {
  ACCOUNT_TAGS_MAX,
  ALIASES_MAX,
  areSameTags,
  checkMetadata,
  type Claim,
  claimSlugs,
  countOtherAliases,
  type DomainFault,
  keepAsAliases,
  type MetadataFault,
  type NewMetadata,
  placeInDomains,
  setTags,
  type SmartlinkRow,
} from '@smartlink/smartlink/store';
import { type ApiError, fault, nameTaken, slugTaken } from '../../errors.js';
import { patchedRow, type PatchWrite } from './patches.js';
import { type ChangedSmartlink, updateSmartlinks } from './queries.js';

/** The row must be locked. */
export type RowPatch = { readonly row: SmartlinkRow; readonly wanted: PatchWrite };

/** The row afterwards, and the names of the changed members: none if the patch changed nothing. */
type WrittenPatch = { readonly row: SmartlinkRow; readonly changed: readonly string[] };

/**
 * Writes patches of different smartlinks of a user in a few statements, however many there are. The outcomes are in the
 * same order; a patch is refused only because of its address or its metadata. No two patches may have an external id. Needs a
 * transaction with the locks of lockMetadata.
 */
export async function writePatches(
  db: Queryable,
  userId: string,
  patches: readonly RowPatch[],
): Promise<readonly (WrittenPatch | ApiError)[]> {
  const refusals = await refuseMetadata(db, userId, patches);
  const placed = await placePatches(db, userId, patches, refusals);
  const changes = placed.map((patch) => ({ ...patch, changed: changedMembers(patch) }));
  await renameAll(db, userId, placed, refusals);
  const written = changes.filter(({ row, changed }) => changed.length > 0 && !refusals.has(row.id));
  // Before the rows, which are returned with them.
  const retagged = written.filter(({ changed }) => changed.includes('tags'));
  await setTags(
    db,
    userId,
    retagged.map(({ row, wanted }) => ({ id: row.id, tags: wanted.metadata.tags })),
  );
  const rows = written.length === 0 ? null : await updateSmartlinks(db, written.map(toChanged));
  return changes.map(
    ({ row, changed }) => refusals.get(row.id) ?? { row: rows?.get(row.id) ?? row, changed },
  );
}

type PlacedPatch = RowPatch & {
  /** null: the own host of the instance. */ readonly domainNumber: number | null;
};

/** The patches with their domains; refusals are added. */
async function placePatches(
  db: Queryable,
  userId: string,
  patches: readonly RowPatch[],
  refusals: Map<string, ApiError>,
): Promise<readonly PlacedPatch[]> {
  // null needs no query.
  const hosts = patches.map(({ wanted }) => wanted.domain ?? null);
  const domains = await placeInDomains(db, userId, hosts);
  return patches.map((patch, i) => {
    const { row, wanted } = patch;
    const domain = domains[i] ?? null;
    if (wanted.domain === undefined) return { ...patch, domainNumber: row.domain_number };
    if (typeof domain !== 'string') return { ...patch, domainNumber: domain?.number ?? null };
    if (!refusals.has(row.id)) refusals.set(row.id, domainRefusal(domain));
    return { ...patch, domainNumber: row.domain_number };
  });
}

function toChanged({ row, wanted, domainNumber }: PlacedPatch): ChangedSmartlink {
  const after = patchedRow(row, wanted);
  const { id, type, name, slug, open_graph, appearance, utm, redirect, routing, availability, content } =
    after;
  const { password_hash, pause_reason, folder_id, notes, external_id } = after;
  return {
    ...{
      id,
      type,
      name,
      slug,
      domain_number: domainNumber,
      open_graph,
      appearance,
      utm,
      redirect,
      routing,
      availability,
      content,
    },
    ...{ password_hash, pause_reason, folder_id, notes, archived: wanted.metadata.archived, external_id },
    password_changed: wanted.password.changed,
    urls_unchecked: wanted.urlsUnchecked,
  };
}

const METADATA_FAULTS = {
  NO_SUCH_FOLDER: () => fault('folderId', 'No such folder'),
  EXTERNAL_ID_TAKEN: () => nameTaken('externalId'),
  TOO_MANY_TAGS: () => fault('', `A user has at most ${ACCOUNT_TAGS_MAX} tags`),
} as const satisfies Record<MetadataFault, () => ApiError>;

export const metadataRefusal = (found: MetadataFault): ApiError => METADATA_FAULTS[found]();

const DOMAIN_FAULTS = {
  NO_SUCH_DOMAIN: 'No such domain',
  DOMAIN_NOT_VERIFIED: 'This domain is not verified',
} as const satisfies Record<DomainFault, string>;

export const domainRefusal = (found: DomainFault): ApiError =>
  fault('configuration.domain', DOMAIN_FAULTS[found]);

/** Refusals of a patch for its metadata and for too many former addresses; whether its address is taken is not checked. */
export async function findPatchRefusals(
  db: Queryable,
  userId: string,
  patch: RowPatch,
): Promise<readonly ApiError[]> {
  const refusals = await refuseMetadata(db, userId, [patch]);
  const [placed] = await placePatches(db, userId, [patch], refusals);
  const tooMany = new Map<string, ApiError>();
  const rename = placed === undefined ? null : renameOf(placed);
  if (rename !== null) await refuseTooManyAliases(db, [rename], tooMany);
  return [...refusals.values(), ...tooMany.values()];
}

/** The refusals for metadata by smartlink. */
async function refuseMetadata(
  db: Queryable,
  userId: string,
  patches: readonly RowPatch[],
): Promise<Map<string, ApiError>> {
  const refusals = new Map<string, ApiError>();
  const changing: { readonly id: string; readonly change: NewMetadata }[] = [];
  for (const { row, wanted } of patches) {
    const { tags, folderId, externalId } = wanted.metadata;
    const change: NewMetadata = {
      ...(areSameTags(tags, row.tags ?? []) ? {} : { tags }),
      ...(folderId === row.folder_id ? {} : { folderId }),
      ...(externalId === row.external_id ? {} : { externalId }),
    };
    if (tags.length > TAGS_MAX) {
      refusals.set(row.id, fault('addTags', `A smartlink has at most ${TAGS_MAX} tags`));
    } else if (Object.keys(change).length > 0) changing.push({ id: row.id, change });
  }
  if (changing.length === 0) return refusals;
  const found = await checkMetadata(
    db,
    userId,
    changing.map(({ change }) => change),
  );
  for (const [i, { id }] of changing.entries()) {
    const refusal = found[i] ?? null;
    if (refusal !== null) refusals.set(id, metadataRefusal(refusal));
  }
  return refusals;
}

function changedMembers({ row, domainNumber, wanted }: PlacedPatch): string[] {
  const { parts, metadata, password } = wanted;
  const changed: string[] = [];
  if (parts.name !== row.name) changed.push('smartlinkName');
  if (parts.slug !== undefined && parts.slug !== row.slug) changed.push('smartlinkUrl');
  if (domainNumber !== row.domain_number) changed.push('domain');
  if (parts.type !== row.type) changed.push('smartlinkType');
  if (!isDeepStrictEqual(parts.openGraph, row.open_graph)) changed.push('openGraph');
  if (parts.appearance !== undefined && !isDeepStrictEqual(parts.appearance, row.appearance)) {
    changed.push('appearance');
  }
  if (!isDeepStrictEqual(parts.routing, row.routing)) changed.push('routing');
  if (!isDeepStrictEqual(parts.availability, row.availability)) changed.push('availability');
  if (parts.utm !== undefined && !isDeepStrictEqual(parts.utm, row.utm)) changed.push('utm');
  if (parts.redirect !== undefined && !isDeepStrictEqual(parts.redirect, row.redirect)) {
    changed.push('redirect');
  }
  const before = row.content[parts.type] ?? {};
  for (const member of new Set([...Object.keys(before), ...Object.keys(parts.content)])) {
    if (!isDeepStrictEqual(parts.content[member], before[member])) changed.push(member);
  }
  if (password.changed) changed.push('password');
  if (!areSameTags(metadata.tags, row.tags ?? [])) changed.push('tags');
  if (metadata.folderId !== row.folder_id) changed.push('folderId');
  if (metadata.notes !== row.notes) changed.push('notes');
  if (metadata.archived !== (row.archived_at !== null)) changed.push('archived');
  if (metadata.externalId !== row.external_id) changed.push('externalId');
  return changed;
}

type Rename = Pick<Claim, 'slug' | 'domainNumber'> & {
  readonly id: string;
  readonly key: string;
  readonly oldKey: string;
};

/**
 * Gives smartlinks their new addresses and keeps the old ones as aliases, unless only the spelling changed. Those that
 * are in `refusals` are left out; further ones are added.
 */
async function renameAll(
  db: Queryable,
  userId: string,
  patches: readonly PlacedPatch[],
  refusals: Map<string, ApiError>,
): Promise<void> {
  const renames = patches.flatMap((patch) => (refusals.has(patch.row.id) ? [] : (renameOf(patch) ?? [])));
  if (renames.length === 0) return;
  await refuseTooManyAliases(db, renames, refusals);
  // If several patches claim the same slug, the first one gets it.
  const claims = new Map<string, Rename>();
  for (const rename of renames) {
    if (!refusals.has(rename.id) && !claims.has(rename.key)) claims.set(rename.key, rename);
  }
  const wanted = [...claims.values()].map(({ id, slug, domainNumber }) => ({
    ...{ slug, domainNumber, smartlinkId: id, isPrimary: true },
  }));
  const claimed = wanted.length === 0 ? claims : await claimSlugs(db, userId, wanted);
  for (const { id, key } of renames) {
    const isClaimed = claims.get(key)?.id === id && claimed.has(key);
    if (!isClaimed && !refusals.has(id)) refusals.set(id, slugTaken());
  }
  const left = renames.filter(({ id, key, oldKey }) => key !== oldKey && !refusals.has(id));
  const oldKeys = left.map(({ oldKey }) => oldKey);
  if (oldKeys.length > 0) await keepAsAliases(db, oldKeys);
}

function renameOf({ row, domainNumber, wanted: { parts } }: PlacedPatch): Rename | null {
  const slug = parts.slug ?? row.slug;
  if (slug === row.slug && domainNumber === row.domain_number) return null;
  const key = inDomain(slugKey(slug), domainNumber);
  return { id: row.id, slug, domainNumber, key, oldKey: inDomain(slugKey(row.slug), row.domain_number) };
}

async function refuseTooManyAliases(
  db: Queryable,
  renames: readonly Rename[],
  refusals: Map<string, ApiError>,
): Promise<void> {
  const moving = renames.filter(({ key, oldKey }) => key !== oldKey);
  if (moving.length === 0) return;
  const counts = await countOtherAliases(
    db,
    moving.map(({ id, key }) => ({ smartlinkId: id, key })),
  );
  for (const { id } of moving) {
    // Including the address that becomes an alias.
    if ((counts.get(id) ?? 0) + 1 <= ALIASES_MAX) continue;
    const message = `A smartlink keeps at most ${ALIASES_MAX} former addresses`;
    refusals.set(id, fault('configuration.smartlinkUrl', message));
  }
}
