import { randomInt } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { generateApiKey } from '@smartlink/smartlink/credentials';
import { until } from '@smartlink/test-support/until';
import { addKey, caller, revokeKey, useSecondService, useService } from './start-service.js';

const { service, user } = useService({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
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

describe('unknown keys', () => {
  const PROXY = '127.0.0.1';
  const validateFrom = (client: string, key = generateApiKey(randomInt), remoteAddress = PROXY) =>
    service.app.inject({
      method: 'GET',
      url: '/api/v1/validate',
      headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': client },
      remoteAddress,
    });
  const useUp = async (client: string) => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => validateFrom(client)));
    for (const { statusCode } of answers) expect(statusCode).toBe(401);
  };

  test('the 61st in a minute is 429 without a query, and known keys pass', async () => {
    const known = await addKey(service.app, user.userId);
    const unseen = await addKey(service.app, user.userId);
    expect((await validateFrom('192.0.2.1', known)).statusCode).toBe(200);
    await useUp('203.0.113.1');
    const queries = vi.spyOn(service.app.pg, 'query');
    onTestFinished(() => {
      queries.mockRestore();
    });
    const refused = await Promise.all(Array.from({ length: 100 }, () => validateFrom('203.0.113.1')));
    refused.push(await validateFrom('203.0.113.1', unseen));
    expect(queries.mock.calls.filter(([text]) => text.includes('api_keys'))).toEqual([]);
    for (const answer of refused) {
      expect(answer.statusCode).toBe(429);
      expect(answer.json()).toEqual({
        success: false,
        error: { code: 'RATE_LIMITED', message: 'Too many unknown API keys' },
        timestamp: expect.any(String) as string,
      });
      expect(answer.headers).toMatchObject({ 'ratelimit-limit': '60', 'ratelimit-remaining': '0' });
      expect(answer.headers['ratelimit-reset']).toBe(answer.headers['retry-after']);
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
    }
    expect((await validateFrom('203.0.113.1', known)).statusCode).toBe(200);
    expect((await validateFrom('192.0.2.1', unseen)).statusCode).toBe(200);
    expect((await validateFrom('203.0.113.1', unseen)).statusCode).toBe(200);
    expect(service.logLines.join('')).not.toMatch(/203\.0\.113\.1|192\.0\.2\.1/);
  });

  test('a revocation holds for a known key while its address is limited', async () => {
    const key = await addKey(service.app, user.userId);
    expect((await validateFrom('203.0.113.2', key)).statusCode).toBe(200);
    await useUp('203.0.113.2');
    await revokeKey(service.app, key);
    await until(
      async () => (await validateFrom('203.0.113.2', key)).statusCode !== 200,
      'the key is refused',
    );
    await until(async () => (await validateFrom('203.0.113.2', key)).statusCode === 429, 'it is unknown');
  });

  test('one /56 of IPv6 is one client', async () => {
    await useUp('2001:db8:1:2ff::1');
    expect((await validateFrom('2001:db8:1:200:1:2:3:4')).statusCode).toBe(429);
    expect((await validateFrom('2001:db8:1:300::1')).statusCode).toBe(401);
  });

  test('X-Forwarded-For of an untrusted peer is ignored', async () => {
    for (let i = 0; i < 60; i += 1) {
      const answer = await validateFrom(`192.0.2.${100 + i}`, undefined, '::ffff:198.51.100.7');
      expect(answer.statusCode).toBe(401);
    }
    expect((await validateFrom('192.0.2.200', undefined, '198.51.100.7')).statusCode).toBe(429);
    expect((await validateFrom('192.0.2.100')).statusCode).toBe(401);
  });

  test('malformed keys do not count', async () => {
    for (let i = 0; i < 100; i += 1) {
      expect((await validateFrom('203.0.113.4', `slk_live_${i}`)).statusCode).toBe(401);
    }
    expect((await validateFrom('203.0.113.4')).statusCode).toBe(401);
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
