import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Queryable } from '@smartlink/process/database';
import { check, type Fault, optional, type SmartlinkValidator, tagList } from '@smartlink/smartlink/document';
import {
  type DocumentUrl,
  isObject,
  isSmartlinkType,
  isTargetPath,
  slugKey,
  TAGS_MAX,
} from '@smartlink/smartlink/model';
import {
  ACCOUNT_TAGS_MAX,
  ALIASES_MAX,
  areSameTags,
  changeTags,
  checkMetadata,
  claimSlugs,
  countOtherAliases,
  type DocumentParts,
  keepAsAliases,
  type Metadata,
  type MetadataFault,
  type NewMetadata,
  setTags,
  type SmartlinkRow,
  toDocument,
  toParts,
  urlsOf,
  urlsOfRow,
} from '@smartlink/smartlink/store';
import { type ApiError, fault, faults, nameTaken, slugTaken } from '../../errors.js';
import { smartlinkIdSchema } from '../../requests.js';
import { type ChangedSmartlink, updateSmartlinks } from './queries.js';
import { remainingReason } from './smartlink-view.js';

// z.record would walk and copy all of it: a hundred thousand unknown members are a third of such a PATCH's work.
export const optionalObject = z.custom<Record<string, unknown>>(isObject, 'Must be an object').optional();

/** The changed members are checked after the merge, where `null` clears an optional object. */
export const patchBodySchema = z.looseObject(
  { id: smartlinkIdSchema, configuration: optionalObject },
  'Must be an object',
);

/** Members of a PATCH alone: tags to add and to remove, for callers that have not read the smartlink. */
export const tagChangesSchema = z.object({
  addTags: optional(
    tagList().meta({
      description: `Tags to add, at most ${TAGS_MAX} with those it has. Not together with \`tags\`.`,
    }),
  ),
  removeTags: optional(
    tagList().meta({ description: 'Tags to remove, if it has them. Not together with `tags`.' }),
  ),
});

export type Patch = Readonly<Record<string, unknown>> & { readonly id: string };

/** A patch merged into a row and checked. */
export type PlannedPatch = {
  readonly parts: DocumentParts;
  /** URLs that the row does not have now, including those of a type that returns. */
  readonly newUrls: readonly DocumentUrl[];
  readonly tagChanges: { readonly added: readonly string[]; readonly removed: readonly string[] };
};

/** The result of a patch, ready to be written. */
type PatchWrite = {
  readonly parts: DocumentParts;
  /** After the patch. */
  readonly metadata: Metadata;
  readonly password: { readonly hash: string | null; readonly changed: boolean };
  /** It adds URLs that no safety provider has judged. */
  readonly urlsUnchecked: boolean;
};

/** Throws VALIDATION_FAILED with every fault. */
export function planPatch(validator: SmartlinkValidator, row: SmartlinkRow, patch: Patch): PlannedPatch {
  const configuration = isObject(patch['configuration']) ? patch['configuration'] : {};
  const type = configuration['smartlinkType'];
  const document = mergeDocument(toDocument(row, isSmartlinkType(type) ? type : row.type), patch);
  const hasStoredPassword = row.password_hash !== null && !clearsPassword(patch);
  const stored = urlsOfRow(row);
  const storedUrls = new Set(stored.map(({ url }) => url));
  const storedTargets = new Set(stored.filter(({ path }) => isTargetPath(path)).map(({ url }) => url));
  const checked = validator.validate(document, { hasStoredPassword, storedUrls, storedTargets });
  const found: Fault[] = checked.ok ? [] : [...checked.faults];
  if (configuration['smartlinkUrl'] === null) {
    found.push({ path: 'configuration.smartlinkUrl', message: 'A smartlink cannot be without an address' });
  }
  const tagChanges = readTagChanges(patch, found);
  if (!checked.ok || found.length > 0) throw faults(found);
  const parts = toParts(checked.value);
  return { parts, newUrls: urlsOf(parts).filter(({ url }) => !storedUrls.has(url)), tagChanges };
}

const NO_TAG_CHANGES = { added: [], removed: [] };

