import type { Queryable } from '@smartlink/process/database';

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, details) values ($1, $2, $3, $4)`;

/**
 * Records a change of anything but a smartlink, in its transaction. `details` holds ids and names of changed members, no
 * content and no secrets.
 */
export async function addAuditEntry(
  db: Queryable,
  { actor, userId }: { readonly actor: string; readonly userId: string },
  action: `${string}.${string}`,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db.query(ADD_AUDIT_ENTRY, [actor, action, userId, JSON.stringify(details)]);
}
