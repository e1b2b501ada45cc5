import { pino } from 'pino';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { until } from '@smartlink/test-support/until';
import { createRollupStateReader } from '@smartlink/visits/analytics';
import { refreshTotals } from '../src/analytics/refresh-totals.js';
import { createTotalsReader } from '../src/analytics/totals.js';
import { createListReader } from '../src/smartlinks/documents/list-smartlinks.js';
import {
  DAY_MS,
  FIRST_DAY_MS,
  folders,
  type Link,
  people,
  pick,
  storeLinks,
  visitsOf,
} from './random-links.js';
import {
  addEvents,
  caller,
  createSmartlink,
  faultsOf,
  PUBLIC_BASE_URL,
  startServiceOn,
  urlSmartlink,
  useService,
} from './start-service.js';

// The list against a naive one over the same random smartlinks.

let links: readonly Link[];

const { service, user, api } = useService();
beforeAll(async () => {
  links = await storeLinks(service.app.pg, user.userId);
  await addEvents(
    service.app,
    links.flatMap((link) => visitsOf(user.userId, link)),
  );
  await refresh();
});

const refresh = () =>
  refreshTotals({
    clickhouse: service.app.clickhouse,
    pg: service.app.pg,
    mayGoOn: () => Promise.resolve(true),
  });

type Filter = {
  readonly query: string;
  /** Smartlinks that are shown; without a word on status and archive, Active ones that are not archived. */
  readonly has: (link: Link) => boolean;
  readonly isWhole?: true;
};

const isShown = ({ status, archived }: Link) => status === 'Active' && !archived;
const searched = ({ name, slug, alias, imported, destination, notes }: Link) =>
  [name, slug, alias, imported, destination, notes].join('\n').toLowerCase();
const whole = (query: string, has: Filter['has']): Filter => ({ query, has, isWhole: true });

const filters = (): readonly Filter[] => [
  { query: '', has: () => true },
  whole('status=all&archived=all', () => true),
  whole('archived=all', ({ status }) => status === 'Active'),
  whole('archived=true', ({ status, archived }) => status === 'Active' && archived),
  whole('status=Deleted&archived=false', ({ status, archived }) => status === 'Deleted' && !archived),
  { query: 'type=Url', has: ({ type }) => type === 'Url' },
  { query: 'tag=RED', has: ({ tags }) => tags.includes('Red') },
  { query: 'tag=%C3%87%C3%B6r%C9%99k', has: ({ tags }) => tags.includes('Çörək') },
  // The same in another normal form.
  { query: `tag=${encodeURIComponent('çörək'.normalize('NFD'))}`, has: ({ tags }) => tags.includes('Çörək') },
  { query: 'tag=red,blue', has: ({ tags }) => tags.includes('Red') || tags.includes('blue') },
  { query: 'tag=red,blue,Red&tagMode=all', has: ({ tags }) => tags.includes('Red') && tags.includes('blue') },
  { query: 'tag=nobody', has: () => false },
  { query: 'tag=red,nobody', has: ({ tags }) => tags.includes('Red') },
  { query: 'tag=red,nobody&tagMode=all', has: () => false },
  { query: 'excludeTag=red,nobody', has: ({ tags }) => !tags.includes('Red') },
  { query: 'tag=blue&excludeTag=red', has: ({ tags }) => tags.includes('blue') && !tags.includes('Red') },
  { query: `folderId=${folders[0]}`, has: ({ folder }) => folder === folders[0] },
  { query: 'folderId=none', has: ({ folder }) => folder === null },
  { query: 'folderId=unknown', has: () => false },
  { query: `createdBy=${people[1]}`, has: ({ createdBy }) => createdBy === people[1] },
  { query: 'createdBy=unknown', has: () => false },
  {
    query: 'createdFrom=2026-01-02&createdTo=2026-01-04',
    has: ({ createdMs }) => createdMs >= FIRST_DAY_MS + DAY_MS && createdMs < FIRST_DAY_MS + 4 * DAY_MS,
  },
  whole('unsafe=true', ({ status, unsafe, archived }) => status === 'Paused' && unsafe && !archived),
  whole('unsafe=true&status=Active', () => false),
  ...[
    'BAKERY',
    'çay',
    '100%',
    'u_a',
    'g\\s',
    'former1',
    'slug7x',
    'old-code_',
    'path_',
    ':8443/',
    'ask',
    'ş',
  ].map((q) => ({
    query: `q=${encodeURIComponent(q)}`,
    has: (link: Link) => searched(link).includes(q.toLowerCase()),
  })),
];

