import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders of the project's own migrations; the relative path is the same from `src` and `dist`. */
export const MIGRATION_FOLDERS = {
  postgres: fileURLToPath(new URL('../../migrations/postgres', import.meta.url)),
  clickhouse: fileURLToPath(new URL('../../migrations/clickhouse', import.meta.url)),
} as const;

export type Migration = {
  /** Leading digits of the file's name; the order of application. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Hexadecimal, of the file's bytes: an applied file must not change. */
  readonly sha256: string;
  /**
   * The oldest schema whose builds can still run after it, from a line `-- compatible-from: 0005` at the head of the
   * file. null means the previous one.
   */
  readonly compatibleFrom: number | null;
};

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256'>;

/** Folder and database do not match; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * The `NNNN_name.sql` files of a folder in ascending order. Throws MigrationError for other names, which would otherwise
 * be skipped silently, and for duplicate numbers; ENOENT for a missing folder.
 */
export function readMigrations(folder: string): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => !file.startsWith('.'));
  const migrations = files.map((file) => readMigration(folder, file)).sort((a, b) => a.number - b.number);
  for (const [index, { number, name }] of migrations.entries()) {
    const previous = migrations[index - 1];
    if (previous?.number === number) {
      throw new MigrationError(`${previous.name} and ${name} have the same number: renumber one of them`);
    }
  }
  return migrations;
}

/**
 * Migrations not applied yet, ascending. Throws MigrationError when an applied file has changed or is missing, when the
 * database has a newer migration than the folder, or when a new file precedes an applied one.
 */
export function pendingMigrations(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const newestFile = files.at(-1)?.number ?? 0;
  const newestApplied = Math.max(0, ...applied.map((row) => row.number));
  if (newestApplied > newestFile) {
    throw new MigrationError(
      `the database is at migration ${newestApplied}, this program knows only ${newestFile}: run a newer version`,
    );
  }
  for (const { number, name, sha256 } of applied) {
    const file = files.find((migration) => migration.number === number);
    if (!file) throw new MigrationError(`${name} was applied to the database but is missing from the folder`);
    if (file.sha256 !== sha256) {
      throw new MigrationError(
        `${file.name} has changed since it was applied (as ${name}): restore it and write a new migration`,
      );
    }
  }
  const pending = files.filter(({ number }) => !applied.some((row) => row.number === number));
  const [first] = pending;
  if (first !== undefined && first.number < newestApplied) {
    throw new MigrationError(
      `${first.name} is new, but the database is already at ${newestApplied}: give it a higher number`,
    );
  }
  return pending;
}

function readMigration(folder: string, name: string): Migration {
  const digits = /^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1];
  if (digits === undefined) {
    throw new MigrationError(`${name} in ${folder} is not named like 0001_what_it_does.sql`);
  }
  const bytes = readFileSync(join(folder, name));
  const sql = bytes.toString('utf8');
  const number = Number(digits);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { number, name, sql, sha256, compatibleFrom: readCompatibleFrom(name, number, sql) };
}

// A malformed line is an error: ignoring it would start builds that must not run, or stop builds that may.
export function readCompatibleFrom(name: string, number: number, sql: string): number | null {
  const [head = ''] = /^(?:\s*(?:--.*)?(?:\r?\n|$))*/.exec(sql) ?? [];
  const line = /^\s*--\s*compatible.*$/im.exec(head)?.[0];
  if (line === undefined) return null;
  const from = Number(/^-- compatible-from: (\d{4})$/.exec(line)?.[1] ?? NaN);
  if (from >= 1 && from <= number) return from;
  throw new MigrationError(
    `${name} has a line "${line.trim()}": expected -- compatible-from: and four digits, up to its own number`,
  );
}
