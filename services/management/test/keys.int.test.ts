import { createHash, randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateApiKey } from '@smartlink/smartlink/credentials';
import { until } from '@smartlink/test-support/until';
import { createOperation } from './bulk-calls.js';
import {
  addKey,
  caller,
  type Caller,
  callerWith,
  createPerson,
  createSmartlink,
  signIn,
  useService,
} from './start-service.js';

const { service } = useService({ env: { TRUSTED_PROXIES: '127.0.0.1' } });

const validateFrom = (client: string, key: string) =>
  service.app.inject({
    method: 'GET',
    url: '/api/v1/validate',
    headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': client },
    remoteAddress: '127.0.0.1',
  });
const statusFrom = async (client: string, key: string) => (await validateFrom(client, key)).statusCode;

/** A key of a new user, with some columns of its row replaced. */
async function keyWith(columns: Readonly<Record<string, unknown>>) {
  const { userId, apiKey } = await service.createUser();
  for (const [name, value] of Object.entries(columns)) {
    await service.app.pg.query(`update api_keys set ${name} = $2 where user_id = $1`, [userId, value]);
  }
  return { userId, apiKey, api: caller(service.app, apiKey) };
}

async function lastUseOf(userId: string): Promise<Date | null> {
  const { rows } = await service.app.pg.query<{ at: Date | null }>(
    'select last_used_at as at from api_keys where user_id = $1',
    [userId],
  );
  return rows[0]!.at;
}

test('a key works from its allowed networks alone', async () => {
  const { apiKey, userId } = await keyWith({
    allowed_networks: ['192.0.2.0/24', '203.0.113.9/32', '2001:db8:7::/48'],
  });
  // Before and after the process has found the key valid.
  for (const round of ['first', 'second']) {
    for (const client of ['198.51.100.1', '203.0.113.10', '2001:db8:8::1', 'unknown']) {
      expect([round, client, await statusFrom(client, apiKey)]).toEqual([round, client, 401]);
    }
    if (round === 'first') expect(await lastUseOf(userId)).toBeNull();
    for (const client of ['192.0.2.77', '203.0.113.9', '::ffff:203.0.113.9', '2001:db8:7:1::5']) {
      expect([round, client, await statusFrom(client, apiKey)]).toEqual([round, client, 200]);
    }
  }
  await until(async () => (await lastUseOf(userId)) !== null, 'the use is recorded');
});

test('from elsewhere a key is answered and limited like an unknown one', async () => {
  const { apiKey } = await keyWith({ allowed_networks: ['192.0.2.0/24'] });
  expect(await statusFrom('192.0.2.1', apiKey)).toBe(200);
  const answers = async (client: string, key: string) => {
    const seen: unknown[] = [];
    const record = async () => {
      const { statusCode, headers, body } = await validateFrom(client, key);
      const { 'x-request-id': _id, date: _date, ...others } = headers;
      const text = body.replace(/"timestamp":"[^"]*"/, '"timestamp":"…"');
      const seconds = ['retry-after', 'ratelimit-reset'].filter((name) => Object.hasOwn(others, name));
      seen.push([statusCode, text, { ...others, ...Object.fromEntries(seconds.map((name) => [name, '…'])) }]);
    };
    await record();
    for (let i = 0; i < 59; i += 1) await statusFrom(client, generateApiKey(randomInt));
    // The look-up of the first is forgotten by now, or is still cached.
    await until(async () => {
      await record();
      return (await statusFrom(client, key)) === 429;
    }, 'the limit holds');
    await record();
    return [seen[0], seen.at(-1)];
  };
  expect(await answers('198.51.100.2', apiKey)).toEqual(
    await answers('198.51.100.3', generateApiKey(randomInt)),
  );
  expect(await statusFrom('192.0.2.1', apiKey)).toBe(200);
});

test('the key before a rotation works until its grace period ends', async () => {
  const previous = generateApiKey(randomInt);
  const digest = createHash('sha256').update(previous).digest();
  const { apiKey, userId } = await keyWith({
    previous_sha256: digest,
    previous_until: new Date(Date.now() + 60_000),
  });
  expect([await statusFrom('', previous), await statusFrom('', apiKey)]).toEqual([200, 200]);
  await service.app.pg.query(`update api_keys set previous_until = now() where user_id = $1`, [userId]);
  await until(async () => (await statusFrom('', previous)) === 401, 'the previous key is refused');
  expect(await statusFrom('', apiKey)).toBe(200);
});

