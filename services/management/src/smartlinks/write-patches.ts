import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { slugKey } from '@smartlink/smartlink/slug';
import {
  ALIASES_MAX,
  claimSlugs,
  countOtherAliases,
  keepAsAliases,
} from '@smartlink/smartlink-store/slug-queries';
import type { SmartlinkRow } from '@smartlink/smartlink-store/smartlink-row';
import { fault } from '../errors.js';
import type { ApiError } from '../errors.js';
import { remainingReason } from './pause-reason.js';
import type { WantedPatch } from './plan-patch.js';
import { updateSmartlinks } from './queries.js';
import { slugTaken } from './slug-taken.js';

/** A row, which must be locked, and what becomes of it. */
export type PatchToWrite = { readonly row: SmartlinkRow; readonly wanted: WantedPatch };

/** A row as it is now, and the names of the members that changed; none when it was left as it is. */
export type WrittenPatch = { readonly row: SmartlinkRow; readonly changed: readonly string[] };

/**
 * Writes patches of different smartlinks of a user in a handful of statements, however many they are. Returns in the
 * same order what came of each, or why it was refused: for its address alone. Needs a transaction.
 */
export async function writePatches(
  db: Queryable,
  userId: string,
  patches: readonly PatchToWrite[],
): Promise<readonly (WrittenPatch | ApiError)[]> {
  const changes = patches.map((patch) => ({ ...patch, changed: changedMembers(patch) }));
  const refusals = await renameAll(db, userId, patches);
  const written = changes.filter(({ row, changed }) => changed.length > 0 && !refusals.has(row.id));
  const rows = written.length === 0 ? null : await updateSmartlinks(db, written.map(toChanged));
  return changes.map(
    ({ row, changed }) => refusals.get(row.id) ?? { row: rows?.get(row.id) ?? row, changed },
  );
}

function toChanged({ row, wanted: { parts, password, urlsUnchecked } }: PatchToWrite) {
  return {
    id: row.id,
    type: parts.type,
    name: parts.name,
    slug: parts.slug ?? row.slug,
    openGraph: parts.openGraph,
    content: { ...row.content, [parts.type]: parts.content },
    passwordHash: password.hash,
    passwordChanged: password.changed,
    urlsUnchecked,
    pauseReason: remainingReason(row, parts),
  };
}

function changedMembers({ row, wanted: { parts, password } }: PatchToWrite): string[] {
  const changed: string[] = [];
  if (parts.name !== row.name) changed.push('smartlinkName');
  if (parts.slug !== undefined && parts.slug !== row.slug) changed.push('smartlinkUrl');
  if (parts.type !== row.type) changed.push('smartlinkType');
  if (!isDeepStrictEqual(parts.openGraph, row.open_graph)) changed.push('openGraph');
  const before = row.content[parts.type] ?? {};
  for (const member of new Set([...Object.keys(before), ...Object.keys(parts.content)])) {
    if (!isDeepStrictEqual(parts.content[member], before[member])) changed.push(member);
  }
  if (password.changed) changed.push('password');
  return changed;
}

type Rename = { readonly id: string; readonly slug: string; readonly key: string; readonly oldKey: string };

/**
 * Gives smartlinks their new addresses and keeps the old ones as aliases; another spelling of the same is no alias.
 * Returns, by id, why some got none.
 */
async function renameAll(
  db: Queryable,
  userId: string,
  patches: readonly PatchToWrite[],
): Promise<ReadonlyMap<string, ApiError>> {
  const refusals = new Map<string, ApiError>();
  const renames = patches.flatMap((patch) => renameOf(patch) ?? []);
  if (renames.length === 0) return refusals;
  await refuseTooManyAliases(db, renames, refusals);
  // Of several that want the same address the first is tried.
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
  if (left.length > 0)
    await keepAsAliases(
      db,
      left.map(({ oldKey }) => oldKey),
    );
  return refusals;
}

function renameOf({ row, wanted: { parts } }: PatchToWrite): Rename | null {
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
    // With the address that becomes one.
    if ((counts.get(id) ?? 0) + 1 <= ALIASES_MAX) continue;
    const message = `A smartlink keeps at most ${ALIASES_MAX} former addresses`;
    refusals.set(id, fault('configuration.smartlinkUrl', message));
  }
}
