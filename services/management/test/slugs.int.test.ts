import { beforeAll, describe, expect, test } from 'vitest';
import { caller, type Caller, faultsOf, urlSmartlink, useService } from './start-service.js';

// Who may use an address, and when it is free again.

const { service, api } = useService();
let stranger: Caller;
beforeAll(async () => {
  stranger = caller(service.app, (await service.createUser()).apiKey);
});

const TAKEN = {
  code: 'SMARTLINK_URL_TAKEN',
  message: 'Smartlink URL is already taken',
  details: [{ path: 'configuration.smartlinkUrl', message: 'This smartlink URL is already taken' }],
};

const create = (who: Caller, smartlinkUrl?: string) => who.post('/smartlink', urlSmartlink({ smartlinkUrl }));
const createId = async (smartlinkUrl?: string) => (await create(api, smartlinkUrl)).body.data.id as string;
const rename = (id: string, smartlinkUrl: string) =>
  api.patch('/smartlink', { id, configuration: { smartlinkUrl } });
const slugsOf = async (id: string) => {
  const { rows } = await service.app.pg.query(
    'select key, is_primary from slugs where smartlink_id = $1 order by key',
    [id],
  );
  return rows as { key: string; is_primary: boolean }[];
};

let lastSlug = 0;
const newSlug = () => `rename${(lastSlug += 1)}`;

describe('a slug', () => {
  test.each([
    ...['Q', 'x'.repeat(64), '0', 'dashboard1', 'toString', 'constructor', 'api', 'docs', 'v1', 'admin'],
  ])('%s is an address as typed: only four words are reserved', async (slug) => {
    const res = await create(api, slug);
    expect([res.status, res.headers.location]).toEqual([201, `https://sl.example.com/${slug}`]);
  });

  test('taken in any case by any user is 409 and stores nothing', async () => {
    await create(api, 'Taken1');
    for (const who of [api, stranger]) {
      for (const slug of ['Taken1', 'taken1', 'TAKEN1']) {
        const res = await create(who, slug);
        expect([res.status, res.body.error]).toEqual([409, TAKEN]);
      }
    }
    expect((await stranger.get('/smartlink')).body.data).toEqual([]);
  });

  test('of an erased owner stays taken', async () => {
    const user = await service.createUser();
    await create(caller(service.app, user.apiKey), 'orphan');
    await service.app.pg.query('delete from users where id = $1', [user.userId]);
    expect((await create(api, 'Orphan')).body.error).toEqual(TAKEN);
  });
});

describe('the address and the alias of a deleted smartlink', () => {
  /** Renames a smartlink, deletes it, and returns both its addresses. */
  async function deletedLink(name: string): Promise<[string, string]> {
    const id = await createId(`${name}Old`);
    expect((await rename(id, `${name}New`)).status).toBe(200);
    expect((await api.delete('/smartlink', { smartlinkId: id })).status).toBe(200);
    return [`${name}Old`, `${name}New`];
  }

  test('do not go to another owner, and go to their own once, in a create', async () => {
    for (const slug of await deletedLink('Created')) {
      expect((await create(stranger, slug.toLowerCase())).body.error).toEqual(TAKEN);
      const next = await create(api, slug.toUpperCase());
      expect([next.status, next.headers.location]).toEqual([
        201,
        `https://sl.example.com/${slug.toUpperCase()}`,
      ]);
      expect((await create(api, slug)).body.error).toEqual(TAKEN);
    }
  });

  test('go to their owner in a rename', async () => {
    const id = await createId();
    for (const slug of await deletedLink('Renamed')) {
      const res = await rename(id, slug);
      expect([res.status, res.body.data.configuration.smartlinkUrl]).toEqual([200, slug]);
    }
  });
});

describe('a rename', () => {
  test('keeps the old address as an alias, and the owner may take it back on the same smartlink', async () => {
    const [a, b] = [newSlug(), newSlug()];
    const id = await createId(a);
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
    const id = await createId(a);
    expect((await rename(id, a.toUpperCase())).body.data.configuration.smartlinkUrl).toBe(a.toUpperCase());
    expect(await slugsOf(id)).toEqual([{ key: a, is_primary: true }]);
  });

  test('to the address or alias of a smartlink that lives, Paused too, is 409 and changes nothing', async () => {
    const [a, b] = [newSlug(), newSlug()];
    const other = await createId(a);
    await rename(other, b);
    await api.post('/smartlink/status', { id: other, status: 'Paused' });
    const id = await createId();
    const { etag } = (await api.get(`/smartlink?id=${id}`)).headers;
    for (const taken of [a, b, b.toUpperCase()]) {
      const res = await rename(id, taken);
      expect([res.status, res.body.error]).toEqual([409, TAKEN]);
      for (const who of [api, stranger]) expect((await create(who, taken)).status).toBe(409);
    }
    expect((await api.get(`/smartlink?id=${id}`)).headers.etag).toBe(etag);
  });

  test('keeps twenty aliases and refuses the twenty-first', async () => {
    const id = await createId(newSlug());
    for (let i = 0; i < 20; i += 1) expect((await rename(id, newSlug())).status).toBe(200);
    const res = await rename(id, newSlug());
    expect([res.status, faultsOf(res)]).toEqual([400, ['configuration.smartlinkUrl']]);
    const aliases = (await slugsOf(id)).filter((slug) => !slug.is_primary);
    expect(aliases).toHaveLength(20);
    // An alias that is taken back is not a new one.
    expect((await rename(id, aliases[0]!.key)).status).toBe(200);
  });
});
