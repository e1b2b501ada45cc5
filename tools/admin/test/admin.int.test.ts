import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { useAdmin } from './run-admin.js';

/** What a command prints with --json. */
type Printed = Record<
  'userId' | 'email' | 'plan' | 'apiKey' | 'keyId' | 'revokedKeyId' | 'expiresAt',
  string
>;

const admin = useAdmin();

const json = <Output = Printed>(...args: string[]) => admin.json<Output>(...args);
const newEmail = () => `${randomUUID()}@example.com`;

test('users create prints exactly userId, email, plan and apiKey, and stores the digest alone', async () => {
  const email = newEmail();
  const created = await json('users', 'create', '--account', email, '--plan', 'professional');
  expect(Object.keys(created)).toEqual(['userId', 'email', 'plan', 'apiKey']);
  expect(created).toMatchObject({ email, plan: 'Professional' });
  const { rows } = await admin.db.query('select * from api_keys where user_id = $1', [created.userId]);
  const row = rows[0] as { key_sha256: Buffer };
  expect(row.key_sha256).toEqual(createHash('sha256').update(created.apiKey).digest());
  expect(JSON.stringify(rows)).not.toContain(created.apiKey);
});

test('a user without --plan is Enterprise', async () => {
  expect((await json('users', 'create', '--account', newEmail())).plan).toBe('Enterprise');
});

test('a second user of one address in any case is refused', async () => {
  const { email } = await admin.createUser();
  expect(await admin.refused('users', 'create', '--account', email.toUpperCase())).toMatch(
    /^There is a user /,
  );
});

test.each([
  [['users', 'create', '--account', 'nobody'], /^--account "nobody" is not an e-mail address/],
  [
    ['users', 'create', '--account', 'a@b.example', '--plan', 'Gold'],
    /^There is no plan Gold: choose one of /,
  ],
  [['users', 'set-plan', 'nobody@example.com', 'Starter'], /^There is no user nobody@example\.com: /],
  [['users', 'delete', 'nobody@example.com', '--yes'], /^There is no user /],
  // An id that was never a user's.
  [['users', 'delete', randomUUID(), '--yes'], /^There is no user /],
  [['keys', 'create', 'nobody@example.com'], /, or make one with users create --account <email>\.\n$/],
  [['keys', 'create', 'nobody@example.com', '--expires', '0d'], /^--expires "0d": that time has passed/],
  [['keys', 'revoke', 'slk_live_00000000'], /^There is no key slk_live_00000000: /],
])('%j is one clear line and exit code 1', async (args, line) => {
  expect(await admin.refused(...args)).toMatch(line);
});

test.each([
  ['users create --acount a@b.example', "unknown option '--acount'\n(Did you mean --account?)\n"],
  ['audit list --mail a@b.example', "unknown option '--mail'\n(Name an account with --account <email>.)\n"],
  ['audit list a@b.example', 'Expected 0 arguments but got 1.\n(Name an account with --account <email>.)\n'],
])('%s names the right option', async (command, advice) => {
  const { exitCode, stderr } = await admin.run(command);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(advice);
});

test.each(['users create', 'users set-plan Starter', 'users delete --yes', 'keys create', 'export'])(
  '%s without an account asks for --account',
  async (command) => {
    expect(await admin.refused(command)).toMatch(/^Name the account .*: --account <email>\.\n$/);
  },
);

test('--account, -a and the earlier spellings name the same account', async () => {
  const { userId, email } = await admin.createUser();
  for (const account of ['--account', '-a', '--email', '--user', '']) {
    const args = [...(account === '' ? [] : [account]), email];
    const plan = { userId, email, plan: 'Starter' };
    const setPlan = account === '' ? [email, 'Starter'] : ['Starter', ...args];
    expect(await json('users set-plan', ...setPlan)).toEqual(plan);
    expect(await json('keys create', ...args)).toMatchObject({ userId });
  }
  for (const account of ['-a', '--email']) {
    expect(await json<unknown[]>('audit list', account, email, '-n', '2')).toHaveLength(2);
  }
  expect(await json<unknown[]>('keys list', email)).toHaveLength(6);
  expect(await json('users create', newEmail())).toHaveProperty('apiKey');
  expect(await json('users delete', '-a', email, '-y')).toMatchObject({ userId });
});

