import { afterAll, beforeAll, expect, test } from 'vitest';
import { caller, faultsOf, startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

// decisions.md, Slugs: who may use an address again.

let service: TestService;
let api: Caller;
let stranger: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  stranger = caller(service.app, (await service.createUser()).apiKey);
});
afterAll(() => service.close());

const create = (who: Caller, smartlinkUrl?: string) => who.post('/smartlink', urlSmartlink({ smartlinkUrl }));
const rename = (id: string, smartlinkUrl: string) =>
  api.patch('/smartlink', { id, configuration: { smartlinkUrl } });

/** Makes a link that was renamed and then deleted, and returns both its addresses. */
async function deletedLink(name: string): Promise<[string, string]> {
  const { id } = (await create(api, `${name}Old`)).body.data as { id: string };
  expect((await rename(id, `${name}New`)).status).toBe(200);
  expect((await api.delete('/smartlink', { smartlinkId: id })).status).toBe(200);
  return [`${name}Old`, `${name}New`];
}

test('neither the address nor an alias of a deleted link goes to another owner', async () => {
  for (const slug of await deletedLink('Foreign')) {
    const res = await create(stranger, slug.toLowerCase());
    expect([res.status, res.body.error.code, faultsOf(res)]).toEqual([
      409,
      'SMARTLINK_URL_TAKEN',
      ['configuration.smartlinkUrl'],
    ]);
  }
});

test('the owner of a deleted link may use its address and its aliases again, in a create', async () => {
  for (const slug of await deletedLink('Created')) expect((await create(api, slug)).status).toBe(201);
});

test('the owner of a deleted link may use its address and its aliases again, in a rename', async () => {
  const { id } = (await create(api)).body.data as { id: string };
  for (const slug of await deletedLink('Renamed')) {
    const res = await rename(id, slug);
    expect([res.status, res.body.data.configuration.smartlinkUrl]).toEqual([200, slug]);
  }
});

test('an alias belongs to its link while that lives, Paused too, for its owner as for anybody', async () => {
  const { id } = (await create(api, 'aliasOld')).body.data as { id: string };
  await rename(id, 'aliasNew');
  await api.post('/smartlink/status', { id, status: 'Paused' });
  for (const who of [api, stranger]) {
    for (const slug of ['aliasOld', 'ALIASNEW']) expect((await create(who, slug)).status).toBe(409);
  }
});

test.each(['q', 'api', 'live', 'assets', 'robots', 'favicon', 'preview', 'docs', 'v1', 'admin'])(
  '%s is an address like any other: only four words are reserved',
  async (slug) => {
    const res = await create(api, slug);
    expect([res.status, res.body.data?.relink]).toEqual([201, `https://sl.example.com/${slug}`]);
  },
);
