import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useAdmin } from './run-admin.js';

const admin = useAdmin();
let ann: { userId: string; email: string };
let bob: { userId: string };

beforeAll(async () => {
  ann = await admin.createUser();
  bob = await admin.createUser();
  await addLinks(ann.userId, 5_001, 'Active');
  await addLinks(ann.userId, 1, 'Paused');
  await addLinks(bob.userId, 2, 'Active');
});
beforeEach(() => admin.db.query(`update smartlinks set urls_check_due_at = now() + interval '20 hours'`));

const addLinks = (userId: string, links: number, status: string) =>
  admin.db.query(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version)
     select gen_random_uuid(), $1, $3, 'Url', 'n', 's' || n, '{}', nextval('smartlink_version')
     from generate_series(1, $2::integer) as n`,
    [userId, links, status],
  );

/** Returns of how many links the URLs are due within these minutes. */
async function countDue(userId: string, minutes: number): Promise<number> {
  const { rows } = await admin.db.query<{ count: number }>(
    `select count(*)::integer as count from smartlinks
     where user_id = $1 and urls_check_due_at <= now() + interval '1 minute' * $2::integer`,
    [userId, minutes],
  );
  return rows[0]!.count;
}

test('all active smartlinks are judged again soon, spread over the time that is given', async () => {
  expect(await admin.json('safety', 'recheck', '--minutes', '100')).toEqual({ smartlinks: 5_003 });
  // The paused one is judged when it goes on.
  expect([await countDue(ann.userId, 100), await countDue(bob.userId, 100)]).toEqual([5_001, 2]);
  const inHalf = await countDue(ann.userId, 50);
  expect([inHalf > 2_000, inHalf < 3_000]).toEqual([true, true]);
});

test('those of one user alone, few of them at once, and none later than without the command', async () => {
  await admin.db.query(
    `update smartlinks set urls_check_due_at = now() - interval '1 hour'
     where user_id = $1 and slug = 's1' and status = 'Active'`,
    [ann.userId],
  );
  const { exitCode, stdout } = await admin.run('safety', 'recheck', '--email', ann.email);
  expect([exitCode, stdout]).toEqual([
    0,
    'The URLs of 5001 smartlinks are due to be judged again, at once. ' +
      'Only a management service that runs with a SAFETY_PROVIDER other than none judges them.\n',
  ]);
  expect([await countDue(ann.userId, 0), await countDue(bob.userId, 60)]).toEqual([5_001, 0]);
  expect(await countDue(ann.userId, -59)).toBe(1);
});

test.each([
  [['--minutes', 'soon'], /^--minutes "soon": expected a whole number from 0 to 1440\.\n$/],
  [['--minutes', '1441'], /^--minutes "1441"/],
  [['--email', 'nobody@example.com'], /^There is no user nobody@example\.com/],
])('%s is refused', async (args, line) => {
  const { exitCode, stderr } = await admin.run('safety', 'recheck', ...args);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(line);
});

test('an interrupted command reports its progress, and can be repeated', async () => {
  const { exitCode, stderr } = await admin.interrupted('safety', 'recheck');
  expect([exitCode, stderr]).toEqual([1, 'Interrupted: 0 smartlinks are due to be judged again soon.\n']);
  expect(await countDue(bob.userId, 60)).toBe(0);
});
