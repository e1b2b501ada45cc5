import { expect, test } from 'vitest';
import { withTransaction } from '@smartlink/process/database';
import { lockDomains } from '@smartlink/smartlink/store';
import { addDomain, findDomain, newHost, useDns, useDomains, verify } from './domain-calls.js';
import { caller, createSmartlink, PUBLIC_BASE_URL, useSecondService } from './start-service.js';
import { count } from './stored-state.js';

// Custom domains as objects of an account.

const dns = await useDns();
const { service, provider, newUser, addProven, prove, stored, audited, messages, lookAt } = useDomains(dns);
const trusting = useSecondService(service, { DOMAIN_VERIFICATION: 'trust', DOMAIN_DNS_SERVERS: dns.address });

test('a domain is added with both of its records, listed, changed and removed', async () => {
  const { api, userId } = await newUser();
  const created = await api.post('/domains', { host: 'Bücher.Example.ORG.', rootUrl: 'https://example.org' });
  const { id, createdAt, verification, ...rest } = created.body.data;
  expect([created.status, created.body.message, rest]).toEqual([
    201,
    'Domain created',
    {
      host: 'xn--bcher-kva.example.org',
      status: 'Pending',
      isDefault: false,
      rootUrl: 'https://example.org/',
      smartlinkCount: 0,
      updatedAt: createdAt,
    },
  ]);
  expect(verification).toEqual({
    txtName: '_smartlink.xn--bcher-kva.example.org',
    txtValue: expect.stringMatching(/^smartlink-verify=[0-9A-Za-z]{32}$/) as string,
    cnameTarget: 'sl.example.com',
  });

  const second = await addDomain(api);
  const first = await api.get('/domains?limit=1');
  expect(first.body.data).toEqual([second]);
  expect(first.headers.link).toContain(`cursor=${String(first.headers['x-next-cursor'])}`);
  const next = await api.get(`/domains?limit=1&cursor=${String(first.headers['x-next-cursor'])}`);
  expect([next.body.message, next.body.data]).toEqual(['Domains retrieved', [created.body.data]]);
  expect(next.headers['x-next-cursor']).toBeUndefined();

  const assetLinks = [
    { relation: ['delegate_permission/common.handle_all_urls'], target: { namespace: 'android_app' } },
  ];
  const appleAppSiteAssociation = { applinks: { details: [{ appIDs: ['A.b'] }] }, more: [1] };
  const changed = await api.patch('/domains', {
    id,
    host: 'other.example.org',
    rootUrl: null,
    notFoundUrl: 'https://example.org/404',
    expiredUrl: 'https://example.org/over',
    assetLinks,
    appleAppSiteAssociation,
  });
  expect(changed.body).toMatchObject({ message: 'Domain updated', ignored: ['host'] });
  const { rootUrl, ...members } = changed.body.data;
  expect(rootUrl).toBeUndefined();
  expect(members).toMatchObject({
    host: 'xn--bcher-kva.example.org',
    notFoundUrl: 'https://example.org/404',
    expiredUrl: 'https://example.org/over',
    assetLinks,
    appleAppSiteAssociation,
  });
  expect((await api.patch('/domains', { id })).body.data).toEqual(changed.body.data);

  const removed = await api.delete('/domains', { domainId: id });
  expect([removed.status, removed.body.message, removed.body.data]).toEqual([200, 'Domain deleted', null]);
  for (const gone of [
    await api.delete('/domains', { domainId: id }),
    await api.patch('/domains', { id, rootUrl: null }),
    await api.post('/domains/verify', { id }),
  ]) {
    expect([gone.status, gone.body.error.message]).toEqual([404, 'Domain not found']);
  }
  expect(await audited(userId, id)).toEqual(['domain.create', 'domain.update', 'domain.delete']);
  // No smartlink was ever there: nothing stays.
  expect(await stored(id)).toBeUndefined();
});

