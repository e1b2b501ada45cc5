import { expect, test } from 'vitest';
import { type RawResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { HOSTED_PAGE_HEADERS, LISTED_PAGE_HEADERS, REDIRECT_HEADERS } from './expected-headers.js';
import { type NewLink, SET_STATUS } from './link-store.js';
import { ANDROID, IPHONE, LINUX, isWhole, selectEvents, serve } from './serve.js';
import { startRedirect, untilDelivered } from './start-redirect.js';

const PUBLIC_BASE_URL = 'http://sl.example.com';
const SNIPPET = '\r\n<b>&amp;</b>\tдва\u2028';
const STORES = { appStoreLink: 'https://apps.example/app?id=1', fallBackLink: 'https://example.org/app#top' };
const LINKS: readonly NewLink[] = [
  {
    slug: 'Landing',
    type: 'Landing',
    content: {
      landing: { title: 'Bakery & <Sons>', layout: 'List', theme: 'Auto' },
      landingButtons: [{ title: 'Call us', link: 'tel:+994501234567' }],
    },
  },
  {
    slug: 'tag',
    type: 'QRTag',
    content: {
      qrTag: { title: 'Table 5' },
      qrTagButtons: [{ title: 'Order', link: 'https://a.example/', position: 1 }],
    },
  },
  { slug: 'card', type: 'DigiCard', content: { digiCard: { title: 'Leyla', company: 'Bakery' } } },
  { slug: 'text', type: 'TxtBin', content: { txtBin: { text: SNIPPET } } },
  {
    slug: 'menu',
    type: 'QrMenu',
    content: {
      qrMenu: {
        currency: '₼',
        categories: [{ name: 'Soups', items: [{ name: 'Dovga', price: 4.5, active: true }] }],
      },
    },
  },
  { slug: 'app', type: 'App', content: { configuration: STORES } },
  { slug: 'chooser', type: 'App', content: { configuration: { appStoreLink: STORES.appStoreLink } } },
  { slug: 'bare', type: 'App', content: {} },
];

const { trial, redirect, ask, get } = serve({ PUBLIC_BASE_URL }, { clickhouse: 'own', links: LINKS });
const bodyOf = ({ body }: RawResponse): string => Buffer.from(body, 'latin1').toString();

test.each([
  ['Landing', LISTED_PAGE_HEADERS, 'Bakery &amp; &lt;Sons&gt;</h1>'],
  ['landing/', LISTED_PAGE_HEADERS, 'href="tel:+994501234567"'],
  ['tag', LISTED_PAGE_HEADERS, 'href="https://a.example/"'],
  ['card', HOSTED_PAGE_HEADERS, 'Leyla</bdi></h1>'],
  ['text', HOSTED_PAGE_HEADERS, 'два'],
  ['menu', LISTED_PAGE_HEADERS, '₼4.50'],
  ['chooser', HOSTED_PAGE_HEADERS, 'href="https://apps.example/app?id=1"'],
  ['bare', HOSTED_PAGE_HEADERS, 'Nothing here yet'],
])('/%s is a page with exactly the promised headers', async (path, headerNames, expected) => {
  for (const address of [`/${path}`, `/q/${path}`, `/${path}?a=b`]) {
    const response = await get(address);
    expect(response.status).toBe(200);
    expect(response.headerNames).toEqual(headerNames);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Language, Accept-Encoding',
    });
    expect(bodyOf(response)).toContain(expected);
    expect(response.body.length).toBe(Number(response.headers['content-length']));
  }
});

test.each(['/Landing', '/text?raw=1', '/chooser'])('HEAD %s equals GET without its body', async (path) => {
  const whole = await get(path);
  const head = await ask('HEAD', path, `User-Agent: ${LINUX}`);
  expect([head.status, head.body]).toEqual([200, '']);
  expect(head.headers).toEqual({ ...whole.headers, date: head.headers['date'] });
});

test.each(['/Landing', '/menu', '/text?raw=1', '/chooser'])(
  'who kept %s hears that it is the same, with the same headers and no body',
  async (path) => {
    const whole = await get(path);
    const etag = whole.headers['etag'] ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const kept = await get(path, `If-None-Match: ${tag}`);
      const { date } = kept.headers;
      expect([kept.status, kept.body]).toEqual([304, '']);
      expect(kept.headers).toEqual({ ...whole.headers, date });
    }
    const head = await ask('HEAD', path, `User-Agent: ${LINUX}`, `If-None-Match: ${etag}`);
    expect(head.status).toBe(304);
    expect((await get(path, 'If-None-Match: "other"')).status).toBe(200);
  },
);

test.each([
  ['304', 'GET', '304 Not Modified'],
  ['HEAD', 'HEAD', '200 OK'],
])('no byte follows a %s, and the next one on its connection is answered', async (title, method, status) => {
  const etag = title === '304' ? ((await get('/menu')).headers['etag'] ?? '') : '"other"';
  // On connections of their own, so that every worker has the page: one that must wait for it ends a connection on which
  // more requests are behind, as uWebSockets.js does.
  for (let connection = 0; connection < 24; connection += 1) await get('/menu');
  const line = `${method} /menu HTTP/1.1\r\nHost: a\r\nIf-None-Match: ${etag}\r\n\r\n`;
  const text = await sendRaw(redirect.port, line.repeat(3), {
    until: (got) => got.split('\r\n\r\n').length > 3,
  });
  const heads = text.split('\r\n\r\n').map((head) => head.split('\r\n', 1)[0]);
  expect(heads).toEqual([...Array<string>(3).fill(`HTTP/1.1 ${status}`), '']);
});

