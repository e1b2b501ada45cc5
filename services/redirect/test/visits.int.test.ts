import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request } from '@smartlink/test-support/raw-request';
import { PAGE_HEADERS, REDIRECT_HEADERS } from './expected-headers.js';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let trial: Trial;
let redirect: Redirect;

beforeAll(async () => {
  trial = await openTrial();
  redirect = await startRedirect(trial.databases);
  const { links } = trial;
  await links.insert({ slug: 'Docs', url: 'https://example.org/docs?a=1#top', aliases: ['oldDocs'] });
  await links.insert({ slug: 'paused', url: 'https://example.org/', status: 'Paused' });
  await links.insert({ slug: 'deleted', url: 'https://example.org/', status: 'Deleted' });
});

afterAll(async () => {
  await redirect.stop();
  await trial.close();
});

const get = (path: string, ...lines: string[]) =>
  request(redirect.port, [
    `GET ${path} HTTP/1.1`,
    'Host: sl.example.com',
    `User-Agent: ${BROWSER}`,
    ...lines,
  ]);

describe('answers', () => {
  test.each([
    '/Docs',
    '/docs',
    '/DOCS',
    '/Docs/',
    '/oldDocs',
    '/OLDDOCS/',
    '/q/Docs',
    '/Q/DOCS',
    '/q/docs/',
    '/Docs?qr=1',
    '/Docs?',
  ])('%s leads to the target with exactly the promised headers', async (path) => {
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
    ['/unknown', 404, 'Page not found'],
    ['/paused', 404, 'This link is paused'],
    ['/q/paused', 404, 'This link is paused'],
    ['/deleted', 410, 'This link was removed'],
    ['/dashboard', 404, 'Page not found'],
    [`/${'a'.repeat(65)}`, 404, 'Page not found'],
    ['/a+b', 404, 'Page not found'],
    ['/a%2Bb', 404, 'Page not found'],
    ['/%00', 404, 'Page not found'],
    ['/..', 404, 'Page not found'],
    ['/../Docs', 404, 'Page not found'],
    ['//evil.com', 404, 'Page not found'],
    ['//Docs', 404, 'Page not found'],
    ['/Docs/x', 404, 'Page not found'],
    ['/-/nothing', 404, 'Page not found'],
    ['/wp-login.php', 404, 'Page not found'],
  ])('%s is %s, a page that is not kept', async (path, status, title) => {
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
});