test('a key that may only create may do so in bulk, and is refused as a whole otherwise', async () => {
  const { userId, api } = await keyWith({ scopes: ['links:create'] });
  const creator = await addKey(service.app, userId);
  const { id } = await createSmartlink(caller(service.app, creator));
  const bulk = (operations: readonly object[]) => api.post('/smartlink/bulk', { operations });
  const created = await bulk([createOperation(), createOperation()]);
  expect(created.body.data).toMatchObject([{ status: 201 }, { status: 201 }]);
  for (const other of [
    { patch: { id, configuration: { smartlinkName: 'Mine' } } },
    { delete: { smartlinkId: id } },
  ]) {
    const refused = await bulk([createOperation(), other]);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      {
        code: 'FORBIDDEN',
        message: 'This API key may not do this',
        details: [{ path: '', message: 'Needs the scope links:write' }],
      },
    ]);
  }
  const { rows } = await service.app.pg.query('select name from smartlinks where user_id = $1', [userId]);
  expect(rows).toHaveLength(3);
});

/** An account with a signed-in Owner, who has confirmed. */
async function createAccount(plan?: string) {
  const account = await service.createUser(plan);
  const owner = await createPerson(service.app, { roles: { [account.userId]: 'Owner' } });
  const { api } = await signIn(service.app, owner, account.userId);
  return { ...account, personId: owner.personId, api };
}

const auditOf = async (userId: string) =>
  (
    await service.app.pg.query<{ action: string; actor: string; details: object }>(
      'select action, actor, details from audit_entries where user_id = $1 order by id',
      [userId],
    )
  ).rows;

