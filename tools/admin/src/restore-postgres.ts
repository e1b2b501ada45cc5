import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addAuditEntry } from './audit-queries.js';
import { readBackupFile } from './backup-file.js';
import type { BackupManifest, PostgresPart } from './backup-manifest.js';
import { listPostgresTables } from './backup-postgres.js';
import { Problem } from './problem.js';
import { inTransaction } from './session.js';

// Redis, and redirect processes, may know versions that were given out after the backup was made, and would refuse what
// is older. So each version grows by more changes than can have been since; 2^53 has room for nine million restores.
const VERSIONS_AHEAD = 1_000_000_000;
const VERSION_SEQUENCE = 'smartlink_version';
// Migrations fill it.
const SEEDED = 'plans';

const NOT_SENT =
  'Restored from a backup, and not sent: it may have been delivered since. Send it again from the log.';

/** Throws Problem when a table that a restore would fill has rows. */
export async function requireEmptyPostgres(db: Client): Promise<void> {
  for (const { name } of await listPostgresTables(db)) {
    if (name === SEEDED) continue;
    const { rows } = await db.query(`select 1 from ${name} limit 1`);
    if (rows.length > 0) {
      throw new Problem(
        `Postgres is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
      );
    }
  }
}

export type PostgresRestore = {
  readonly folder: string;
  readonly manifest: BackupManifest;
  readonly part: PostgresPart;
  readonly disablesWebhooks: boolean;
  readonly onRows: (rows: number) => void;
  readonly signal: AbortSignal;
};

/**
 * Fills the empty database, all of it or nothing. Ids, times and content are as they were; versions are ahead of all that
 * were given out, every address is to be published, and messages that waited for a webhook are not sent. Throws Problem
 * when the backup is damaged or the database is not empty; rejects when Postgres fails and when `signal` says so.
 */
export async function restorePostgres(db: Client, restore: PostgresRestore): Promise<void> {
  const { folder, part, onRows, signal } = restore;
  await db.query('set statement_timeout = 0');
  await inTransaction(db, async () => {
    const present = (await listPostgresTables(db)).map(({ name }) => name);
    // Until it is done nobody writes, and nobody sees a half of it.
    await db.query(`lock table ${present.join(', ')} in access exclusive mode`);
    await requireEmptyPostgres(db);
    await db.query(`delete from ${SEEDED}`);
    const byName = new Map(part.tables.map((table) => [table.name, table]));
    for (const name of await inReferenceOrder(db, present)) {
      const table = byName.get(name);
      if (table === undefined) throw new Problem(`The backup has no table ${name}.`);
      const target = db.query(copyFrom(`copy ${name} (${table.columns.join(', ')}) from stdin`));
      for (const file of table.files) {
        await pipeline(readBackupFile(folder, file, { onRows, signal }), target, { signal });
      }
    }
    await setSequences(db, part);
    await renewVersions(db);
    await endWaitingMessages(db, restore.disablesWebhooks);
    await addAuditEntry(db, 'database.restore', null, { savedAt: part.snapshotAt });
  });
  // Plans are made of what is known of the tables, which is nothing yet.
  await db.query('analyze');
}

/** Returns the tables, each after those that it refers to. What is checked at commit needs no order. */
async function inReferenceOrder(db: Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string; refersTo: string }>(
    `select conrelid::regclass::text as name, confrelid::regclass::text as "refersTo" from pg_constraint
     where contype = 'f' and not condeferrable and conrelid <> confrelid
       and connamespace = current_schema()::regnamespace`,
  );
  const ordered: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const isReady = (name: string) => !rows.some((row) => row.name === name && left.includes(row.refersTo));
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${left.join(', ')}`);
    ordered.push(...ready);
    left = left.filter((name) => !ready.includes(name));
  }
  return ordered;
}

async function setSequences(db: Client, { sequences }: PostgresPart): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    const ahead = name === VERSION_SEQUENCE ? VERSIONS_AHEAD : 0;
    await db.query('select setval($1::regclass, $2::bigint + $3, $4)', [name, value, ahead, isCalled]);
  }
}

async function renewVersions(db: Client): Promise<void> {
  await db.query('update smartlinks set version = version + $1', [VERSIONS_AHEAD]);
  await db.query(
    `insert into publish_outbox (slug_key, version)
     select slugs.key, smartlinks.version from slugs join smartlinks on smartlinks.id = slugs.smartlink_id`,
  );
}

async function endWaitingMessages(db: Client, disablesWebhooks: boolean): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'Failed', error = $1, next_attempt_at = null, leased_until = null
     where status = 'Pending'`,
    [NOT_SENT],
  );
  if (!disablesWebhooks) return;
  await db.query(
    `update webhooks set is_enabled = false, disabled_reason = 'Restored from a backup with --disable-webhooks',
            visits_until = null, visits_after_id = null
     where is_enabled`,
  );
}
