import type { Queryable } from '@smartlink/process/database';
import { isUuid, newId } from './ids.js';

/** What an owner files a smartlink under. Visitors see none of it, and no snapshot contains it. */
export type Metadata = {
  /** Names; of two spellings of one tag the first. */
  readonly tags: readonly string[];
  readonly folderId: string | null;
  readonly notes: string | null;
  readonly archived: boolean;
  /** The owner's own id of the smartlink, unique among those that are not deleted. */
  readonly externalId: string | null;
};

/** Most tags of an account. */
export const ACCOUNT_TAGS_MAX = 1_000;

/** The form in which names of tags and folders are unique: two spellings are one name. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

/** Names by their keys; of one key the first. */
export function byKey(names: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) if (!found.has(nameKey(name))) found.set(nameKey(name), name);
  return found;
}

/** The metadata of a document. */
export function toMetadata(members: {
  readonly [Name in keyof Metadata]?: Metadata[Name] | undefined;
}): Metadata {
  const { tags = [], folderId = null, notes = null, archived = false, externalId = null } = members;
  return { tags: [...byKey(tags).values()], folderId, notes, archived, externalId };
}

/** Tags after a change; those of `removed` that are also `added` stay. */
export function changeTags(
  tags: readonly string[],
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): readonly string[] {
  const without = byKey(removed);
  return [...byKey([...tags.filter((name) => !without.has(nameKey(name))), ...added]).values()];
}

/** The column `tags` of a smartlink: names in the order of their keys; null without any. */
export const TAGS_COLUMN = `
  (select array_agg(tags.name order by tags.key)
   from smartlink_tags join tags on tags.id = smartlink_tags.tag_id
   where smartlink_tags.smartlink_id = smartlinks.id) as tags`;

/** `no key update` does not block inserts of rows with a foreign key to this one. */
export const LOCK_USER = `select id from users where id = $1 for no key update`;

const LOCK_FOLDERS = `
select id from folders where user_id = $1 and id = any($2::uuid[]) order by id for key share`;

/** Those of the folders that exist. They cannot be deleted until the transaction ends. */
async function lockFolders(
  db: Queryable,
  userId: string,
  ids: Iterable<string | null | undefined>,
): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string' && isUuid(id));
  if (wanted.length === 0) return new Set();
  const { rows } = await db.query(LOCK_FOLDERS, [userId, wanted]);
  return new Set((rows as { id: string }[]).map(({ id }) => id));
}

/**
 * Takes the locks for a transaction that writes metadata of an account's smartlinks, before it locks any smartlink: the
 * account if tags or external ids change, which makes such transactions wait for each other; and the folders. Everything
 * that deletes or merges tags locks the account first, and what deletes a folder locks it before its smartlinks.
 */
export async function lockMetadata(
  db: Queryable,
  userId: string,
  wanted: { readonly locksAccount: boolean; readonly folderIds: Iterable<string | null | undefined> },
): Promise<void> {
  if (wanted.locksAccount) await db.query(LOCK_USER, [userId]);
  await lockFolders(db, userId, wanted.folderIds);
}

/** Metadata that a smartlink gets. Members that stay as they are may be left out. */
export type NewMetadata = Partial<Pick<Metadata, 'tags' | 'folderId' | 'externalId'>>;

export type MetadataFault = 'NO_SUCH_FOLDER' | 'EXTERNAL_ID_TAKEN' | 'TOO_MANY_TAGS';

const FIND_EXTERNAL_IDS = `
select external_id as "externalId" from smartlinks
where user_id = $1 and external_id = any($2::text[]) and status <> 'Deleted'`;

const FIND_TAGS = `select key from tags where user_id = $1 and key = any($2::text[])`;
const COUNT_TAGS = `select count(*)::integer as count from tags where user_id = $1`;