test('a first look-up hears of the kept page too, and a changed one is sent whole', async () => {
  const slug = 'changing';
  const content = (text: string) => ({ txtBin: { text } });
  const id = await trial.links.insert({ slug, type: 'TxtBin', content: content('one') });
  const etag = (await get(`/${slug}`)).headers['etag'] ?? '';
  const other = await startRedirect(trial.databases, { PUBLIC_BASE_URL });
  const cold = await request(
    other.port,
    [`GET /${slug} HTTP/1.1`, 'Host: a', `User-Agent: ${LINUX}`, `If-None-Match: ${etag}`],
    { until: (text) => isWhole('GET', text) },
  );
  await other.stop();
  expect(cold.status).toBe(304);
  await trial.links.update(id, 'content = $2', { TxtBin: content('two') });
  await trial.links.publish(slug);
  await until(
    async () => (await get(`/${slug}`, `If-None-Match: ${etag}`)).body.includes('two'),
    'the changed page is sent whole',
  );
  await trial.links.update(id, SET_STATUS, 'Paused');
  await trial.links.publish(slug);
  await until(
    async () => (await get(`/${slug}`, `If-None-Match: ${etag}`)).status === 404,
    'the paused page is gone, also for those who kept it',
  );
});

test('a snippet’s text comes alone, to the byte', async () => {
  const response = await get('/text?raw=1');
  expect(response.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  });
  expect(bodyOf(response)).toBe(SNIPPET);
});

test.each([
  ['/app', IPHONE, STORES.appStoreLink],
  ['/q/app?utm_source=x', IPHONE, STORES.appStoreLink],
  ['/chooser', IPHONE, STORES.appStoreLink],
  ['/app', ANDROID, STORES.fallBackLink],
  ['/app?utm_source=x&qr=1', LINUX, 'https://example.org/app?utm_source=x#top'],
])('%s sends %s to %s', async (path, userAgent, location) => {
  const response = await ask('GET', path, `User-Agent: ${userAgent}`);
  expect(response.status).toBe(302);
  expect(response.headerNames).toEqual(REDIRECT_HEADERS);
  expect(response.headers['location']).toBe(location);
});

test('a form sent to a page is 405', async () => {
  const lines = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'];
  const response = await ask('POST', '/Landing', ...lines);
  expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test('the largest menu and snippet are served whole, out of Postgres, Redis and memory', async () => {
  const items = Array.from({ length: 500 }, (_, i) => ({
    ...{ name: `Item ${i}`, description: 'plov, '.repeat(14), price: i, active: true },
    ...{ imageLink: `https://a.example/${i}.webp`, badges: ['vegan'] },
    variants: [{ label: 'Large', price: i + 0.5 }],
  }));
  const categories = ['a', 'b', 'c', 'd'].map((name) => ({ name, items }));
  const menu = { qrMenu: { currency: '₼', categories } };
  await trial.links.insert({ slug: 'bigMenu', type: 'QrMenu', content: menu });
  const text = '😀<&>\n'.repeat(20_000);
  await trial.links.insert({ slug: 'bigText', type: 'TxtBin', content: { txtBin: { text } } });
  // The third is the second process, or the first one's memory.
  for (const source of ['postgres', 'redis', 'memory']) {
    const response = await get('/bigMenu');
    expect([source, bodyOf(response).match(/<h3>/g)?.length]).toEqual([source, 2_000]);
    expect(bodyOf(await get('/bigText?raw=1'))).toBe(text);
  }
  const key = `${trial.databases.redisKeyPrefix}link:bigmenu`;
  await until(async () => (await trial.redis.exists(key)) === 1, 'Redis has the menu');
  process.stdout.write(
    `largest menu: ${JSON.stringify(menu).length} characters stored, ${(await get('/bigMenu')).body.length} bytes sent\n`,
  );
});

// The last test: it stops the service.
test('visits are counted by what they ended in, those of a kept page too', async () => {
  const slugs = ['countedPage', 'countedApp', 'countedStores'];
  await trial.links.insert({ slug: 'countedPage', type: 'TxtBin', content: { txtBin: { text: 'x' } } });
  await trial.links.insert({ slug: 'countedApp', type: 'App', content: { configuration: {} } });
  await trial.links.insert({ slug: 'countedStores', type: 'App', content: { configuration: STORES } });
  const { headers } = await get('/countedPage');
  expect((await get('/q/countedPage', `If-None-Match: ${headers['etag']}`)).status).toBe(304);
  await get('/countedPage?raw=1');
  await ask('HEAD', '/countedPage', `User-Agent: ${LINUX}`);
  await ask('GET', '/countedPage', 'User-Agent: curl/8');
  await get('/countedApp');
  await ask('GET', '/q/countedApp', 'User-Agent: facebookexternalhit/1.1');
  await ask('GET', '/countedStores', `User-Agent: ${IPHONE}`);
  await get('/q/countedStores');
  await untilDelivered(redirect, 9);
  expect(await redirect.metric('smartlink_redirect_visits_total{outcome="error"}')).toBe(0);
  expect(await redirect.stop()).toBe(0);
  const query = `select concat(slug, ' ', source, ' ', outcome, ' ', exclusion, ' ', toString(count())) as line
                 from events final where slug in ({slugs:Array(String)})
                 group by slug, source, outcome, exclusion order by all`;
  const rows = await selectEvents<{ line: string }>(trial.databases.clickhouseUrl, query, { slugs });
  expect(rows.map(({ line }) => line)).toEqual([
    'countedApp click fallback  1',
    'countedApp scan excluded bot 1',
    'countedPage click excluded bot 1',
    'countedPage click excluded head 1',
    'countedPage click page  2',
    'countedPage scan page  1',
    'countedStores click target  1',
    'countedStores scan fallback  1',
  ]);
});
