import { resolve } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import { findClickhouseMigrations } from './backup-clickhouse.js';
import { ROWS, withProgress } from './backup-create.js';
import type { Engine } from './backup-create.js';
import { readManifest, rowsOf } from './backup-manifest.js';
import type { AppliedMigrations, BackupManifest, ClickhousePart, PostgresPart } from './backup-manifest.js';
import { findPostgresMigrations } from './backup-postgres.js';
import { describeRate } from './backup-rate.js';
import { withClickhouse } from './clickhouse.js';
import { tryLock } from './import-queries.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import {
  emptyClickhouse,
  newStage,
  requireEmptyClickhouse,
  requireRestoringClickhouseLogin,
  restoreClickhouse,
} from './restore-clickhouse.js';
import {
  requireEmptyPostgres,
  requireEverySequence,
  requireRestoringLogin,
  restorePostgres,
} from './restore-postgres.js';
import { findUnknownUsers } from './restore-queries.js';
import { withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';
import { nothingLeft, whileListening } from './while-listening.js';

export type RestoreOptions = {
  readonly only?: Engine;
  readonly disableWebhooks?: true;
  readonly json?: true;
};

const RESTORE_LOCK = 'smartlink restore';

type Parts = { readonly postgres: PostgresPart | null; readonly clickhouse: ClickhousePart | null };
type Restore = {
  readonly folder: string;
  readonly manifest: BackupManifest;
  readonly parts: Parts;
  readonly disablesWebhooks: boolean;
  readonly signal: AbortSignal;
};

/**
 * Fills empty, migrated databases from a backup. ClickHouse comes first and Postgres last, in one transaction: until
 * that is committed there is no user and no address, so that nothing half restored is taken for the whole. Throws Problem
 * when a database is not empty or of another schema, and when the backup is damaged; the databases are empty then.
 */
export async function restoreBackup(
  terminal: Terminal,
  path: string,
  options: RestoreOptions,
): Promise<void> {
  const folder = resolve(path);
  const manifest = await readManifest(folder);
  const parts = chooseParts(folder, manifest, options.only);
  const startedAt = performance.now();
  const ownerless = await withSession(terminal.env, (session) =>
    whileListening(terminal, nothingLeft('the restore'), async (signal) => {
      const disablesWebhooks = options.disableWebhooks === true;
      const restore = { folder, manifest, parts, disablesWebhooks, signal };
      // Held until the connection ends. Without it two could find the databases empty, and fill them both.
      if (!(await tryLock(session.db, RESTORE_LOCK)))
        throw new Problem('Another restore fills this database: wait until it has ended.');
      if (parts.postgres !== null) {
        requireSameSchema('Postgres', parts.postgres.migrations, await findPostgresMigrations(session.db));
        await requireEverySequence(session.db, parts.postgres);
        await requireRestoringLogin(session.db);
        await requireEmptyPostgres(session.db);
      }
      if (parts.clickhouse === null) {
        await fillPostgres(terminal, session, restore);
        return null;
      }
      return withClickhouse(session, (clickhouse) => fillBoth(terminal, session, clickhouse, restore));
    }),
  );
  tell(terminal, options, { parts, durationMs: performance.now() - startedAt, ownerless });
}

function chooseParts(folder: string, manifest: BackupManifest, only: Engine | undefined): Parts {
  const { postgres, clickhouse } = manifest;
  if (only !== undefined && manifest[only] === null) throw new Problem(`${folder} holds no ${only}.`);
  return {
    postgres: only === 'clickhouse' ? null : postgres,
    clickhouse: only === 'postgres' ? null : clickhouse,
  };
}

async function fillBoth(
  terminal: Terminal,
  session: Session,
  clickhouse: ClickHouseClient,
  restore: Restore,
): Promise<readonly string[]> {
  const { folder, parts, signal } = restore;
  const part = parts.clickhouse;
  if (part === null) return [];
  requireSameSchema('ClickHouse', part.migrations, await findClickhouseMigrations(clickhouse));
  const stage = newStage();
  await requireRestoringClickhouseLogin(clickhouse, stage);
  await requireEmptyClickhouse(clickhouse);
  const progress = showProgress(terminal, 'Restoring ClickHouse', rowsOf(part.tables), ROWS);
  await withProgress(progress, (onRows) =>
    restoreClickhouse(clickhouse, { folder, part, stage, onRows, signal }),
  );
  try {
    await fillPostgres(terminal, session, restore);
  } catch (err) {
    await emptyClickhouse(clickhouse);
    throw err;
  }
  return findOwnerless(session, clickhouse);
}

async function fillPostgres(terminal: Terminal, { db }: Session, restore: Restore): Promise<void> {
  const part = restore.parts.postgres;
  if (part === null) return;
  const progress = showProgress(terminal, 'Restoring Postgres', rowsOf(part.tables), ROWS);
  await withProgress(progress, (onRows) => restorePostgres(db, { ...restore, part, onRows }));
}

/**
 * A backup of an older schema goes into a database of that schema, which the next migrations then bring up to date with
 * their rows: a column by itself would not do, for a migration may also change what is stored.
 */
function requireSameSchema(engine: string, saved: AppliedMigrations, present: AppliedMigrations): void {
  const numberOf = (migrations: AppliedMigrations) => migrations.at(-1)?.number ?? 0;
  const isSame =
    saved.length === present.length && saved.every(({ sha256 }, i) => sha256 === present[i]?.sha256);
  if (isSame) return;
  throw new Problem(
    `The backup is of schema ${numberOf(saved)} of ${engine}, and the database of schema ${numberOf(present)}: restore it ` +
      'with the version that made it, into a database that this version has migrated, then upgrade and run npm run migrate.',
  );
}

/** Returns owners of visits who are no users: deleted, or made, while the backup was. */
async function findOwnerless({ db }: Session, clickhouse: ClickHouseClient): Promise<readonly string[]> {
  const owners = await selectRows<{ id: string }>(
    clickhouse,
    'select distinct toString(owner_id) as id from (select owner_id from events union all select owner_id from visits_daily)',
    {},
    OWNERS_LIMIT_MS,
  );
  return findUnknownUsers(
    db,
    owners.map(({ id }) => id),
  );
}

const OWNERS_LIMIT_MS = 600_000;

function tell(
  terminal: Terminal,
  options: RestoreOptions,
  done: { readonly parts: Parts; readonly durationMs: number; readonly ownerless: readonly string[] | null },
): void {
  const { postgres, clickhouse } = done.parts;
  const postgresRows = postgres === null ? null : rowsOf(postgres.tables);
  const clickhouseRows = clickhouse === null ? null : rowsOf(clickhouse.tables);
  const ownerless = done.ownerless ?? [];
  if (options.json === true) {
    const durationMs = Math.round(done.durationMs);
    terminal.stdout(`${JSON.stringify({ postgresRows, clickhouseRows, durationMs, ownerless })}\n`);
    return;
  }
  const rows = (postgresRows ?? 0) + (clickhouseRows ?? 0);
  terminal.stdout(`Restored ${describeRate(rows, done.durationMs)}.\n`);
  if (ownerless.length > 0) {
    terminal.stdout(
      `Visits of ${plural(ownerless.length, 'owner')} who ${ownerless.length === 1 ? 'is no user' : 'are no users'} are shown to nobody; ` +
        `users delete ID --yes deletes them: ${ownerless.slice(0, OWNERS_NAMED_MAX).join(', ')}\n`,
    );
  }
  if (postgres !== null) terminal.stdout(NEXT);
}

const OWNERS_NAMED_MAX = 10;

const NEXT = `Next: empty Redis, or run cache verify --repair; start the services, or replace redirect's workers (SIGUSR2).
All addresses are published anew as soon as the management service runs.
`;
