import { createTestDatabases } from '@smartlink/embedded/test-databases';
import { expect, inject, test } from 'vitest';
import { removeFollowedChanges } from '../src/smartlinks/link-changes-cleanup.js';
import { openPool } from './open-pool.js';

test('a change that is older than 25 h is removed, and none that a snapshot in Redis may outlive', async () => {
  const databases = await createTestDatabases(inject('stack'));
  const pg = openPool(databases.databaseUrl);
  try {
    await pg.query(
      `insert into link_changes (slug_key, version, created_at)
       select hours || 'h', 1, now() - make_interval(hours => hours) from unnest(array[0, 24, 26]) as hours`,
    );
    await removeFollowedChanges(pg);
    const { rows } = await pg.query<{ slug_key: string }>('select slug_key from link_changes order by id');
    expect(rows.map(({ slug_key }) => slug_key)).toEqual(['0h', '24h']);
  } finally {
    await pg.end();
    await databases.drop();
  }
});
