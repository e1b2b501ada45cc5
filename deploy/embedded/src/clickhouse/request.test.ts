import { expect, it } from 'vitest';
import { createSlots, insertFromFileSql, prepareConnectionSql } from './request.js';

const PATH = "/tmp/it's here";
const SOURCE = "from infile '/tmp/it\\'s here' compression 'none'";

it.each([
  ['insert into t format JSONEachRow', `insert into t ${SOURCE}  format JSONEachRow`],
  [
    'INSERT INTO `a b`.t (a, b)\nFORMAT RowBinary ;\n',
    `INSERT INTO \`a b\`.t (a, b) ${SOURCE}  format RowBinary`,
  ],
  [
    'insert into t (* except(a)) settings async_insert=0, x=1 format CSV',
    `insert into t (* except(a)) ${SOURCE} settings async_insert=0, x=1 format CSV`,
  ],
  [
    '-- note\n/* and; more */ insert into t (format, settings) values',
    `insert into t (format, settings) ${SOURCE}  format Values`,
  ],
])('reads the rows of %j from a file, whatever its name', (sql, expected) => {
  expect(insertFromFileSql(sql, PATH)).toBe(expected);
});

it.each([
  'select 1 format JSON',
  'insert into t select 1',
  'insert into t values (1)',
  'insert into t format JSONEachRow {"a":1}',
  'create table t (a UInt8) engine = Memory',
  '',
])('does not change %j', (sql) => {
  expect(insertFromFileSql(sql, PATH)).toBeNull();
});

const prepare = (query: string) => prepareConnectionSql('q1', new URLSearchParams(query));

it('sets the id, and a time limit that a request can replace', () => {
  expect(prepare('')).toBe("set max_execution_time = '60', log_comment = 'q1'");
  expect(prepare('max_execution_time=5')).toBe("set max_execution_time = '5', log_comment = 'q1'");
});

it('sets settings, parameters and the database, quoted, and drops parameters of HTTP', () => {
  expect(
    prepare("query=select%201&database=a%60b&wait_end_of_query=1&max_threads=2&param_name=it's%5C"),
  ).toBe(
    "use `a\\`b`; set max_execution_time = '60', log_comment = 'q1', max_threads = '2', param_name = 'it\\'s\\\\'",
  );
});

it('refuses a name that would end the statement', () => {
  expect(() => prepare('a%3D1%3B%20drop=1')).toThrow('UNKNOWN_SETTING');
});

it('runs the first works at once, then the waiting ones in order, and refuses more than may wait', async () => {
  const withSlot = createSlots(1, 3);
  const order: string[] = [];
  let end: (() => void) | undefined;
  const first = withSlot(() => new Promise<void>((resolve) => (end = resolve)));
  const note = (name: string) => () => Promise.resolve(void order.push(name));
  const others = [
    withSlot(note('second')),
    withSlot(() => Promise.reject(new Error('failed'))),
    withSlot(note('last')),
  ];
  await expect(withSlot(note('refused'))).rejects.toThrow('TOO_MANY_SIMULTANEOUS_QUERIES');
  expect(order).toEqual([]);
  end?.();
  const results = await Promise.allSettled([first, ...others]);
  expect(order).toEqual(['second', 'last']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
});
