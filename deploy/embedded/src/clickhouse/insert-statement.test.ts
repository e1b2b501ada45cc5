import { expect, it } from 'vitest';
import { insertFromFileSql, parseDataInsert, quote } from './insert-statement.js';

const FILE = { path: "/tmp/it's here", compression: 'none' } as const;

it.each([
  ['insert into t format JSONEachRow', 'insert into t', '', 'JSONEachRow'],
  ['INSERT INTO `a b`.t (a, b)\nFORMAT RowBinary ;\n', 'INSERT INTO `a b`.t (a, b)', '', 'RowBinary'],
  [
    'insert into t (* except(a)) settings async_insert=0, x=1 format CSV',
    'insert into t (* except(a))',
    'settings async_insert=0, x=1',
    'CSV',
  ],
  [
    '-- note\n/* and; more */ insert into t (format, settings) values',
    'insert into t (format, settings)',
    '',
    'Values',
  ],
])('takes %j apart', (sql, head, settings, format) => {
  expect(parseDataInsert(sql)).toEqual({ head, settings, format });
});

it.each([
  'select 1 format JSON',
  'insert into t select 1',
  'insert into t values (1)',
  'insert into t format JSONEachRow {"a":1}',
  'create table t (a UInt8) engine = Memory',
  '',
])('leaves %j alone', (sql) => {
  expect(parseDataInsert(sql)).toBeNull();
});

it('reads the rows from a file, whatever its name', () => {
  const insert = parseDataInsert('insert into t (a) settings async_insert=0 format TSV');
  expect(insert && insertFromFileSql(insert, FILE)).toBe(
    "insert into t (a) from infile '/tmp/it\\'s here' compression 'none' settings async_insert=0 format TSV",
  );
});

it('quotes what would end a literal', () => {
  expect(quote("a'b\\c\nd")).toBe("'a\\'b\\\\c\nd'");
});
