import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Role } from '../src/accounts/roles.js';
import {
  caller,
  type Caller,
  callerWith,
  createPerson,
  createSmartlink,
  signIn,
  useService,
} from './start-service.js';

const { service } = useService({ env: { MANAGEMENT_BASE_URL: 'https://manage.example.com' } });
const pg = () => service.app.pg;

/** With MANAGEMENT_BASE_URL of https the cookie has another name, and Origin must be it. */
async function member(userId: string, role: Role) {
  const { personId, email } = await createPerson(service.app, { roles: { [userId]: role } });
  return { personId, email, ...(await signInTo(userId, personId)) };
}
async function signInTo(userId: string, personId: string) {
  const { token } = await signIn(service.app, { personId }, userId);
  return { api: personCaller(token) };
}
const personCaller = (token: string): Caller =>
  callerWith(service.app, {
    cookie: `__Host-smartlink_session=${token}`,
    origin: 'https://manage.example.com',
  });

async function createAccount() {
  const account = await service.createUser();
  return { ...account, owner: await member(account.userId, 'Owner') };
}

const auditOf = async (userId: string) =>
  (
    await pg().query<{ action: string }>('select action from audit_entries where user_id = $1 order by id', [
      userId,
    ])
  ).rows.map(({ action }) => action);

test('an account tells its plan, its use and the role, and is renamed by Owners', async () => {
  const { userId, email, apiKey, owner } = await createAccount();
  await createSmartlink(caller(service.app, apiKey));
  const viewer = await member(userId, 'Viewer');
  const expected = {
    id: userId,
    name: email,
    plan: { name: 'Enterprise', smartlinks: null, analyticsDays: null, advanced: true },
    usage: { smartlinks: 1, mediaBytes: 0 },
    role: 'Viewer',
  };
  expect((await viewer.api.get('/account')).body.data).toMatchObject(expected);
  expect((await viewer.api.patch('/account', { name: 'Mine' })).status).toBe(403);
  expect((await owner.api.patch('/account', { name: 'Corner café' })).body.data.name).toBe('Corner café');
  expect((await owner.api.patch('/account', { name: 'Corner café' })).status).toBe(200);
  expect((await owner.api.patch('/account', { name: null })).body.data.name).toBe(email);
  expect((await auditOf(userId)).filter((action) => action === 'account.update')).toHaveLength(2);
});

test('an invitation is a link of seven days, and another one of the same address replaces it', async () => {
  const { userId, owner } = await createAccount();
  const invite = async (email: string, role: Role) =>
    (await owner.api.post('/members', { email, role })).body.data as { inviteUrl: string; expiresAt: string };
  await invite('New@example.org', 'Editor');
  const { inviteUrl, expiresAt } = await invite('new@EXAMPLE.org', 'Viewer');
  const [base, token = ''] = inviteUrl.split('#');
  expect([base, token]).toEqual(['https://manage.example.com/welcome', expect.stringMatching(/^[\w-]{43}$/)]);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
  const { rows } = await pg().query(
    'select token_sha256, purpose, email, role, used_at from one_time_links where user_id = $1',
    [userId],
  );
  expect(rows).toEqual([
    {
      token_sha256: createHash('sha256').update(token).digest(),
      ...{ purpose: 'invite', email: 'new@EXAMPLE.org', role: 'Viewer', used_at: null },
    },
  ]);
  expect(await auditOf(userId)).toEqual(['member.invite', 'member.invite']);
});

test.each([
  ['is an Editor', `update memberships set role = 'Editor' where person_id = $1`],
  ['is no member', 'delete from memberships where person_id = $1'],
  ['is disabled', 'update people set disabled_at = now() where id = $1'],
])('an invitation ends with its Owner who %s', async (_what, change) => {
  const { userId, owner } = await createAccount();
  const second = await member(userId, 'Owner');
  const guest = callerWith(service.app, { origin: 'https://manage.example.com' }, '/auth');
  const tokenBy = async ({ api }: Pick<typeof owner, 'api'>, email: string): Promise<string> =>
    (await api.post('/members', { email, role: 'Owner' })).body.data.inviteUrl.split('#')[1];
  const [own, kept] = [await tokenBy(second, 'own@example.net'), await tokenBy(owner, 'kept@example.net')];
  const check = async (token: string) => (await guest.post('/link/check', { token })).status;
  expect((await guest.post('/link/check', { token: own })).body.data.invitation).toEqual({
    account: expect.any(String),
    role: 'Owner',
    invitedBy: second.email,
  });
  await pg().query(change, [second.personId]);
  const redeemed = await guest.post('/link', { token: own, password: 'correct horse battery' });
  expect([await check(own), redeemed.status, await check(kept)]).toEqual([410, 410, 200]);
});

