import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { callRaw, listen } from './call-raw.js';
import { addKey, caller, startServiceOn, startServiceWithUser } from './start-service.js';
import type { TestService } from './start-service.js';

let service: TestService;
let port: number;
let userId: string;
let apiKey: string;

beforeAll(async () => {
  ({
    service,
    user: { userId, apiKey },
  } = await startServiceWithUser());
  port = await listen(service.app);
});
afterAll(() => service.close());

const validate = (headers: Record<string, string>) =>
  service.app.inject({ method: 'GET', url: '/api/v1/validate', headers });

/** A character that is not the one at hand. */
const other = (char: string | undefined) => (char === 'A' ? 'B' : 'A');

describe('a key that is good', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is taken after %s', async (scheme) => {
    const res = await validate({ authorization: `${scheme} ${apiKey}` });
    expect(res.statusCode).toBe(200);
    expect(res.json()).toEqual({
      success: true,
      message: 'API key is valid',
      data: null,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
  });

  test('is noted as used', async () => {
    await validate({ authorization: `Bearer ${apiKey}` });
    await until(async () => {
      const { rows } = await service.app.pg.query('select last_used_at from api_keys where user_id = $1', [
        userId,
      ]);
      return (rows[0] as { last_used_at: Date | null }).last_used_at !== null;
    }, 'the use is noted');
  });
});

describe('a key that is missing or malformed', () => {
  const malformed: [string, (key: string) => string | undefined][] = [
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['Bearer alone', () => 'Bearer'],
    ['Bearer and a space', () => 'Bearer '],
    ['a key without Bearer', (key) => key],
    ['Basic', (key) => `Basic ${key}`],
    ['Bearerkey', (key) => `Bearer${key}`],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a key in quotes', (key) => `Bearer "${key}"`],
    ['a space in the key', (key) => `Bearer ${key.slice(0, 20)} ${key.slice(20)}`],
    ['another prefix', (key) => `Bearer ${key.replace('slk_live_', 'slk_test_')}`],
    ['an upper-case prefix', (key) => `Bearer ${key.replace('slk_live_', 'SLK_LIVE_')}`],
    ['a character less', (key) => `Bearer ${key.slice(0, -1)}`],
    ['a character more', (key) => `Bearer ${key}A`],
    ['a wrong checksum', (key) => `Bearer ${key.slice(0, -1)}${other(key.at(-1))}`],
    ['a changed random part', (key) => `Bearer ${key.slice(0, 12)}${other(key[12])}${key.slice(13)}`],
    ['10 KB', () => `Bearer ${'A'.repeat(10_000)}`],
    ['a comma list', (key) => `Bearer ${key}, Bearer ${key}`],
  ];

  /** The statement of a query, which may be given as an object too. */
  const textOf = ([asked]: readonly unknown[]) =>
    typeof asked === 'string' ? asked : (asked as { readonly text: string }).text;

  test.each(malformed)('%s is 401 without a database query', async (_name, make) => {
    const query = vi.spyOn(service.app.pg, 'query');
    const value = make(apiKey);
    const res = await validate(value === undefined ? {} : { authorization: value });
    // What waits for webhooks and the outbox is looked for all the time.
    const asked = query.mock.calls.map(textOf).filter((text) => /api_keys|users|plans/.test(text));
    query.mockRestore();
    expect(asked).toEqual([]);
    expectUnauthorized(res, 'Invalid API key format');
  });

  test('a second Authorization header is 401, whatever it holds', async () => {
    for (const second of [`Bearer ${apiKey}`, '', 'Basic eDp5']) {
      const answer = await callRaw(
        port,
        `GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nauthorization: ${second}\r\n\r\n`,
      );
      expect(answer.status).toBe(401);
      expect(answer.body?.error?.message).toBe('Invalid API key format');
    }
  });

  test('a key in the query is no key', async () => {
    const res = await service.app.inject(`/api/v1/validate?authorization=Bearer%20${apiKey}&key=${apiKey}`);
    expectUnauthorized(res, 'Invalid API key format');
  });
});

describe('a key that is well-formed and not valid', () => {
  test('unknown, expired, revoked and an erased user answer the same', async () => {
    const unknown = await addKey(service.app, userId);
    await service.app.pg.query('delete from api_keys where display_prefix = $1', [unknown.slice(0, 17)]);
    const expired = await addKey(service.app, userId, new Date(Date.now() - 1_000));
    const revoked = await addKey(service.app, userId);
    await service.app.pg.query('update api_keys set revoked_at = now() where display_prefix = $1', [
      revoked.slice(0, 17),
    ]);
    const erased = await service.createUser();
    await service.app.pg.query('delete from users where id = $1', [erased.userId]);
    for (const key of [unknown, expired, revoked, erased.apiKey]) {
      expectUnauthorized(await validate({ authorization: `Bearer ${key}` }), 'Invalid API key');
    }
  });

  test('a revocation holds for a key that was just used', async () => {
    const { app: other } = await startServiceOn(service.databases);
    try {
      // Beside each other, for each takes as long as a key is kept.
      const revoke = async () => {
        const key = await addKey(service.app, userId);
        const callers = [caller(service.app, key), caller(other, key)];
        for (const api of callers) expect((await api.get('/validate')).status).toBe(200);
        await service.app.pg.query('update api_keys set revoked_at = now() where display_prefix = $1', [
          key.slice(0, 17),
        ]);
        const revokedAt = performance.now();
        for (const api of callers)
          await until(async () => (await api.get('/validate')).status === 401, 'the key is refused');
        return performance.now() - revokedAt;
      };
      const latenciesMs = await Promise.all(Array.from({ length: 10 }, revoke));
      process.stdout.write(
        `S4: 10 revocations on 2 processes, refused after ${Math.round(Math.max(...latenciesMs))} ms at most\n`,
      );
    } finally {
      await other.close();
    }
  });

  test('a key that ends while it is kept is refused from then on', async () => {
    const key = await addKey(service.app, userId, new Date(Date.now() + 200));
    const api = caller(service.app, key);
    await until(async () => (await api.get('/validate')).status === 401, 'the key is refused');
  });
});

describe('authentication comes before routing', () => {
  test.each([
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/%zz'],
    ['GET', `/api/v1/${'a'.repeat(500)}`],
    ['PUT', '/api/v1/smartlink'],
    ['OPTIONS', '/api/v1/smartlink'],
    ['TRACE', '/api/v1/smartlink'],
    ['PROPFIND', '/api/v1/smartlink'],
    ['POST', '/api/v1/smartlink'],
    ['PATCH', '/api/v1/smartlink'],
    ['DELETE', '/api/v1/smartlink'],
    ['GET', '/api/v1/smartlink/analytics'],
    ['GET', '/api/v1/analytics/summary'],
  ])('%s %s without a key is 401', async (method, url) => {
    const answer = await callRaw(port, `${method} ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer.status).toBe(401);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.body?.error).toEqual({ code: 'UNAUTHORIZED', message: 'Invalid API key format' });
  });
});

test('no log line holds a key', () => {
  expect(service.logLines.length).toBeGreaterThan(20);
  expect(service.logLines.filter((line) => /slk_live_[0-9A-Za-z]{9}/.test(line))).toEqual([]);
  expect(service.logLines.filter((line) => line.includes(apiKey.slice(20)))).toEqual([]);
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
