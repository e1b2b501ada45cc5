import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import {
  HOSTED_PAGE_HEADERS,
  hasExactly,
  LISTED_PAGE_HEADERS,
  REDIRECT_HEADERS,
} from './expected-headers.js';
import { type NewLink, SET_STATUS } from './link-store.js';
import { ANDROID, IPHONE, isWhole, LINUX, MAC_SAFARI, PREVIEW_AGENT, selectEvents, serve } from './serve.js';
import { type Redirect, startRedirect, untilDelivered } from './start-redirect.js';

const APPLE = '{"applinks":{"details":[{"appIDs":["TEAM.com.example"]}]}}';
const ANDROID_LINKS = '[{"relation":["delegate"],"target":{"namespace":"android_app"}}]';
const OPEN_GRAPH = { title: 'A <b>title</b>', description: 'About it', imageUrl: 'https://a.example/og.png' };
const SECRET = 'https://secret.example.org/place';
const SNIPPET = '\r\n<b>&amp;</b>\tдва\u2028';
const STORES = {
  appStoreLink: 'https://apps.example/app?id=1',
  macOsAppLink: 'https://apps.example/mac',
  googlePlayLink: 'https://play.example/app',
  fallBackLink: 'https://example.org/app#top',
};

const LINKS: readonly NewLink[] = [
  { slug: 'plain', url: 'https://example.org/place?a=1' },
  { slug: 'locked', url: SECRET, password: 'a password' },
  { slug: 'paused', url: 'https://example.org/', status: 'Paused' },
  { slug: 'deleted', url: 'https://example.org/', status: 'Deleted' },
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
  { slug: 'card', type: 'DigiCard', content: { digiCard: { title: 'Leyla Əliyeva', company: 'Bakery' } } },
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

const ENV = {
  PUBLIC_BASE_URL: 'https://sl.example.com',
  ABUSE_CONTACT_URL: 'mailto:abuse@sl.example.com',
  DEFAULT_LANGUAGE: 'az',
};
const { trial, redirect, ask, get } = serve(
  { ...ENV, APPLE_APP_SITE_ASSOCIATION: APPLE, ASSET_LINKS: ANDROID_LINKS },
  { clickhouse: 'own', links: LINKS },
);
/** A second service, which has nothing in memory and no file of an operator. */
let other: Redirect;

beforeAll(async () => {
  other = await startRedirect(trial.databases, ENV);
  const shared = await trial.links.insert({ slug: 'shared', url: 'https://example.org/shared' });
  await trial.links.update(shared, `open_graph = $2`, OPEN_GRAPH);
});
afterAll(() => other.stop());

const bytesOf = ({ body }: RawResponse): Buffer => Buffer.from(body, 'latin1');
const textOf = (response: RawResponse): string => bytesOf(response).toString();
const ENGLISH = 'Accept-Language: en';

test.each([
  ['Landing', LISTED_PAGE_HEADERS, 'Bakery &amp; &lt;Sons&gt;</h1>'],
  ['landing/', LISTED_PAGE_HEADERS, 'href="tel:+994501234567"'],
  ['tag', LISTED_PAGE_HEADERS, 'href="https://a.example/"'],
  ['card', HOSTED_PAGE_HEADERS, 'Leyla Əliyeva</bdi></h1>'],
  ['text', HOSTED_PAGE_HEADERS, 'два'],
  ['menu', LISTED_PAGE_HEADERS, '₼4.50'],
  ['chooser', HOSTED_PAGE_HEADERS, 'href="https://apps.example/app?id=1"'],
  ['bare', HOSTED_PAGE_HEADERS, 'Nothing here yet'],
])('/%s is a page with exactly the promised headers', async (path, headerNames, expected) => {
  for (const address of [`/${path}`, `/q/${path}`, `/${path}?a=b`]) {
    const response = await get(address, ENGLISH);
    expect(response.status).toBe(200);
    expect(hasExactly(response, headerNames)).toBe(true);
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Language, Accept-Encoding',
    });
    expect(textOf(response)).toContain(expected);
    expect(response.body.length).toBe(Number(response.headers['content-length']));
  }
});

