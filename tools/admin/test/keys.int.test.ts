import { expect, test } from 'vitest';
import { useAdmin } from './run-admin.js';

type ListedKey = Record<'keyId' | 'state' | 'createdAt', string> &
  Record<'expiresAt' | 'lastUsedAt' | 'revokedAt', string | null>;

const admin = useAdmin();

const createKey = (...args: string[]) =>
  admin.json<{ keyId: string; apiKey: string; expiresAt: string | null }>('keys', 'create', ...args);

test('keys list shows when each key was created, expires, was used and was revoked', async () => {
  const { email } = await admin.createUser();
  const used = await createKey(email, '--name', 'used', '--expires', '2090-01-31');
  await admin.db.query(`update api_keys set last_used_at = '2026-02-03T04:05:06Z' where id = $1`, [
    used.keyId,
  ]);
  await admin.json('keys', 'revoke', used.keyId);

  const keys = await admin.json<ListedKey[]>('keys', 'list', email);
  const [first, second] = keys;
  expect(first).toMatchObject({ state: 'active', expiresAt: null, lastUsedAt: null, revokedAt: null });
  expect(second).toMatchObject({
    keyId: used.keyId,
    state: 'revoked',
    createdAt: expect.stringMatching(/Z$/) as string,
    expiresAt: '2090-01-31T00:00:00.000Z',
    lastUsedAt: '2026-02-03T04:05:06.000Z',
    revokedAt: expect.stringMatching(/Z$/) as string,
  });
  const [heading, , row] = (await admin.run('keys', 'list', email)).stdout.split('\n');
  expect(heading).toMatch(
    /^KEY +STATE +USER +NAME +SCOPES +NETWORKS +CREATED +ENDS +LAST USED +REVOKED +ID$/,
  );
  expect(row).toMatch(
    /2090-01-31 00:00 UTC +2026-02-03 04:05 UTC +\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC +[0-9a-f-]{36}$/,
  );
});

test('a user has at most 50 keys that are not revoked', async () => {
  const { email } = await admin.createUser();
  await admin.db.query(
    `insert into api_keys (id, user_id, key_sha256, display_prefix, name)
     select gen_random_uuid(), id, sha256(concat(id::text, n)::bytea), 'slk_live_', 'x'
     from users, generate_series(1, 48) as n where email = $1`,
    [email],
  );
  const { keyId } = await createKey(email);
  expect(await admin.refused('keys', 'create', email)).toMatch(/^A user has at most 50 keys: /);
  await admin.json('keys', 'revoke', keyId);
  await createKey(email);
});

test('a key made with --scopes and --networks has them, and keeps them when it is rotated', async () => {
  const { email } = await admin.createUser();
  const rights = {
    scopes: ['links:create', 'analytics:read'],
    allowedNetworks: ['203.0.113.7', '10.1.0.0/16'],
  };
  const made = await createKey(
    ...[email, '--scopes', 'links:create, analytics:read,links:create'],
    ...['--networks', '203.0.113.7,10.1.2.3/16', '--expires', '2090-01-31'],
  );
  expect(made).toMatchObject(rights);
  const { keyId } = await admin.json<{ keyId: string }>('keys', 'rotate', made.keyId);
  const keys = await admin.json<ListedKey[]>('keys', 'list', email);
  expect(keys.slice(1)).toMatchObject([
    { ...rights, keyId: made.keyId, state: 'revoked' },
    { ...rights, keyId, state: 'active', expiresAt: '2090-01-31T00:00:00.000Z' },
  ]);
  expect(await admin.refused('keys', 'create', email, '--scopes', 'links:all')).toMatch(
    /^--scopes "links:all": expected one of links:read, /,
  );
  for (const networks of ['10.0.0.0/33', 'here', '::ffff:10.0.0.0/104']) {
    expect(await admin.refused('keys', 'create', email, '--networks', networks)).toBe(
      `--networks "${networks}": expected an address or a CIDR range like 203.0.113.0/24.\n`,
    );
  }
});

