import { expect, test } from 'vitest';
import { createRandom } from '@smartlink/test-support/random';
import { request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { PAGE_HEADERS, REDIRECT_HEADERS } from './expected-headers.js';
import { serve } from './serve.js';

const { redirect, get } = serve(
  {},
  {
    links: [
      { slug: 'Docs', url: 'https://example.org/docs?a=1#top', aliases: ['oldDocs'] },
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

test.each([
  ['/', 200, 'text/html; charset=utf-8'],
  ['/robots.txt', 200, 'text/plain; charset=utf-8'],
  ['/favicon.ico', 200, 'image/x-icon'],
  ['/-/live', 200, 'text/plain; charset=utf-8'],
  ['/-/ready', 200, 'text/plain; charset=utf-8'],
])('%s is %s, %s', async (path, status, contentType) => {
  const response = await get(path);
  expect([response.status, response.headers['content-type']]).toEqual([status, contentType]);
});

test.each(['/Docs', '/unknown', '/deleted', '/', '/favicon.ico'])(
  'HEAD %s equals GET without its body',
  async (path) => {
    const whole = await get(path, 'Connection: close');
    const lines = [`HEAD ${path} HTTP/1.1`, 'Host: sl.example.com', 'Connection: close'];
    // To the end of the connection, so that a body would be seen.
    const head = await request(redirect.port, lines, { until: () => false });
    expect([head.status, head.body]).toEqual([whole.status, '']);
    expect(head.headers).toEqual({ ...whole.headers, date: head.headers['date'] });
  },
);

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'FOO'])(
  '%s is 405 with Allow',
  async (method) => {
    const response = await request(redirect.port, [
      `${method} /Docs HTTP/1.1`,
      'Host: a',
      'Content-Length: 0',
      'Content-Type: application/x-www-form-urlencoded',
    ]);
    expect([response.status, response.headers['allow']]).toEqual([405, 'GET, HEAD']);
  },
);

/** So many header lines, each with a value of `length` letters. */
const headers = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `X-H${i}: ${'y'.repeat(length)}`);
const DOCS = ['GET /Docs HTTP/1.1', 'Host: a'];
const FORM = ['POST /Docs HTTP/1.1', 'Host: a'];
const REFUSED_FORM = [0, 400, 405, 415];

test.each<[title: string, lines: string[]]>([
  ['X-Forwarded-Host and -Proto', ['X-Forwarded-Host: evil.com', 'X-Forwarded-Proto: x']],
  ['X-Original-URL', ['X-Original-URL: /evil', 'X-Rewrite-URL: /evil']],
  ['no User-Agent', []],
  ['an empty User-Agent', ['User-Agent:']],
  ['a User-Agent of 8 KiB', [`User-Agent: ${'x'.repeat(8192)}`]],
  ['a User-Agent with markup', ['User-Agent: <script>alert(1)</script>']],
  ['a Referer with javascript:', ['Referer: javascript:alert(1)']],
  ['a Referer with latin1', ['Referer: https://caf\u00e9.example/']],
  ['a malformed Cookie', ['Cookie: ;;;=;=; unlock-=;']],
  ['Range', ['Range: bytes=0-1']],
  ['If-None-Match', ['If-None-Match: *']],
  ['Upgrade', ['Upgrade: websocket', 'Connection: Upgrade']],
  ['90 headers', headers(90, 1)],
  ['12 KiB of headers', headers(12, 1_000)],
])('%s changes nothing', async (_title, lines) => {
  const response = await request(redirect.port, [...DOCS, ...lines]);
  expect([response.status, response.headers['location']]).toEqual([302, 'https://example.org/docs?a=1#top']);
  expect(response.headerNames).toEqual(REDIRECT_HEADERS);
});

test('a query of 8 KiB is carried along', async () => {
  const value = 'v'.repeat(8192);
  expect((await get(`/Docs?x=${value}`)).headers['location']).toBe(
    `https://example.org/docs?a=1&x=${value}#top`,
  );
});

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

test('10,000 fuzzed queries: every answer has exactly the expected header names and the target’s origin and path', async () => {
  const parts = '%0d%0a %00 : // \\ @ # ? & = % %ff é " < evil.com qr=1 Set-Cookie:a=b + ; ..'.split(' ');
  const random = createRandom(7);
  let answered = 0;
  let wrong = 0;
  // Raw control characters are refused by uWebSockets.js itself, with the whole connection: tried one by one.
  for (const control of ['\r', '\n', '\0', '\u0001', '\t', '\u007f', '\r\n', ' ']) {
    const line = `GET /Docs?x=a${control}Set-Cookie:b HTTP/1.1`;
    const response = await request(redirect.port, [line, 'Host: a'], { deadlineMs: 300 });
    expect([0, 302, 400, 505]).toContain(response.status);
    if (response.status === 302) expect(response.headerNames).toEqual(REDIRECT_HEADERS);
  }
  const PIPELINED = 100;
  for (let round = 0; round < 100; round += 1) {
    const queries = Array.from({ length: PIPELINED }, () =>
      Array.from({ length: 1 + random(8) }, () => parts[random(parts.length)]).join(''),
    );
    const text = await sendRaw(
      redirect.port,
      queries.map((query) => `GET /Docs?${query} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
      { until: (got) => got.split('HTTP/1.1 ').length > PIPELINED && got.endsWith('\r\n\r\n') },
    );
    for (const response of text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((piece) => piece !== '')) {
      const lines = response.trimEnd().split('\r\n').slice(1);
      const names = lines.map((line) => line.slice(0, line.indexOf(':')).toLowerCase());
      const location = lines.find((line) => line.startsWith('Location: '))?.slice('Location: '.length) ?? '';
      answered += 1;
      const isRight =
        JSON.stringify(names) === JSON.stringify(REDIRECT_HEADERS) &&
        /^https:\/\/example\.org\/docs\?[\x21-\x7e]*#top$/.test(location);
      // What uWebSockets.js itself refuses never came to us.
      if (!isRight && !/^HTTP\/1\.1 (400|505)/.test(response)) wrong += 1;
    }
  }
  process.stdout.write(`fuzzed queries: ${answered} answers, ${wrong} wrong\n`);
  expect(wrong).toBe(0);
  expect(answered).toBeGreaterThan(9_000);
});

test('100 pipelined, half-closed, aborted and unfinished requests', async () => {
  const line = 'GET /Docs HTTP/1.1\r\nHost: a\r\n\r\n';
  const piped = await sendRaw(redirect.port, line.repeat(100), {
    until: (got) => got.split('HTTP/1.1 302').length > 100 && got.endsWith('\r\n\r\n'),
  });
  expect(piped.split('HTTP/1.1 302')).toHaveLength(101);
  await sendRaw(redirect.port, line, { halfClose: true, deadlineMs: 300 });
  // Aborted while the look-up is under way: every slug is a new one.
  for (let i = 0; i < 50; i += 1) {
    void sendRaw(redirect.port, `GET /abort${i} HTTP/1.1\r\nHost: a\r\n\r\n`, { deadlineMs: 1 });
  }
  await sendRaw(redirect.port, 'GET /Docs HTTP/1.1\r\nHo', { deadlineMs: 100 });
  expect((await get('/Docs')).status).toBe(302);
  expect(await redirect.metric('smartlink_redirect_worker_restarts_total')).toBe(0);
});

test('answers and events are counted and summed over the processes', async () => {
  const target = 'smartlink_redirect_visits_total{outcome="redirect"}';
  await until(async () => (await redirect.metric(target)) > 10_000, 'the visits show in the metrics');
  await until(
    async () => (await redirect.metric('smartlink_redirect_events_total{fate="written"}')) > 10_000,
    'the events are written',
  );
  expect(await redirect.metric('smartlink_redirect_visits_total{outcome="error"}')).toBe(0);
  expect(await redirect.metric('smartlink_redirect_faults_total')).toBe(0);
});
