import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { snapshotRedisKey } from '@smartlink/links/publish';
import {
  caller,
  createPerson,
  createSmartlink,
  faultsOf,
  redisOf,
  signIn,
  type TestUser,
  urlSmartlink,
  useService,
} from './start-service.js';
import { untilPublished } from './stored-state.js';

const { service, user, api } = useService();

/** Inserts a domain, and returns its number. */
async function addDomain(
  host: string,
  { status = 'Active', isDefault = false, owner = user }: DomainOptions = {},
): Promise<number> {
  const { rows } = await service.app.pg.query(
    `insert into domains (id, user_id, host, status, is_default, token) values ($1, $2, $3, $4, $5, '') returning number`,
    [randomUUID(), owner.userId, host, status, isDefault],
  );
  return rows[0].number;
}
type DomainOptions = { status?: string; isDefault?: boolean; owner?: TestUser };

const on = (domain: unknown, smartlinkUrl?: string) => urlSmartlink({ domain, smartlinkUrl });
const keysOf = async (id: string) =>
  (
    await service.app.pg.query('select key, is_primary from slugs where smartlink_id = $1 order by key', [id])
  ).rows.map((row: { key: string; is_primary: boolean }) => `${row.key}${row.is_primary ? ' primary' : ''}`);

let go = 0;
let other: TestUser;
beforeAll(async () => {
  go = await addDomain('go.example.org');
  other = await service.createUser('Enterprise');
  await addDomain('pending.example.org', { status: 'Pending' });
  await addDomain('gone.example.org', { status: 'Removed' });
  await addDomain('suspended.example.org', { status: 'Suspended' });
  await addDomain('foreign.example.org', { owner: other });
});

