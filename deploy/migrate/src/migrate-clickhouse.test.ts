import { expect, it } from 'vitest';
import { fillPlaceholders, shardingKeyOf, splitStatements } from './migrate-clickhouse.js';

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
  expect(splitStatements("select '--';\nselect 2;")).toEqual(["select '--'", 'select 2']);
});

it('leaves out what is comment or empty', () => {
  expect(splitStatements('-- nothing here\n;\n\n;\n-- done\n')).toEqual([]);
});

it('refuses to distribute a table without a sharding column', () => {
  expect(shardingKeyOf('events', ['ts', 'owner_id'])).toBe('cityHash64(owner_id)');
  expect(() => shardingKeyOf('odd', ['n'])).toThrow('no sharding key is known for the table odd');
});