test.each(['/Landing', '/menu', '/text?raw=1', '/chooser'])(
  'a kept %s is answered by 304 with the same headers and no body',
  async (path) => {
    const whole = await get(path);
    const etag = whole.headers['etag'] ?? '';
    const kept = await get(path, `If-None-Match: ${etag}`);
    expect([kept.status, kept.body]).toEqual([304, '']);
    expect(kept.headers).toEqual({ ...whole.headers, date: kept.headers['date'] });
    const head = await ask('HEAD', path, `User-Agent: ${LINUX}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers).toEqual({ ...whole.headers, date: head.headers['date'] });
    const keptHead = await ask('HEAD', path, `User-Agent: ${LINUX}`, `If-None-Match: ${etag}`);
    expect(keptHead.status).toBe(304);
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

test('a service that has not seen the link answers 304 for a kept page too, and a changed one is sent whole', async () => {
  const slug = 'changing';
  const content = (text: string) => ({ txtBin: { text } });
  const id = await trial.links.insert({ slug, type: 'TxtBin', content: content('one') });
  const tag = `If-None-Match: ${(await get(`/${slug}`)).headers['etag']}`;
  const cold = await request(other.port, [`GET /${slug} HTTP/1.1`, 'Host: a', `User-Agent: ${LINUX}`, tag], {
    until: (text) => isWhole('GET', text),
  });
  expect(cold.status).toBe(304);
  await trial.links.update(id, 'content = $2', { TxtBin: content('two') });
  await trial.links.publish(slug);
  await until(
    async () => (await get(`/${slug}`, tag)).body.includes('two'),
    'the changed page is sent whole',
  );
  await trial.links.update(id, SET_STATUS, 'Paused');
  await trial.links.publish(slug);
  await until(async () => (await get(`/${slug}`, tag)).status === 404, 'the paused page is gone');
});

test('a snippet’s text comes alone, to the byte', async () => {
  const response = await get('/text?raw=1');
  expect(response.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  });
  expect(textOf(response)).toBe(SNIPPET);
});

test.each([
  ['/app', IPHONE, STORES.appStoreLink],
  ['/q/app?utm_source=x', IPHONE, STORES.appStoreLink],
  ['/chooser', IPHONE, STORES.appStoreLink],
  ['/app', ANDROID, STORES.googlePlayLink],
  ['/app?utm_source=x&qr=1', LINUX, 'https://example.org/app?utm_source=x#top'],
])('%s sends %s to %s', async (path, userAgent, location) => {
  const response = await ask('GET', path, `User-Agent: ${userAgent}`);
  expect(response.status).toBe(302);
  expect(hasExactly(response, REDIRECT_HEADERS)).toBe(true);
  expect(response.headers['location']).toBe(location);
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
    expect([source, textOf(response).match(/<h3>/g)?.length]).toEqual([source, 2_000]);
    expect(textOf(await get('/bigText?raw=1'))).toBe(text);
  }
  const key = `${trial.databases.redisKeyPrefix}link:bigmenu`;
  await until(async () => (await trial.redis.exists(key)) === 1, 'Redis has the menu');
  process.stdout.write(
    `largest menu: ${JSON.stringify(menu).length} characters stored, ${(await get('/bigMenu')).body.length} bytes sent\n`,
  );
});

describe('encodings', () => {
  test.each('/landing /unknown / /locked /-/preview/plain /-/qr/plain.svg /-/card/card.vcf'.split(' '))(
    '%s is the same text in brotli, gzip and neither, and its tags differ',
    async (path) => {
      const plain = await get(path);
      const brotli = await get(path, 'Accept-Encoding: gzip, deflate, br');
      const gzip = await get(path, 'Accept-Encoding: gzip');
      expect(brotli.headers['content-encoding']).toBe('br');
      expect(gzip.headers['content-encoding']).toBe('gzip');
      expect(plain.headers['content-encoding']).toBe(undefined);
      expect(brotliDecompressSync(bytesOf(brotli)).toString()).toBe(textOf(plain));
      expect(gunzipSync(bytesOf(gzip)).toString()).toBe(textOf(plain));
      expect(plain.headers['vary']).toContain('Accept-Encoding');
      const tags = [plain, brotli, gzip].map(({ headers }) => headers['etag']);
      expect(new Set(tags).size).toBe(tags[0] === undefined ? 1 : 3);
    },
  );

  test('the tag of the brotli form is answered by 304 for that form alone', async () => {
    const encoding = 'Accept-Encoding: br';
    const { headers } = await get('/landing', encoding);
    const tag = `If-None-Match: ${headers['etag']}`;
    expect((await ask('HEAD', '/landing', encoding, tag)).status).toBe(304);
    expect((await get('/landing', tag)).status).toBe(200);
  });
});

test('the script of pages is one file of at most 3 KiB, kept for ever', async () => {
  const [path = ''] = /\/-\/assets\/p\.\w+\.js/.exec(textOf(await get('/card'))) ?? [];
  const { headers, body } = await get(path, 'Accept-Encoding: br');
  expect(body.length).toBeLessThanOrEqual(3 * 1024);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
});

test.each([
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru', 'Страница не найдена'],
  ['en', 'en', 'Page not found'],
  ['fr', 'az', 'Səhifə tapılmadı'],
  ['<script>', 'az', 'Səhifə tapılmadı'],
])('Accept-Language %j is answered in %s', async (acceptLanguage, language, title) => {
  for (const path of ['/unknown', '/landing', '/-/preview/unknown']) {
    const response = await get(path, `Accept-Language: ${acceptLanguage}`);
    expect(response.headers['content-language']).toBe(language);
    expect(textOf(response)).toContain(`<html lang="${language}">`);
    if (path !== '/landing') expect(textOf(response)).toContain(title);
  }
});

test('behind https every answer has HSTS, and every page the address for reports', async () => {
  for (const path of ['/plain', '/landing', '/unknown', '/robots.txt', '/-/live', '/-/qr/plain.png']) {
    expect((await get(path)).headers['strict-transport-security'], path).toBe('max-age=31536000');
  }
  for (const path of ['/landing', '/unknown', '/deleted', '/locked', '/-/preview/plain']) {
    expect(textOf(await get(path)), path).toContain('href="mailto:abuse@sl.example.com"');
  }
});

test.each([
  ['/.well-known/apple-app-site-association', APPLE],
  ['/.well-known/assetlinks.json', ANDROID_LINKS],
])('%s is what the operator configured, as JSON and without a redirect', async (path, json) => {
  const response = await get(path);
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
  expect(textOf(response)).toBe(json);
});

test('a file that the operator did not configure is 404', async () => {
  expect((await request(other.port, ['GET /.well-known/assetlinks.json HTTP/1.1', 'Host: a'])).status).toBe(
    404,
  );
});

describe('files of a link', () => {
  test('its card is a vCard that phones import, under its owner’s name', async () => {
    const response = await get('/-/card/card.vcf');
    expect(response.headers).toMatchObject({
      'content-type': 'text/vcard; charset=utf-8',
      'content-disposition': `attachment; filename="Leyla-Eliyeva.vcf"; filename*=UTF-8''Leyla%20%C6%8Fliyeva.vcf`,
      'x-content-type-options': 'nosniff',
    });
    expect(textOf(response)).toContain('FN:Leyla Əliyeva\r\n');
  });

  test.each([
    ['/-/card/landing.vcf', 404],
    ['/-/card/plain.vcf', 404],
    ['/-/card/unknown.vcf', 404],
    ['/-/card/deleted.vcf', 410],
    ['/-/preview/unknown', 404],
    ['/-/preview/paused', 404],
    ['/-/preview/deleted', 410],
    ['/-/qr/unknown.svg', 404],
    ['/-/qr/deleted.png', 410],
    ['/-/qr/paused.svg', 200],
    ['/-/qr/plain.svg?size=4096', 200],
    ['/-/qr/plain.png?size=4096', 400],
    ['/-/qr/plain.png?size=256&ecc=H', 200],
    ['/-/qr/plain.png?size=2048&ecc=l', 200],
    ['/-/qr/plain.png?ecc=Z', 400],
    ['/-/qr/plain.png?size=1e3', 400],
  ])('%s is %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
    expect((await ask('HEAD', path)).status).toBe(status);
  });

  test('a preview shows where a link leads, and of a protected link only that it is', async () => {
    expect(textOf(await get('/-/preview/plain'))).toContain('/place?a=1');
    const locked = await get('/-/preview/locked', ENGLISH);
    expect(textOf(locked)).toContain('A password hides where this link leads.');
    expect(textOf(locked)).not.toContain('secret.example.org');
    expect(locked.headers['cache-control']).toBe('private, no-store');
  });
});

describe('link previews', () => {
  const preview = (path: string) => ask('GET', path, `User-Agent: ${PREVIEW_AGENT}`);

  test('a link with an openGraph shows it to them, escaped, and people go on', async () => {
    const response = await preview('/shared');
    expect(response.status).toBe(200);
    expect(textOf(response)).toContain('<meta property="og:title" content="A &lt;b&gt;title&lt;/b&gt;">');
    expect(textOf(response)).toContain('<meta property="og:url" content="https://sl.example.com/shared">');
    expect((await get('/shared')).headers['location']).toBe('https://example.org/shared');
  });

  test('a protected link shows nothing of its target, one without openGraph is followed', async () => {
    const locked = await preview('/locked');
    expect(locked.status).toBe(200);
    expect(textOf(locked)).not.toContain('secret.example.org');
    expect((await preview('/plain')).headers['location']).toBe('https://example.org/place?a=1');
  });

  test('a page is the same for them as for people', async () => {
    const lines = ['Accept-Encoding: br', 'Accept-Language: ru'];
    expect((await preview('/landing')).body).toBe((await get('/landing')).body);
    const person = await get('/landing', ...lines);
    expect((await ask('GET', '/landing', `User-Agent: ${PREVIEW_AGENT}`, ...lines)).body).toBe(person.body);
  });
});

describe('an iPad that says it is a Mac', () => {
  const visit = (path: string, ...lines: string[]) => ask('GET', path, `User-Agent: ${MAC_SAFARI}`, ...lines);

  test.each([
    ['/app', '/-/ipad/app', '/-/mac/app'],
    ['/q/app', '/-/ipad/q/app', '/-/mac/q/app'],
  ])('at %s it is asked which of the two it is', async (path, ipad, mac) => {
    const response = await visit(path);
    expect([response.status, response.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(textOf(response)).toContain(`href="${ipad}"`);
    expect(textOf(response)).toContain(`href="${mac}"`);
    expect((await visit(`${ipad}?utm_source=x`)).headers['location']).toBe(STORES.appStoreLink);
    expect((await visit(mac)).headers['location']).toBe(STORES.macOsAppLink);
  });
});

// The last test: it stops the service.
test('visits are counted by their outcome, those of a kept page too; files, previews and questions are no visits', async () => {
  const slugs = ['countedPage', 'countedApp', 'countedStores', 'chosen'];
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
  const visits = (outcome: string) =>
    redirect.metric(`smartlink_redirect_visits_total{outcome="${outcome}"}`);
  const before = [await visits('ipad_or_mac'), await visits('link_file')];
  await trial.links.insert({ slug: 'chosen', type: 'App', content: { configuration: STORES } });
  const paths = [
    'chosen',
    'q/chosen',
    '-/preview/chosen',
    '-/qr/chosen.svg',
    '-/ipad/chosen',
    '-/mac/q/chosen',
  ];
  for (const path of paths) await ask('GET', `/${path}`, `User-Agent: ${MAC_SAFARI}`);
  for (const [place, outcome] of ['ipad_or_mac', 'link_file'].entries()) {
    const expected = (before[place] ?? 0) + 2;
    await until(async () => (await visits(outcome)) >= expected, `both are tallied as ${outcome}`);
  }
  await untilDelivered(redirect, 11);
  expect(await visits('error')).toBe(0);
  expect(await redirect.stop()).toBe(0);
  const query = `select concat(slug, ' ', source, ' ', outcome, ' ', exclusion, ' ', toString(count())) as line
                 from events final where slug in ({slugs:Array(String)})
                 group by slug, source, outcome, exclusion order by all`;
  const rows = await selectEvents<{ line: string }>(trial.databases.clickhouseUrl, query, { slugs });
  expect(rows.map(({ line }) => line)).toEqual([
    'chosen click target  1',
    'chosen scan target  1',
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
