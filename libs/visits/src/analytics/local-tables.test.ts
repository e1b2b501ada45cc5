import { expect, test } from 'vitest';
import { localTablesOf, parseDistributed } from './clickhouse.js';

test('reads cluster and database from the engine, as system.tables has it', () => {
  expect(parseDistributed("Distributed('main', 'smartlink_local', 'events', cityHash64(owner_id))")).toEqual({
    cluster: 'main',
    database: 'smartlink_local',
  });
  expect(() => parseDistributed("Distributed('a\\'b', 'c', 'events')")).toThrow('not understood');
});

test('goes everywhere on a cluster of several servers, and nowhere else on one', () => {
  const place = { cluster: 'main', database: 'smartlink_local' };
  const several = localTablesOf({ ...place, isAlone: false });
  expect(several.target('events')).toBe("smartlink_local.events on cluster 'main'");
  expect(several.system('parts')).toBe("clusterAllReplicas('main', system.parts)");
  expect(localTablesOf({ ...place, isAlone: true }).target('events')).toBe('smartlink_local.events');
});
