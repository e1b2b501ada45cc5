import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Redirect, startRedirect } from '../../../services/redirect/test/start-redirect.js';
import { exportedBody, importFrame } from './import-frame.js';

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

  const codes = ['ab3xy', 'aB3xY', 'spring-sale', '2dt1pnm_'];
  const again = await importShlink(owner, 'again.json', ...codes, 'aB3Xy');
  expect(again).toMatchObject({ created: 1, refused: 4, readdressed: 0 });

  // They stay taken after their owner.
  expect((await own.run('users', 'delete', owner.email, '--yes')).exitCode).toBe(0);
  const isGone = async () => new Set(await Promise.all(codes.map((code) => visit(`/${code}`))));
  await expect.poll(isGone, { timeout: 20_000 }).toEqual(new Set([410]));
  const rival = await own.createOwner();
  expect(await importShlink(rival, 'rival-too.json', ...codes)).toMatchObject({ created: 0, refused: 4 });
});

test('a code that another account has in any case gets another slug with --assign-slugs, and the report says so', async () => {
  const [rival, owner] = [await own.createOwner(), await own.createOwner()];
  await importShlink(rival, 'rival.json', 'Foreign', 'for-eign');
  const file = ['foreign.json', 'fOREIGN', 'for-eign', 'For-eign'] as const;
  expect(await importShlink(owner, ...file)).toMatchObject({ created: 1, refused: 2, assignable: 2 });
  const retried = await own.json('import', own.path(file[0]), '--email', owner.email, '--assign-slugs');
  expect(retried).toMatchObject({ exitCode: 0, created: 3, refused: 0, readdressed: 2 });
  const taken = 'configuration.smartlinkUrl: This smartlink URL is already taken';
  const report = readFileSync(retried.report!, 'utf8').split('\r\n');
  expect(report[1]).toMatch(new RegExp(`^1,\\d+,fOREIGN,${taken},\\w+$`));
  expect(report[2]).toMatch(new RegExp(`^2,\\d+,for-eign,${taken},\\w+$`));
  const { rows } = await own.admin.db.query(
    `select imported_addresses as codes from smartlinks where user_id = $1 order by codes`,
    [owner.id],
  );
  expect(rows).toEqual([{ codes: ['For-eign'] }, { codes: null }, { codes: null }]);
});

test('a dry run counts imported codes as the import does, twenty beside one slug', async () => {
  const owner = await own.createOwner();
  const codes = Array.from({ length: 23 }, (_, i) =>
    [...'abcde'].map((letter, bit) => ((i >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  const file = own.write(
    'twenty.csv',
    ['slug,url', ...[...codes, 'a_b', 'a_b', '-', '_'].map((code) => `${code},https://example.org/`)].join(
      '\n',
    ),
  );
  const dry = await own.json('import', file, '--email', owner.email, '--dry-run');
  const report = readFileSync(`${file}.report.csv`, 'utf8');
  const real = await own.json('import', file, '--email', owner.email);
  for (const run of [dry, real]) {
    expect(run).toMatchObject({ rows: 27, created: 23, refused: 4, assignable: 3, readdressed: 0 });
  }
  expect(readFileSync(`${file}.report.csv`, 'utf8')).toBe(report);
  const reasons = report.split('\r\n').slice(1, -1);
  for (const [i, end] of [
    'differs only in case from your abcde (row 1),',
    'differs only in case from your abcde (row 1),',
    'already yours (row 24),',
    'can only contain latin characters and numbers,',
  ].entries()) {
    expect(reasons[i]).toContain(end);
  }
});

test('an exported imported address that a slug can be becomes an alias where no slug has its letters', async () => {
  const owner = await own.createOwner();
  const item = exportedBody('holder', { importedAddresses: ['Lonely', 'Holder', 'lone-ly'] });
  const file = own.write('lonely.json', JSON.stringify([item]));
  expect(await own.json('import', file, '--email', owner.email)).toMatchObject({ exitCode: 0, created: 1 });
  const [exported] = JSON.parse((await own.run('export', '--email', owner.email)).stdout) as {
    readonly export: object;
  }[];
  expect(exported?.export).toMatchObject({ aliases: ['Lonely'], importedAddresses: ['lone-ly'] });
});
