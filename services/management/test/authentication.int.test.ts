import { describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { addKey, caller, revokeKey, useSecondService, useService } from './start-service.js';

const { service, user } = useService();
const second = useSecondService(service);

const validate = (headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url: '/api/v1/validate', headers });

describe('a key that is good', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is taken after %s', async (scheme) => {
    const res = await validate({ authorization: `${scheme} ${user.apiKey}` });
    expect(res.statusCode).toBe(200);
    expect(res.json()).toEqual({
      success: true,
      message: 'API key is valid',
      data: null,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
  });

  test('is noted as used', async () => {
    await validate({ authorization: `Bearer ${user.apiKey}` });
    await until(async () => {
      const { rows } = await service.app.pg.query('select last_used_at from api_keys where user_id = $1', [
        user.userId,
      ]);
      return (rows[0] as { last_used_at: Date | null }).last_used_at !== null;
    }, 'the use is noted');
  });
});

describe('a key that is well-formed and not valid', () => {
  test('unknown, expired, revoked and an erased user answer the same', async () => {
    const unknown = await addKey(service.app, user.userId);
    await service.app.pg.query('delete from api_keys where display_prefix = $1', [unknown.slice(0, 17)]);
    const expired = await addKey(service.app, user.userId, new Date(Date.now() - 1_000));
    const revoked = await addKey(service.app, user.userId);
    await revokeKey(service.app, revoked);
    const erased = await service.createUser();
    await service.app.pg.query('delete from users where id = $1', [erased.userId]);
    for (const key of [unknown, expired, revoked, erased.apiKey]) {
      expectUnauthorized(await validate({ authorization: `Bearer ${key}` }), 'Invalid API key');
    }
  });

  test('a revocation holds for a key that was just used', async () => {
    // Beside each other, for each takes as long as a key is kept.
    const revoke = async () => {
      const key = await addKey(service.app, user.userId);
      const callers = [caller(service.app, key), caller(second.app, key)];
      for (const api of callers) expect((await api.get('/validate')).status).toBe(200);
      await revokeKey(service.app, key);
      for (const api of callers)
        await until(async () => (await api.get('/validate')).status === 401, 'the key is refused');
    };
    await Promise.all(Array.from({ length: 10 }, revoke));
  });

  test('a key that ends while it is kept is refused from then on', async () => {
    const key = await addKey(service.app, user.userId, new Date(Date.now() + 200));
    const api = caller(service.app, key);
    await until(async () => (await api.get('/validate')).status === 401, 'the key is refused');
  });
});

function expectUnauthorized(
  res: { statusCode: number; headers: Record<string, unknown>; json: () => unknown },
  message: string,
): void {
  expect(res.statusCode).toBe(401);
  expect(res.headers['www-authenticate']).toBe('Bearer');
  expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(res.json()).toEqual({
    success: false,
    error: { code: 'UNAUTHORIZED', message },
    timestamp: expect.any(String) as string,
  });
}
