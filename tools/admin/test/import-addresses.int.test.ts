import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Redirect, startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { importFrame } from './import-frame.js';

// Addresses of other services that no smartlinkUrl can be: printed links must survive the move.

const own = importFrame();
let redirect: Redirect;
beforeAll(async () => {
  redirect = await startRedirect(own.admin.databases);
});
afterAll(() => redirect.stop());

/** Where a visit leads, else its status. */
async function visit(path: string): Promise<string | number> {
  const res = await fetch(redirect.url + path, { redirect: 'manual' });
  return res.headers.get('location') ?? res.status;
}

const importShlink = (owner: { readonly email: string }, name: string, ...codes: string[]) => {
  const shortUrls = codes.map((shortCode) => ({
    shortCode,
    longUrl: `https://example.org/${shortCode}`,
    dateCreated: '2024-05-06T07:08:09Z',
  }));
  return own.json(
    'import',
    own.write(name, JSON.stringify({ shortUrls: { data: shortUrls } })),
    '--email',
    owner.email,
  );
};

test('imported codes lead to their links exactly as written, and below /q/ if no slug has their letters', async () => {
  const owner = await own.createOwner();
  // Known as absent before the import, and as plain links between the files.
  expect(await visit('/spring-sale')).toBe(404);
  const first = await importShlink(owner, 'first.json', 'aB3xY', '2dt1pnm_');
  expect(first).toMatchObject({ exitCode: 0, created: 2, refused: 0, readdressed: 0 });
  const to = (code: string) => `https://example.org/${code}`;
  expect(await visit('/ab3xy')).toBe(to('aB3xY'));
  const second = await importShlink(owner, 'second.json', 'ab3xy', 'spring-sale');
  expect(second).toMatchObject({ exitCode: 0, created: 2, refused: 0, readdressed: 0 });

  const expected: Readonly<Record<string, string | number>> = {
    '/aB3xY': to('aB3xY'),
    '/ab3xy': to('ab3xy'),
    '/AB3XY': to('aB3xY'),
    '/q/aB3xY': to('aB3xY'),
    '/q/ab3xy': to('aB3xY'),
    '/2dt1pnm_': to('2dt1pnm_'),
    '/2dt1pnm_/': to('2dt1pnm_'),
    '/2DT1PNM_': 404,
    '/q/2dt1pnm_': to('2dt1pnm_'),
    '/q/2DT1PNM_': 404,
    '/spring-sale': to('spring-sale'),
    '/spring-sale?a=1': `${to('spring-sale')}?a=1`,
    '/Spring-Sale': 404,
    '/q/spring-sale': to('spring-sale'),
    '/spring_sale': 404,
    '/-/preview/ab3xy': 200,
    '/-/qr/spring-sale.svg': 200,
    '/-/': 404,
  };
  // The redirect service publishes what management does not, within 10 s.
  const visitAll = async () =>
    Object.fromEntries(
      await Promise.all(Object.keys(expected).map(async (path) => [path, await visit(path)] as const)),
    );
  await expect.poll(visitAll, { timeout: 20_000 }).toEqual(expected);
  const verified = await own.admin.run('cache', 'verify', '--json');
  expect(JSON.parse(verified.stdout)).toMatchObject({
    missing: 0,
    older: 0,
    newer: 0,
    different: 0,
    damaged: 0,
  });

  // A second import finds them.
  const again = await importShlink(owner, 'again.json', 'ab3xy', 'aB3xY', 'spring-sale', '2dt1pnm_', 'aB3Xy');
  expect(again).toMatchObject({ created: 1, refused: 4, readdressed: 0 });
});