/** Checks, after lockMetadata, metadata in order, each as if those before it had been written; null: without a fault. */
export async function checkMetadata(
  db: Queryable,
  userId: string,
  wanted: readonly NewMetadata[],
): Promise<readonly (MetadataFault | null)[]> {
  const folders = await lockFolders(
    db,
    userId,
    wanted.map(({ folderId }) => folderId),
  );
  const externalIds = wanted.flatMap(({ externalId }) => externalId ?? []);
  const taken = new Set<string>();
  if (externalIds.length > 0) {
    const { rows } = await db.query(FIND_EXTERNAL_IDS, [userId, externalIds]);
    for (const row of rows as { externalId: string }[]) taken.add(row.externalId);
  }
  const known = await findTags(
    db,
    userId,
    wanted.flatMap(({ tags = [] }) => tags),
  );
  return wanted.map(({ tags = [], folderId = null, externalId = null }) => {
    if (folderId !== null && !folders.has(folderId)) return 'NO_SUCH_FOLDER';
    if (externalId !== null && taken.has(externalId)) return 'EXTERNAL_ID_TAKEN';
    const added = [...byKey(tags).keys()].filter((key) => !known.keys.has(key));
    if (added.length > known.room) return 'TOO_MANY_TAGS';
    known.room -= added.length;
    for (const key of added) known.keys.add(key);
    if (externalId !== null) taken.add(externalId);
    return null;
  });
}

/** Those of the tags that exist, by key, and how many may be added; counted only if one is missing. */
async function findTags(db: Queryable, userId: string, names: readonly string[]) {
  const wanted = [...byKey(names).keys()];
  if (wanted.length === 0) return { keys: new Set<string>(), room: 0 };
  const { rows } = await db.query(FIND_TAGS, [userId, wanted]);
  const keys = new Set((rows as { key: string }[]).map(({ key }) => key));
  if (keys.size === wanted.length) return { keys, room: 0 };
  const counted = await db.query(COUNT_TAGS, [userId]);
  return { keys, room: ACCOUNT_TAGS_MAX - (counted.rows[0] as { count: number }).count };
}

const ADD_TAGS = `
insert into tags (id, user_id, name, key)
select id, $1, name, key from unnest($2::uuid[], $3::text[], $4::text[]) as tag (id, name, key)
order by key
on conflict (user_id, key) do nothing`;

const SET_TAGS = `
with wanted as (
  select wanted.smartlink_id, tags.id as tag_id
  from unnest($2::uuid[], $3::text[]) as wanted (smartlink_id, key)
  join tags on tags.user_id = $1 and tags.key = wanted.key
), removed as (
  delete from smartlink_tags where smartlink_id = any($4::uuid[])
  and not exists (select from wanted where wanted.smartlink_id = smartlink_tags.smartlink_id
                  and wanted.tag_id = smartlink_tags.tag_id)
), added as (
  insert into smartlink_tags (smartlink_id, tag_id) select smartlink_id, tag_id from wanted on conflict do nothing
)
select wanted.smartlink_id as id, array_agg(tags.name order by tags.key) as tags
from wanted join tags on tags.id = wanted.tag_id group by wanted.smartlink_id`;

/**
 * Sets the tags of smartlinks after checkMetadata, adds the missing tags, and returns their names as they are stored, in
 * order, by smartlink; those without tags are left out.
 */
export async function setTags(
  db: Queryable,
  userId: string,
  wanted: readonly { readonly id: string; readonly tags: readonly string[] }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (wanted.length === 0) return new Map();
  const names = [...byKey(wanted.flatMap(({ tags }) => tags))];
  if (names.length > 0) {
    const now = Date.now();
    const [ids, texts] = [names.map(() => newId(now)), names.map(([, name]) => name)];
    await db.query(ADD_TAGS, [userId, ids, texts, names.map(([key]) => key)]);
  }
  const pairs = wanted.flatMap(({ id, tags }) => [...byKey(tags).keys()].map((key) => ({ id, key })));
  const { rows } = await db.query(SET_TAGS, [
    userId,
    pairs.map(({ id }) => id),
    pairs.map(({ key }) => key),
    wanted.map(({ id }) => id),
  ]);
  return new Map((rows as { id: string; tags: readonly string[] }[]).map(({ id, tags }) => [id, tags]));
}

/** Whether two lists are the same tags. */
export function areSameTags(one: readonly string[], other: readonly string[]): boolean {
  const keys = byKey(one);
  const others = byKey(other);
  return keys.size === others.size && [...keys.keys()].every((key) => others.has(key));
}