test('a smartlink is created on a verified domain, with its address, QR code, preview and messages', async () => {
  const { id, data } = await createSmartlink(api, on('GO.example.org.', 'Spring'));
  const { relink } = data;
  expect(data.configuration).toMatchObject({ domain: 'go.example.org', smartlinkUrl: 'Spring' });
  expect(relink).toBe('https://go.example.org/Spring');
  expect(await keysOf(id)).toEqual([`${go}.spring primary`]);
  const { redisKeyPrefix } = service.databases;
  expect(await redisOf(service.app).get(snapshotRedisKey(redisKeyPrefix, `${go}.spring`))).toMatch(
    /^\d{17}\{/,
  );
  expect((await api.get(`/smartlink/resolve?id=${id}`)).body.data.relink).toBe(relink);
  const svg = await api.get(`/smartlink/qr?id=${id}&format=svg`);
  expect(svg.text ?? String(svg.body)).toContain('QR code of https://go.example.org/Spring');
});

test('slugs are unique within a domain, and reserved words refused in each', async () => {
  const own = await createSmartlink(api, on(undefined, 'twice'));
  const custom = await createSmartlink(api, on('go.example.org', 'twice'));
  expect([own.data.relink, custom.data.relink]).toEqual([
    'https://sl.example.com/twice',
    'https://go.example.org/twice',
  ]);
  const again = await api.post('/smartlink', on('go.example.org', 'TWICE'));
  expect(again.body.error.code).toBe('SMARTLINK_URL_TAKEN');
  expect(faultsOf(await api.post('/smartlink', on('go.example.org', 'welcome')))).toEqual([
    'configuration.smartlinkUrl',
  ]);
});

test.each([
  ['unknown.example.org', 'No such domain'],
  ['foreign.example.org', 'No such domain'],
  ['gone.example.org', 'No such domain'],
  ['127.0.0.1', 'No such domain'],
  ['go.example.org:8080', 'No such domain'],
  ['*.example.org', 'No such domain'],
  ['', 'No such domain'],
  ['pending.example.org', 'This domain is not verified'],
  ['suspended.example.org', 'This domain is not verified'],
  [5, 'Must be a string'],
])('domain %j is refused with %j', async (domain, message) => {
  const expected = [{ path: 'configuration.domain', message }];
  expect((await api.post('/smartlink', on(domain))).body.error.details).toEqual(expected);
  const { id } = await createSmartlink(api, on(null));
  const patched = await api.patch('/smartlink', { id, configuration: { domain } });
  expect(patched.body.error.details).toEqual(expected);
});

test('a create without domain takes the default of the account, and null or the own host the instance', async () => {
  const owner = await service.createUser('Enterprise');
  const number = await addDomain('default.example.org', { isDefault: true, owner });
  const theirs = caller(service.app, owner.apiKey);
  const [left, none, own] = await Promise.all(
    [undefined, null, 'sl.example.com'].map((domain) => createSmartlink(theirs, on(domain))),
  );
  expect([left, none, own].map((each) => each?.data.configuration.domain)).toEqual([
    'default.example.org',
    undefined,
    undefined,
  ]);
  await service.app.pg.query(`update domains set status = 'Suspended' where number = $1`, [number]);
  expect((await createSmartlink(theirs, on(undefined))).data.configuration).not.toHaveProperty('domain');
});

test('PATCH moves a smartlink to a domain and back; its former addresses stay aliases', async () => {
  const { id } = await createSmartlink(api, on(undefined, 'moving'));
  const moved = await api.patch('/smartlink', { id, configuration: { domain: 'go.example.org' } });
  expect(moved.body.data).toMatchObject({
    relink: 'https://go.example.org/moving',
    configuration: { domain: 'go.example.org' },
  });
  expect(await keysOf(id)).toEqual([`${go}.moving primary`, 'moving']);
  const renamed = await api.patch('/smartlink', { id, configuration: { smartlinkName: 'Else' } });
  expect(renamed.body.data.relink).toBe('https://go.example.org/moving');
  const back = await api.patch('/smartlink', { id, configuration: { domain: null } });
  expect(back.body.data.relink).toBe('https://sl.example.com/moving');
  expect(await keysOf(id)).toEqual([`${go}.moving`, 'moving primary']);
  const unchanged = await api.patch('/smartlink', { id, configuration: { domain: null } });
  expect(unchanged.body.message).toBe('Smartlink unchanged');
  const { rows } = await service.app.pg.query(
    `select details from audit_entries where smartlink_id = $1 and action = 'smartlink.update' order by id`,
    [id],
  );
  expect(rows.map(({ details }) => details.changed)).toEqual([['domain'], ['smartlinkName'], ['domain']]);
  await untilPublished(service.app);
});

test('a move to a domain where the address is taken is refused, and changes nothing', async () => {
  await createSmartlink(api, on('go.example.org', 'busy'));
  const { id } = await createSmartlink(api, on(null, 'busy'));
  const refused = await api.patch('/smartlink', { id, configuration: { domain: 'go.example.org' } });
  expect(refused.body.error.code).toBe('SMARTLINK_URL_TAKEN');
  expect((await api.get(`/smartlink?id=${id}`)).body.data.relink).toBe('https://sl.example.com/busy');
});

test('bulk calls create on domains, move between them, and refuse each operation by itself', async () => {
  const { id } = await createSmartlink(api, on(null, 'inbulk'));
  const answer = await api.post('/smartlink/bulk', {
    operations: [
      { create: on('go.example.org', 'inbulk2') },
      { create: on('foreign.example.org') },
      { patch: { id, configuration: { domain: 'go.example.org' } } },
      { patch: { id, configuration: { smartlinkUrl: 'inbulk3' } } },
    ],
  });
  const results: { data?: { relink: string }; error?: { details: object[] } }[] = answer.body.data;
  expect(results.map(({ data, error }) => data?.relink ?? error?.details)).toEqual([
    'https://go.example.org/inbulk2',
    [{ path: 'configuration.domain', message: 'No such domain' }],
    'https://go.example.org/inbulk',
    'https://go.example.org/inbulk3',
  ]);
});

test('no smartlink may lead to a domain of the instance, of whichever account; one that does stays', async () => {
  const stored = await createSmartlink(api, urlSmartlink({}, { url: 'https://later.example.org/x' }));
  await addDomain('later.example.org', { owner: other });
  for (const url of [
    'https://go.example.org/a',
    'http://FOREIGN.example.org.:8080/',
    'https://later.example.org/',
  ]) {
    const refused = await api.post('/smartlink', urlSmartlink({}, { url }));
    expect(refused.body.error.details).toEqual([{ path: 'shortener.url', message: 'Invalid URL format' }]);
  }
  const rule = { when: { countries: ['DE'] }, url: 'https://go.example.org/ring' };
  expect(
    faultsOf(await api.post('/smartlink', urlSmartlink({}, {}, { routing: { rules: [rule] } }))),
  ).toEqual(['routing.rules.0.url']);
  expect(
    faultsOf(await api.post('/smartlink', urlSmartlink({}, {}, { availability: { expiredUrl: rule.url } }))),
  ).toEqual(['availability.expiredUrl']);
  // Before its proof a domain is no address of the instance.
  await createSmartlink(api, urlSmartlink({}, { url: 'https://pending.example.org/' }));
  const renamed = await api.patch('/smartlink', { id: stored.id, configuration: { smartlinkName: 'Stays' } });
  expect(renamed.status).toBe(200);
});

test('the list and figures are filtered by domain', async () => {
  const owner = await service.createUser('Enterprise');
  const theirs = caller(service.app, owner.apiKey);
  await addDomain('a.example.org', { owner });
  await addDomain('b.example.org', { owner });
  await createSmartlink(theirs, on('a.example.org', 'one'));
  await createSmartlink(theirs, on('b.example.org', 'one'));
  await createSmartlink(theirs, on(null, `own${go}x`));
  const listed = async (domain: string) => {
    const { body } = await theirs.get(`/smartlink?domain=${domain}`);
    return body.data.map(({ relink }: { relink: string }) => new URL(relink).host).toSorted();
  };
  expect(await listed('A.example.org')).toEqual(['a.example.org']);
  expect(await listed('a.example.org,b.example.org')).toEqual(['a.example.org', 'b.example.org']);
  expect(await listed('default,b.example.org')).toEqual(['b.example.org', 'sl.example.com']);
  expect(await listed('go.example.org')).toEqual([]);
  const { body } = await theirs.get('/smartlink?slug=ONE');
  expect(body.data.map(({ relink }: { relink: string }) => relink).toSorted()).toEqual([
    'https://a.example.org/one',
    'https://b.example.org/one',
  ]);
  const figures = await theirs.get('/analytics?domain=a.example.org');
  expect([figures.status, figures.body.error]).toEqual([200, undefined]);
});

test('a draft is checked, and shown, on its domain', async () => {
  const person = await createPerson(service.app, { roles: { [user.userId]: 'Owner' } });
  const { api: session } = await signIn(service.app, person, user.userId);
  const faultsFor = async (body: object) => (await session.post('/smartlink/preview', body)).body.data.faults;
  await createSmartlink(api, on('go.example.org', 'drafted'));
  const draft = on('go.example.org', 'drafted');
  expect(await faultsFor({ draft })).toMatchObject([{ path: 'configuration.smartlinkUrl' }]);
  expect(await faultsFor({ draft: on(null, 'drafted') })).toEqual([]);
  expect(await faultsFor({ draft: on('pending.example.org') })).toMatchObject([
    { path: 'configuration.domain', message: 'This domain is not verified' },
  ]);
  const { id } = await createSmartlink(api, on(null, 'drafted'));
  const patch = { configuration: { domain: 'go.example.org' } };
  expect(await faultsFor({ id, patch })).toMatchObject([{ path: 'configuration.smartlinkUrl' }]);
  expect(await faultsFor({ id, patch: { configuration: { domain: 'x.example.org' } } })).toMatchObject([
    { path: 'configuration.domain', message: 'No such domain' },
  ]);
});
