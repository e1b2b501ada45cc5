import { fileURLToPath } from 'node:url';
import { migrateClickhouse as runClickhouse, planClickhouse } from './migrate-clickhouse.js';
import type { ClickhouseCluster } from './migrate-clickhouse.js';
import { migratePostgres as runPostgres, planPostgres, withClickhouseLock } from './migrate-postgres.js';

export { MigrationError } from './migration-files.js';

/** The folders of the project's own migrations. They are the same from `src` and from `dist`. */
export const MIGRATION_FOLDERS = {
  postgres: fileURLToPath(new URL('../../migrations/postgres', import.meta.url)),
  clickhouse: fileURLToPath(new URL('../../migrations/clickhouse', import.meta.url)),
} as const;

type Report = (line: string) => void;

/** As in migrate-postgres.ts, with the project's own migrations unless `folder` names others. */
export async function migratePostgres(options: {
  databaseUrl: string;
  folder?: string;
  report?: Report;
}): Promise<readonly string[]> {
  return runPostgres({ folder: MIGRATION_FOLDERS.postgres, ...options });
}

/** As in migrate-clickhouse.ts, with the project's own migrations unless `folder` names others. Takes no lock. */
export async function migrateClickhouse(
  options: ClickhouseCluster & {
    clickhouseUrl: string;
    folder?: string;
    report?: Report;
    progressIntervalMs?: number;
  },
): Promise<readonly string[]> {
  return runClickhouse({ folder: MIGRATION_FOLDERS.clickhouse, ...options });
}

/**
 * Brings both databases up to date, Postgres first, and returns the names of the files it applied. Safe to run from
 * several processes at once: each waits for the one before it.
 */
export async function migrateBoth(
  options: ClickhouseCluster & { databaseUrl: string; clickhouseUrl: string; report?: Report },
): Promise<readonly string[]> {
  const { report } = options;
  const postgres = await migratePostgres({ databaseUrl: options.databaseUrl, ...(report && { report }) });
  const clickhouse = await withClickhouseLock(options.databaseUrl, () => migrateClickhouse(options));
  return [...postgres, ...clickhouse];
}

export type MigrationPlan = { readonly postgres: readonly string[]; readonly clickhouse: readonly string[] };

/** Returns the names of the files that migrateBoth would apply now. Changes nothing and takes no lock. */
export async function planBoth(options: {
  databaseUrl: string;
  clickhouseUrl: string;
}): Promise<MigrationPlan> {
  return {
    postgres: await planPostgres({ ...options, folder: MIGRATION_FOLDERS.postgres }),
    clickhouse: await planClickhouse({ ...options, folder: MIGRATION_FOLDERS.clickhouse }),
  };
}