type Sort = { readonly sort: string; readonly order: 'asc' | 'desc' };
const queryOf = ({ sort, order }: Sort) => `sort=${sort}&order=${order}`;
const SORTS: readonly Sort[] = ['createdAt', 'updatedAt', 'name', 'visits', 'lastVisitAt'].flatMap((sort) =>
  (['asc', 'desc'] as const).map((order) => ({ sort, order })),
);

const KEYS: Readonly<Record<string, (link: Link) => number | string>> = {
  createdAt: ({ createdMs }) => createdMs,
  updatedAt: ({ updatedMs }) => updatedMs,
  name: ({ name }) => Buffer.from(name.toLowerCase()).toString('hex'),
  visits: ({ visits }) => visits,
  lastVisitAt: ({ lastVisitMs }) => lastVisitMs ?? -1,
};

function expected({ has, isWhole }: Filter, { sort, order }: Sort): readonly string[] {
  const keyOf = KEYS[sort];
  const compare = (a: Link, b: Link) => {
    const [x, y] = [keyOf?.(a) ?? 0, keyOf?.(b) ?? 0];
    return x < y ? -1 : x > y ? 1 : a.id < b.id ? -1 : 1;
  };
  const sorted = links.filter((link) => (isWhole ?? isShown(link)) && has(link)).toSorted(compare);
  return (order === 'asc' ? sorted : sorted.toReversed()).map(({ id }) => id);
}

const idsIn = (res: { body: { data: { id: string }[] } }) => res.body.data.map(({ id }) => id);

async function walk(query: string, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const res = await api.get(`/smartlink?${query}&limit=${limit}${cursor}`);
    expect([query, res.status]).toEqual([query, 200]);
    ids.push(...idsIn(res));
    const next = res.headers['x-next-cursor'];
    if (next === undefined) return ids;
    cursor = `&cursor=${String(next)}`;
  }
}

describe('the list equals a naive one', () => {
  test('in every order, whole and in pages', async () => {
    const [, all = { query: '', has: () => true }] = filters();
    for (const sort of SORTS) {
      const query = `${all.query}&${queryOf(sort)}`;
      const ids = expected(all, sort);
      expect([query, idsIn(await api.get(`/smartlink?${query}`))]).toEqual([query, ids]);
      expect([query, await walk(`${query}&view=summary`, 25)]).toEqual([query, ids]);
    }
    const [newest] = await Promise.all([
      api.get('/smartlink?limit=100'),
      api.get('/smartlink?sort=createdAt&limit=100'),
    ]);
    expect(newest.text).toContain(links.find(isShown)?.id);
    // Names ascend, everything else descends.
    expect(await walk('sort=name', 100)).toEqual(await walk('sort=name&order=asc', 100));
    expect(await walk('sort=visits', 100)).toEqual(await walk('sort=visits&order=desc', 100));
  });

  test('by every filter, with its count', async () => {
    for (const filter of filters()) {
      const sort = pick(SORTS);
      const query = `${filter.query}&${queryOf(sort)}`;
      const ids = expected(filter, sort);
      const res = await api.get(`/smartlink?${query}&limit=100&count=true&view=summary`);
      expect([query, idsIn(res)]).toEqual([query, ids]);
      expect(res.headers).toMatchObject({ 'x-total-count': String(ids.length) });
      expect(res.headers).not.toHaveProperty('x-search');
    }
  });

  test('and another account sees none of it', async () => {
    const stranger = caller(service.app, (await service.createUser()).apiKey);
    for (const query of [
      'status=all',
      'tag=red',
      `folderId=${folders[0]}`,
      `createdBy=${people[0]}`,
      'q=a',
      'slug=Slug1x',
    ])
      expect([query, (await stranger.get(`/smartlink?${query}`)).body]).toMatchObject([query, { data: [] }]);
  });
});

test('a slug finds its smartlink by any of its addresses, unless it is deleted', async () => {
  for (const { id, slug, alias, imported, status } of links.filter((_link, i) => i % 3 === 0)) {
    const isThere = status === 'Deleted' ? [] : [id];
    const addresses = [slug, slug.toLowerCase(), ...(alias === null ? [] : [alias])];
    for (const address of [...addresses, ...(imported === null ? [] : [imported])])
      expect([address, idsIn(await api.get(`/smartlink?slug=${address}`))]).toEqual([address, isThere]);
    if (imported !== null)
      expect(idsIn(await api.get(`/smartlink?slug=${imported.toLowerCase()}`))).toEqual([]);
  }
  expect(idsIn(await api.get('/smartlink?slug=nobody'))).toEqual([]);
});

