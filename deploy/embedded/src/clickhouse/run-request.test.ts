import { expect, it } from 'vitest';
import { quote } from './engine.js';
import { createSlots, insertFromFileSql, prepareConnectionSql } from './run-request.js';

const FILE = { path: "/tmp/it's here", compression: 'none' } as const;
const SOURCE = "from infile '/tmp/it\\'s here' compression 'none'";

it.each([
  ['insert into t format JSONEachRow', `insert into t ${SOURCE} format JSONEachRow`],
  [
    'INSERT INTO `a b`.t (a, b)\nFORMAT RowBinary ;\n',
    `INSERT INTO \`a b\`.t (a, b) ${SOURCE} format RowBinary`,
  ],
  [
    'insert into t (* except(a)) settings async_insert=0, x=1 format CSV',
    `insert into t (* except(a)) ${SOURCE} settings async_insert=0, x=1 format CSV`,
  ],
  [
    '-- note\n/* and; more */ insert into t (format, settings) values',
    `insert into t (format, settings) ${SOURCE} format Values`,
  ],
])('reads the rows of %j from a file, whatever its name', (sql, expected) => {
  expect(insertFromFileSql(sql, FILE)).toBe(expected);
});

it.each([
  'select 1 format JSON',
  'insert into t select 1',
  'insert into t values (1)',
  'insert into t format JSONEachRow {"a":1}',
  'create table t (a UInt8) engine = Memory',
  '',
])('leaves %j alone', (sql) => {
  expect(insertFromFileSql(sql, FILE)).toBeNull();
});

it('quotes what would end a literal', () => {
  expect(quote("a'b\\c\nd")).toBe("'a\\'b\\\\c\nd'");
});

const prepare = (query: string) =>
  prepareConnectionSql({ queryId: 'q1', parameters: new URLSearchParams(query) });

it('sets the id and a time limit on every request', () => {
  expect(prepare('')).toBe("set max_execution_time = '60', log_comment = 'q1'");
});

it("lets the request's own limit win", () => {
  expect(prepare('max_execution_time=5')).toBe("set max_execution_time = '5', log_comment = 'q1'");
});

it('passes settings and parameters on, quoted, and drops what belongs to HTTP', () => {
  expect(prepare("query=select%201&wait_end_of_query=1&max_threads=2&param_name=it's%5C")).toBe(
    "set max_execution_time = '60', log_comment = 'q1', max_threads = '2', param_name = 'it\\'s\\\\'",
  );
});

it('chooses the database, quoted', () => {
  expect(prepare('database=a%60b')).toMatch(/^use `a\\`b`; set /);
});

it('refuses a name that would end the statement', () => {
  expect(() => prepare('a%3D1%3B%20drop=1')).toThrow('UNKNOWN_SETTING');
});

it('runs as many works as there are slots, then the waiting ones in order of arrival', async () => {
  const withSlot = createSlots(1, 10);
  const order: string[] = [];
  let end: (() => void) | undefined;
  const first = withSlot(() => new Promise<void>((resolve) => (end = resolve)));
  const note = (name: string) => () => Promise.resolve(void order.push(name));
  const others = [
    withSlot(note('second')),
    withSlot(() => Promise.reject(new Error('failed'))),
    withSlot(note('last')),
  ];
  expect(order).toEqual([]);
  end?.();
  const results = await Promise.allSettled([first, ...others]);
  expect(order).toEqual(['second', 'last']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});

it('refuses more waiters than allowed', async () => {
  const withSlot = createSlots(1, 1);
  let end: (() => void) | undefined;
  const first = withSlot(() => new Promise<void>((resolve) => (end = resolve)));
  const waiting = withSlot(() => Promise.resolve('ran'));
  await expect(withSlot(() => Promise.resolve())).rejects.toThrow('TOO_MANY_SIMULTANEOUS_QUERIES');
  end?.();
  await first;
  expect(await waiting).toBe('ran');
});
