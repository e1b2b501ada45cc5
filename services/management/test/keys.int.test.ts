import { createHash, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateApiKey } from '@smartlink/smartlink/credentials';
import { until } from '@smartlink/test-support/until';
import { createOperation } from './bulk-calls.js';
import { addKey, caller, createSmartlink, useService } from './start-service.js';

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
