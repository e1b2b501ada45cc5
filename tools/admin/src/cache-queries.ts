import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

// Ids follow the time of their making (new-id.ts), so the newest come first by the primary key.
const LIST_NEWEST = `
select id from smartlinks
where status <> 'Deleted' and ($1::uuid is null or id < $1)
order by id desc limit $2`;

/** Returns ids of smartlinks that are not deleted, newest first, older than `before`. */
export async function listNewest(
  db: Queryable,
  before: string | null,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await db.query(LIST_NEWEST, [before, limit]);
  return (rows as { id: string }[]).map(({ id }) => id);
}

/** Returns every address of these smartlinks. */
export async function listSlugsOf(
  db: Queryable,
  smartlinkIds: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await db.query('select key from slugs where smartlink_id = any($1::uuid[])', [
    smartlinkIds,
  ]);
  return (rows as { key: string }[]).map(({ key }) => key);
}

/** Returns slugs behind `after`, in their order. */
export async function listSlugs(db: Queryable, after: string, limit: number): Promise<readonly string[]> {
  const { rows } = await db.query('select key from slugs where key > $1 order by key limit $2', [
    after,
    limit,
  ]);
  return (rows as { key: string }[]).map(({ key }) => key);
}

/** Returns those of `slugKeys` that Postgres knows. */
export async function findKnownSlugs(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query('select key from slugs where key = any($1)', [slugKeys]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

/** Returns `count` slugs by chance, or all. */
export async function sampleSlugs(db: Queryable, count: number): Promise<readonly string[]> {
  const { rows } = await db.query('select key from slugs order by random() limit $1', [count]);
  return (rows as { key: string }[]).map(({ key }) => key);
}

/** Returns those of `slugKeys` that have a change which is yet to be published. */
export async function findUnpublished(
  db: Queryable,
  slugKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query('select slug_key as key from publish_outbox where slug_key = any($1)', [
    slugKeys,
  ]);
  return new Set((rows as { key: string }[]).map(({ key }) => key));
}

/** Returns about how many rows a table has, 0 when that is not known yet. */
export async function countAbout(db: Queryable, table: 'slugs' | 'smartlinks'): Promise<number> {
  const { rows } = await db.query(
    'select greatest(reltuples, 0)::float8 as n from pg_class where oid = $1::regclass',
    [table],
  );
  return Math.round((rows as { n: number }[])[0]?.n ?? 0);
}
