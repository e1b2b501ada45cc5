import { expect, test } from 'vitest';
import { type AppliedMigration, judgeSchema } from './schema.js';

const row = (number: number, compatibleFrom: number | null = null): AppliedMigration => ({
  number,
  name: `${String(number).padStart(4, '0')}_step.sql`,
  compatibleFrom,
});
const upTo = (number: number) => Array.from({ length: number }, (_, i) => row(i + 1));
const judge = (needed: number, rows: readonly AppliedMigration[]) => judgeSchema('Postgres', needed, rows);

test('runs on the schema it was built for, and on the one after it', () => {
  expect(judge(6, upTo(6))).toBeNull();
  expect(judge(6, upTo(7))).toBeNull();
});

test('refuses an older schema and names the command', () => {
  expect(judge(6, upTo(5))).toBe('Postgres is at migration 0005 and this build needs 0006: npm run migrate');
});

test('runs on a schema two ahead only when both migrations say so', () => {
  expect(judge(6, upTo(8))).toMatch(/0008_step\.sql, on which only builds for 0007 and later run/);
  expect(judge(6, [...upTo(7), row(8, 6)])).toBeNull();
  expect(judge(6, [...upTo(6), row(7, 7), row(8, 6)])).toMatch(/0007_step\.sql/);
});

test('refuses the next schema when it says that builds of this one cannot run', () => {
  expect(judge(6, [...upTo(6), row(7, 7)])).toMatch(/this one is for 0006: run the newer release$/);
});

test('refuses a schema that contradicts its bookkeeping', () => {
  expect(judge(6, [])).toMatch(/empty schema_migration/);
  expect(judge(6, [...upTo(2), ...upTo(6).slice(4)])).toMatch(/damaged schema_migration, without 0003, 0004/);
});
