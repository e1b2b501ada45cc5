import type { Queryable } from '@smartlink/link-resolver/snapshot-query';

const ADD_AUDIT_ENTRY = `
insert into audit_entries (actor, action, user_id, smartlink_id, details) values ($1, $2, $3, $4, $5)`;

export type AuditEntry = {
  readonly keyId: string;
  readonly action:
    'smartlink.create' | 'smartlink.update' | 'smartlink.pause' | 'smartlink.activate' | 'smartlink.delete';
  readonly userId: string;
  readonly smartlinkId: string;
  /** Names of the members that changed. */
  readonly changed?: readonly string[];
};

/** Notes, in the transaction of a change, who changed what. */
export async function addAuditEntry(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.query(ADD_AUDIT_ENTRY, [
    `key ${entry.keyId}`,
    entry.action,
    entry.userId,
    entry.smartlinkId,
    entry.changed === undefined ? null : JSON.stringify({ changed: entry.changed }),
  ]);
}
