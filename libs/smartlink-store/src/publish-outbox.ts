import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

/** A change that is committed and perhaps not published. */
export type OutboxEntry = { readonly id: string; readonly slugKey: string };

const ADD_TO_OUTBOX = `
insert into publish_outbox (slug_key, version)
select slugs.key, change.version
from unnest($1::uuid[], $2::bigint[]) as change (smartlink_id, version)
join slugs on slugs.smartlink_id = change.smartlink_id
returning id, slug_key as "slugKey"`;

/** Notes, in the transaction of the changes, that all addresses of these smartlinks must be published. */
export async function addToOutbox(
  db: Queryable,
  changed: readonly { readonly id: string; readonly version: string }[],
): Promise<readonly OutboxEntry[]> {
  const { rows } = await db.query(ADD_TO_OUTBOX, [
    changed.map(({ id }) => id),
    changed.map(({ version }) => version),
  ]);
  return rows as OutboxEntry[];
}