test.each([
  ...'127.0.0.1 192.0.2.1 2130706433 [2001:db8::1] go.example.org:443 *.example.org localhost'.split(' '),
  ...'example go.local go.lan go.svc www.localhost sl.example.com SL.example.com. http://go.example.org'.split(
    ' ',
  ),
  ...'go.example.org/path user@go.example.org gо.example.org -go.example.org go..example.org .example.org'.split(
    ' ',
  ),
  'go example.org',
  'go.example.org ',
  '',
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(54)}.example`,
  `${'a'.repeat(64)}.example.org`,
])('%j is no host of a domain', async (host) => {
  expect([...host].length).toBeLessThan(260);
  const { api } = await newUser();
  const { status, body } = await api.post('/domains', { host });
  expect([status, body.error.details]).toEqual([400, [{ path: 'host', message: 'Must be a host name' }]]);
});

test('a host is text, and 253 characters long at most', async () => {
  const { api } = await newUser();
  for (const [body, message] of [
    [{}, 'Required'],
    [{ host: 7 }, 'Must be a string'],
    [{ host: null }, 'Must be a string'],
  ] as const) {
    expect((await api.post('/domains', body)).body.error.details).toEqual([{ path: 'host', message }]);
  }
  const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
  expect(host.length).toBe(253);
  expect((await addDomain(api, { host })).host).toBe(host);
});

test('destinations of a domain obey the rules of destinations and lead to no domain of the instance', async () => {
  const other = await newUser();
  const active = await addProven(other.api);
  const pending = await addDomain(other.api);
  const { api } = await newUser();
  const host = newHost();
  const refused = [
    'javascript:alert(1)',
    'http://10.0.0.1/',
    `${PUBLIC_BASE_URL}/x`,
    `https://${active.host}/x`,
    `https://${active.host.toUpperCase()}.:8443/`,
    `http://${host}/`,
  ];
  for (const url of refused) {
    const { body } = await api.post('/domains', { host, notFoundUrl: url });
    expect(body.error?.details, url).toEqual([{ path: 'notFoundUrl', message: 'Invalid URL format' }]);
  }
  const rootUrl = `https://${pending.host}/`;
  const { id } = await addDomain(api, { host, rootUrl });
  prove(pending);
  await verify(other.api, pending);
  // What was stored before stays.
  expect((await api.patch('/domains', { id, rootUrl, expiredUrl: 'https://example.org/' })).status).toBe(200);
  const ring = await api.patch('/domains', { id, expiredUrl: rootUrl });
  expect(ring.body.error.details).toEqual([{ path: 'expiredUrl', message: 'Invalid URL format' }]);
});

test('unsafe destinations are refused, and cleared when they become unsafe', async () => {
  const { api, userId } = await newUser();
  const [bad, later] = ['https://bad.example.net/', 'https://later.example.net/'];
  provider.unsafe.add(bad);
  const refused = await api.post('/domains', { host: newHost(), rootUrl: bad });
  expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
    422,
    'UNSAFE_URL',
    [{ path: 'rootUrl', message: 'URL was judged unsafe' }],
  ]);
  await api.post('/webhooks', { url: 'https://hooks.example.org/', eventTypes: ['domain.unsafe'] });
  const domain = await addProven(api, { rootUrl: later, notFoundUrl: 'https://example.org/' });
  provider.unsafe.add(later);
  await lookAt(domain);
  const after = await findDomain(api, domain.id);
  expect(after).not.toHaveProperty('rootUrl');
  expect(after).toHaveProperty('notFoundUrl', 'https://example.org/');
  expect((await audited(userId, domain.id)).at(-1)).toBe('domain.unsafe');
  expect((await messages(userId)).map(({ data }) => data)).toEqual([
    {
      domainId: domain.id,
      host: domain.host,
      details: [{ path: 'rootUrl', message: 'URL was judged unsafe' }],
    },
  ]);
  // Unjudged destinations are accepted, and judged soon.
  provider.state = 'down';
  await api.patch('/domains', { id: domain.id, rootUrl: later });
  expect(await findDomain(api, domain.id)).toHaveProperty('rootUrl', later);
  provider.state = 'up';
  await lookAt(domain);
  expect(await findDomain(api, domain.id)).not.toHaveProperty('rootUrl');
});

