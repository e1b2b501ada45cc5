import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { until } from '@smartlink/test-support/until';
import { listen } from './call-raw.js';
import { caller, startServiceOn, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;
let apiKey: string;

beforeAll(async () => {
  ({
    service,
    user: { apiKey },
    api,
  } = await startServiceWithUser());
});
afterAll(() => service.close());

test.each(['publish_outbox', 'audit_entries', 'smartlinks', 'slugs'])(
  'when %s cannot be written nothing else is, and the answer tells no internals',
  async (table) => {
    const count = async () => {
      const { rows } = await service.app.pg.query(
        `select (select count(*) from smartlinks)::text || (select count(*) from slugs) || (select count(*) from audit_entries) as counts`,
      );
      return (rows[0] as { counts: string }).counts;
    };
    const before = await count();
    await service.app.pg.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused by a test'; end $$`,
    );
    await service.app.pg.query(`create trigger refuse before insert on ${table} execute function refuse()`);
    try {
      const res = await api.post('/smartlink', urlSmartlink({ smartlinkUrl: 'atomic' }));
      expect(res.status).toBe(500);
      expect(res.body.error).toEqual({ code: 'INTERNAL_ERROR', message: 'Internal error' });
      expect(res.text).not.toContain('refused by a test');
    } finally {
      await service.app.pg.query(`drop trigger refuse on ${table}`);
    }
    expect(await count()).toBe(before);
    expect(service.logLines.some((line) => line.includes('refused by a test'))).toBe(true);
  },
);

describe('without Postgres', () => {
  test.each(['kill', 'freeze'] as const)('after %s the API is 503, and is back with it', async (how) => {
    const proxy = await startBreakableProxy(service.databases.databaseUrl);
    const { app } = await startServiceOn(service.databases, { DATABASE_URL: proxy.url });
    try {
      const through = caller(app, apiKey);
      expect((await through.get('/validate')).status).toBe(200);
      await proxy[how]();
      await until(async () => (await through.get('/validate')).status === 503, 'the API is 503');
      const res = await through.get('/smartlink');
      expect(res.status).toBe(503);
      expect(res.body.error).toEqual({
        code: 'SERVICE_UNAVAILABLE',
        message: 'Service temporarily unavailable',
      });
      expect(res.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect((await app.inject('/-/live')).statusCode).toBe(200);
      expect((await app.inject('/-/ready')).statusCode).toBe(503);
      await proxy.restore();
      await until(async () => (await through.get('/smartlink')).status === 200, 'the API answers again');
      await until(async () => (await app.inject('/-/ready')).statusCode === 200, 'it is ready again');
    } finally {
      await app.close();
      await proxy.close();
    }
  });
});

test('a request that was under way when the service began to close is answered in the envelope', async () => {
  const { app } = await startServiceOn(service.databases);
  const port = await listen(app);
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  const ended = once(socket, 'close');
  const arrived = once(app.server, 'request');
  const body = JSON.stringify(urlSmartlink());
  socket.write(
    `POST /api/v1/smartlink HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await arrived;
  const closed = app.close();
  socket.write(
    `${body.slice(5)}GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
  );
  await closed;
  socket.end();
  await ended;
  expect(text).toMatch(/^HTTP\/1\.1 201 /);
  expect(text).not.toContain('"statusCode"');
});
