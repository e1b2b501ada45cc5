import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createTestDatabases, type TestDatabases } from '@smartlink/test-support/test-databases';
import { removeOutdatedRows } from '../src/cleanup.js';
import { openPool } from './stored-state.js';

let databases: TestDatabases;
let pg: Pool;
beforeAll(async () => {
  databases = await createTestDatabases(inject('stack'), { clickhouse: 'shared' });
  pg = openPool(databases.databaseUrl);
});
afterAll(async () => {
  await pg.end();
  await databases.drop();
});

test('a change that is older than 25 h is removed, and none that a snapshot in Redis may outlive', async () => {
  await pg.query(
    `insert into link_changes (slug_key, version, created_at)
     select hours || 'h', 1, now() - make_interval(hours => hours) from unnest(array[0, 24, 26]) as hours`,
  );
  await removeOutdatedRows(pg);
  const { rows } = await pg.query<{ slug_key: string }>('select slug_key from link_changes order by id');
  expect(rows.map(({ slug_key }) => slug_key)).toEqual(['0h', '24h']);
});

test('the answer to an Idempotency-Key is removed after 24 h, not before, and 1,000 of them at a time', async () => {
  await pg.query(
    `with owner as (
       insert into users (id, email, plan) values (gen_random_uuid(), 'owner@example.com', 'Enterprise') returning id
     )
     insert into idempotency_keys (user_id, key, fingerprint, created_at)
     select id, minutes || ' min', 'f', now() - make_interval(mins => minutes) from owner,
       (select unnest(array[0, 120, 1439, 1441]) union all select generate_series(1501, 2500)) as ages (minutes)`,
  );
  const readKeys = async (): Promise<string[]> => {
    const { rows } = await pg.query<{ key: string }>(
      'select key from idempotency_keys order by created_at desc',
    );
    return rows.map(({ key }) => key);
  };
  await removeOutdatedRows(pg);
  expect(await readKeys()).toEqual(['0 min', '120 min', '1439 min', '1441 min']);
  await removeOutdatedRows(pg);
  expect(await readKeys()).toEqual(['0 min', '120 min', '1439 min']);
});

test('a failure in one table does not keep rows in the others', async () => {
  const failing = {
    query: (text: string, values: unknown[]) =>
      text.includes('idempotency_keys') ? Promise.reject(new Error('lost')) : pg.query(text, values),
  };
  await pg.query(
    `insert into link_changes (slug_key, version, created_at) values ('old', 1, now() - interval '26 hours')`,
  );
  await expect(removeOutdatedRows(failing)).rejects.toThrow('lost');
  const { rows } = await pg.query(`select 1 from link_changes where slug_key = 'old'`);
  expect(rows).toEqual([]);
});
