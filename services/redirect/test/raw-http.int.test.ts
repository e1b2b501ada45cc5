import { expect, test } from 'vitest';
import { request, sendRaw } from '@smartlink/test-support/raw-request';
import { isWhole, serve } from './serve.js';

const ASSET_LINKS = '[{"relation":["delegate"],"target":{"namespace":"web"}}]';

const { redirect, ask } = serve(
  { ASSET_LINKS },
  {
    links: [
      { slug: 'docs', url: 'https://example.org/docs' },
      { slug: 'card', type: 'DigiCard', content: { digiCard: { title: 'Leyla' } } },
      { slug: 'app', type: 'App', content: { configuration: {} } },
    ],
  },
);

/** Files and pages of ours, with what each answers to a plain GET. */
const ADDRESSES: readonly [path: string, type: string][] = [
  ['/-/preview/docs', 'text/html; charset=utf-8'],
  ['/-/qr/docs.svg', 'image/svg+xml; charset=utf-8'],
  ['/-/qr/docs.png', 'image/png'],
  ['/-/card/card.vcf', 'text/vcard; charset=utf-8'],
  ['/card', 'text/html; charset=utf-8'],
  ['/.well-known/assetlinks.json', 'application/json'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/favicon.ico', 'image/x-icon'],
  ['/', 'text/html; charset=utf-8'],
];

const HARMLESS: readonly [title: string, lines: string[]][] = [
  ['Range', ['Range: bytes=0-1']],
  ['many ranges', [`Range: bytes=${'0-1,'.repeat(500)}2-3`]],
  ['a range that is none', ['Range: octets=-1--1', 'If-Range: "x"']],
  ['If-None-Match of garbage', ['If-None-Match: ,,,W/,"",,W/"W/"W/*x']],
  ['If-None-Match of 8 KiB', [`If-None-Match: ${'"x",'.repeat(2_000)}`]],
  ['If-Match and dates', ['If-Match: "no"', 'If-Modified-Since: x', 'If-Unmodified-Since: 0']],
  ['Accept-Encoding of garbage', ['Accept-Encoding: brr, gzipp;q=x, ;;;q=, \u00ff']],
  ['Accept-Encoding of 8 KiB', [`Accept-Encoding: ${'zz,'.repeat(2_700)}`]],
  ['Accept-Encoding that refuses all', ['Accept-Encoding: identity;q=0, *;q=0']],
  ['Accept-Language of 8 KiB', [`Accept-Language: ${'az-AZ;q=0.1,'.repeat(680)}`]],
  ['Accept-Language of weights', ['Accept-Language: a;q=1e999, -;q=-1, *;q=NaN, en-;q']],
  ['a query of 8 KiB', []],
  ['Expect', ['Expect: 100-continue']],
  ['an upgrade', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ']],
  ['12 KiB of headers', Array.from({ length: 12 }, (_, i) => `X-H${i}: ${'y'.repeat(1_000)}`)],
];
test.each(HARMLESS)('%s is no matter to any address of ours', async (title, lines) => {
  for (const [path, type] of ADDRESSES) {
    const query = title.startsWith('a query') ? `?${'x=%00%ff&'.repeat(900)}` : '';
    const { status, headers, body } = await ask('GET', `${path}${query}`, ...lines);
    expect([path, status, headers['content-type']]).toEqual([path, 200, type]);
    expect(body.length).toBe(Number(headers['content-length']));
  }
});

test('20 KiB of headers are refused, and the process lives on', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `X-H${i}: ${'y'.repeat(1_000)}`);
  for (const [path] of ADDRESSES) {
    const { status } = await ask('GET', path, ...lines);
    expect([0, 431]).toContain(status);
  }
  expect((await ask('GET', '/docs')).status).toBe(302);
});

