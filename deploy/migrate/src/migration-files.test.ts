import { expect, it } from 'vitest';
import { MigrationError, pendingMigrations } from './migration-files.js';
import type { Migration } from './migration-files.js';

const file = (number: number, sha256 = `hash ${number}`): Migration => ({
  number,
  name: `${String(number).padStart(4, '0')}_step.sql`,
  sql: 'select 1',
  sha256,
});

it('returns what is not yet applied, in order', () => {
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
