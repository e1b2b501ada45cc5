import { expect, it } from 'vitest';
import { fillPlaceholders, shardingKeyOf, splitStatements, versionFault } from './migrate-clickhouse.js';

const SQL = 'create table t {on_cluster} (n UInt8) engine = {engine_prefix}MergeTree';

it('fills the placeholders with nothing on a single node', () => {
  expect(fillPlaceholders(SQL, {})).toBe('create table t  (n UInt8) engine = MergeTree');
});

it('fills them with the cluster where there is one', () => {
  expect(fillPlaceholders(SQL, { engine: 'Replicated', onCluster: 'main' })).toBe(
    "create table t on cluster 'main' (n UInt8) engine = ReplicatedMergeTree",
  );
});

it('refuses a cluster name that would end the quotes', () => {
  expect(() => fillPlaceholders(SQL, { onCluster: "x' drop" })).toThrow('may contain letters');
});

it.each([
  [
    'create table a (n UInt8);\ncreate table b (n UInt8)  ;  \n',
    ['create table a (n UInt8)', 'create table b (n UInt8)'],
  ],
  ['select 1;\r\nselect 2', ['select 1', 'select 2']],
  ["-- first; then;\nselect 'a;b', -- units: ms;\n  '--c;'\n;", ["select 'a;b', \n  '--c;'"]],
  ["select '--'; -- the first\nselect 2;", ["select '--'", 'select 2']],
  ['-- nothing here\n;\n\n;\n-- done\n', []],
])('splits %j at semicolons that end a line, without comments', (sql, statements) => {
  expect(splitStatements(sql)).toEqual(statements);
});

it('refuses to distribute a table without a sharding column', () => {
  expect(shardingKeyOf('events', ['ts', 'owner_id'])).toBe('cityHash64(owner_id)');
  expect(() => shardingKeyOf('odd', ['n'])).toThrow('no sharding key is known for the table odd');
});

it('refuses a server older than the settings of its inserts', () => {
  expect(versionFault('25.8.22.28')).toBe(
    'ClickHouse is 25.8.22.28, and 26.3 or newer is needed: upgrade the server first',
  );
  expect(['26.3.1.1', '26.10.1', '27.1'].map(versionFault)).toEqual([null, null, null]);
});