test.each(ADDRESSES)('%s: HEAD is GET without a body, other methods are refused', async (path, type) => {
  const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
  expect([head.status, head.headers['content-type'], head.body]).toEqual([200, type, '']);
  expect(head.headers['content-length']).toBe(get.headers['content-length']);
  for (const method of 'POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND FOO get'.split(' ')) {
    const lines = path === '/card' ? ['Content-Type: text/plain'] : [];
    const { status, headers, body } = await ask(method, path, ...lines, 'Content-Length: 0');
    // A form may be sent to a link, and this is none; uWebSockets.js takes no CONNECT.
    expect([0, 400, 405, method === 'POST' ? 415 : 405, method === 'get' ? 200 : 405]).toContain(status);
    expect([method, headers['set-cookie'], body.includes('X-H')]).toEqual([method, undefined, false]);
  }
});

test('nothing stands at an address that only looks like one of ours', async () => {
  const paths = [
    ...`
      /-/ /- /-/preview /-/preview/ /-/preview//docs /-/preview/docs/x /-/preview/docs%2f
      /-/Preview/docs /-/preview/docs.html /-/preview/../docs /-/preview/%64ocs /-/preview/docs%00
      /-/preview/docs;x /-/preview/ſ /-/qr/ /-/qr/docs /-/qr/docs.gif /-/qr/docs.SVG /-/qr/docs.svg/
      /-/qr/docs.svg.png /-/qr/../qr/docs.svg /-/qr/docs%2esvg /-/qr//docs.svg /-/qr/.svg
      /-/qr/docs.png?size=1e9 /-/qr/docs.png?size=-1 /-/qr/docs.png?ecc=constructor
      /-/qr/docs.png?size=256&size=9&ecc= /-/card/card /-/card/card.VCF /-/card/../card.vcf
      /-/card/card.vcf/ /-/card/docs.vcf /-/ipad/ /-/ipad/q/ /-/ipad/q/q/docs /-/ipad/docs/
      /-/ipad//docs /-/tablet/docs /-/assets/ /-/assets/..%2f..%2fpackage.json
      /-/assets/../../package.json /-/assets/p.js /-/assets/p.000000000000.js
      /-/assets/%2e%2e/%2e%2e/etc/passwd /-/assets/\\..\\p.js /.well-known/ /.well-known
      /.well-known/security.txt /.well-known/../docs /.well-known//x
      /.well-known/apple-app-site-association /.well-known/assetlinks.json/
      /.well-known/%61ssetlinks.json /-/metrics /-/live/ /-/READY /.git/config /.env /package.json
      /..%2f..%2fetc%2fpasswd /docs%00 /docs/%2e%2e /../docs /./docs //docs //evil.example/docs
      /docs// /%64ocs /docs\\ /docs;a=b /docs, /docs%0d%0a /q//docs /q/q/docs /%2fdocs /docs+ /docs%2B
      /robots.txt/ /favicon.ico%00.png /constructor. /__proto__`
      .trim()
      .split(/\s+/),
    `/-/preview/${'a'.repeat(65)}`,
    `/-/preview/${'a'.repeat(8_000)}`,
    `/${'../'.repeat(500)}etc/passwd`,
  ];
  const wrong: string[] = [];
  for (const path of paths) {
    const { status, headers, body } = await ask('GET', path);
    // A code's address with an option that there is not is one of ours, and says so.
    const expected = path.includes('.png?') ? 400 : 404;
    if (status !== expected || headers['location'] !== undefined || body.includes('root:'))
      wrong.push(`${path} ${status}`);
  }
  expect(wrong).toEqual([]);
});

test('control characters in an address lead nowhere', async () => {
  const controls = [...'\0\u0001\t\u000b\u007f\u0080\u00ff \r\n', '\r\nX-A: b'];
  const paths = ['/-/preview/do', '/-/qr/docs.svg', '/-/card/card.vcf', '/.well-known/', '/do'];
  const answers = await Promise.all(
    // To what never becomes a request there is no answer to wait for.
    controls.flatMap((control) =>
      paths.map((path) =>
        request(redirect.port, [`GET ${path}${control}cs HTTP/1.1`, 'Host: a'], {
          deadlineMs: 4_000,
          until: (text) => isWhole('GET', text),
        }),
      ),
    ),
  );
  for (const { status, headers } of answers) {
    expect([0, 400, 404, 505]).toContain(status);
    expect(headers['location']).toBe(undefined);
  }
});

