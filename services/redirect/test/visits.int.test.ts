import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { PAGE_HEADERS, REDIRECT_HEADERS } from './expected-headers.js';
import { isWhole, LINUX, serve } from './serve.js';

const { redirect, ask, get } = serve(
  {
    ASSET_LINKS: '[{"relation":["delegate"],"target":{"namespace":"web"}}]',
    // This test is the edge.
    TRUSTED_PROXIES: '127.0.0.1',
  },
  {
    links: [
      { slug: 'Docs', url: 'https://example.org/docs?a=1#top', aliases: ['oldDocs'] },
      {
        slug: 'card',
        type: 'DigiCard',
        content: {
          digiCard: { title: 'Leyla' },
          digiCardButtons: [{ title: 'Call', link: 'tel:+994501234567' }],
        },
      },
      { slug: 'app', type: 'App', content: { configuration: {} } },
      { slug: 'paused', url: 'https://example.org/', status: 'Paused' },
      { slug: 'deleted', url: 'https://example.org/', status: 'Deleted' },
    ],
  },
);

test.each(
  '/Docs /docs /DOCS /Docs/ /oldDocs /OLDDOCS/ /q/Docs /Q/DOCS /q/docs/ /Docs?qr=1 /Docs?'.split(' '),
)('%s leads to the target with exactly the promised headers', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(302);
  expect(response.headerNames).toEqual(REDIRECT_HEADERS);
  expect(response.headers).toMatchObject({
    location: 'https://example.org/docs?a=1#top',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
    'content-length': '0',
  });
  expect(response.body).toBe('');
});

test.each([
  ['/Docs?a=2&b=3', 'https://example.org/docs?a=2&b=3#top'],
  ['/q/Docs?qr=1&b=3', 'https://example.org/docs?a=1&b=3#top'],
  ['/Docs?redir_url=https://evil.com', 'https://example.org/docs?a=1&redir_url=https://evil.com#top'],
  ['/Docs?x=%0d%0aSet-Cookie:a', 'https://example.org/docs?a=1&x=%0d%0aSet-Cookie:a#top'],
])('%s leads to %s', async (path, location) => {
  expect((await get(path)).headers['location']).toBe(location);
});

test.each([
  ...'/unknown /dashboard /a+b /a%2Bb /%00 /.. /../Docs //evil.com //Docs /Docs/x /-/nothing /wp-login.php'
    .split(' ')
    .map((path) => [path, 404, 'Page not found'] as const),
  [`/${'a'.repeat(65)}`, 404, 'Page not found'],
  ['/paused', 404, 'This link is paused'],
  ['/q/paused', 404, 'This link is paused'],
  ['/deleted', 410, 'This link was removed'],
] as const)('%s is %s, a page that is not kept', async (path, status, title) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(response.headerNames).toEqual(PAGE_HEADERS);
  expect(response.body).toContain(`${title}</h1>`);
  expect(response.headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  });
});

/** The pages and files of the service, and a link, with what each answers to a plain GET. */
const ADDRESSES: readonly [path: string, status: number, type: string | undefined][] = [
  ['/Docs', 302, undefined],
  ['/-/preview/docs', 200, 'text/html; charset=utf-8'],
  ['/-/qr/docs.svg', 200, 'image/svg+xml; charset=utf-8'],
  ['/-/qr/docs.png', 200, 'image/png'],
  ['/-/card/card.vcf', 200, 'text/vcard; charset=utf-8'],
  ['/card', 200, 'text/html; charset=utf-8'],
  ['/.well-known/assetlinks.json', 200, 'application/json'],
  ['/robots.txt', 200, 'text/plain; charset=utf-8'],
  ['/favicon.ico', 200, 'image/x-icon'],
  ['/', 200, 'text/html; charset=utf-8'],
  ['/-/live', 200, 'text/plain; charset=utf-8'],
  ['/-/ready', 200, 'text/plain; charset=utf-8'],
];

/** `count` header lines, each with a value of `length` letters. */
const headers = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `X-H${i}: ${'y'.repeat(length)}`);

