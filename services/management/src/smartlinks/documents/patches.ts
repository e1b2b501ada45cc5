import { z } from 'zod';
import { check, type Fault, optional, type SmartlinkValidator, tagList } from '@smartlink/smartlink/document';
import {
  type DocumentUrl,
  isObject,
  isSmartlinkType,
  isTargetPath,
  TAGS_MAX,
} from '@smartlink/smartlink/model';
import {
  changeTags,
  type DocumentParts,
  type Metadata,
  type SmartlinkRow,
  toDocument,
  toParts,
  urlsOf,
  urlsOfRow,
} from '@smartlink/smartlink/store';
import { faults } from '../../errors.js';
import { smartlinkIdSchema } from '../../requests.js';
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
  /** Host of the domain that the patch names; undefined: none, the smartlink stays where it is. */
  readonly domain: string | null | undefined;
};

/** The result of a patch, ready to be written. */
export type PatchWrite = {
  readonly parts: DocumentParts;
  /** After the patch. */
  readonly metadata: Metadata;
  readonly domain: PlannedPatch['domain'];
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
  const domain = Object.hasOwn(configuration, 'domain') ? (parts.domain ?? null) : undefined;
  return { parts, newUrls: urlsOf(parts).filter(({ url }) => !storedUrls.has(url)), tagChanges, domain };
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
    domain: planned.domain,
    password: nextPassword(row, patch, parts, checked.passwordHash),
    urlsUnchecked: newUrls.length > 0 && !checked.urlsChecked,
  };
}

/** The row after the patch, as far as planning the next patch needs it: that does not need the number of the domain. */
export function patchedRow(
  row: SmartlinkRow,
  { parts, metadata, domain, password }: PatchWrite,
): SmartlinkRow {
  return {
    ...row,
    type: parts.type,
    name: parts.name,
    slug: parts.slug ?? row.slug,
    domain: domain === undefined ? row.domain : domain,
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
