import { beforeAll, expect, test } from 'vitest';
import { listAccounts } from '@smartlink/smartlink/accounts';
import { listKeys } from '../src/accounts/keys.js';
import { explainQueries, useAdmin } from './run-admin.js';

const USERS = 1_200;

const admin = useAdmin();

// Of the three keys of a user two are of one moment.
beforeAll(async () => {
  await admin.db.query(
    `insert into users (id, email, plan)
     select gen_random_uuid(), case n % 2 when 0 then 'U' else 'u' end || lpad(n::text, 4, '0') || '@example.com', 'Starter'
     from generate_series(1, $1) as n`,
    [USERS],
  );
  await admin.db.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name, created_at)
     select gen_random_uuid(), users.id, sha256((users.id || ' ' || n)::bytea), 'slk_live_00000000', 'k',
            timestamptz '2026-01-01Z' + (n / 2) * interval '1 minute'
     from users, generate_series(1, 3) as n`,
  );
});

type Row = { email: string; keyId: string; createdAt: string };

async function readPages(place: 'email' | 'keyId', ...args: string[]): Promise<readonly Row[]> {
  const seen: Row[] = [];
  for (let page = await admin.json<Row[]>(...args); page.length > 0;) {
    seen.push(...page);
    page = await admin.json<Row[]>(...args, '--after', page.at(-1)?.[place] ?? '');
  }
  return seen;
}

test('pages of users list give every user once, by address in any case', async () => {
  const seen = await readPages('email', 'users', 'list', '--limit', '500');
  const expected = Array.from({ length: USERS }, (_, i) => `u${String(i + 1).padStart(4, '0')}@example.com`);
  expect(seen.map((user) => user.email.toLowerCase())).toEqual(expected);
});

test('pages of keys list give every key once, also where several were made in the same moment', async () => {
  const seen = await readPages('keyId', 'keys', 'list', '--limit', '1000');
  expect(new Set(seen.map((key) => key.keyId)).size).toBe(3 * USERS);
  const places = seen.map((key) => `${key.email.toLowerCase()} ${key.createdAt} ${key.keyId}`);
  expect(places).toEqual([...places].sort());

  const own = await readPages('keyId', 'keys', 'list', 'u0007@example.com', '--limit', '1');
  expect(own).toEqual(seen.filter((key) => key.email === 'u0007@example.com'));
});

test.each([
  ['users', 'U0100@example.com'],
  ['keys', expect.any(String)],
])('%s list prints 100 by default, and mentions further entries', async (group, place) => {
  const listed = await admin.json<Row[]>(group, 'list');
  expect(listed).toHaveLength(100);
  const last = group === 'users' ? listed.at(-1)?.email : listed.at(-1)?.keyId;
  expect(last).toEqual(place);
  const { stdout } = await admin.run(group, 'list');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`There are more: add --after ${last}.`);
});

test('the last page mentions no further entries, and an empty page is reported as such', async () => {
  const last = await admin.run('users', 'list', '--after', 'u1199@example.com', '--limit', '1');
  expect(last.stdout).toContain('U1200@example.com');
  expect(last.stdout).not.toContain('There are more');
  expect((await admin.run('users', 'list', '--after', 'U1200@example.com')).stdout).toBe(
    'There are no users after that address.\n',
  );
});

test.each([
  ['users', '--limit', '0'],
  ['users', '--after', 'nobody'],
  ['keys', '--limit', 'all'],
  ['keys', '--after', 'slk_live_00000000'],
  ['keys', '--after', '00000000-0000-4000-8000-000000000000'],
])('%s list %s %s is one clear line', async (group, option, value) => {
  const stderr = await admin.refused(group, 'list', option, value);
  expect(stderr).toContain(`${option} "${value}`);
});

test('a page reads no more users and keys than the indexes find for it', async () => {
  await admin.db.query('analyze users, api_keys');
  const { explaining, plans } = explainQueries(admin.db);
  const id = '00000000-0000-4000-8000-000000000000';
  const after = { keyId: id, email: 'u0600@example.com', createdAt: new Date('2026-01-01') };
  const page = { search: null, limit: 101 };
  await listAccounts(explaining, { ...page, after: null });
  await listAccounts(explaining, { ...page, after: after.email });
  await listKeys(explaining, null, null, 101);
  await listKeys(explaining, null, after, 101);
  await listKeys(explaining, id, after, 101);
  expect(plans).toHaveLength(5);
  for (const plan of plans) {
    expect(plan).toMatch(/Index Scan using (users_email|users_pkey) on users/);
    expect(plan).not.toMatch(/Seq Scan on (users|api_keys)/);
  }
  // A later page does not read the ones before it.
  for (const plan of [plans[1], plans[3]]) expect(plan).toMatch(/Index Cond: \(lower\(email\) >=? 'u0600@/);
});