function readTagChanges(patch: Patch, found: Fault[]): PlannedPatch['tagChanges'] {
  const names = Object.keys(tagChangesSchema.shape).filter((name) => isSet(patch[name]));
  if (names.length === 0) return NO_TAG_CHANGES;
  const checked = check(tagChangesSchema, patch);
  if (!checked.ok) found.push(...checked.faults);
  if (Object.hasOwn(patch, 'tags')) {
    found.push(...names.map((path) => ({ path, message: 'Must not be combined with tags' })));
  }
  if (!checked.ok) return NO_TAG_CHANGES;
  const { addTags: added = [], removeTags: removed = [] } = checked.value;
  return { added, removed };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The row's metadata after the patch. The row and not the plan decides: a folder's deletion leaves the version as it is. */
function nextMetadata(row: SmartlinkRow, patch: Patch, { parts, tagChanges }: PlannedPatch): Metadata {
  const { metadata } = parts;
  const isGiven = (name: keyof Metadata): boolean => Object.hasOwn(patch, name);
  return {
    tags: isGiven('tags') ? metadata.tags : changeTags(row.tags ?? [], tagChanges),
    folderId: isGiven('folderId') ? metadata.folderId : row.folder_id,
    notes: isGiven('notes') ? metadata.notes : row.notes,
    archived: isGiven('archived') ? metadata.archived : row.archived_at !== null,
    externalId: isGiven('externalId') ? metadata.externalId : row.external_id,
  };
}

/** What a patch makes lockMetadata lock. The patch may be unchecked. */
export function metadataLocksOf(patch: Patch): { locksAccount: boolean; folderId: string | null } {
  const { folderId } = patch;
  return {
    locksAccount: ['tags', 'addTags', 'removeTags', 'externalId'].some((name) => Object.hasOwn(patch, name)),
    folderId: typeof folderId === 'string' ? folderId : null,
  };
}

/** `passwordHash` is of the new password, if there is one; `urlsChecked`: a provider has judged the new URLs. */
export function toPatchWrite(
  row: SmartlinkRow,
  patch: Patch,
  planned: PlannedPatch,
  checked: { readonly passwordHash: string | undefined; readonly urlsChecked: boolean },
): PatchWrite {
  const { parts, newUrls } = planned;
  return {
    parts,
    metadata: nextMetadata(row, patch, planned),
    password: nextPassword(row, patch, parts, checked.passwordHash),
    urlsUnchecked: newUrls.length > 0 && !checked.urlsChecked,
  };
}

/** The row after the patch, as far as planning the next patch needs it. */
export function patchedRow(row: SmartlinkRow, { parts, metadata, password }: PatchWrite): SmartlinkRow {
  return {
    ...row,
    type: parts.type,
    name: parts.name,
    slug: parts.slug ?? row.slug,
    open_graph: parts.openGraph,
    appearance: parts.appearance === undefined ? row.appearance : parts.appearance,
    utm: parts.utm === undefined ? row.utm : parts.utm,
    redirect: parts.redirect === undefined ? row.redirect : parts.redirect,
    routing: parts.routing,
    availability: parts.availability,
    content: { ...row.content, [parts.type]: parts.content },
    password_hash: password.hash,
    pause_reason: remainingReason(row, parts),
    tags: metadata.tags.length === 0 ? null : metadata.tags,
    folder_id: metadata.folderId,
    notes: metadata.notes,
    archived_at: metadata.archived ? (row.archived_at ?? new Date()) : null,
    external_id: metadata.externalId,
  };
}

function clearsPassword(patch: Patch): boolean {
  return isObject(patch['shortener']) && patch['shortener']['password'] === null;
}

/**
 * The password of a patch is ignored, with the rest of `shortener`, while the type is not Url: the stored password
 * returns when the type does.
 */
function nextPassword(
  row: SmartlinkRow,
  patch: Patch,
  parts: DocumentParts,
  passwordHash: string | undefined,
): PatchWrite['password'] {
  if (passwordHash !== undefined) return { hash: passwordHash, changed: true };
  if (parts.type === 'Url' && clearsPassword(patch))
    return { hash: null, changed: row.password_hash !== null };
  return { hash: row.password_hash, changed: false };
}

/** Objects merge field by field at every depth; arrays, `null` and wrong types replace. The validator checks the result. */
export function mergeDocument(
  document: Readonly<Record<string, unknown>>,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    const known = Object.hasOwn(document, key) ? document[key] : undefined;
    merged[key] = isObject(known) && isObject(value) ? mergeDocument(known, value) : value;
  }
  return merged;
}

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
  const changes = patches.map((patch) => ({ ...patch, changed: changedMembers(patch) }));
  const refusals = await refuseMetadata(db, userId, patches);
  await renameAll(db, userId, patches, refusals);
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

function toChanged({ row, wanted }: RowPatch): ChangedSmartlink {
  const after = patchedRow(row, wanted);
  const { id, type, name, slug, open_graph, appearance, utm, redirect, routing, availability, content } =
    after;
  const { password_hash, pause_reason, folder_id, notes, external_id } = after;
  return {
    ...{ id, type, name, slug, open_graph, appearance, utm, redirect, routing, availability, content },
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

/** Refusals of a patch for its metadata and for too many former addresses; whether its address is taken is not checked. */
export async function findPatchRefusals(
  db: Queryable,
  userId: string,
  patch: RowPatch,
): Promise<readonly ApiError[]> {
  const refusals = await refuseMetadata(db, userId, [patch]);
  const tooMany = new Map<string, ApiError>();
  const rename = renameOf(patch);
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

function changedMembers({ row, wanted: { parts, metadata, password } }: RowPatch): string[] {
  const changed: string[] = [];
  if (parts.name !== row.name) changed.push('smartlinkName');
  if (parts.slug !== undefined && parts.slug !== row.slug) changed.push('smartlinkUrl');
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

type Rename = { readonly id: string; readonly slug: string; readonly key: string; readonly oldKey: string };

/**
 * Gives smartlinks their new addresses and keeps the old ones as aliases, unless only the spelling changed. Those that
 * are in `refusals` are left out; further ones are added.
 */
async function renameAll(
  db: Queryable,
  userId: string,
  patches: readonly RowPatch[],
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
  const wanted = [...claims.values()].map(({ id, slug }) => ({ slug, smartlinkId: id, isPrimary: true }));
  const claimed = wanted.length === 0 ? claims : await claimSlugs(db, userId, wanted);
  for (const { id, key } of renames) {
    const isClaimed = claims.get(key)?.id === id && claimed.has(key);
    if (!isClaimed && !refusals.has(id)) refusals.set(id, slugTaken());
  }
  const left = renames.filter(({ id, key, oldKey }) => key !== oldKey && !refusals.has(id));
  const oldKeys = left.map(({ oldKey }) => oldKey);
  if (oldKeys.length > 0) await keepAsAliases(db, oldKeys);
}

function renameOf({ row, wanted: { parts } }: RowPatch): Rename | null {
  const slug = parts.slug ?? row.slug;
  if (slug === row.slug) return null;
  return { id: row.id, slug, key: slugKey(slug), oldKey: slugKey(row.slug) };
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
