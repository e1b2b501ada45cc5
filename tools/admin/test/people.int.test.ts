import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useAdmin } from './run-admin.js';

const admin = useAdmin();
const newEmail = () => `${randomUUID()}@example.com`;

/** The stored link behind a printed one. */
async function linkOf(...args: string[]) {
  const { url, expiresAt } = await admin.json<{ url: string; expiresAt: string }>(...args);
  const [, token = ''] = /^http:\/\/127\.0\.0\.1:3000\/welcome#([\w-]{43})$/.exec(url) ?? [];
  const { rows } = await admin.db.query(
    `select purpose, email, role, person_id is not null as "isPerson" from one_time_links where token_sha256 = $1`,
    [createHash('sha256').update(token).digest()],
  );
  return { ...(rows[0] as object), minutes: Math.round((Date.parse(expiresAt) - Date.now()) / 60_000) };
}

test('links are made for people, and an invitation for an address that is none yet', async () => {
  const account = newEmail();
  const { userId } = await admin.json<{ userId: string }>('users create', '--account', account);
  const owner = { email: account, role: null, isPerson: true };
  expect(await linkOf('people sign-in-link', '--email', account)).toEqual({
    ...owner,
    purpose: 'sign-in',
    minutes: 15,
  });
  expect(await linkOf('people reset-link', '--email', account)).toEqual({
    ...owner,
    purpose: 'reset',
    minutes: 30,
  });

  const email = newEmail();
  const invite = ['people invite', '--email', email, '--account', account];
  const invited = { purpose: 'invite', email, role: 'Editor', isPerson: false, minutes: 7 * 1_440 };
  expect(await linkOf(...invite)).toEqual(invited);
  // Again replaces it.
  expect(await linkOf(...invite)).toEqual(invited);
  const created = { purpose: 'setup', email, role: null, isPerson: true, minutes: 1_440 };
  expect(await linkOf('people create', '--email', email, '-a', account, '--role', 'Viewer')).toEqual(created);

  const { rows: entries } = await admin.db.query(
    `select action, user_id is null as "isOfNone", details - 'personId' as details from audit_entries
     where action ~ '^(person|member)' order by id`,
  );
  const member = (role: string) => ({ action: 'member.create', isOfNone: false, details: { role } });
  const link = (purpose: string) => ({ action: 'person.link', isOfNone: true, details: { purpose } });
  const invitation = { action: 'member.invite', isOfNone: false, details: { role: 'Editor' } };
  expect(entries).toEqual([
    ...[member('Owner'), link('sign-in'), link('reset'), invitation, invitation],
    { action: 'person.create', isOfNone: true, details: {} },
    ...[member('Viewer'), link('setup')],
  ]);

  const listed = await admin.json<{ email: string; accounts: object[] }[]>('people list');
  expect(listed.find((person) => person.email === email)?.accounts).toEqual([
    { id: userId, email: account, role: 'Viewer' },
  ]);

  // Those who belong to another account, or operate, stay.
  const operator = newEmail();
  await admin.run('people create', '--email', operator, '-a', account, '--operator');
  await admin.run('users delete', userId, '--yes');
  const left = await admin.json<{ email: string }[]>('people list');
  expect(left.map((person) => person.email)).toEqual([operator]);
  expect((await admin.run('people disable', '--email', operator)).exitCode).toBe(0);
});

test('an address that is a person with a password is told, for anyone may have invited it', async () => {
  const [account, email] = [newEmail(), newEmail()];
  await admin.run('users create', '--account', account);
  const join = ['people create', '--email', email, '-a', account];
  expect((await admin.run(...join)).stdout).not.toContain('already');
  await admin.db.query(`update people set password_hash = 'of someone' where email = $1`, [email]);
  const note = `${email} is a person already, with a password`;
  expect((await admin.run(...join)).stdout).toContain(note);
  expect((await admin.run('users create', '--account', email)).stdout).toContain(note);
});