// An edge and this service must not disagree on where a request ends: what follows would be a request of its own.
const FORM = ['Content-Type: application/x-www-form-urlencoded'];
const FRAMINGS: readonly [title: string, method: string, lines: string[], body?: string][] = [
  ['two lengths', 'POST', ['Content-Length: 0', 'Content-Length: 40']],
  ['two lengths of a form', 'POST', [...FORM, 'Content-Length: 0', 'Content-Length: 40']],
  ['two lengths', 'GET', ['Content-Length: 0', 'Content-Length: 40']],
  ['an empty length', 'POST', ['Content-Length:']],
  ['an empty length of a form', 'POST', [...FORM, 'Content-Length:']],
  ['an unknown coding', 'POST', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['an unknown coding', 'GET', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
  ['two codings', 'POST', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  [
    'two lines of codings',
    'POST',
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    '0\r\n\r\n',
  ],
  ['a chunk line that ends with LF', 'POST', ['Transfer-Encoding: chunked'], '1\nx\r\n0\r\n\r\n'],
  ['bytes behind the last chunk', 'POST', ['Transfer-Encoding: chunked'], '0\r\nxx\r\n\r\n'],
  ['a chunk size with blanks', 'POST', ['Transfer-Encoding: chunked'], ' 0 \r\n\r\n'],
  ['a chunked form', 'POST', [...FORM, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a chunked body', 'GET', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a refused form', 'POST', ['Content-Length: 0']],
  ['a refused method', 'PUT', ['Content-Length: 0']],
];
test.each(FRAMINGS)(
  '%s in a %s: one answer at most, and the connection is closed',
  async (_, method, lines, body = '') => {
    const head = [`${method} /docs HTTP/1.1`, 'Host: a', ...lines].join('\r\n');
    const next = 'GET /robots.txt HTTP/1.1\r\nHost: a\r\n\r\n';
    const startedAt = performance.now();
    // In one packet the library closes the connection, perhaps unanswered; in two the answer comes first.
    const text = await sendRaw(redirect.port, `${head}\r\n\r\n${body}${next}`, { until: () => false });
    expect((text.match(/HTTP\/1\.1 \d{3} /g) ?? []).length).toBeLessThanOrEqual(1);
    expect(text).not.toContain('User-agent');
    const alone = await sendRaw(redirect.port, `${head}\r\n\r\n${body}`, { until: () => false });
    expect(alone.match(/HTTP\/1\.1 \d{3} /g)?.length).toBe(1);
    // Idle connections are closed after 8 s: these were closed by their answer.
    expect(performance.now() - startedAt).toBeLessThan(7_000);
  },
);

test('100 requests sent at once are all answered in order, if what they ask for is made already', async () => {
  for (const path of [...ADDRESSES.map(([path]) => path), '/-/ipad/app', '/-/preview/nothere']) {
    const { status } = await ask('GET', path);
    const text = await sendRaw(redirect.port, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(100), {
      // With its code: a status line may come in two pieces.
      until: (got) => (got.match(/HTTP\/1\.1 \d{3} /g) ?? []).length >= 100,
    });
    const answers = text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((piece) => piece !== '');
    expect([path, answers.length]).toEqual([path, 100]);
    expect(answers.every((answer) => answer.startsWith(`HTTP/1.1 ${status} `))).toBe(true);
  }
  expect((await ask('GET', '/docs')).status).toBe(302);
  expect(await redirect.metric('smartlink_redirect_worker_restarts_total')).toBe(0);
  expect(await redirect.metric('smartlink_redirect_faults_total')).toBe(0);
});
