import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { addEvents, caller, startService, startServiceOn, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';
import { untilTotalsKept } from './stored-rows.js';
import { untilShown } from './until-shown.js';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
});

test('with ClickHouse down analytics is 503, never zeros, and list and fetch show the last known totals', async () => {
  const user = await service.createUser();
  const before = caller(service.app, user.apiKey);
  const { id } = (await before.post('/smartlink', urlSmartlink())).body.data as { id: string };
  await addEvents(service.app, [makeEventRow(user.userId, id, { source: 'scan' })]);
  const totals = { totalClicks: 0, totalQrCodeScans: 1, totalFallBack: 0 };
  await untilShown(
    async () => (await before.get(`/smartlink?id=${id}`)).body.data.analytics as unknown,
    totals,
  );
  await untilTotalsKept(service.app, [id]);

  const { app } = await startServiceOn(service.databases, { CLICKHOUSE_URL: 'http://127.0.0.1:9/none' });
  try {
    const api = caller(app, user.apiKey);
    for (const path of [`/smartlink/analytics?id=${id}`, '/analytics/summary']) {
      const { status, body } = await api.get(path);
      expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
    expect((await api.get(`/smartlink?id=${id}`)).body.data.analytics).toEqual(totals);
    expect((await api.get('/smartlink')).body.data[0].analytics).toEqual(totals);
  } finally {
    await app.close();
  }
});

test('a ClickHouse that never answers is given up on, and what the visitor is told holds no internals', async () => {
  const user = await service.createUser();
  const { id } = (await caller(service.app, user.apiKey).post('/smartlink', urlSmartlink())).body.data as {
    id: string;
  };
  const blackHole = createServer((socket) => socket.resume().on('error', () => undefined)).listen(
    0,
    '127.0.0.1',
  );
  await once(blackHole, 'listening');
  const { port } = blackHole.address() as AddressInfo;
  const { app } = await startServiceOn(service.databases, {
    CLICKHOUSE_URL: `http://127.0.0.1:${port}/none`,
  });
  try {
    const { status, text } = await caller(app, user.apiKey).get(`/smartlink/analytics?id=${id}`);
    expect(status).toBe(503);
    expect(text).not.toMatch(/127\.0\.0\.1|timeout|clickhouse/i);
  } finally {
    await app.close();
    blackHole.close();
  }
});
