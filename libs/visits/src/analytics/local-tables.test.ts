import { expect, test } from 'vitest';
import { localTablesOf, parseDistributed } from './clickhouse.js';

test('parses cluster and database of an engine in system.tables', () => {
  expect(parseDistributed("Distributed('main', 'smartlink_local', 'events', cityHash64(owner_id))")).toEqual({
    cluster: 'main',
    database: 'smartlink_local',
  });
  expect(() => parseDistributed("Distributed('a\\'b', 'c', 'events')")).toThrow('not understood');
});

test('addresses all servers of a cluster, or the only one', () => {
  const place = { cluster: 'main', database: 'smartlink_local' };
  const several = localTablesOf({ ...place, isAlone: false });
  expect(several.target('events')).toBe("smartlink_local.events on cluster 'main'");
  expect(several.system('parts')).toBe("clusterAllReplicas('main', system.parts)");
  expect(localTablesOf({ ...place, isAlone: true }).target('events')).toBe('smartlink_local.events');
});
