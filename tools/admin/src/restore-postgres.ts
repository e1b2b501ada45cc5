import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addAuditEntry } from './audit-queries.js';
import { readBackupFile } from './backup-file.js';
import type { BackupManifest, PostgresPart } from './backup-manifest.js';
import { listPostgresTables, listSequences } from './backup-postgres.js';
import { Problem } from './problem.js';
import {
  disableWebhooks,
  emptyTable,
  failWaitingMessages,
  findLackingForRestore,
  findLogin,
  hasRows,
  listReferences,
  lockTables,
  publishAllAddresses,
  raiseVersions,
  setSequence,
} from './restore-queries.js';
import { inTransaction } from './session.js';

// Redis, and redirect processes, may know versions that were given out after the backup was made, and would refuse what
// is older. So each version grows by more changes than can have been since; 2^53 has room for nine million restores.
const VERSIONS_AHEAD = 1_000_000_000;
const VERSION_SEQUENCE = 'smartlink_version';
// Migrations fill it.
const SEEDED = 'plans';

const NOT_SENT =
  'Restored from a backup, and not sent: it may have been delivered since. Send it again from the log.';
const DISABLED = 'Restored from a backup with --disable-webhooks';

/**
 * Throws Problem when the login may not do what a restore does: that of the services must not change what was noted in
 * the audit log, and so cannot put it back either.
 */
export async function requireRestoringLogin(db: Client): Promise<void> {
  const lacking = await findLackingForRestore(db);
  if (lacking.length === 0) return;
  const named = lacking.slice(0, NAMED_MAX).join('; ');
  throw new Problem(
    `The login ${await findLogin(db)} of DATABASE_URL may not restore: it lacks ${named}` +
      `${lacking.length > NAMED_MAX ? ' and more' : ''}. Use the login of the migrations, which owns the tables ` +
      '(smartlink_owner of deploy/postgres/roles.sql).',
  );
}

const NAMED_MAX = 3;

/** Throws Problem when a table that a restore would fill has rows. */
export async function requireEmptyPostgres(db: Client): Promise<void> {
  for (const { name } of await listPostgresTables(db)) {
    if (name === SEEDED || !(await hasRows(db, name))) continue;
    throw new Problem(
      `Postgres is not empty: ${name} has rows. A restore takes a new database, after npm run migrate.`,
    );
  }
}

/** Throws Problem when the backup lacks a sequence: ids and versions would begin anew, and be given out twice. */
export async function requireEverySequence(db: Client, part: PostgresPart): Promise<void> {
  const saved = new Set(part.sequences.map(({ name }) => name));
  const missing = (await listSequences(db)).find((name) => !saved.has(name));
  if (missing !== undefined) throw new Problem(`The backup has no sequence ${missing}.`);
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
    await lockTables(db, present);
    await requireEmptyPostgres(db);
    await emptyTable(db, SEEDED);
    const byName = new Map(part.tables.map((table) => [table.name, table]));
    for (const name of await inReferenceOrder(db, present)) {
      const table = byName.get(name);
      if (table === undefined) throw new Problem(`The backup has no table ${name}.`);
      const target = db.query(copyFrom(`copy ${name} (${table.columns.join(', ')}) from stdin`));
      for (const file of table.files) {
        await pipeline(readBackupFile(folder, file, { onRows, signal }), target, { signal });
      }
    }
    for (const sequence of part.sequences) {
      await setSequence(db, sequence, sequence.name === VERSION_SEQUENCE ? VERSIONS_AHEAD : 0);
    }
    await raiseVersions(db, VERSIONS_AHEAD);
    await publishAllAddresses(db);
    await failWaitingMessages(db, NOT_SENT);
    if (restore.disablesWebhooks) await disableWebhooks(db, DISABLED);
    await addAuditEntry(db, 'database.restore', null, { savedAt: part.snapshotAt });
  });
  // Plans are made of what is known of the tables, which is nothing yet.
  await db.query('analyze');
}

/** Returns the tables, each after those that it refers to. What is checked at commit needs no order. */
async function inReferenceOrder(db: Client, tables: readonly string[]): Promise<readonly string[]> {
  const references = await listReferences(db);
  const ordered: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const isReady = (name: string) =>
      !references.some((row) => row.name === name && left.includes(row.refersTo));
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${left.join(', ')}`);
    ordered.push(...ready);
    left = left.filter((name) => !ready.includes(name));
  }
  return ordered;
}
