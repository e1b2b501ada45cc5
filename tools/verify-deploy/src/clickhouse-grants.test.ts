import path from 'node:path';
import { expect, test } from 'vitest';
import { clickhouseGrantProblems, findRights, missingGrants } from './clickhouse-grants.js';

const USERS = `<users>
  <reader><grants>
    <query>GRANT SELECT, INSERT ON smartlink.*</query>
    <query>GRANT SELECT ON smartlink_restored.events</query>
    <query>GRANT SELECT ON system.parts</query>
  </grants></reader>
  <other><grants><query>GRANT INSERT ON smartlink_restored.*</query></grants></other>
</users>`;

test('every table that a service names in a statement is granted to its login', () => {
  expect(clickhouseGrantProblems(path.resolve(import.meta.dirname, '../../..'))).toEqual([]);
});

test('finds tables in statements, and neither in comments nor those of another engine', () => {
  const sources = [
    "// what comes from events\n/* select from visits_daily */ const a = 'select 1 from events final';",
    "const b = `insert into events (x) select 1 from users join ${''} rollup_state`;",
    "const c = `select 1 from ${local.system('parts')}, x from system.clusters` + 'select 1 from system.tables';",
  ];
  const tables = new Set(['events', 'visits_daily', 'rollup_state']);
  const found = findRights(sources, tables).map(({ right, table }) => `${right} ${table}`);
  expect(found.toSorted()).toEqual([
    'INSERT events',
    'SELECT events',
    'SELECT system.clusters',
    'SELECT system.parts',
  ]);
});

test('tells of what is granted in one database only, of the system, and of nobody else', () => {
  const rights = [
    { right: 'SELECT', table: 'events' },
    { right: 'INSERT', table: 'events' },
    { right: 'SELECT', table: 'system.parts' },
    { right: 'SELECT', table: 'system.clusters' },
  ] as const;
  expect(missingGrants(USERS, 'reader', rights)).toEqual([
    'clickhouse/users.xml: reader is not granted INSERT on smartlink_restored.events, which it uses',
    'clickhouse/users.xml: reader is not granted SELECT on system.clusters, which it uses',
  ]);
  expect(missingGrants(USERS, 'nobody', rights.slice(3))).toHaveLength(1);
});
