import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../src/accounts/roles.js';
import type {} from '../src/api-reference/api-reference.js';
import {
  caller,
  type Caller,
  callerWith,
  createPerson,
  createSmartlink,
  faultsOf,
  signIn,
  urlSmartlink,
  useService,
} from './start-service.js';
import { count } from './stored-state.js';

const { service, user, api } = useService();
const pg = () => service.app.pg;
let operator: Caller;
let operatorId: string;

beforeAll(async () => {
  ({ api: operator, personId: operatorId } = await createOperator());
});

async function createOperator() {
  const { personId } = await createPerson(service.app, { isOperator: true });
  return { personId, ...(await signIn(service.app, { personId }, null)) };
}
async function member(role: Role, userId = user.userId) {
  const person = await createPerson(service.app, { roles: { [userId]: role } });
  return { ...person, ...(await signIn(service.app, person, userId)) };
}
const newEmail = () => `${randomUUID()}@example.org`;
const auth = () => callerWith(service.app, { origin: 'http://localhost' }, '/auth');
/** What the one-time link of an answer is for. */
async function purposeOf({ body }: Awaited<ReturnType<Caller['get']>>): Promise<string> {
  const [, token] = String(body.data.link.url).split('/welcome#');
  return (await auth().post('/link/check', { token })).body.data.purpose as string;
}
/** Every page of a list. */
async function listAll(path: string): Promise<{ email: string }[]> {
  const all: { email: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = await operator.get(`${path}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    expect(page.status).toBe(200);
    all.push(...(page.body.data as { email: string }[]));
    cursor = page.headers['x-next-cursor'] as string | undefined;
  } while (cursor !== undefined && all.length < 1_000);
  return all;
}
const actionsOf = async (userId: string | null, personId: string) =>
  (
    await pg().query<{ action: string }>(
      `select action from audit_entries
       where user_id is not distinct from $1 and details ->> 'personId' = $2 order by id`,
      [userId, personId],
    )
  ).rows.map(({ action }) => action);

describe('the right to operate', () => {
  const routes = () =>
    service.app.apiRoutes
      .filter(({ path }) => path.startsWith('/api/v1/admin/'))
      .map(({ method, path }) => [method, path.replace('/api/v1', '')] as const);

  test('is needed by every route below /admin, whatever the role, and no key has it', async () => {
    const callers = await Promise.all(
      (['Viewer', 'Editor', 'Owner'] as const).map(async (role) => (await member(role)).api),
    );
    expect(routes().length).toBeGreaterThanOrEqual(10);
    const refusal = (message: string, detail: string) => [
      403,
      { code: 'FORBIDDEN', message, details: [{ path: '', message: detail }] },
    ];
    for (const [method, path] of routes()) {
      const call = async (by: Caller) => {
        const { status, body } = await by.call(method, path, method === 'GET' ? undefined : {});
        return [status, body.error] as const;
      };
      expect(await call(api)).toEqual(refusal('This API key may not do this', 'Needs a signed-in person'));
      for (const by of callers) {
        expect(await call(by)).toEqual(refusal('You may not do this', 'Needs an operator'));
      }
      expect((await call(callerWith(service.app, {})))[0]).toBe(401);
      expect([200, 400]).toContain((await call(operator))[0]);
    }
  });

  test('of the last operator stays, also when two take it from each other', async () => {
    const other = await createOperator();
    const [a, b] = [operatorId, other.personId];
    const answers = await Promise.all([
      operator.patch('/admin/people', { personId: b, isOperator: false }),
      other.api.patch('/admin/people', { personId: a, isOperator: false }),
    ]);
    const left = await count(service.app, 'people where is_operator and disabled_at is null');
    expect([left, answers.filter(({ status }) => status === 200).length]).toEqual([1, 1]);
    await pg().query('update people set is_operator = true where id = any($1)', [[a, b]]);
    await operator.patch('/admin/people', { personId: b, isDisabled: true });
    for (const patch of [{ isOperator: false }, { isDisabled: true }]) {
      const res = await operator.patch('/admin/people', { personId: a, ...patch });
      expect([res.status, res.body.error.details]).toEqual([
        400,
        [{ path: Object.keys(patch)[0], message: 'There must be another operator' }],
      ]);
    }
    expect((await operator.get('/admin/plans')).status).toBe(200);
  });

  test('shows no content of accounts', async () => {
    const { userId, email, apiKey } = await service.createUser();
    await createSmartlink(caller(service.app, apiKey), urlSmartlink({ smartlinkName: 'Hidden' }));
    for (const path of ['people', 'accounts', 'plans', 'safety', 'safety?state=unchecked']) {
      expect((await operator.get(`/admin/${path}`)).text).not.toMatch(/Hidden|example\.org\//);
    }
    const [account] = (await operator.get(`/admin/accounts?q=${email}`)).body.data;
    expect(account).toMatchObject({
      id: userId,
      usage: { smartlinks: 1, mediaBytes: 0 },
      keys: 1,
      members: 0,
    });
    expect((await operator.get('/smartlink')).status).toBe(403);
  });
});

describe('changes of people and accounts', () => {
  test('need a person who has confirmed within ten minutes', async () => {
    const { api: by, token: _token, personId } = await createOperator();
    await pg().query(
      `update sessions set confirmed_at = now() - interval '11 minutes' where person_id = $1`,
      [personId],
    );
    const before = await count(service.app, 'audit_entries');
    const email = newEmail();
    for (const res of [
      await by.post('/admin/people', { email }),
      await by.patch('/admin/people', { personId, isOperator: false }),
      await by.post('/admin/accounts', { email }),
      await by.patch('/admin/accounts', { id: user.userId, name: 'Mine' }),
    ])
      expect([res.status, res.body.error.code]).toEqual([403, 'CONFIRMATION_REQUIRED']);
    expect(await count(service.app, 'audit_entries')).toBe(before);
    expect(await count(service.app, 'people where email = $1', [email])).toBe(0);
  });

  test.each([
    ['POST', '/admin/people', { email: 'no address' }, ['email']],
    ['POST', '/admin/people', { email: 'nul\0@example.org' }, ['email']],
    ['POST', '/admin/people', { email: 'a@example.org', role: 'Owner' }, ['accountId']],
    ['POST', '/admin/people', { email: 'a@example.org', accountId: 'x' }, ['role']],
    ['POST', '/admin/people', { email: 'a@example.org', accountId: 'x', role: 'Owner' }, ['accountId']],
    [
      'POST',
      '/admin/people',
      { email: 'a@example.org', accountId: randomUUID(), role: 'Owner' },
      ['accountId'],
    ],
    ['POST', '/admin/people', { email: 'a@example.org', accountId: 7, role: 'Boss' }, ['accountId', 'role']],
    ['PATCH', '/admin/people', { isOperator: 'yes' }, ['personId', 'isOperator']],
    ['PATCH', '/admin/people', { personId: 'x', link: 'setup' }, ['link']],
    ['POST', '/admin/accounts', { email: 'a@example.org', plan: 'Gold' }, ['plan']],
    ['POST', '/admin/accounts', { email: 'a@example.org', plan: 'Gold\0' }, ['plan']],
    ['POST', '/admin/accounts', { name: '' }, ['email', 'name']],
    ['PATCH', '/admin/accounts', { name: 'a\nb' }, ['id', 'name']],
    ['PATCH', '/admin/plans', { name: 'Starter', requestsPerMinute: 0 }, ['requestsPerMinute']],
    ['PATCH', '/admin/plans', { smartlinks: -1, analyticsDays: 0, advanced: 1 }, undefined],
  ])('%s %s of %j is a fault', async (method, path, body, paths) => {
    const res = await operator.call(method, path, body);
    expect(res.status).toBe(400);
    if (paths !== undefined) expect(faultsOf(res).sort()).toEqual([...paths].sort());
    expect(await count(service.app, `people where email = 'a@example.org'`)).toBe(0);
  });

  test.each([
    ['/admin/people', { personId: randomUUID(), isDisabled: true }, 'Person not found'],
    ['/admin/people', { personId: '__proto__', link: 'reset' }, 'Person not found'],
    ['/admin/accounts', { id: randomUUID(), plan: 'Starter' }, 'Account not found'],
    ['/admin/accounts', { id: 'x', name: 'Mine' }, 'Account not found'],
    ['/admin/plans', { name: 'Gold', smartlinks: 1 }, 'Plan not found'],
  ])('PATCH %s %j is not found', async (path, body, message) => {
    const res = await operator.patch(path, body);
    expect([res.status, res.body.error.message]).toEqual([404, message]);
  });
});

describe('a person', () => {
  test('is made with a setup link, shown once, and optionally an account and the right to operate', async () => {
    const { userId } = await service.createUser();
    const email = newEmail();
    const made = await operator.post('/admin/people', {
      ...{ email, accountId: userId, role: 'Editor', isOperator: true },
    });
    expect(made.status).toBe(201);
    const { personId } = made.body.data as { personId: string };
    expect(made.body.data).toMatchObject({ email, isOperator: true, hasPassword: false });
    expect(made.body.data.accounts).toEqual([{ id: userId, email: `${userId}@example.com`, role: 'Editor' }]);
    expect(await purposeOf(made)).toBe('setup');
    const hours = (Date.parse(made.body.data.link.expiresAt) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    const [listed] = (await operator.get(`/admin/people?q=${email.toUpperCase()}`)).body.data;
    const { link: _link, ...rest } = made.body.data as Record<string, unknown>;
    expect(listed).toEqual(rest);
    expect(await actionsOf(null, personId)).toEqual(['person.create', 'person.update']);
    expect(await actionsOf(userId, personId)).toEqual(['member.create']);
  });

  test('who exists becomes a member, and is not made twice', async () => {
    const { userId } = await service.createUser();
    const { personId, email } = await createPerson(service.app);
    const again = { email: email.toUpperCase() };
    const taken = [409, [{ path: 'email', message: 'Is already taken' }]];
    const answerOf = async (body: object) => {
      const res = await operator.post('/admin/people', body);
      return [res.status, res.body.error?.details ?? res.body.data.personId];
    };
    expect(await answerOf(again)).toEqual(taken);
    const joined = { ...again, accountId: userId, role: 'Viewer' };
    // Of ten at once, one adds the membership.
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerOf(joined)));
    expect(answers.filter(([status]) => status === 201)).toEqual([[201, personId]]);
    expect(answers.filter(([status]) => status === 409)).toHaveLength(9);
    await pg().query(`update people set password_hash = 'x' where id = $1`, [personId]);
    const other = (await service.createUser()).userId;
    const res = await operator.post('/admin/people', { ...again, accountId: other, role: 'Owner' });
    expect([res.status, 'link' in res.body.data]).toEqual([201, false]);
    await pg().query('update people set disabled_at = now() where id = $1', [personId]);
    const third = (await service.createUser()).userId;
    expect(await answerOf({ ...again, accountId: third, role: 'Owner' })).toEqual([
      400,
      [{ path: 'email', message: 'The person is disabled' }],
    ]);
  });

  test('does not join an account that has its 200 members', async () => {
    const { userId } = await service.createUser();
    await pg().query(
      `with made as (insert into people (id, email) select gen_random_uuid(), n || '@' || $1 from generate_series(1, 200) as n returning id)
       insert into memberships (user_id, person_id, role) select $1::uuid, id, 'Viewer' from made`,
      [userId],
    );
    const email = newEmail();
    const res = await operator.post('/admin/people', { email, accountId: userId, role: 'Viewer' });
    expect([res.status, res.body.error.details]).toEqual([
      400,
      [{ path: '', message: 'An account has at most 200 members' }],
    ]);
    expect(await count(service.app, 'people where email = $1', [email])).toBe(0);
  });

  test('who is disabled is signed out at the next request, and gets no link until enabled', async () => {
    const { userId } = await service.createUser();
    const { personId, api: by } = await member('Owner', userId);
    const sent = await operator.patch('/admin/people', { personId, link: 'sign-in' });
    expect(await purposeOf(sent)).toBe('sign-in');
    const disabled = await operator.patch('/admin/people', { personId, isDisabled: true });
    expect([disabled.status, typeof disabled.body.data.disabledAt]).toEqual([200, 'string']);
    expect((await by.get('/account')).status).toBe(401);
    const refused = await operator.patch('/admin/people', { personId, link: 'reset' });
    expect(refused.body.error.details).toEqual([{ path: 'link', message: 'The person is disabled' }]);
    const enabled = await operator.patch('/admin/people', { personId, isDisabled: false, link: 'reset' });
    expect([enabled.status, 'disabledAt' in enabled.body.data]).toEqual([200, false]);
    // A link of before, and the sessions, stay ended.
    const [, token] = String(sent.body.data.link.url).split('#');
    expect((await auth().post('/link/check', { token })).status).toBe(410);
    expect((await by.get('/account')).status).toBe(401);
    // There is no password to reset yet.
    expect(await purposeOf(enabled)).toBe('setup');
    await pg().query(`update people set password_hash = 'x' where id = $1`, [personId]);
    expect(await purposeOf(await operator.patch('/admin/people', { personId, link: 'reset' }))).toBe('reset');
    // The Owners of the account see it.
    expect(await actionsOf(userId, personId)).toEqual([
      ...['person.link', 'person.disable', 'person.enable', 'person.link', 'person.link'],
    ]);
  });

  test('who loses the right to operate has lost it at the next request', async () => {
    const { personId, api: by } = await createOperator();
    expect((await by.get('/admin/people?limit=1')).status).toBe(200);
    await operator.patch('/admin/people', { personId, isOperator: false });
    expect((await by.get('/admin/people?limit=1')).status).toBe(403);
    expect(await actionsOf(null, personId)).toEqual(['person.update']);
  });
});

describe('an account', () => {
  test('is made with its Owner, who gets the setup link', async () => {
    const email = newEmail();
    const made = await operator.post('/admin/accounts', { email, name: 'Shop', plan: 'starter' });
    expect(made.status).toBe(201);
    const { id } = made.body.data as { id: string };
    expect(made.body.data).toMatchObject({
      ...{ email, name: 'Shop', plan: 'Starter', members: 1, keys: 0 },
      usage: { smartlinks: 0, mediaBytes: 0 },
    });
    expect(await purposeOf(made)).toBe('setup');
    const [person] = (await operator.get(`/admin/people?q=${email}`)).body.data;
    expect(person.accounts).toEqual([{ id, email, role: 'Owner' }]);
    const again = await operator.post('/admin/accounts', { email: email.toUpperCase() });
    expect([again.status, again.body.error.details]).toEqual([
      409,
      [{ path: 'email', message: 'Is already taken' }],
    ]);
    const { rows } = await pg().query('select actor, action from audit_entries where user_id = $1', [id]);
    const actor = `session ${operatorId}`;
    expect(rows).toEqual([
      { actor, action: 'user.create' },
      { actor, action: 'member.create' },
    ]);
  });

  test('of a person who has a password needs no link', async () => {
    const { email, personId } = await createPerson(service.app);
    await pg().query(`update people set password_hash = 'x' where id = $1`, [personId]);
    const made = await operator.post('/admin/accounts', { email });
    expect([made.status, made.body.data.plan, 'link' in made.body.data]).toEqual([201, 'Enterprise', false]);
  });

  test('gets another plan, which holds at once, and another name', async () => {
    const { userId, email } = await service.createUser();
    const { api: owner } = await member('Owner', userId);
    const patch = (body: object) => operator.patch('/admin/accounts', { id: userId, ...body });
    expect((await patch({ plan: 'STARTER', name: 'Shop' })).body.data).toMatchObject({
      plan: 'Starter',
      name: 'Shop',
    });
    expect((await owner.get('/account')).body.data).toMatchObject({ name: 'Shop', plan: { smartlinks: 3 } });
    expect((await patch({ name: null })).body.data.name).toBe(email);
    expect((await patch({ name: null, plan: 'Starter' })).status).toBe(200);
    const { rows } = await pg().query(
      'select action, details from audit_entries where user_id = $1 order by id',
      [userId],
    );
    const renamed = { action: 'account.update', details: { changed: ['name'] } };
    expect(rows).toEqual([
      { action: 'user.set-plan', details: { from: 'Enterprise', to: 'Starter' } },
      renamed,
      renamed,
    ]);
  });
});

test('plans are listed, and their limits changed for all accounts on them', async () => {
  await pg().query(`insert into plans values ('Team', 5, 100, 30, false)`);
  const { email } = await service.createUser('Team');
  const change = { name: 'team', smartlinks: null, requestsPerMinute: 200, advanced: true, mediaBytes: 7 };
  const changed = { ...change, name: 'Team', analyticsDays: 30, accounts: 1 };
  expect((await operator.patch('/admin/plans', change)).body.data).toEqual(changed);
  expect((await operator.patch('/admin/plans', change)).body.data).toEqual(changed);
  expect((await operator.get('/admin/plans')).body.data).toContainEqual(changed);
  const { rows } = await pg().query(`select details from audit_entries where action = 'plan.set'`);
  expect(rows).toEqual([
    {
      details: {
        plan: 'Team',
        from: { smartlinks: 5, requestsPerMinute: 100, advanced: false, mediaBytes: 'unlimited' },
        to: { smartlinks: 'unlimited', requestsPerMinute: 200, advanced: true, mediaBytes: 7 },
      },
    },
  ]);
  const [account] = (await operator.get(`/admin/accounts?q=${email}`)).body.data;
  expect(account.plan).toBe('Team');
});

describe.each(['people', 'accounts'])('the list of %s', (list) => {
  const table = list === 'people' ? 'people' : 'users';

  test('gives every one once, by address, in pages of the size asked for', async () => {
    const mark = randomUUID();
    const emails = ['C', 'a', 'B', 'd', 'e%_'].map((name) => `${name}@${mark}.example`);
    const plan = table === 'users' ? [', plan', `, 'Starter'`] : ['', ''];
    await pg().query(
      `insert into ${table} (id, email${plan[0]}) select gen_random_uuid(), email${plan[1]} from unnest($1::text[]) as email`,
      [emails],
    );
    const expected = emails.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    for (const limit of [1, 2, 5, 100]) {
      const all = await listAll(`/admin/${list}?q=${mark.toUpperCase()}&limit=${limit}`);
      expect(all.map(({ email }) => email)).toEqual(expected);
    }
    // Signs of patterns are characters.
    expect(await listAll(`/admin/${list}?q=${encodeURIComponent(`%_@${mark}`)}`)).toHaveLength(1);
    expect(await listAll(`/admin/${list}?q=${encodeURIComponent(`x@${mark}`)}`)).toEqual([]);
    expect((await listAll(`/admin/${list}?limit=3`)).length).toBe(await count(service.app, table));
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'cursor=',
    'q=',
    `q=${'a'.repeat(129)}`,
    'q=%00',
  ])('refuses ?%s', async (query) => {
    const res = await operator.get(`/admin/${list}?${query}`);
    expect([res.status, faultsOf(res)]).toEqual([400, [query.split('=')[0]]]);
  });
});