test('a search sees a change of the name, the address, the destination and the type', async () => {
  const own = caller(service.app, (await service.createUser()).apiKey);
  const { id } = await createSmartlink(own, urlSmartlink({ smartlinkUrl: 'firstplace' }));
  const finds = async (q: string) => idsIn(await own.get(`/smartlink?q=${q}`)).length;
  expect([await finds('docs'), await finds('firstplace'), await finds('example.org')]).toEqual([1, 1, 1]);
  await own.patch('/smartlink', {
    id,
    configuration: { smartlinkName: 'Other', smartlinkUrl: 'secondplace' },
    shortener: { url: 'https://elsewhere.example/' },
  });
  expect([await finds('docs'), await finds('example.org'), await finds('elsewhere')]).toEqual([0, 0, 1]);
  // The former address still leads to it.
  expect([await finds('firstplace'), await finds('secondplace')]).toEqual([1, 1]);
  await own.patch('/smartlink', { id, configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } });
  expect([await finds('elsewhere'), await finds('other')]).toEqual([0, 1]);
});

test('a summary is the smartlink without its content', async () => {
  const own = caller(service.app, (await service.createUser()).apiKey);
  const page = {
    configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' },
    landing: { title: 'T', themeColor: '#123456' },
    landingButtons: [{ title: 'A', link: 'https://example.org/' }],
    appearance: { buttonShape: 'pill' },
    openGraph: { title: 'T' },
  };
  const app = {
    configuration: { smartlinkName: 'App', smartlinkType: 'App', fallBackLink: 'https://example.org/app' },
  };
  const { data: url } = await createSmartlink(
    own,
    urlSmartlink({}, { url: 'https://www.example.org:8443/a' }),
  );
  await createSmartlink(own, page);
  await createSmartlink(own, app);
  const { data } = (await own.get('/smartlink?view=summary&sort=createdAt&order=asc')).body;
  const { shortener: _content, ...shared } = url;
  expect(data[0]).toEqual({ ...shared, destinationHost: 'www.example.org:8443' });
  expect(data[1]).toMatchObject({ type: 'Landing', themeColor: '#123456' });
  for (const member of ['landing', 'landingButtons', 'openGraph', 'appearance'])
    expect(data[1]).not.toHaveProperty(member);
  expect(data[2].configuration).toMatchObject(app.configuration);
});

test('visits that arrive change the order within a refresh, whatever their day', async () => {
  const owner = await service.createUser();
  const own = caller(service.app, owner.apiKey);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push((await createSmartlink(own)).id);
  const [a = '', b = '', c = ''] = ids;
  const order = async (sort: string) => idsIn(await own.get(`/smartlink?sort=${sort}`));
  const visit = async (id: string, ...times: string[]) => {
    await addEvents(
      service.app,
      times.map((ts) => makeEventRow(owner.userId, id, { ts })),
    );
    await refresh();
  };
  await visit(a, '2026-03-10 12:00:00.000', '2026-03-09 12:00:00.000');
  await visit(b, '2026-03-11 12:00:00.123');
  expect([await order('visits'), await order('lastVisitAt')]).toEqual([
    [a, b, c],
    [b, a, c],
  ]);
  // Late, for a day long over.
  await visit(b, '2026-02-01 12:00:00.000', '2026-02-02 12:00:00.000');
  expect([await order('visits'), await order('lastVisitAt')]).toEqual([
    [b, a, c],
    [b, a, c],
  ]);
  const { data } = (await own.get('/smartlink?view=summary&sort=visits')).body;
  expect(data.map((link: { lastVisitAt?: string }) => link.lastVisitAt)).toEqual([
    '2026-03-11T12:00:00.123Z',
    '2026-03-10T12:00:00.000Z',
    undefined,
  ]);
  expect(data[0].analytics).toMatchObject({ totalClicks: 3 });
});