test.each([
  [['people sign-in-link'], /^Name the person: --email <email>\.\n$/],
  [['people sign-in-link', '--email', 'nobody@example.com'], /^There is no person nobody@example\.com: /],
  [['people invite', '--email', 'a@b.example'], /^Name the account: --account <email>\.\n$/],
  [['people create', '--email', 'a@b.example', '--role', 'Boss'], /^--role "Boss": expected one of /],
])('%j is refused', async (args, message) => {
  expect(await admin.refused(...args)).toMatch(message);
});

// No name server listens at that port: what a look does is shown by services/management/test/domain-proof.int.test.ts.
const BASE = { PUBLIC_BASE_URL: 'https://sl.example.com', DOMAIN_DNS_SERVERS: '127.0.0.1:9' };

test('domains are added with their records, listed, looked at and removed', async () => {
  const [ann, bob] = [await admin.createUser(), await admin.createUser('Professional')];
  const json = async <Output>(...args: string[]) => {
    const { exitCode, stdout, stderr } = await admin.runWith(BASE, ...args, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as Output;
  };
  const refused = async (...args: string[]) => (await admin.runWith(BASE, ...args)).stderr;
  const added = await json<Record<string, string>>('domains add', 'Go.Example.org', '-a', ann.email);
  expect(added).toEqual({
    domainId: expect.any(String) as string,
    host: 'go.example.org',
    status: 'Pending',
    txtName: '_smartlink.go.example.org',
    txtValue: expect.stringMatching(/^smartlink-verify=[0-9A-Za-z]{32}$/) as string,
    cnameTarget: 'sl.example.com',
  });
  const text = (await admin.runWith(BASE, 'domains add', 'go.example.org', '-a', bob.email)).stdout;
  expect(text).toMatch(/^Added go\.example\.org, Pending/);
  expect(text).toMatch(/_smartlink\.go\.example\.org {2}TXT {4}smartlink-verify=/);
  expect(await refused('domains add', 'go.example.org', '-a', bob.email)).toMatch(/is taken/);
  expect(await refused('domains add', '192.0.2.1', '-a', bob.email)).toMatch(/is not a public host name/);
  expect((await admin.run('domains add', 'x.example.org', '-a', bob.email)).stderr).toMatch(
    /PUBLIC_BASE_URL/,
  );

  await json('domains add', 'trusted.example.org', '-a', bob.email, '--verified');
  expect(await json('domains list', '-a', bob.email)).toMatchObject([
    { host: 'trusted.example.org', status: 'Active', isTrusted: true, email: bob.email },
    { host: 'go.example.org', status: 'Pending', isTrusted: false },
  ]);
  expect((await admin.run('domains list')).stdout).toMatch(/trusted\.example\.org +Active, trusted/);

  expect(await refused('domains verify', 'go.example.org')).toMatch(/Several users have go\.example\.org/);
  expect(await json('domains verify', 'go.example.org', '-a', ann.email)).toEqual({
    domainId: added['domainId'],
    host: 'go.example.org',
    status: 'Pending',
    outcome: 'unknown',
    problem: expect.stringMatching(/^The DNS /) as string,
  });
  expect(await json('domains verify', 'trusted.example.org')).toMatchObject({ status: 'Active' });

  await admin.createSmartlink({ userId: bob.userId, smartlinkId: randomUUID(), slug: 'placed' });
  await admin.db.query(
    `update smartlinks set domain_number = (select number from domains where host = 'trusted.example.org') where slug = 'placed'`,
  );
  expect(await refused('domains remove', 'trusted.example.org')).toMatch(/still has smartlinks/);
  expect(await json('domains remove', added['domainId'] ?? '')).toEqual({
    domainId: added['domainId'],
    host: 'go.example.org',
  });
  expect(await refused('domains remove', added['domainId'] ?? '')).toMatch(/There is no domain/);
  const { rows } = await admin.db.query<{ action: string }>(
    `select action from audit_entries where actor = 'admin' and details ->> 'domainId' = $1 order by id`,
    [added['domainId']],
  );
  expect(rows.map(({ action }) => action)).toEqual(['domain.create', 'domain.delete']);

  await admin.json('users delete', '-a', bob.email, '-y');
  expect(await json('domains list')).toEqual([]);
});