test.each([
  ['appleAppSiteAssociation', [], {}, { applinks: {} }, { webcredentials: { apps: 'x' } }, 'text'],
  [
    'assetLinks',
    {},
    [],
    [{}],
    [{ relation: [], target: { namespace: 'web' } }],
    [{ relation: ['x'], target: {} }],
  ],
] as const)('%s must have the form of the file', async (name, ...values) => {
  const { api } = await newUser();
  const { id } = await addDomain(api);
  for (const value of values) {
    const { body } = await api.patch('/domains', { id, [name]: value });
    expect(body.error?.details, JSON.stringify(value)).toEqual([
      { path: name, message: expect.stringMatching(/^Must be (an object|a list) /) as string },
    ]);
  }
  const large = { webcredentials: { apps: ['x'.repeat(65_536)] } };
  const links = [{ relation: ['x'.repeat(65_536)], target: { namespace: 'web' } }];
  const { body } = await api.patch('/domains', { id, [name]: name === 'assetLinks' ? links : large });
  expect(body.error.details).toEqual([{ path: name, message: 'Must be at most 64 KiB' }]);
});

test('a domain with live smartlinks is not removed, in whichever order they come', async () => {
  const { api, userId } = await newUser();
  const { pg } = service.app;
  const domain = await addProven(api);
  const { number } = (await stored(domain.id))!;
  const link = await createSmartlink(api);
  const remove = () => api.delete('/domains', { domainId: domain.id });
  // A smartlink gets the domain while it is being removed.
  let removal: ReturnType<typeof remove> | undefined;
  await withTransaction(pg, async (client) => {
    const found = await lockDomains(client, userId, [domain.host], { withDefault: true });
    expect(found).toEqual([{ host: domain.host, number, status: 'Active', isDefault: false }]);
    removal = remove();
    await expect
      .poll(() =>
        count(
          service.app,
          `pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      )
      .toBe(1);
    await client.query('update smartlinks set domain_number = $2 where id = $1', [link.id, number]);
  });
  const refused = await removal!;
  expect([refused.status, refused.body.error]).toEqual([
    409,
    { code: 'DOMAIN_IN_USE', message: 'Domain still has smartlinks' },
  ]);
  expect(await findDomain(api, domain.id)).toMatchObject({ smartlinkCount: 1 });
  await api.post('/smartlink/status', { id: link.id, status: 'Paused' });
  expect((await remove()).status).toBe(409);
  await api.delete('/smartlink', { smartlinkId: link.id });
  expect((await remove()).status).toBe(200);
  // Deleted smartlinks show its host.
  expect((await stored(domain.id))?.status).toBe('Removed');
  expect(await withTransaction(pg, (client) => lockDomains(client, userId, [domain.host]))).toEqual([]);
  const again = await addDomain(api, { host: domain.host });
  expect((await stored(again.id))?.number).not.toBe(number);
});

test('Starter has no domains, and an account has 100 at most', async () => {
  const starter = await newUser('Starter');
  const restricted = await starter.api.post('/domains', { host: newHost() });
  expect([restricted.status, restricted.body.error.code]).toEqual([403, 'PLAN_RESTRICTED']);
  expect((await starter.api.get('/domains')).body.data).toEqual([]);

  const { api, userId } = await newUser('Professional');
  await service.app.pg.query(
    `insert into domains (id, user_id, host, token, check_due_at)
     select gen_random_uuid(), $1::uuid, 'n' || n || '.' || ($1::uuid)::text || '.example', 'x', now() + interval '1 day'
     from generate_series(1, 99) as n`,
    [userId],
  );
  await addDomain(api);
  const tooMany = await api.post('/domains', { host: newHost() });
  expect(tooMany.body.error.details).toEqual([{ path: '', message: 'A user has at most 100 domains' }]);
});

test('an instance that trusts its accounts asks for no proof', async () => {
  const { api, apiKey } = await newUser();
  const trusted = caller(trusting.app, apiKey);
  const domain = await addDomain(trusted, { isDefault: true });
  expect(domain).toMatchObject({ status: 'Active', isDefault: true });
  await lookAt(domain);
  expect((await verify(trusted, domain)).data.status).toBe('Active');
  const second = await newUser();
  const taken = await caller(trusting.app, second.apiKey).post('/domains', { host: domain.host });
  expect(taken.body.error.code).toBe('DOMAIN_TAKEN');
  const rival = await addDomain(second.api, { host: domain.host });
  prove(rival);
  expect((await verify(second.api, rival)).code).toBe('DOMAIN_TAKEN');
  expect((await findDomain(api, domain.id))?.status).toBe('Active');
});

test('an account that is deleted leaves no domain', async () => {
  const { api, userId } = await newUser();
  await addProven(api);
  await service.app.pg.query('delete from users where id = $1', [userId]);
  expect(await count(service.app, 'domains where user_id = $1', [userId])).toBe(0);
});
