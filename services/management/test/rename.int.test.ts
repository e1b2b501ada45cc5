import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

async function create(configuration: object = {}, shortener: object = {}) {
  const res = await api.post('/smartlink', urlSmartlink(configuration, shortener));
  expect(res.text).toContain('"success":true');
  return { id: res.body.data.id as string, etag: String(res.headers.etag) };
}

const faultsOf = (res: { body: { error: { details: { path: string }[] } } }) =>
  res.body.error.details.map((detail) => detail.path);

let lastSlug = 0;
const newSlug = () => `rename${(lastSlug += 1)}`;

const rename = (id: string, smartlinkUrl: string) =>
  api.patch('/smartlink', { id, configuration: { smartlinkUrl } });
const slugsOf = async (id: string) => {
  const { rows } = await service.app.pg.query(
    'select key, is_primary from slugs where smartlink_id = $1 order by key',
    [id],
  );
  return rows as { key: string; is_primary: boolean }[];
};

test('keeps the old address as an alias, and its owner may take it back on the same link', async () => {
  const [a, b] = [newSlug(), newSlug()];
  const { id } = await create({ smartlinkUrl: a });
  expect((await rename(id, b)).body.data.relink).toBe(`https://sl.example.com/${b}`);
  expect(await slugsOf(id)).toEqual([
    { key: a, is_primary: false },
    { key: b, is_primary: true },
  ]);
  expect((await rename(id, a.toUpperCase())).body.data.configuration.smartlinkUrl).toBe(a.toUpperCase());
  expect(await slugsOf(id)).toEqual([
    { key: a, is_primary: true },
    { key: b, is_primary: false },
  ]);
});

test('to another spelling of the same address makes no alias', async () => {
  const a = newSlug();
  const { id } = await create({ smartlinkUrl: a });
  expect((await rename(id, a.toUpperCase())).body.data.configuration.smartlinkUrl).toBe(a.toUpperCase());
  expect(await slugsOf(id)).toEqual([{ key: a, is_primary: true }]);
});

test('to the address or an alias of another live link is 409, in any case, and changes nothing', async () => {
  const [a, b, c] = [newSlug(), newSlug(), newSlug()];
  const other = await create({ smartlinkUrl: a });
  await rename(other.id, b);
  const { id, etag } = await create({ smartlinkUrl: c });
  for (const taken of [a, b, b.toUpperCase()]) {
    const res = await rename(id, taken);
    expect([res.status, res.body.error.code, faultsOf(res)]).toEqual([
      409,
      'SMARTLINK_URL_TAKEN',
      ['configuration.smartlinkUrl'],
    ]);
  }
  expect((await api.get(`/smartlink?id=${id}`)).headers.etag).toBe(etag);
});

test('to a reserved word in any case is a fault', async () => {
  const { id } = await create();
  for (const word of ['dashboard', 'Welcome', 'PP', 'tos']) {
    const res = await rename(id, word);
    expect([res.status, faultsOf(res)]).toEqual([400, ['configuration.smartlinkUrl']]);
  }
});

test('keeps twenty aliases and refuses the twenty-first', async () => {
  const { id } = await create({ smartlinkUrl: newSlug() });
  for (let i = 0; i < 20; i += 1) expect((await rename(id, newSlug())).status).toBe(200);
  const res = await rename(id, newSlug());
  expect([res.status, faultsOf(res)]).toEqual([400, ['configuration.smartlinkUrl']]);
  const aliases = (await slugsOf(id)).filter((slug) => !slug.is_primary);
  expect(aliases).toHaveLength(20);
  // One of them taken back is no new alias.
  expect((await rename(id, aliases[0]!.key)).status).toBe(200);
});

test('two links to each other at once: nobody gets a deadlock, each keeps or gets one address', async () => {
  const [a, b] = [newSlug(), newSlug()];
  const [one, two] = [await create({ smartlinkUrl: a }), await create({ smartlinkUrl: b })];
  const results = await Promise.all([rename(one.id, b), rename(two.id, a)]);
  expect(results.map((res) => res.status)).toEqual([409, 409]);
});
