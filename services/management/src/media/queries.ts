import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type MediaFile, mediaName, mediaWidths, MEDIA_PATH } from '@smartlink/media/address';
import type { Queryable } from '@smartlink/process/database';
import { newId } from '@smartlink/smartlink/store';
import type { PageCursor } from '../requests.js';

export type MediaRow = {
  readonly id: string;
  readonly hash: string;
  /** Of the largest file. */
  readonly width: number;
  readonly height: number;
  readonly extension: 'jpg' | 'png';
  readonly bytes: number;
  readonly createdAt: Date;
};

const COLUMNS = `id, hash, width, height, extension, bytes::float8 as bytes, created_at as "createdAt"`;

const LIST = `
select ${COLUMNS} from media
where user_id = $1 and stored_at is not null
  and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
order by created_at desc, id desc limit $4`;

export async function listMedia(
  db: Queryable,
  userId: string,
  { after, limit }: { readonly after: PageCursor | null; readonly limit: number },
): Promise<readonly MediaRow[]> {
  const { rows } = await db.query(LIST, [userId, after?.time ?? null, after?.id ?? null, limit]);
  return rows as MediaRow[];
}

// A picture that is uploaded again is about to be used.
const FIND_STORED = `
update media set unused_since = case when unused_since is null then null else now() end
where user_id = $1 and sha256 = $2 and stored_at is not null
returning ${COLUMNS}`;

/** By id and account. */
export const FIND_MEDIA = `select ${COLUMNS} from media where id = $1 and user_id = $2 and stored_at is not null`;

/** The picture of an account with these bytes, if it is stored. */
export async function findStored(db: Queryable, userId: string, sha256: Buffer): Promise<MediaRow | null> {
  const { rows } = await db.query(FIND_STORED, [userId, sha256]);
  return (rows[0] as MediaRow | undefined) ?? null;
}

/** Of all pictures of an account. */
export const MEDIA_BYTES = `
(select coalesce(sum(bytes), 0)::float8 from media where media.user_id = users.id)`;

export async function countMediaBytes(db: Queryable, userId: string): Promise<number> {
  const { rows } = await db.query(`select ${MEDIA_BYTES} as bytes from users where id = $1`, [userId]);
  return (rows[0] as { bytes: number } | undefined)?.bytes ?? 0;
}

// Several processes that get the same bytes at once write the same files.
const ADD = `
insert into media (id, user_id, sha256, hash, width, height, extension, bytes)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (user_id, sha256) do update set created_at = now()
returning ${COLUMNS}, id <> $1 as "isKnown"`;

export type NewMedia = Pick<MediaRow, 'width' | 'height' | 'extension' | 'bytes'> & {
  readonly sha256: Buffer;
};

/** Adds a picture whose files are still to be written. */
export async function addMedia(
  client: PoolClient,
  userId: string,
  { sha256, width, height, extension, bytes }: NewMedia,
): Promise<MediaRow & { readonly isKnown: boolean }> {
  const id = newId(Date.now());
  const hash = createHash('sha256').update(id).update(sha256).digest('hex').slice(0, 32);
  const { rows } = await client.query(ADD, [id, userId, sha256, hash, width, height, extension, bytes]);
  return rows[0] as MediaRow & { isKnown: boolean };
}

const SET_STORED = `update media set stored_at = coalesce(stored_at, now()) where id = $1 returning id`;

const REMOVE_AGAIN = `
insert into media_removals (hash, width, extension) values ($1, $2, $3) on conflict do nothing`;

/** False: it was removed while its files were written, and they are to be removed once more. */
export async function setStored(db: Queryable, row: MediaRow): Promise<boolean> {
  const { rows } = await db.query(SET_STORED, [row.id]);
  if (rows.length === 1) return true;
  await db.query(REMOVE_AGAIN, [row.hash, row.width, row.extension]);
  return false;
}

/** The condition of the index smartlinks_with_media. */
const WITH_MEDIA = `status <> 'Deleted' and (content::text like '%${MEDIA_PATH}%' or open_graph::text like '%${MEDIA_PATH}%')`;

const IS_USED = `
select exists (select from smartlinks
               where user_id = $1 and ${WITH_MEDIA}
                 and strpos(concat(content, open_graph), '${MEDIA_PATH}' || $2) > 0) as "isUsed"`;

/** Whether an Active or Paused smartlink has an address of the picture, also in the content of a type it had before. */
export async function isUsed(db: Queryable, userId: string, hash: string): Promise<boolean> {
  const { rows } = await db.query(IS_USED, [userId, hash]);
  return (rows[0] as { isUsed: boolean }).isUsed;
}

const FIND_DUE = `
select user_id as "userId" from media
where use_checked_at < now() - interval '1 day'
group by user_id order by min(use_checked_at) limit $1`;

const CHECK_USE = `
with used as (
  select distinct found[1] as hash
  from smartlinks, regexp_matches(concat(content, open_graph), '${MEDIA_PATH}([0-9a-f]{32})-', 'g') as found
  where user_id = $1 and ${WITH_MEDIA}
)
update media set use_checked_at = now(),
  unused_since = case when hash in (select hash from used) then null else coalesce(unused_since, now()) end
where user_id = $1`;

const REMOVE_UNUSED = `
delete from media where user_id = $1 and unused_since < now() - interval '30 days'`;

/** Removes the pictures of some accounts that no smartlink has had for 30 days. Each account is due once a day. */
export async function removeUnused(db: Queryable, accountsMax: number): Promise<void> {
  const { rows } = await db.query(FIND_DUE, [accountsMax]);
  for (const { userId } of rows as { userId: string }[]) {
    await db.query(CHECK_USE, [userId]);
    await db.query(REMOVE_UNUSED, [userId]);
  }
}

/** Removes pictures whose upload has ended without all of their files. */
export async function removeUnfinished(db: Queryable): Promise<void> {
  await db.query(`delete from media where stored_at is null and created_at < now() - interval '1 hour'`, []);
}

type Removal = Pick<MediaRow, 'hash' | 'width' | 'extension'>;

/** Pictures whose files are to be removed, the oldest first. */
export async function listRemovals(db: Queryable, max: number): Promise<readonly Removal[]> {
  const { rows } = await db.query(
    'select hash, width, extension from media_removals order by removed_at limit $1',
    [max],
  );
  return rows as Removal[];
}

export async function endRemoval(db: Queryable, hash: string): Promise<void> {
  await db.query('delete from media_removals where hash = $1', [hash]);
}

/** The names of the files of a picture. */
export function fileNames({ hash, width: widest, extension }: Removal): readonly string[] {
  const extensions: MediaFile['extension'][] = ['webp', extension];
  return mediaWidths(widest).flatMap((width) =>
    extensions.map((each) => mediaName({ hash, width, extension: each })),
  );
}
