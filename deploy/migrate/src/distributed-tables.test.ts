import { expect, it } from 'vitest';
import { distributedTableSql, shardingKeyOf } from './distributed-tables.js';

it('stands for a local table on every server', () => {
  const table = {
    cluster: 'main',
    database: 'smartlink',
    localDatabase: 'smartlink_local',
    table: 'events',
    shardingKey: shardingKeyOf('events', ['ts', 'owner_id']),
  };
  expect(distributedTableSql(table, "on cluster 'main'")).toBe(
    "create or replace table smartlink.events on cluster 'main' as smartlink_local.events " +
      "engine = Distributed('main', 'smartlink_local', 'events', cityHash64(owner_id))",
  );
});

it('refuses a table that nothing chooses a shard for', () => {
  expect(() => shardingKeyOf('odd', ['n'])).toThrow('rows of odd belong');
});