test('an Owner creates, lists, changes, rotates and revokes keys', async () => {
  const { api, userId, personId } = await createAccount();
  const given = {
    name: 'Website',
    scopes: ['links:create', 'analytics:read', 'links:create'],
    expiresAt: '2090-01-31T04:00:00+04:00',
    allowedNetworks: ['203.0.113.7', '10.1.2.3/16', '2001:DB8::1/48', '::ffff:192.0.2.1'],
  };
  const created = await api.post('/keys', given);
  expect(created.status).toBe(201);
  const { apiKey, ...key } = created.body.data as { id: string; apiKey: string; displayPrefix: string };
  expect(key).toEqual({
    id: expect.any(String) as string,
    name: 'Website',
    displayPrefix: apiKey.slice(0, 17),
    scopes: ['links:create', 'analytics:read'],
    createdBy: personId,
    allowedNetworks: ['203.0.113.7', '10.1.0.0/16', '2001:db8::/48', '192.0.2.1'],
    expiresAt: '2090-01-31T00:00:00.000Z',
    createdAt: expect.any(String) as string,
  });
  const { data: byKey } = await createSmartlink(
    callerWith(service.app, { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': '192.0.2.1' }),
  );
  expect(byKey.createdBy).toBe(personId);
  expect([await statusFrom('192.0.2.1', apiKey), await statusFrom('192.0.2.2', apiKey)]).toEqual([200, 401]);

  const second = (await api.post('/keys', { name: 'Laptop' })).body.data as { id: string; scopes: string[] };
  expect(second.scopes).toEqual(['*']);
  const first = await api.get('/keys?limit=1');
  expect(first.body.data).toMatchObject([{ id: second.id }]);
  const cursor = String(first.headers['x-next-cursor']);
  const rest = await api.get(`/keys?limit=2&cursor=${cursor}`);
  expect((rest.body.data as { name: string }[]).map(({ name }) => name)).toEqual(['Website', 'test']);
  expect(rest.text).not.toContain(apiKey.slice(17));

  const cleared = { name: 'Shop', scopes: ['links:read'], allowedNetworks: null, expiresAt: null };
  const { body } = await api.patch('/keys', { id: key.id, ...cleared });
  const {
    allowedNetworks: _networks,
    expiresAt: _expiry,
    ...others
  } = { ...key, allowedNetworks: 0, expiresAt: 0 };
  expect(body.data).toMatchObject({ ...others, name: 'Shop', scopes: ['links:read'] });
  expect(body.data).not.toHaveProperty('allowedNetworks');
  expect(body.data).not.toHaveProperty('expiresAt');
  await api.patch('/keys', { id: key.id, name: 'Shop' });

  const rotated = await api.post('/keys/rotate', { id: key.id, graceSeconds: 60 });
  const next = rotated.body.data as { id: string; apiKey: string };
  expect([next.id, await statusFrom('', next.apiKey)]).toEqual([key.id, 200]);
  await until(async () => (await statusFrom('', apiKey)) === 200, 'the key of before works from anywhere');
  const last = (await api.post('/keys/rotate', { id: key.id })).body.data as { apiKey: string };
  for (const old of [apiKey, next.apiKey])
    await until(async () => (await statusFrom('', old)) === 401, 'the key of before is refused');
  expect(await statusFrom('', last.apiKey)).toBe(200);

  expect((await api.delete('/keys', { keyId: key.id })).status).toBe(200);
  await until(async () => (await statusFrom('', last.apiKey)) === 401, 'the revoked key is refused');
  for (const answer of [
    await api.delete('/keys', { keyId: key.id }),
    await api.patch('/keys', { id: key.id, name: 'Mine' }),
    await api.post('/keys/rotate', { id: key.id }),
  ]) {
    expect([answer.status, answer.body.error.message]).toEqual([404, 'API key not found']);
  }
  const entries = (await auditOf(userId)).filter(({ action }) => action.startsWith('key.'));
  expect(entries.map(({ action }) => action)).toEqual([
    ...['key.create', 'key.create', 'key.update', 'key.rotate', 'key.rotate', 'key.revoke'],
  ]);
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([`session ${personId}`]));
  expect(entries[2]!.details).toMatchObject({ changed: ['name', 'scopes', 'allowedNetworks', 'expiresAt'] });
  expect(JSON.stringify(entries)).not.toContain(apiKey.slice(17));
});

test('every fault of a key has its path and message', async () => {
  const { api } = await createAccount();
  const scopes =
    'links:read, links:create, links:write, analytics:read, domains:read, domains:write, webhooks:read, webhooks:write, *';
  const cases: [body: object, ...faults: [path: string, message: string][]][] = [
    [{}, ['name', 'Required']],
    [{ name: '' }, ['name', 'Must not be empty']],
    [{ name: 'x'.repeat(65) }, ['name', 'Must be at most 64 characters']],
    [{ name: 'x', scopes: [] }, ['scopes', 'Must not be empty']],
    [{ name: 'x', scopes: ['*', 'links'] }, ['scopes.1', `Must be one of ${scopes}`]],
    [{ name: 'x', scopes: Array(10).fill('*') }, ['scopes', 'Must have at most 9 elements']],
    [{ name: 'x', allowedNetworks: [] }, ['allowedNetworks', 'Must not be empty']],
    [
      { name: 'x', allowedNetworks: Array(21).fill('::1') },
      ['allowedNetworks', 'Must have at most 20 elements'],
    ],
    ...['10.0.0.0/33', '10.0.0', 'example.org', '::ffff:10.0.0.0/104', 'fe80::1%eth0', ''].map(
      (range): [object, [string, string]] => [
        { name: 'x', allowedNetworks: ['10.0.0.0/8', range] },
        ['allowedNetworks.1', 'Must be an address or a CIDR range'],
      ],
    ),
    ...['2026-01-01T00:00:00Z', new Date(Date.now() - 1).toISOString()].map(
      (expiresAt): [object, [string, string]] => [
        { name: 'x', expiresAt },
        ['expiresAt', 'Must be in the future'],
      ],
    ),
    ...[
      '2090-01-31',
      '2090-01-31T00:00:00',
      '1999-01-01T00:00:00Z',
      '2200-01-01T00:00:00Z',
      '2090-02-30T00:00:00Z',
      7,
    ].map((expiresAt): [object, [string, string]] => [
      { name: 'x', expiresAt },
      ['expiresAt', 'Must be an ISO 8601 time with a time zone'],
    ]),
    [
      { name: 'x\n', scopes: [7], allowedNetworks: [7] },
      ['name', 'Must not contain line breaks or control characters'],
      ['scopes.0', `Must be one of ${scopes}`],
      ['allowedNetworks.0', 'Must be a string'],
    ],
  ];
  for (const [body, ...faults] of cases) {
    const { status, body: answer } = await api.post('/keys', body);
    const details = faults.map(([path, message]) => ({ path, message }));
    expect([body, status, answer.error?.details]).toEqual([body, 400, details]);
  }
  for (const graceSeconds of [-1, 604_801, 1.5, '60']) {
    const answer = await api.post('/keys/rotate', { id: 'x', graceSeconds });
    expect(answer.body.error.details).toEqual([
      { path: 'graceSeconds', message: 'Must be a whole number from 0 to 604800' },
    ]);
  }
});

test('keys are for confirmed Owners of the account alone', async () => {
  const own = await createAccount();
  const { apiKey } = own;
  const foreign = await createAccount();
  const [foreignKey] = (await foreign.api.get('/keys')).body.data as [{ id: string }];
  const before = await auditOf(foreign.userId);
  const writes = (api: Caller, id: unknown) => [
    api.patch('/keys', { id, name: 'Mine' }),
    api.post('/keys/rotate', { id }),
    api.delete('/keys', { keyId: id }),
  ];
  const comparable = async (answers: ReturnType<typeof writes>) =>
    (await Promise.all(answers)).map(({ status, text }) => [status, text.replace(/"timestamp":"[^"]+"/, '')]);
  expect(await comparable(writes(own.api, foreignKey.id))).toEqual(
    await comparable(writes(own.api, randomUUID())),
  );
  expect(await auditOf(foreign.userId)).toEqual(before);

  const all = (api: Caller) => [
    api.get('/keys'),
    api.post('/keys', { name: 'x' }),
    ...writes(api, foreignKey.id),
  ];
  const reasons = async (api: Caller) =>
    new Set((await Promise.all(all(api))).map(({ body }) => JSON.stringify(body.error)));
  expect(await reasons(caller(service.app, apiKey))).toEqual(
    new Set([forbiddenBy('This API key may not do this', 'Needs a signed-in person')]),
  );
  const editor = await createPerson(service.app, { roles: { [own.userId]: 'Editor' } });
  const { api: editorApi } = await signIn(service.app, editor, own.userId);
  expect(await reasons(editorApi)).toEqual(
    new Set([forbiddenBy('You may not do this', 'Needs the role Owner')]),
  );

  await service.app.pg.query(
    `update sessions set confirmed_at = now() - interval '11 minutes' where person_id = $1`,
    [own.personId],
  );
  const [listed, ...refused] = await Promise.all(all(own.api));
  expect(listed!.status).toBe(200);
  expect(refused.map(({ body }) => body.error.code)).toEqual(Array(4).fill('CONFIRMATION_REQUIRED'));
});

const forbiddenBy = (message: string, reason: string) =>
  JSON.stringify({ code: 'FORBIDDEN', message, details: [{ path: '', message: reason }] });

test('a key tells about itself, whatever its scopes, and not about others', async () => {
  const { api, apiKey } = await keyWith({ scopes: ['webhooks:read'], allowed_networks: ['127.0.0.0/8'] });
  const { status, body } = await api.get('/keys/current');
  expect([status, body.data]).toMatchObject([
    200,
    { displayPrefix: apiKey.slice(0, 17), scopes: ['webhooks:read'], allowedNetworks: ['127.0.0.0/8'] },
  ]);
  const { api: person } = await createAccount();
  const refused = await person.get('/keys/current');
  expect([refused.status, refused.body.error.details]).toEqual([
    403,
    [{ path: '', message: 'Needs an API key' }],
  ]);
});

test('Starter has keys for everything only', async () => {
  const { api } = await createAccount('Starter');
  const { status, body } = await api.post('/keys', { name: 'x', scopes: ['*'] });
  expect(status).toBe(201);
  for (const answer of [
    await api.post('/keys', { name: 'x', scopes: ['links:read'] }),
    await api.patch('/keys', { id: body.data.id, scopes: ['*', 'links:read'] }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 'PLAN_RESTRICTED']);
  }
});

test('an account has at most 50 keys, also of parallel creates; an expired one is listed and not rotated', async () => {
  const { api, userId, apiKey } = await createAccount();
  await service.app.pg.query(`update api_keys set expires_at = now() where user_id = $1`, [userId]);
  const answers = await Promise.all(Array.from({ length: 52 }, () => api.post('/keys', { name: 'x' })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(49);
  for (const { body } of answers.filter(({ status }) => status !== 201))
    expect(body.error.details).toEqual([{ path: '', message: 'A user has at most 50 API keys' }]);
  const { data } = (await api.get('/keys')).body as { data: { id: string; displayPrefix: string }[] };
  const expired = data.find(({ displayPrefix }) => apiKey.startsWith(displayPrefix))!;
  const rotated = await api.post('/keys/rotate', { id: expired.id });
  expect(rotated.body.error.details).toEqual([{ path: 'id', message: 'The key has expired' }]);
});
