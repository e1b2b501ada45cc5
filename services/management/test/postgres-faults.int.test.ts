import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './call-raw.js';
import { startServiceOn, urlSmartlink, useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';

const { service, user, api } = useService();

test.each(['publish_outbox', 'audit_entries', 'smartlinks', 'slugs'])(
  'when %s cannot be written nothing else is, and the answer tells no internals',
  async (table) => {
    await untilPublished(service.app);
    const before = await storedRows(service.app);
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
    expect(await storedRows(service.app)).toBe(before);
    expect(service.logLines.some((line) => line.includes('refused by a test'))).toBe(true);
  },
);

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
    `POST /api/v1/smartlink HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  await arrived;
  const closed = app.close();
  socket.write(
    `${body.slice(5)}GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\n\r\n`,
  );
  await closed;
  socket.end();
  await ended;
  expect(text).toMatch(/^HTTP\/1\.1 201 /);
  expect(text).not.toContain('"statusCode"');
});
