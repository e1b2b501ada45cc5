import { randomUUID } from 'node:crypto';
import { until } from '@smartlink/test-support/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caller, faultsOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';
import { liftRateLimit, storedRows, untilPublished } from './stored-rows.js';

// GET /smartlink/resolve, the dry run: what may be asked, by whom, and that nothing comes of it.

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const PREVIEW = 'WhatsApp/2.23.20.0 A';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  await liftRateLimit(service.app);
});
afterAll(() => service.close());

async function create(body: object = urlSmartlink()): Promise<string> {
  const res = await api.post('/smartlink', body);
  expect([res.status, res.text]).toEqual([201, res.text]);
  return String(res.body.data.id);
}

const ask = (query: Record<string, string>, by = api) =>
  by.get(`/smartlink/resolve?${new URLSearchParams(query).toString()}`);

async function resolve(id: string, userAgent = IPHONE, more: Record<string, string> = {}) {
  const res = await ask({ id, userAgent, ...more });
  expect(res.status).toBe(200);
  return res.body.data as Record<string, unknown> & { visitor: Record<string, unknown> };
}

describe('the parameters', () => {
  test.each<[what: string, query: Record<string, string>, path: string]>([
    ['no id', {}, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['a country of three letters', { id: 'x', country: 'AZE' }, 'country'],
    ['an empty country', { id: 'x', country: '' }, 'country'],
    ['a code of no country', { id: 'x', country: 'ZZ' }, 'country'],
    ['a digit in a country', { id: 'x', country: 'a1' }, 'country'],
    ['a letter that is an I in upper case', { id: 'x', country: 'ıt' }, 'country'],
    ['more than 8 KiB of User-Agent', { id: 'x', userAgent: 'a'.repeat(8_193) }, 'userAgent'],
    ['a long hint', { id: 'x', secChUaPlatform: 'a'.repeat(257) }, 'secChUaPlatform'],
  ])('%s is a fault', async (_what, query, path) => {
    const res = await ask(query);
    expect([res.status, res.body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(faultsOf(res)).toEqual([path]);
  });

  test('one that is given twice is told at its name', async () => {
    const res = await api.get('/smartlink/resolve?id=x&id=y&userAgent=a&userAgent=b&country=AZ&country=TR');
    expect(res.status).toBe(400);
    expect(faultsOf(res).sort()).toEqual(['country', 'id', 'userAgent']);
  });

  test('hold 8 KiB of User-Agent, and any text', async () => {
    const id = await create();
    for (const userAgent of ['a'.repeat(8_192), '\0\r\nX: y', '<script>', '😀', '%00', 'constructor']) {
      expect(await resolve(id, userAgent)).toMatchObject({
        decision: 'redirect',
        visitor: { platform: 'other' },
      });
    }
  });

  test.each(['XX', 'xx', 'AZ', 'az', 'tR', 'BQ'])('take the country %s in any case', async (country) => {
    const id = await create();
    const { visitor } = await resolve(id, IPHONE, { country });
    expect(visitor['country']).toBe(country.toUpperCase());
  });
});

test('another’s id and an unknown one answer byte for byte the same, as in a fetch', async () => {
  const id = await create();
  const deleted = await create();
  await api.delete('/smartlink', { smartlinkId: deleted });
  const stranger = caller(service.app, (await service.createUser()).apiKey);
  const answers = await Promise.all([
    stranger.get(`/smartlink?id=${randomUUID()}`),
    ...[id, deleted, randomUUID(), 'x', '\0', id.toUpperCase()].map((asked) => ask({ id: asked }, stranger)),
    ask({ id, userAgent: PREVIEW, country: 'az' }, stranger),
    ask({ id: id.toUpperCase() }),
  ]);
  const forms = answers.map(({ status, headers, text }) =>
    JSON.stringify([status, Object.keys(headers).sort(), text.replace(/"timestamp":"[^"]+"/, '')]),
  );
  expect(new Set(forms).size).toBe(1);
  expect(answers[0].status).toBe(404);
});

test('a deleted link is told as such when its address has gone to a new one', async () => {
  const slug = 'Reborn1';
  const first = await create(urlSmartlink({ smartlinkUrl: slug }));
  await api.delete('/smartlink', { smartlinkId: first });
  const second = await create(urlSmartlink({ smartlinkUrl: slug }));
  expect(await resolve(first, IPHONE)).toMatchObject({ smartlinkId: first, decision: 'deleted' });
  expect(await resolve(second, IPHONE)).toMatchObject({ smartlinkId: second, decision: 'redirect' });
});

test('a change is seen by the next call, and a renamed link has its new address', async () => {
  const id = await create();
  await api.patch('/smartlink', {
    id,
    configuration: { smartlinkUrl: 'Renamed1' },
    shortener: { url: 'https://example.net/new' },
  });
  expect(await resolve(id, IPHONE)).toMatchObject({
    relink: 'https://sl.example.com/Renamed1',
    location: 'https://example.net/new',
  });
});

test('takes one statement, writes nothing and counts nothing', async () => {
  const id = await create();
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  let statements = 0;
  const count = () => (statements += 1);
  service.app.pg.on('acquire', count);
  for (const userAgent of [IPHONE, PREVIEW, '']) {
    // What the key costs from time to time is not the dry run's, nor is what the service does by itself.
    await until(async () => {
      statements = 0;
      await resolve(id, userAgent);
      return statements === 1;
    }, 'a dry run has taken one statement');
  }
  service.app.pg.off('acquire', count);
  expect(await storedRows(service.app)).toBe(before);
  const events = await service.app.clickhouse.query({
    query: 'select count() as n from events where smartlink_id = {id:UUID}',
    query_params: { id },
    format: 'JSONEachRow',
  });
  expect(await events.json()).toEqual([{ n: 0 }]);
  const { body } = await api.get(`/smartlink?id=${id}`);
  expect(body.data.analytics).toEqual({ totalClicks: 0, totalQrCodeScans: 0, totalFallBack: 0 });
});