test.each<[title: string, lines: string[]]>([
  ['X-Forwarded-Host and -Proto', ['X-Forwarded-Host: evil.com', 'X-Forwarded-Proto: x']],
  ['X-Original-URL', ['X-Original-URL: /evil', 'X-Rewrite-URL: /evil']],
  ['an empty User-Agent', ['User-Agent:']],
  ['a User-Agent of 8 KiB', [`User-Agent: ${'x'.repeat(8192)}`]],
  ['a User-Agent with markup', ['User-Agent: <script>alert(1)</script>']],
  ['a Referer with javascript:', ['Referer: javascript:alert(1)']],
  ['a Referer with latin1', ['Referer: https://caf\u00e9.example/']],
  ['a malformed Cookie', ['Cookie: ;;;=;=; unlock-=;']],
  ['Range', ['Range: bytes=0-1']],
  ['many ranges', [`Range: bytes=${'0-1,'.repeat(500)}2-3`]],
  ['an invalid range', ['Range: octets=-1--1', 'If-Range: "x"']],
  ['If-None-Match of garbage', ['If-None-Match: ,,,W/,"",,W/"W/"W/*x']],
  ['If-None-Match of 8 KiB', [`If-None-Match: ${'"x",'.repeat(2_000)}`]],
  ['If-Match and dates', ['If-Match: "no"', 'If-Modified-Since: x', 'If-Unmodified-Since: 0']],
  ['Accept-Encoding of garbage', ['Accept-Encoding: brr, gzipp;q=x, ;;;q=, \u00ff']],
  ['Accept-Encoding of 8 KiB', [`Accept-Encoding: ${'zz,'.repeat(2_700)}`]],
  ['Accept-Encoding that refuses all', ['Accept-Encoding: identity;q=0, *;q=0']],
  ['Accept-Language of 8 KiB', [`Accept-Language: ${'az-AZ;q=0.1,'.repeat(680)}`]],
  ['Accept-Language of weights', ['Accept-Language: a;q=1e999, -;q=-1, *;q=NaN, en-;q']],
  ['Expect', ['Expect: 100-continue']],
  ['an upgrade', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQ']],
  ['a WebSocket', ['Upgrade: websocket', 'Connection: Upgrade']],
  ['90 headers', headers(90, 1)],
  ['12 KiB of headers', headers(12, 1_000)],
])('%s changes nothing at any address', async (_title, lines) => {
  for (const [path, status, type] of ADDRESSES) {
    const response = await ask('GET', path, ...lines);
    expect([path, response.status, response.headers['content-type']]).toEqual([path, status, type]);
    expect(response.body.length).toBe(Number(response.headers['content-length']));
    if (path !== '/Docs') continue;
    expect(response.headers['location']).toBe('https://example.org/docs?a=1#top');
    expect(response.headerNames).toEqual(REDIRECT_HEADERS);
  }
});

test('a query of 8 KiB is passed on to the target and changes no page', async () => {
  const query = 'x=%00%ff&'.repeat(900).slice(0, -1);
  for (const [path, status] of ADDRESSES) expect((await get(`${path}?${query}`)).status, path).toBe(status);
  const { location } = (await get(`/Docs?${query}`)).headers;
  expect(location).toBe(`https://example.org/docs?a=1&${query}#top`);
});

test.each([...ADDRESSES.map(([path]) => path), '/unknown', '/deleted'])(
  '%s: HEAD is GET without a body, other methods are refused',
  async (path) => {
    const whole = await get(path, 'Connection: close');
    const lines = [`HEAD ${path} HTTP/1.1`, 'Host: sl.example.com', 'Connection: close'];
    // To the end of the connection, so that a body would be seen.
    const head = await request(redirect.port, lines, { until: () => false });
    expect([head.status, head.body]).toEqual([whole.status, '']);
    expect(head.headers).toEqual({ ...whole.headers, date: head.headers['date'] });
    for (const method of 'POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND FOO'.split(' ')) {
      const answer = await ask(method, path, 'Content-Length: 0', 'Content-Type: text/plain');
      // A form may be sent to a slug; uWebSockets.js takes no CONNECT.
      const refusals = method === 'CONNECT' ? [0, 400, 405] : method === 'POST' ? [405, 415] : [405];
      expect(refusals, `${method} ${answer.status}`).toContain(answer.status);
      if (answer.status === 405) expect(answer.headers['allow']).toBe('GET, HEAD');
    }
  },
);

const DOCS = ['GET /Docs HTTP/1.1', 'Host: a'];
const FORM = ['POST /Docs HTTP/1.1', 'Host: a'];
const REFUSED_FORM = [0, 400, 405, 415];

test.each<[title: string, statuses: number[], lines: string[]]>([
  ['20 KiB of headers', [0, 431], [...DOCS, ...headers(20, 1_000)]],
  ['150 headers', [0, 400, 431], [...DOCS, ...headers(150, 1)]],
  ['HTTP/1.0', [505], ['GET /Docs HTTP/1.0']],
  ['HTTP/2 by prior knowledge', [0, 505], ['PRI * HTTP/2.0', '', 'SM']],
  ['no Host', [0, 400], ['GET /Docs HTTP/1.1']],
  ['Expect', [100, 302], [...DOCS, 'Expect: 100-continue']],
  ['rubbish', [0, 400, 505], ['\u0000\u0001\u0002']],
  ['a space in the path', [0, 400, 505], ['GET /Do cs HTTP/1.1', 'Host: a']],
  ['an absolute form', [0, 400, 505], ['GET http://evil.com/Docs HTTP/1.1', 'Host: a']],
  ['two lengths', REFUSED_FORM, [...FORM, 'Content-Length: 1', 'Content-Length: 2', '', 'x']],
  [
    'length and chunks',
    REFUSED_FORM,
    [...FORM, 'Content-Length: 4', 'Transfer-Encoding: chunked', '', '0', '', ''],
  ],
  ['a folded header', [0, 400, 302], [...DOCS, 'X: y', ' z']],
  ['a NUL in a header', [0, 400, 302], [...DOCS, 'X: \u0000']],
])('%s is refused or harmless, and the process lives on', async (_title, statuses, lines) => {
  // Some of them wait for more, which does not come.
  const options = statuses.includes(0) ? { deadlineMs: 500 } : {};
  const response = await request(redirect.port, lines, options);
  expect(statuses).toContain(response.status);
  expect((await get('/Docs')).status).toBe(302);
});

test('an address that only resembles a reserved one is not found', async () => {
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
  const paths = ['/-/preview/do', '/-/qr/docs.svg', '/-/card/card.vcf', '/.well-known/', '/do', '/Docs?x='];
  const answers = await Promise.all(
    // What never becomes a request has no answer to wait for.
    controls.flatMap((control) =>
      paths.map((path) =>
        request(redirect.port, [`GET ${path}${control}cs HTTP/1.1`, 'Host: a'], {
          deadlineMs: 4_000,
          until: (text) => isWhole('GET', text),
        }),
      ),
    ),
  );
  for (const { status, headers, headerNames } of answers) {
    expect([0, 302, 400, 404, 505]).toContain(status);
    expect(status === 302).toBe(headers['location'] !== undefined);
    if (status !== 302) continue;
    expect(headers['location']).toMatch(/^https:\/\/example\.org\/docs\?[\x21-\x7e]*#top$/);
    expect(headerNames).toEqual(REDIRECT_HEADERS);
  }
});

const PRESS = '/-/press/card/contact:0';

test('a press is answered by 204 without a length, and the next request on its connection too', async () => {
  const press = (body: string) =>
    `POST ${PRESS} HTTP/1.1\r\nHost: a\r\nUser-Agent: ${LINUX}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const body of ['', 'PING', 'x'.repeat(4_096)]) {
    const answer = await ask('POST', PRESS, `Content-Length: ${body.length}`, `\r\n${body}`);
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headerNames).toEqual(['cache-control', 'date']);
    const socket = connect({ port: redirect.port, host: '127.0.0.1' });
    for (let turn = 0; turn < 3; turn += 1) {
      socket.write(press(body));
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      expect(chunk.toString()).toMatch(/^HTTP\/1\.1 204 No Content\r\n[^]*\r\n\r\n$/);
    }
    socket.destroy();
  }
});

test('what only resembles a press is 404, another method 405, and neither is a visit', async () => {
  const paths = [
    ...`/-/press/ /-/press/card /-/press/card/ /-/press/card/contact:1 /-/press/card/contact:0/ /-/press/card//contact:0
      /-/press/card/contact%3A0 /-/press/card/contact:00 /-/press/card/button:0 /-/press/card/__proto__ /-/press/card/length
      /-/press/../card/contact:0 /-/press/%63ard/contact:0 /-/press/card/../card/contact:0 /-/press//card/contact:0
      /-/press/nobody/contact:0 /-/press/paused/contact:0 /-/press/deleted/contact:0 /-/press/docs/url
      /-/press/card%00/contact:0 /-/press/q/card/contact:0 /-/press/card.vcf/contact:0 /-/press/card/contact:1e0`.split(
      /\s+/,
    ),
    `/-/press/${'a'.repeat(65)}/contact:0`,
    `/-/press/card/${'contact:0/'.repeat(800)}`,
    `/-/press/${'../'.repeat(500)}etc/passwd`,
  ];
  const answers = await Promise.all(paths.map((path) => ask('POST', path, 'Content-Length: 0')));
  expect(paths.filter((_, index) => answers[index]?.status !== 404)).toEqual([]);
  for (const path of [PRESS, '/-/press/', `${PRESS}?x=1`]) {
    for (const method of 'GET HEAD PUT PATCH DELETE OPTIONS TRACE PROPFIND'.split(' ')) {
      const { status, headers } = await ask(method, path, 'Content-Length: 0');
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
    }
  }
  expect((await ask('POST', PRESS, 'Content-Length: 0', 'Sec-Fetch-Site: cross-site')).status).toBe(403);
  expect((await ask('POST', `${PRESS}?x=1`, 'Content-Length: 0', 'Sec-Fetch-Site: same-origin')).status).toBe(
    204,
  );
});

// An edge and this service must not disagree on where a request ends: what follows would be a request of its own.
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const FRAMINGS: readonly [title: string, method: string, lines: string[], body?: string, path?: string][] = [
  ['two lengths', 'POST', ['Content-Length: 0', 'Content-Length: 40']],
  ['two lengths of a form', 'POST', [FORM_TYPE, 'Content-Length: 0', 'Content-Length: 40']],
  ['two lengths', 'GET', ['Content-Length: 0', 'Content-Length: 40']],
  ['two lengths', 'HEAD', ['Content-Length: 0', 'Content-Length: 40']],
  ['an empty length before another', 'GET', ['Content-Length:', 'Content-Length: 40']],
  ['an empty length', 'POST', ['Content-Length:']],
  ['an empty length of a form', 'POST', [FORM_TYPE, 'Content-Length:']],
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
  ['a chunked form', 'POST', [FORM_TYPE, 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a chunked body', 'GET', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a chunked body', 'HEAD', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['a refused form', 'POST', ['Content-Length: 0']],
  ['a form from another site', 'POST', [FORM_TYPE, 'Sec-Fetch-Site: cross-site', 'Content-Length: 0']],
  ['a refused method', 'PUT', ['Content-Length: 0']],
  ['two lengths of a press', 'POST', ['Content-Length: 0', 'Content-Length: 40'], '', PRESS],
  ['a chunked press', 'POST', ['Transfer-Encoding: chunked'], '0\r\n\r\n', PRESS],
  ['a press with an unknown coding', 'POST', ['Transfer-Encoding: xchunked'], '0\r\n\r\n', PRESS],
  ['a press of 5,000 bytes', 'POST', ['Content-Length: 5000'], 'x'.repeat(5_000), PRESS],
  ['a refused method at a press', 'PUT', ['Content-Length: 0'], '', PRESS],
];
test.concurrent.each(FRAMINGS)(
  '%s in a %s: one answer at most, and the connection is closed',
  async (_, method, lines, body = '', address = '/docs') => {
    // The answer to a good form for an unknown link leaves the connection open.
    const path = lines.includes(FORM_TYPE) ? '/nosuchlink' : address;
    const head = [`${method} ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n');
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

test('100 pipelined requests are answered in order; half-closed, aborted and unfinished ones harm no other', async () => {
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
  await sendRaw(redirect.port, `${DOCS.join('\r\n')}\r\n\r\n`, { halfClose: true, deadlineMs: 300 });
  // Aborted while the look-up is under way: every slug is a new one.
  for (let i = 0; i < 50; i += 1) {
    void sendRaw(redirect.port, `GET /abort${i} HTTP/1.1\r\nHost: a\r\n\r\n`, { deadlineMs: 1 });
  }
  await sendRaw(redirect.port, 'GET /Docs HTTP/1.1\r\nHo', { deadlineMs: 100 });
  expect((await get('/Docs')).status).toBe(302);
});

test('visits and events are counted, and nothing above was a fault or ended a worker', async () => {
  const visits = 'smartlink_redirect_visits_total';
  const written = 'smartlink_redirect_events_total{fate="written"}';
  await until(
    async () => (await redirect.metric(`${visits}{outcome="redirect"}`)) > 100,
    'visits are counted',
  );
  await until(async () => (await redirect.metric(written)) > 100, 'the events are written');
  expect(await redirect.metric(`${visits}{outcome="error"}`)).toBe(0);
  expect(await redirect.metric('smartlink_redirect_faults_total')).toBe(0);
  expect(await redirect.metric('smartlink_redirect_worker_restarts_total')).toBe(0);
});