test('a member is not invited again, and an account has at most 200 members with open invitations', async () => {
  const { userId, owner } = await createAccount();
  const invite = (email: string) => owner.api.post('/members', { email, role: 'Viewer' });
  const taken = await invite(owner.email.toUpperCase());
  expect([taken.status, taken.body.error]).toEqual([
    409,
    {
      code: 'NAME_TAKEN',
      message: 'Name is already taken',
      details: [{ path: 'email', message: 'Is already taken' }],
    },
  ]);
  await pg().query(
    `insert into one_time_links (token_sha256, purpose, email, user_id, role, expires_at)
     select sha256(concat($1::text, n)::bytea), 'invite', concat('p', n, '@example.com'), $1::uuid, 'Viewer', now() + interval '1 day'
     from generate_series(1, 198) as n`,
    [userId],
  );
  const answers = await Promise.all(['a@example.org', 'b@example.org', 'c@example.org'].map(invite));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  const refused = answers.find(({ status }) => status === 400)!;
  expect(refused.body.error.details).toEqual([{ path: '', message: 'An account has at most 200 members' }]);
  expect((await invite('P1@example.com')).status).toBe(201);
  // It would turn the sentence around that names who invites.
  expect((await invite('\u202emoc.elpmaxe@a')).body.error.details).toEqual([
    { path: 'email', message: 'Must be an e-mail address' },
  ]);
});

test('members are listed, given another role and removed, at once; the last Owner stays', async () => {
  const { userId, owner } = await createAccount();
  const editor = await member(userId, 'Editor');
  const { data } = (await owner.api.get('/members')).body as { data: { personId: string; role: string }[] };
  expect(data.map(({ personId, role }) => [personId, role])).toEqual([
    [owner.personId, 'Owner'],
    [editor.personId, 'Editor'],
  ]);
  const lastOwner = (path: string) => [{ path, message: 'An account has at least one Owner' }];
  const demoted = await owner.api.patch('/members', { personId: owner.personId, role: 'Editor' });
  expect(demoted.body.error.details).toEqual(lastOwner('role'));
  const left = await owner.api.delete('/members', { personId: owner.personId });
  expect(left.body.error.details).toEqual(lastOwner('personId'));

  expect((await editor.api.get('/members')).status).toBe(403);
  const promoted = await owner.api.patch('/members', { personId: editor.personId, role: 'Owner' });
  expect(promoted.body.data).toMatchObject({ personId: editor.personId, role: 'Owner' });
  expect((await editor.api.get('/members')).status).toBe(200);
  // An Owner who may not sign in is none to rely on.
  await pg().query('update people set disabled_at = now() where id = $1', [editor.personId]);
  expect((await owner.api.delete('/members', { personId: owner.personId })).status).toBe(400);
  await pg().query('update people set disabled_at = null where id = $1', [editor.personId]);
  // Each removes the other at the same time: one of them stays.
  const answers = await Promise.all([
    owner.api.delete('/members', { personId: editor.personId }),
    editor.api.delete('/members', { personId: owner.personId }),
  ]);
  const { rows } = await pg().query('select from memberships where user_id = $1', [userId]);
  expect([rows.length, answers.filter(({ status }) => status === 200).length]).toEqual([1, 1]);
});

test('the audit log names actors, and is filtered and paged', async () => {
  const { userId, apiKey, owner } = await createAccount();
  const byKey = caller(service.app, apiKey);
  const { id } = await createSmartlink(byKey);
  await byKey.patch('/smartlink', { id, configuration: { smartlinkName: 'Other' } });
  await owner.api.patch('/account', { name: 'Mine' });
  await pg().query(
    `insert into audit_entries (actor, action, user_id, at, details) values
       ('admin', 'user.set-plan', $1, '2026-03-10T23:59:59.999Z', '{"from":"Starter"}'),
       ('url-safety', 'smartlink.unsafe', $1, '2026-03-11T00:00:00Z', null),
       ('admin', 'user.delete', $2, '2026-03-10T12:00:00Z', null)`,
    [userId, randomUUID()],
  );
  type Change = { id: string; action: string; actor: object; changed?: string[] };
  const list = async (query: string) => (await owner.api.get(`/audit${query}`)).body.data as Change[];
  const all = await list('');
  expect(all.map(({ action, actor, changed }) => [action, actor, changed])).toEqual([
    ['account.update', { kind: 'session', id: owner.personId, name: owner.email }, ['name']],
    ['smartlink.update', { kind: 'key', id: expect.any(String) as string, name: 'test' }, ['smartlinkName']],
    ['smartlink.create', expect.objectContaining({ kind: 'key', name: 'test' }), undefined],
    ['smartlink.unsafe', { kind: 'system' }, undefined],
    ['user.set-plan', { kind: 'admin' }, undefined],
  ]);
  const actions = async (query: string) => (await list(query)).map(({ action }) => action);
  expect(await actions(`?smartlinkId=${id}`)).toEqual(['smartlink.update', 'smartlink.create']);
  expect(await actions('?action=smartlink.create')).toEqual(['smartlink.create']);
  expect(await actions('?from=2026-03-10&to=2026-03-10')).toEqual(['user.set-plan']);
  expect(await actions('?from=2026-03-11&to=2026-03-11')).toEqual(['smartlink.unsafe']);
  const paged: Change[] = [];
  for (let cursor: string | undefined, i = 0; i === 0 || (cursor !== undefined && i < 9); i += 1) {
    const page = await owner.api.get(`/audit?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    paged.push(...(page.body.data as Change[]));
    cursor = page.headers['x-next-cursor'] as string | undefined;
  }
  expect(paged).toEqual(all);
});
