import { expect, it } from 'vitest';
import { splitStatements } from './statements.js';

it('splits at a semicolon that ends a line, and drops it', () => {
  expect(splitStatements('create table a (n UInt8);\ncreate table b\n  (n UInt8)  ;  \n')).toEqual([
    'create table a (n UInt8)',
    'create table b\n  (n UInt8)',
  ]);
});

it('takes a last statement without a semicolon', () => {
  expect(splitStatements('select 1;\r\nselect 2')).toEqual(['select 1', 'select 2']);
});

it('does not split at a semicolon inside a line or a comment', () => {
  const sql = "-- first; then;\nselect 'a;b', -- units: ms;\n  '--c;'\n;";
  expect(splitStatements(sql)).toHaveLength(1);
});

it('ends a statement whose last line carries a comment', () => {
  expect(splitStatements('select 1; -- the first\nselect 2;')).toEqual(['select 1', 'select 2']);
});

it('leaves out what is comment or empty', () => {
  expect(splitStatements('-- nothing here\n;\n\n;\n-- done\n')).toEqual([]);
});
