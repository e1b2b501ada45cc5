import type { ClickHouseClient } from '@clickhouse/client';
import { selectRows } from '@smartlink/visits/analytics';
import { print, Problem, type Terminal, whileListening, withProgress } from '../cli/terminal.js';
import { plural } from '../cli/text.js';
import { withClickhouse } from '../engines/clickhouse.js';
import { type Session, tryLock, withSession } from '../engines/session.js';
import {
  emptyClickhouse,
  findClickhouseMigrations,
  newStage,
  requireReadyClickhouse,
  restoreClickhouse,
} from './clickhouse.js';
import {
  type AppliedMigrations,
  type BackupParts,
  describeRate,
  type Engine,
  nothingLeft,
  readManifest,
  summarize,
  type Watch,
} from './files.js';
import { findPostgresMigrations, requireReadyPostgres, restorePostgres } from './postgres.js';

export type RestoreOptions = {
  readonly only?: Engine;
  readonly disableWebhooks?: true;
  readonly json?: true;
};

type Restore = Watch & {
  readonly folder: string;
  readonly parts: BackupParts;
  readonly disablesWebhooks: boolean;
};

/**
 * Fills empty, migrated databases from a backup. ClickHouse comes first and Postgres last, in one transaction: until its
 * commit there is no user and no address, so that a half restored instance is not taken for a whole one. Throws Problem when
 * a database is not empty or has another schema, and when the backup is damaged; then both are empty.
 */
export async function restoreBackup(
  terminal: Terminal,
  folder: string,
  { only, disableWebhooks, json }: RestoreOptions,
): Promise<void> {
  const manifest = await readManifest(folder);
  if (only !== undefined && manifest[only] === null) throw new Problem(`${folder} holds no ${only}.`);
  const postgres = only === 'clickhouse' ? null : manifest.postgres;
  const clickhouse = only === 'postgres' ? null : manifest.clickhouse;
  const parts = { postgres, clickhouse };
  const disablesWebhooks = disableWebhooks === true;
  const { rows, postgresRows, clickhouseRows } = summarize(parts);
  const startedAt = performance.now();
  const ownerless = await withSession(terminal.env, (session) =>
    whileListening(terminal, nothingLeft('the restore'), (signal) =>
      withProgress(terminal, { doing: 'Restoring', total: rows, unit: 'rows' }, (onRows) =>
        restore(session, { folder, parts, disablesWebhooks, signal, onRows }),
      ),
    ),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  print(
    terminal,
    json,
    { postgresRows, clickhouseRows, durationMs, ownerless },
    `Restored ${describeRate(rows, durationMs)}.\n${describeOwnerless(ownerless)}${postgres === null ? '' : NEXT}`,
  );
}

const OWNERS_NAMED_MAX = 10;

function describeOwnerless(ownerless: readonly string[]): string {
  if (ownerless.length === 0) return '';
  const are = ownerless.length === 1 ? 'is no user' : 'are no users';
  const named = ownerless.slice(0, OWNERS_NAMED_MAX).join(', ');
  const owners = `${plural(ownerless.length, 'owner')} who ${are}`;
  return `Visits of ${owners} are hidden; users delete ID --yes deletes them: ${named}\n`;
}

const NEXT = `Next: empty Redis, or run cache verify --repair; start the services, or replace redirect's workers (SIGUSR2).
All addresses are published again as soon as the management service runs.
`;

async function restore(session: Session, work: Restore): Promise<readonly string[]> {
  const { db } = session;
  const { postgres, clickhouse: part } = work.parts;
  // Without the lock two restores could both find the databases empty.
  if (!(await tryLock(db, 'smartlink restore'))) {
    throw new Problem('Another restore fills this database: wait until it has ended.');
  }
  if (postgres !== null) {
    requireSameSchema('Postgres', postgres.migrations, await findPostgresMigrations(db));
    await requireReadyPostgres(db, postgres);
  }
  if (part === null) {
    await fillPostgres(session, work);
    return [];
  }
  return withClickhouse(session, async (clickhouse) => {
    requireSameSchema('ClickHouse', part.migrations, await findClickhouseMigrations(clickhouse));
    const stage = newStage();
    await requireReadyClickhouse(clickhouse, stage);
    await restoreClickhouse(clickhouse, { ...work, part, stage });
    try {
      await fillPostgres(session, work);
    } catch (err) {
      await emptyClickhouse(clickhouse);
      throw err;
    }
    return findOwnerless(session, clickhouse);
  });
}

async function fillPostgres({ db }: Session, work: Restore): Promise<void> {
  const part = work.parts.postgres;
  if (part !== null) await restorePostgres(db, { ...work, part });
}

/**
 * A backup of an older schema goes into a database of that schema, which the next migrations then bring up to date with
 * its rows: adding columns would not do, for a migration may also change stored content.
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

const OWNERS_LIMIT_MS = 600_000;

/** Owners of visits who are no users: deleted or created during the backup. */
async function findOwnerless({ db }: Session, clickhouse: ClickHouseClient): Promise<readonly string[]> {
  const owners = await selectRows<{ id: string }>(
    clickhouse,
    'select distinct toString(owner_id) as id from (select owner_id from events union all select owner_id from visits_daily)',
    {},
    OWNERS_LIMIT_MS,
  );
  const { rows } = await db.query<{ id: string }>(
    'select id from unnest($1::uuid[]) as owners (id) where id not in (select id from users) order by id',
    [owners.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}
