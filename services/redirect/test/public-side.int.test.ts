import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type RawResponse, request } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import type { NewLink } from './link-store.js';
import { MAC_SAFARI, PREVIEW_AGENT, selectEvents, serve } from './serve.js';
import { startRedirect, untilDelivered } from './start-redirect.js';

const APPLE = '{"applinks":{"details":[{"appIDs":["TEAM.com.example"]}]}}';
const ANDROID_LINKS = '[{"relation":["delegate"],"target":{"namespace":"android_app"}}]';
const OPEN_GRAPH = { title: 'A <b>title</b>', description: 'About it', imageUrl: 'https://a.example/og.png' };
const SECRET = 'https://secret.example.org/place';
const CARD = { digiCard: { title: 'Leyla Əliyeva', company: 'Bakery' } };
const STORES = {
  appStoreLink: 'https://apps.example/app',
  macOsAppLink: 'https://apps.example/mac',
  googlePlayLink: 'https://play.example/app',
};

const LINKS: readonly NewLink[] = [
  { slug: 'plain', url: 'https://example.org/place?a=1' },
  { slug: 'locked', url: SECRET, password: 'a password' },
  { slug: 'card', type: 'DigiCard', content: CARD },
  {
    slug: 'landing',
    type: 'Landing',
    content: { landing: { title: 'Bakery', layout: 'List', theme: 'Auto' } },
  },
  { slug: 'app', type: 'App', content: { configuration: STORES } },
  { slug: 'paused', url: 'https://example.org/', status: 'Paused' },
  { slug: 'deleted', url: 'https://example.org/', status: 'Deleted' },
];

const { trial, redirect, ask, get } = serve(
  {
    PUBLIC_BASE_URL: 'https://sl.example.com',
    ABUSE_CONTACT_URL: 'mailto:abuse@sl.example.com',
    APPLE_APP_SITE_ASSOCIATION: APPLE,
    ASSET_LINKS: ANDROID_LINKS,
    DEFAULT_LANGUAGE: 'az',
  },
  { clickhouse: 'own', links: LINKS },
);

beforeAll(async () => {
  const shared = await trial.links.insert({ slug: 'shared', url: 'https://example.org/shared' });
  await trial.links.update(shared, `open_graph = $2`, OPEN_GRAPH);
});

const bytesOf = ({ body }: RawResponse): Buffer => Buffer.from(body, 'latin1');
const textOf = (response: RawResponse): string => bytesOf(response).toString();

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

  test('who kept the brotli form hears 304 for it and not for another one', async () => {
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
  process.stdout.write(`the script of pages: ${body.length} bytes\n`);
  expect(body.length).toBeLessThanOrEqual(3 * 1024);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
});

test.each([
  ['ru-RU,ru;q=0.9,en;q=0.8', 'ru', 'Страница не найдена'],
  ['en', 'en', 'Page not found'],
  ['tr;q=0.5, en;q=0.4', 'tr', 'Sayfa bulunamadı'],
  ['fr', 'az', 'Səhifə tapılmadı'],
  ['', 'az', 'Səhifə tapılmadı'],
  ['<script>', 'az', 'Səhifə tapılmadı'],
])('who asks for %j is answered in %s', async (acceptLanguage, language, title) => {
  for (const path of ['/unknown', '/landing', '/-/preview/unknown']) {
    const response = await get(path, `Accept-Language: ${acceptLanguage}`);
    expect(response.headers['content-language']).toBe(language);
    expect(textOf(response)).toContain(`<html lang="${language}">`);
    if (path !== '/landing') expect(textOf(response)).toContain(title);
  }
});

test('behind https every answer says so, and every page where to report it', async () => {
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

test('what the operator did not configure is not there, and what is no such file stops the start', async () => {
  const other = await startRedirect(trial.databases, { REDIRECT_PROCESSES: '1' });
  const lines = ['GET /.well-known/assetlinks.json HTTP/1.1', 'Host: a'];
  const response = await request(other.port, lines);
  await other.stop();
  expect(response.status).toBe(404);
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { ASSET_LINKS: '[]', APPLE_APP_SITE_ASSOCIATION: '{}', ABUSE_CONTACT_URL: 'mailto:' },
    { ASSET_LINKS: '{}', APPLE_APP_SITE_ASSOCIATION: 'applinks', DEFAULT_LANGUAGE: 'fr' },
    { PUBLIC_BASE_URL: 'https://sl.example.com/path', ABUSE_CONTACT_URL: 'javascript:alert(1)' },
    { PUBLIC_BASE_URL: 'https://user@sl.example.com' },
    { PUBLIC_BASE_URL: 'https://sl.example.com?x=1' },
  ];
  for (const env of wrong) {
    const failure = await startRedirect(trial.databases, env).catch((err: unknown) => String(err));
    // Each is named, all at one start.
    for (const variable of Object.keys(env)) expect(failure).toContain(variable);
  }
});

describe('what belongs to a link', () => {
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
    const locked = await get('/-/preview/locked', 'Accept-Language: en');
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

  test('a Chromium on a Mac says what it is, and an Android in desktop mode too', async () => {
    const hint = (name: string) => `Sec-CH-UA-Platform: "${name}"`;
    expect((await visit('/app', hint('macOS'))).headers['location']).toBe(STORES.macOsAppLink);
    expect((await get('/app', hint('Android'))).headers['location']).toBe(STORES.googlePlayLink);
    expect((await get('/app', hint('<script>'))).status).toBe(200);
  });
});

// The last test: it stops the service.
test('what is no visit is not counted as one, and what a visitor chose is', async () => {
  await trial.links.insert({ slug: 'counted', type: 'App', content: { configuration: STORES } });
  const visits = (outcome: string) =>
    redirect.metric(`smartlink_redirect_visits_total{outcome="${outcome}"}`);
  const before = [await visits('ipad_or_mac'), await visits('link_file')];
  const paths = ['counted', 'q/counted', '-/preview/counted', '-/qr/counted.svg', '-/ipad/counted'];
  for (const path of [...paths, '-/mac/q/counted']) await ask('GET', `/${path}`, `User-Agent: ${MAC_SAFARI}`);
  for (const [place, outcome] of ['ipad_or_mac', 'link_file'].entries()) {
    const expected = (before[place] ?? 0) + 2;
    await until(async () => (await visits(outcome)) >= expected, `both are tallied as ${outcome}`);
  }
  await untilDelivered(redirect, 2);
  expect(await redirect.stop()).toBe(0);
  const query = `select source, outcome, toString(count()) as visits from events final
                 where slug = 'counted' group by all order by all`;
  expect(await selectEvents(trial.databases.clickhouseUrl, query)).toEqual([
    { source: 'click', outcome: 'target', visits: '1' },
    { source: 'scan', outcome: 'target', visits: '1' },
  ]);
});