test('a key made with --expires 90d ends that long after it was made', async () => {
  const { email } = await admin.createUser();
  const { keyId, expiresAt } = await createKey(email, '--expires', '90d');
  const { rows } = await admin.db.query(
    `select expires_at, abs(extract(epoch from expires_at - created_at) - 90 * 86400) < 60 as is_that_long
     from api_keys where id = $1`,
    [keyId],
  );
  expect(rows).toEqual([{ expires_at: new Date(expiresAt ?? 0), is_that_long: true }]);
});

test('a key created with a date expires at the start of that day', async () => {
  const { email } = await admin.createUser();
  const { stdout } = await admin.run('keys', 'create', email, '--expires', '2090-01-31');
  expect(stdout).toContain(', ends 2090-01-31 00:00 UTC, the start of that day.\n');
  const timed = await admin.run('keys', 'create', email, '--expires', '2090-01-31T10:00:00Z');
  expect(timed.stdout).toContain(', ends 2090-01-31 10:00 UTC.\n');
});

test('an expired key is listed as such and cannot be rotated', async () => {
  const { email, apiKey } = await admin.createUser();
  await admin.db.query(`update api_keys set expires_at = now() where display_prefix = $1`, [
    apiKey.slice(0, 17),
  ]);
  expect(await admin.json('keys', 'list', email)).toMatchObject([{ state: 'expired' }]);
  const shown = `${apiKey.slice(0, 17)}…`;
  expect(await admin.refused('keys', 'rotate', apiKey)).toBe(
    `The key ${shown} has expired: make a new one with keys create.\n`,
  );
});

test('a leaked key is revoked by itself, and no output repeats it', async () => {
  const { email, apiKey } = await admin.createUser();
  const { stdout } = await admin.run('keys', 'revoke', apiKey);
  expect(stdout).toBe(`Revoked ${apiKey.slice(0, 17)}… of ${email}.\n`);
  expect(await admin.refused('keys', 'revoke', apiKey)).toBe(
    `The key ${apiKey.slice(0, 17)}… is revoked already.\n`,
  );
});

// accounts.test.ts has the forms of damage.
test('a mistyped key is never repeated, wherever it is given', async () => {
  const { apiKey } = await admin.createUser();
  const given = `${apiKey.slice(0, 30)}-${apiKey.slice(31)}`;
  for (const command of ['keys rotate', 'keys revoke', 'keys list', 'keys', 'users delete']) {
    const { stdout, stderr } = await admin.run(command, given);
    expect(stdout + stderr).not.toBe('');
    expect(stdout + stderr).not.toContain(apiKey.slice(17, 25));
  }
});

test.each(['…', '...'])('a key is named by what keys list prints of it, ending with %s', async (dots) => {
  const { apiKey } = await admin.createUser();
  expect((await admin.run('keys', 'revoke', `${apiKey.slice(0, 17)}${dots}`)).exitCode).toBe(0);
});

test('set-plan notes the plan that the user had, and nothing when it was that one already', async () => {
  const { userId } = await admin.createUser('Professional');
  for (const plan of ['Starter', 'starter']) await admin.json('users', 'set-plan', userId, plan);
  const { rows } = await admin.db.query(
    `select details from audit_entries where user_id = $1 and action = 'user.set-plan'`,
    [userId],
  );
  expect(rows).toEqual([{ details: { from: 'Professional', to: 'Starter' } }]);
});

test('a database without tables is one line with the command to run', async () => {
  await admin.db.query('create schema elsewhere');
  const elsewhere = new URL(admin.databases.databaseUrl);
  elsewhere.searchParams.set('options', '-c search_path=elsewhere');
  const { exitCode, stderr } = await admin.runWith({ DATABASE_URL: elsewhere.href }, 'users', 'list');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'The database is not up to date: npm run migrate.\n',
  });
});