describe('a fault', () => {
  const [empty, nul, twice] = ['Must not be empty', 'Must not contain NUL', 'Must be given once'];
  const notDate = 'Must be a date as YYYY-MM-DD, from 1970 to 2199';
  const notFlag = 'Must be true or false';
  test.each([
    ['tag', { '': empty, 'a,': empty, ',': empty, 'a&tag=b': twice, '%00': nul }],
    ['tag', { [Array(51).fill('a').join(',')]: 'Must have at most 50 values' }],
    ['excludeTag', { '': empty, 'a,,b': empty }],
    ['tagMode', { none: 'Must be any or all', '': 'Must be any or all' }],
    ['folderId', { '': empty, 'a&folderId=b': twice }],
    ['archived', { yes: 'Must be false, true or all', '': 'Must be false, true or all' }],
    ['createdBy', { '': empty, '%00': nul }],
    ['createdFrom', { '2026-1-1': notDate, '2026-02-30': notDate, '': notDate }],
    ['createdTo', { today: notDate, '2200-01-01': notDate }],
    ['unsafe', { 1: notFlag, '': notFlag }],
    ['q', { '': empty, '%00': nul, ['🔗'.repeat(129)]: 'Must be at most 128 characters', 'a&q=b': twice }],
    ['slug', { '': empty, '%00': nul }],
    ['externalId', { '': empty, '%00': nul, 'a&externalId=b': twice }],
    ['sort', { clicks: `Must be one of createdAt, updatedAt, name, visits, lastVisitAt` }],
    ['order', { up: 'Must be asc or desc' }],
    ['count', { yes: notFlag }],
    ['view', { full: 'Must be summary' }],
  ])('in %s is 400 at its name', async (name, messages) => {
    for (const [value, message] of Object.entries(messages)) {
      const { status, body } = await api.get(`/smartlink?${name}=${value}`);
      expect([value, status, body.error.details]).toEqual([value, 400, [{ path: name, message }]]);
    }
  });

  test('is a range that ends before it begins, and a cursor of another order', async () => {
    const range = await api.get('/smartlink?createdFrom=2026-02-01&createdTo=2026-01-01');
    expect(range.body.error.details).toEqual([
      { path: 'createdFrom', message: 'Must not be after createdTo' },
    ]);
    const cursors = new Map<string, string>();
    for (const query of SORTS.map(queryOf))
      cursors.set(query, String((await api.get(`/smartlink?${query}&limit=3`)).headers['x-next-cursor']));
    const orders = SORTS.map(queryOf);
    for (const [i, query] of orders.entries())
      for (const of of [
        query,
        orders[(i + 1) % orders.length] ?? '',
        orders[(i + 2) % orders.length] ?? '',
      ]) {
        const res = await api.get(`/smartlink?${query}&limit=1&cursor=${cursors.get(of)}`);
        expect([query, of, res.status]).toEqual([query, of, query === of ? 200 : 400]);
        if (query !== of) expect(faultsOf(res)).toEqual(['cursor']);
      }
  });
});

test('without parameters it is whole, in keyset pages, and holds no connection while its reader is awaited', async () => {
  const owner = await service.createUser();
  const { rows } = await service.app.pg.query<{ id: string }>(
    `insert into smartlinks (id, user_id, status, type, name, slug, content, version, created_at)
     select gen_random_uuid(), $1, 'Active', 'Url', 'n', 'many' || n, '{"Url": {"shortener": {"url": "https://example.org/"}}}',
            n, now() - n / 3 * interval '1 second'
     from generate_series(1, 1100) as n returning id, created_at`,
    [owner.userId],
  );
  const { app } = service;
  const { pg, clickhouse } = app;
  const log = pino({ enabled: false });
  const readState = createRollupStateReader(clickhouse, Date.now);
  const totals = createTotalsReader({ clickhouse, pg, readState, log });
  const readList = createListReader({ pg, totals, publicBaseUrl: PUBLIC_BASE_URL, contentBytesMax: null });
  const { data, chunks } = await readList(owner.userId, {});
  expect(data).toEqual([]);
  const ids: string[] = [];
  let parts = 0;
  for await (const chunk of chunks ?? []) {
    parts += 1;
    ids.push(...(chunk as { id: string }[]).map(({ id }) => id));
    // Totals are saved behind the answer.
    await until(() => pg.idleCount === pg.totalCount, 'no connection is in use');
  }
  const paged = await caller(app, owner.apiKey).get('/smartlink?limit=100&order=asc');
  expect([parts >= 3, new Set(ids).size, ids.length]).toEqual([true, 1_100, 1_100]);
  expect(ids.slice(-100).toReversed()).toEqual(idsIn(paged));
  expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  const { body } = await caller(app, owner.apiKey).get('/smartlink');
  expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual(ids);
});

test('without the index of trigrams a search finds what begins with its text, and says so', async () => {
  await service.app.pg.query('drop index smartlink_search_text');
  const { app } = await startServiceOn(service.databases);
  onTestFinished(() => app.close());
  const q = 'BAKERY';
  const begins = ({ name, slug, alias, imported }: Link) =>
    [name, slug, alias ?? '', imported ?? ''].some((text) => text.toLowerCase().startsWith(q.toLowerCase()));
  const res = await caller(app, user.apiKey).get(`/smartlink?q=${q}&count=true`);
  expect([res.headers['x-search'], res.headers['x-total-count']]).toEqual([
    'prefix',
    String(idsIn(res).length),
  ]);
  expect(idsIn(res)).toEqual(expected({ query: '', has: begins }, { sort: 'createdAt', order: 'desc' }));
  for (const name of ['alias', 'imported'] as const) {
    const link = links.find((each) => each[name] !== null && isShown(each));
    const found = idsIn(await caller(app, user.apiKey).get(`/smartlink?q=${link?.[name]}`));
    expect(found).toContain(link?.id);
  }
});
