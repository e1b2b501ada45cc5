import { createSmartlinkClient } from '@smartlink/client';
import { startBreakableProxy } from '@smartlink/test-support/breakable-proxy';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from './call-raw.js';
import { addEvents, startService, startServiceOn } from './start-service.js';
import type { TestService, TestUser } from './start-service.js';
import { untilTotalsKept } from './stored-rows.js';

// What the API's own client reads, which has every figure by its documented name.
let service: TestService;
let clientOf: (user: TestUser) => ReturnType<typeof createSmartlinkClient>;

beforeAll(async () => {
  service = await startService();
  clientOf = await openFor(service.app);
});
afterAll(() => service.close());

async function openFor(app: FastifyInstance): Promise<typeof clientOf> {
  const baseUrl = `http://127.0.0.1:${await listen(app)}`;
  return ({ apiKey }) => createSmartlinkClient({ baseUrl, apiKey });
}

const DOCS = {
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/' },
} as const;

async function addVisits(owner: TestUser, smartlinkId: string, source: 'click' | 'scan', count: number) {
  const rows = Array.from({ length: count }, () => makeEventRow(owner.userId, smartlinkId, { source }));
  await addEvents(service.app, rows);
}

test('totals in list, fetch, PATCH, summary and analytics are the same figures', async () => {
  const user = await service.createUser();
  const client = clientOf(user);
  const links: string[] = [];
  for (let i = 0; i < 3; i += 1) links.push((await client.smartlinks.create(DOCS)).data.id);
  for (const [i, id] of links.entries()) {
    await addVisits(user, id, 'click', i + 1);
    await addVisits(user, id, 'scan', 10 * (i + 1));
  }
  // A list waits a second for its totals.
  const listed = await until(async () => {
    const { data } = await client.smartlinks.list();
    return data.every(({ analytics }) => analytics.totalClicks > 0) && data;
  }, 'the list shows the visits');
  await untilTotalsKept(service.app, links);
  const { summary, smartlinks } = (await client.analytics.summary()).data;
  expect(summary).toEqual({ totalSmartlinks: 3, totalClicks: 6, totalQrCodeScans: 60, totalFallbacks: 0 });
  for (const [i, id] of links.entries()) {
    const totals = { totalClicks: i + 1, totalQrCodeScans: 10 * (i + 1), totalFallBack: 0 };
    expect(listed.find((link) => link.id === id)?.analytics).toEqual(totals);
    expect((await client.smartlinks.get(id)).data.analytics).toEqual(totals);
    expect((await client.smartlinks.update(id, {})).data.analytics).toEqual(totals);
    expect((await client.analytics.get(id)).data).toMatchObject(totals);
    expect(smartlinks).toContainEqual({
      id,
      name: 'Docs',
      type: 'Url',
      clicks: totals.totalClicks,
      qrScans: totals.totalQrCodeScans,
    });
  }
});

test('a page of more than a hundred links still carries every total', async () => {
  const user = await service.createUser();
  const client = clientOf(user);
  const ids: string[] = [];
  for (const count of [100, 5]) {
    const { data } = await client.smartlinks.bulk(Array.from({ length: count }, () => ({ create: DOCS })));
    for (const result of data) if (result.success && result.data !== null) ids.push(result.data.id);
  }
  await addVisits(user, ids[0]!, 'click', 2);
  await addVisits(user, ids[104]!, 'scan', 3);
  const listed = await until(async () => {
    const { data } = await client.smartlinks.list();
    return data.some(({ analytics }) => analytics.totalClicks > 0) && data;
  }, 'the list shows the visits');
  expect(listed).toHaveLength(105);
  expect(listed.find((link) => link.id === ids[0])?.analytics).toMatchObject({ totalClicks: 2 });
  expect(listed.find((link) => link.id === ids[104])?.analytics).toMatchObject({ totalQrCodeScans: 3 });
});

test('while ClickHouse is away PATCH too shows the last known totals, and afterwards lists show new ones again', async () => {
  const user = await service.createUser();
  const gate = await startBreakableProxy(service.databases.clickhouseUrl);
  const { app } = await startServiceOn(service.databases, { CLICKHOUSE_URL: gate.url });
  try {
    const { smartlinks } = (await openFor(app))(user);
    const { id } = (await smartlinks.create(DOCS)).data;
    const clicks = async () => (await smartlinks.get(id)).data.analytics.totalClicks;
    await addVisits(user, id, 'click', 1);
    await until(async () => (await clicks()) === 1, 'the visit shows');
    await untilTotalsKept(service.app, [id]);

    await gate.kill();
    await addVisits(user, id, 'click', 1);
    // More often than the breaker takes to open.
    for (let i = 0; i < 6; i += 1) expect(await clicks()).toBe(1);
    const patched = await smartlinks.update(id, { configuration: { smartlinkName: 'x' } });
    expect(patched.data.analytics.totalClicks).toBe(1);

    await gate.restore();
    await until(async () => (await clicks()) === 2, 'the new visit shows');
  } finally {
    await app.close();
    await gate.close();
  }
});
