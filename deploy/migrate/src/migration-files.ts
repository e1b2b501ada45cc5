import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export type Migration = {
  /** The leading digits of the file's name; the order in which files are applied. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Hex SHA-256 of the file's bytes: an applied file must never change. */
  readonly sha256: string;
  /**
   * The oldest schema whose builds can still run after it, from a line `-- compatible-from: 0005` at the file's head.
   * null without one: that is the one before it.
   */
  readonly compatibleFrom: number | null;
};

export type AppliedMigration = Pick<Migration, 'number' | 'name' | 'sha256'>;

/** A state of folder and database that no run can put right; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Returns the folder's `NNNN_name.sql` files in ascending order. Other files are a MigrationError, because a
 * mistyped name would otherwise be skipped silently; so are two files of one number. A missing folder throws ENOENT.
 */
export function readMigrations(folder: string): readonly Migration[] {
  const migrations = readdirSync(folder)
    .filter((file) => !file.startsWith('.'))
    .map((file) => readMigration(folder, file))
    .sort((a, b) => a.number - b.number);
  for (const [index, migration] of migrations.entries()) {
    const previous = migrations[index - 1];
    if (previous?.number === migration.number) {
      throw new MigrationError(
        `${previous.name} and ${migration.name} have the same number: renumber one of them`,
      );
    }
  }
  return migrations;
}

/**
 * Returns the migrations still to be applied, ascending. Throws MigrationError when an applied file has changed or
 * is gone, when the database knows a newer migration than the folder, or when a new file stands before an applied one.
 */
export function pendingMigrations(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const newestFile = files.at(-1)?.number ?? 0;
  const newestApplied = applied.reduce((newest, row) => Math.max(newest, row.number), 0);
  if (newestApplied > newestFile) {
    throw new MigrationError(
      `the database is at migration ${newestApplied}, this program knows only ${newestFile}: run a newer version of it`,
    );
  }
  for (const row of applied) {
    const file = files.find((migration) => migration.number === row.number);
    if (!file)
      throw new MigrationError(`${row.name} was applied to the database and is missing from the folder`);
    if (file.sha256 !== row.sha256) {
      throw new MigrationError(
        `${file.name} has changed since it was applied (as ${row.name}): put it back and write a new migration`,
      );
    }
  }
  const appliedNumbers = new Set(applied.map((row) => row.number));
  const pending = files.filter((migration) => !appliedNumbers.has(migration.number));
  const late = pending.find((migration) => migration.number < newestApplied);
  if (late) {
    throw new MigrationError(
      `${late.name} is new, yet the database is already at ${newestApplied}: give it a higher number`,
    );
  }
  return pending;
}

function readMigration(folder: string, file: string): Migration {
  const digits = /^(\d{4})_[a-z0-9_-]+\.sql$/.exec(file)?.[1];
  if (digits === undefined) {
    throw new MigrationError(`${file} in ${folder} is not named like 0001_what_it_does.sql`);
  }
  const bytes = readFileSync(join(folder, file));
  const sql = bytes.toString('utf8');
  return {
    number: Number(digits),
    name: file,
    sql,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    compatibleFrom: readCompatibleFrom(file, Number(digits), sql),
  };
}

/**
 * Returns what the comments at a file's head say of older builds. Throws MigrationError for a line that looks like it and
 * is not: taken for a comment, it would let a build run that must not, or stop one that may.
 */
export function readCompatibleFrom(name: string, number: number, sql: string): number | null {
  for (const line of sql.split(/\r?\n/)) {
    if (!/^\s*(?:--|$)/.test(line)) return null;
    if (!/^\s*--\s*compatible/i.test(line)) continue;
    const from = Number(/^-- compatible-from: (\d{4})$/.exec(line)?.[1] ?? NaN);
    if (from >= 1 && from <= number) return from;
    throw new MigrationError(
      `${name} has a line "${line.trim()}": expected -- compatible-from: and four digits, up to its own number`,
    );
  }
  return null;
}
