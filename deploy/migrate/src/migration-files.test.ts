import { expect, it } from 'vitest';
import { SCHEMA_NEEDED } from '@smartlink/process/schema';
import {
  type Migration,
  MIGRATION_FOLDERS,
  MigrationError,
  pendingMigrations,
  readCompatibleFrom,
  readMigrations,
} from './migration-files.js';

const file = (number: number, sha256 = `hash ${number}`): Migration => ({
  number,
  name: `${String(number).padStart(4, '0')}_step.sql`,
  sql: 'select 1',
  sha256,
  compatibleFrom: null,
});

it('returns the pending migrations in order', () => {
  const files = [file(1), file(2), file(3)];
  expect(pendingMigrations(files, [file(1)]).map((migration) => migration.number)).toEqual([2, 3]);
  expect(pendingMigrations(files, files)).toEqual([]);
});

it('refuses a database that is newer than the folder', () => {
  expect(() => pendingMigrations([file(1)], [file(1), file(2)])).toThrow(
    /at migration 2, this program knows only 1/,
  );
});

it('refuses a file that changed after it was applied', () => {
  expect(() => pendingMigrations([file(1, 'other')], [file(1)])).toThrow(MigrationError);
});

it('refuses an applied file that is gone, and a new one before an applied one', () => {
  expect(() => pendingMigrations([file(2)], [file(1)])).toThrow(/missing from the folder/);
  expect(() => pendingMigrations([file(1), file(2), file(3)], [file(1), file(3)])).toThrow(
    /give it a higher number/,
  );
});

it('reads from which schema on builds can run after it', () => {
  const read = (sql: string) => readCompatibleFrom('0007_step.sql', 7, sql);
  expect(read('-- What it does.\n-- compatible-from: 0005\nselect 1;')).toBe(5);
  expect(read('select 1;\n-- compatible-from: 0005')).toBeNull();
  expect(read('-- What it does.\nselect 1;')).toBeNull();
  for (const line of [
    '-- compatible-from: 5',
    '-- compatible from: 0005',
    '-- compatible-from: 0008',
    '--compatible-from: 0005',
  ])
    expect(() => read(`${line}\nselect 1;`)).toThrow(MigrationError);
});

it.each([
  ['Postgres', MIGRATION_FOLDERS.postgres],
  ['ClickHouse', MIGRATION_FOLDERS.clickhouse],
] as const)(
  'the services need the newest migration of %s, and their numbers have no gaps',
  (engine, folder) => {
    const numbers = readMigrations(folder).map((migration) => migration.number);
    expect(numbers).toEqual(Array.from({ length: SCHEMA_NEEDED[engine] }, (_, i) => i + 1));
  },
);
