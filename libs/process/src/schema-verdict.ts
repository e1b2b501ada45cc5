import type { Engine } from './schema-needed.js';

/** A row of `schema_migration`. */
export type AppliedMigration = {
  readonly number: number;
  readonly name: string;
  /** The oldest schema whose builds can still run after it; null: the one before it. */
  readonly compatibleFrom: number | null;
};

/**
 * Returns why a build that was made for migration `needed` must not run on a database with these migrations, null when
 * it may. It may on exactly that schema, and on a newer one each of whose further migrations says that it can.
 */
export function judgeSchema(
  engine: Engine,
  needed: number,
  applied: readonly AppliedMigration[],
): string | null {
  const rows = applied.toSorted((a, b) => a.number - b.number);
  const newest = rows.at(-1);
  if (newest === undefined) {
    return `${engine} has an empty schema_migration, so nobody knows its schema: restore it from a backup`;
  }
  if (newest.number < needed) {
    return `${engine} is at migration ${padded(newest.number)} and this build needs ${padded(needed)}: npm run migrate`;
  }
  const known = new Set(rows.map((row) => row.number));
  const missing = Array.from({ length: needed }, (_, i) => i + 1).filter((number) => !known.has(number));
  if (missing.length > 0) {
    return `${engine} has a damaged schema_migration, without ${missing.map(padded).join(', ')}: restore it from a backup`;
  }
  const barrier = rows.find((row) => row.number > needed && (row.compatibleFrom ?? row.number - 1) > needed);
  if (barrier === undefined) return null;
  const from = barrier.compatibleFrom ?? barrier.number - 1;
  return (
    `${engine} has ${barrier.name}, on which only builds for ${padded(from)} and later run; ` +
    `this one is for ${padded(needed)}: run the newer release`
  );
}

const padded = (number: number): string => String(number).padStart(4, '0');
