import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { useSecondService, useService } from './start-service.js';

const ASSETS = path.resolve(import.meta.dirname, '../../../dashboard/dist/assets');

const { service } = useService();
const without = useSecondService(service, { DASHBOARD_ENABLED: 'false' });

const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ url, headers: { accept: 'text/html', ...headers } });

describe('the page', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/links/x/edit?a=b', '/welcome'])(
    '%s has a policy that allows its own files alone, and is revalidated',
    async (url) => {
      const res = await get(url);
      expect([res.statusCode, res.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(res.headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https://sl.example.com; " +
          "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      const again = await get(url, { 'if-none-match': String(res.headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    },
  );

  test('is answered where HTML is accepted, and not as data', async () => {
    const res = await get('/dashboard/links', { accept: 'application/json' });
    expect([res.statusCode, res.json().error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('/ leads to it, and /docs stays', async () => {
    const root = await get('/');
    expect([root.statusCode, root.headers.location]).toEqual([302, '/dashboard/']);
    expect((await get('/docs/')).statusCode).toBe(200);
  });
});

describe('its files', () => {
  const script = readdirSync(ASSETS).find((name) => /^frame-.*\.js$/.test(name)) ?? '';

  test.each(['br', 'gzip', 'identity'])('are kept for ever, in the encoding %s', async (encoding) => {
    const res = await get(`/dashboard/assets/${script}`, { 'accept-encoding': encoding });
    const extension = { br: '.br', gzip: '.gz' }[encoding] ?? '';
    expect([res.statusCode, res.rawPayload.length]).toEqual([
      200,
      statSync(path.join(ASSETS, `${script}${extension}`)).size,
    ]);
    expect(res.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(res.headers['content-encoding']).toBe(extension === '' ? undefined : encoding);
  });

  test.each(['x.js', '..%2findex.html', '..%5c..%5cpackage.json', '%00', ''])(
    'an unknown one is 404, never the page: %s',
    async (name) => {
      const res = await get(`/dashboard/assets/${name}`);
      expect([res.statusCode, res.json().success]).toEqual([404, false]);
      expect(res.headers['cache-control']).toBe('no-store');
    },
  );
});

test('DASHBOARD_ENABLED=false leaves nothing of it', async () => {
  for (const url of ['/', '/dashboard', '/dashboard/links', '/welcome', '/dashboard/assets/x.js']) {
    const res = await without.app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, res.statusCode]).toEqual([url, 404]);
  }
});