test('--version and -V print the version', async () => {
  for (const flag of ['--version', '-V']) {
    expect(await admin.run(flag)).toEqual({ exitCode: 0, stdout: '0.1.0\n', stderr: '' });
  }
});

test('capacity without options prints an example that works', async () => {
  const { exitCode, stderr } = await admin.run('capacity');
  expect(exitCode).toBe(1);
  const example = /as in: npm run --silent admin -- (.*)\n$/.exec(stderr)?.[1] ?? '';
  expect((await admin.run(example)).exitCode).toBe(0);
});

test('the completion of bash proposes the commands and options of the definitions', async () => {
  const { stdout } = await admin.run('completion bash');
  const complete = (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _smartlink; echo "\${COMPREPLY[*]}"`;
    return spawnSync('bash', ['-c', script, 'bash', 'smartlink', ...words], {
      encoding: 'utf8',
    }).stdout.trim();
  };
  expect(complete('us')).toBe('users');
  expect(complete('users', '')).toBe('create list set-plan delete --help');
  expect(complete('users', 'create', '--a')).toBe('--account');
  expect(complete('users', 'list', '')).not.toContain('--email');
});

test('set-plan changes the plan and users list shows it, to people too', async () => {
  const { userId, email } = await admin.createUser();
  expect(await json('users', 'set-plan', email, 'Starter')).toEqual({ userId, email, plan: 'Starter' });
  const listed = await json<unknown[]>('users', 'list');
  expect(listed).toContainEqual(
    expect.objectContaining({ userId, email, plan: 'Starter', smartlinks: 0, keys: 1 }),
  );
  const { stdout } = await admin.run('users', 'list');
  expect(stdout).toMatch(/^EMAIL +PLAN +SMARTLINKS +KEYS +CREATED +ID\n/);
  expect(stdout).toContain(userId);
});

test('keys are made, listed, rotated and revoked; a key is shown once', async () => {
  const { userId, email } = await admin.createUser();
  const made = await json('keys', 'create', email, '--name', 'laptop', '--expires', '30d');
  expect(made).toMatchObject({
    userId,
    name: 'laptop',
    apiKey: expect.stringMatching(/^slk_live_/) as string,
  });
  const rotated = await json('keys', 'rotate', made.keyId);
  expect(rotated).toMatchObject({ revokedKeyId: made.keyId });
  expect(rotated.apiKey).not.toBe(made.apiKey);
  expect(await json('keys', 'revoke', rotated.apiKey.slice(0, 17))).toEqual({ keyId: rotated.keyId });

  const keys = await json<(Printed & { state: string })[]>('keys', 'list', userId);
  expect(keys).toHaveLength(3);
  expect(keys.map((key) => key.state)).toEqual(['active', 'revoked', 'revoked']);
  // The new key ends when the old one did.
  expect(keys[2]?.expiresAt).toBe(made.expiresAt);
  const { stdout } = await admin.run('keys', 'list', email);
  expect(stdout).toContain(`${made.apiKey.slice(0, 17)}…`);
  expect(stdout).toContain('laptop');
  expect(stdout + JSON.stringify(keys)).not.toContain(made.apiKey);
  expect((await admin.run('keys', 'revoke', rotated.keyId)).stderr).toContain('revoked already');
});

// purge.int.test.ts has the visits.
test('users delete deletes everything but the slugs, and publishes tombstones', async () => {
  const { userId } = await admin.createUser();
  const smartlinkId = randomUUID();
  await admin.createSmartlink({ userId, smartlinkId, slug: 'Gone' });
  await admin.db.query('insert into smartlink_totals values ($1, 1, 1, 1)', [smartlinkId]);
  const [tag, folder] = [randomUUID(), randomUUID()];
  await admin.db.query(`insert into tags (id, user_id, name, key) values ($1, $2, 't', 't')`, [tag, userId]);
  await admin.db.query(`insert into folders (id, user_id, name, key) values ($1, $2, 'f', 'f')`, [
    folder,
    userId,
  ]);
  await admin.db.query('insert into smartlink_tags values ($1, $2)', [smartlinkId, tag]);
  await admin.db.query('update smartlinks set folder_id = $2 where id = $1', [smartlinkId, folder]);
  expect(await admin.refused('users', 'delete', userId)).toBe(
    'Deleting a user cannot be undone: add --yes.\n',
  );
  const deleted = await json('users', 'delete', userId, '--yes');
  expect(deleted).toMatchObject({ userId, slugs: 1, tombstonesPublished: true });

  const { rows } = await admin.db.query(
    `select
    (select count(*)::int from users where id = $1) as users,
    (select count(*)::int from api_keys where user_id = $1) as keys,
    (select count(*)::int from smartlinks where user_id = $1) as smartlinks,
    (select count(*)::int from tags where user_id = $1) as tags,
    (select count(*)::int from smartlink_tags where tag_id = '${tag}') as tagged,
    (select count(*)::int from folders where user_id = $1) as folders,
    (select count(*)::int from smartlink_totals where smartlink_id = '${smartlinkId}') as totals,
    (select count(*)::int from slugs where key = 'gone' and user_id is null and smartlink_id is null) as slugs,
    (select count(*)::int from publish_outbox) as outbox`,
    [userId],
  );
  const none = { users: 0, keys: 0, smartlinks: 0, tags: 0, tagged: 0, folders: 0, totals: 0 };
  expect(rows[0]).toEqual({ ...none, slugs: 1, outbox: 0 });

  const redis = new Redis(admin.databases.redisUrl);
  expect(await redis.get(`${admin.databases.redisKeyPrefix}link:gone`)).toContain('"status":"Deleted"');
  redis.disconnect();
});

test('with Redis down users delete still works, and leaves the tombstones to the outbox', async () => {
  const { userId } = await admin.createUser();
  await admin.db.query(
    `insert into slugs (key, slug, user_id, is_primary) values ('later', 'later', $1, true)`,
    [userId],
  );
  const { exitCode, stdout } = await admin.runWith(
    { REDIS_URL: 'redis://127.0.0.1:1' },
    'users delete',
    userId,
    '--yes',
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Redis did not answer');
  const { rows } = await admin.db.query(`select slug_key from publish_outbox`);
  expect(rows).toEqual([{ slug_key: 'later' }]);
});

test('with ClickHouse down the user is deleted, and the same command with the id deletes the events later', async () => {
  const { userId } = await admin.createUser();
  const first = await admin.runWith(
    { CLICKHOUSE_URL: 'http://127.0.0.1:1/x' },
    'users delete',
    userId,
    '--yes',
  );
  expect(first.exitCode).toBe(1);
  expect(first.stderr).toMatch(/^The user is deleted, their events are not yet .*\n$/);
  expect((await admin.run('users', 'delete', userId, '--yes')).exitCode).toBe(0);
  // However often it is repeated, the user was deleted once.
  const { rows } = await admin.db.query(
    `select id from audit_entries where user_id = $1 and action = 'user.delete'`,
    [userId],
  );
  expect(rows).toHaveLength(1);
});

test('without DATABASE_URL the running stack is found; without a stack it is one clear line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-admin-'));
  const noUrl = { DATABASE_URL: undefined, SMARTLINK_DATA_DIR: folder };
  const missing = await admin.runWith(noUrl, 'users', 'list');
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toMatch(/^No stack is running on [^\n]+\n$/);

  const { databaseUrl, redisUrl, clickhouseUrl } = admin.databases;
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ databaseUrl, redisUrl, clickhouseUrl }));
  expect((await admin.runWith(noUrl, 'users', 'list')).exitCode).toBe(0);

  // What a killed stack leaves behind.
  const dead = { databaseUrl: 'postgres://x:x@127.0.0.1:1/x', redisUrl, clickhouseUrl };
  writeFileSync(join(folder, 'stack.json'), JSON.stringify(dead));
  expect((await admin.runWith(noUrl, 'users', 'list')).stderr).toMatch(/^No stack is running on [^\n]+\n$/);
  rmSync(folder, { recursive: true });
});

test('--help explains, an unknown command is exit code 1', async () => {
  const help = await admin.run('--help');
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  expect(help.stdout).toContain('users create --account');
  expect((await admin.run('users', 'delete', '--help')).stdout).toContain('--yes');
  expect((await admin.run('frobnicate')).exitCode).toBe(1);
});
