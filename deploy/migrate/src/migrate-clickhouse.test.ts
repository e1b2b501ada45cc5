import { expect, it } from 'vitest';
import { fillPlaceholders } from './migrate-clickhouse.js';

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
  expect(() => fillPlaceholders(SQL, { onCluster: "x' drop" })).toThrow('not a plain name');
});
