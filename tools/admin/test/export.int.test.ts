import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '@smartlink/smartlink/credentials';
import { PUBLIC_BASE_URL, importFrame, urlBody } from './import-frame.js';
import { type Admin, openAdmin } from './run-admin.js';

const own = importFrame();
let elsewhere: Admin;

beforeAll(async () => {
  elsewhere = await openAdmin();
});
afterAll(() => elsewhere.close());

const NO_TOTALS = { clicks: 0, scans: 0, fallbacks: 0 };

/** One smartlink of every type, with all that an export knows of a link. */
async function everything() {
  let day = 0;
  const item = (type: string, slug: string, content: object, past: object = {}) => {
    day += 1;
    const createdAt = new Date(Date.UTC(2023, 4, day, 1, 2, 3, 456)).toISOString();
    const updatedAt = new Date(Date.UTC(2024, 4, day, 1, 2, 3, 7)).toISOString();
    const { configuration = {}, ...objects } = content as { configuration?: object };
    return {
      configuration: {
        smartlinkName: `Name of ${slug}`,
        smartlinkUrl: slug,
        smartlinkType: type,
        ...configuration,
      },
      ...objects,
      export: { version: 1, status: 'Active', createdAt, updatedAt, aliases: [], totals: NO_TOTALS, ...past },
    };
  };
  const url = (address: string, isProtected = false) => ({
    shortener: { url: address, protected: isProtected },
  });
  const passwordHash = await hashPassword('open sesame');
  return [
    item('Url', 'plainUrl', url('https://example.org/a?b=c#d'), {
      totals: { clicks: 7, scans: 3, fallbacks: 0 },
    }),
    item('Url', 'Protected', url('https://example.org/', true), {
      passwordHash,
      aliases: ['Former1', 'former2'],
    }),
    item(
      'Url',
      'MIXED',
      {
        ...url('https://example.org/mixed'),
        tags: ['Herbst', 'Ähre'],
        notes: 'One\nTwo',
        archived: true,
        externalId: 'crm-1',
      },
      { folder: 'Posters' },
    ),
    item('Url', 'beside', url('https://example.org/beside'), {
      importedAddresses: ['mIXED', 'mixed', 'spring-sale'],
    }),
    item('Url', 'unsafe', url('https://bad.example/'), {
      status: 'Paused',
      pauseReason: { code: 'UNSAFE_URL', details: [{ path: 'shortener.url', message: 'Malware' }] },
    }),
    item(
      'App',
      'app',
      {
        configuration: {
          appStoreLink: 'https://apps.apple.com/app/id1',
          fallBackLink: 'https://example.org/app',
        },
        openGraph: { title: 'An "app" 👩‍👩‍👧', description: 'of\nlines' },
      },
      {
        totals: { clicks: 100, scans: 20, fallbacks: 110 },
        otherContent: { Url: url('https://example.org/before') },
        otherAppearance: { buttonShape: 'pill' },
      },
    ),
    item('Landing', 'landing', {
      landing: { title: 'Title', layout: 'List', theme: 'Light' },
      landingButtons: [{ title: 'Call', link: 'tel:+123456789' }],
      appearance: { buttonStyle: 'soft', background: 'plain' },
    }),
    item(
      'TxtBin',
      'text',
      { txtBin: { title: 'Text', text: '=1+1\n\u202e and\ttabs' } },
      { status: 'Paused' },
    ),
    item('QrMenu', 'menu', {
      qrMenu: {
        title: 'Menu',
        currency: 'EUR',
        footnote: '',
        categories: [{ name: 'Soups', items: [{ name: 'Leek', price: 4.5 }] }],
      },
    }),
    item('QRTag', 'tag', { tags: ['Herbst'], qrTag: { title: 'Tag' }, qrTagButtons: [] }),
    item('DigiCard', 'card', { digiCard: { title: 'Ann' }, digiCardButtons: [] }),
  ];
}

const itemsOf = (text: string) => JSON.parse(text) as Awaited<ReturnType<typeof everything>>;

test('an export that is imported elsewhere and exported there is the same, byte for byte', async () => {
  const owner = await own.createOwner();
  const items = await everything();
  const file = own.write('everything.json', JSON.stringify(items));
  const first = await own.json('import', file, '--email', owner.email);
  expect(first.refusedBy).toEqual({});
  expect(first.created).toBe(items.length);
  const out = own.path('first.json');
  const run = await own.run('export', '--email', owner.email, '--out', out);
  expect(run).toEqual({
    exitCode: 0,
    stdout: `Exported ${items.length} smartlinks to ${out}.\n`,
    stderr: '',
  });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const exported = readFileSync(out, 'utf8');
  expect(itemsOf(exported)).toMatchObject(items);
  expect(exported.trimEnd().split('\n')).toHaveLength(items.length + 2);

  const { userId } = await elsewhere.createUser();
  const imported = await elsewhere.runWith({ PUBLIC_BASE_URL }, 'import', out, '--email', userId);
  expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
  const again = await elsewhere.run('export', '--email', userId);
  expect(again.stdout).toBe(exported);

  const { rows } = await elsewhere.db.query<{ password_hash: string }>(
    `select password_hash from smartlinks where slug = 'Protected'`,
  );
  expect(await verifyPassword(rows[0]!.password_hash, 'open sesame')).toBe(true);
});

test('another account of the same instance takes an export with other addresses, and a deleted one with the same', async () => {
  const [ann, bob] = [await own.createOwner(), await own.createOwner()];
  const file = own.write('two.json', JSON.stringify([urlBody('annOne'), urlBody('annTwo')]));
  await own.json('import', file, '--email', ann.email);
  const out = own.path('two.json.gz');
  await own.run('export', '--email', ann.email, '--out', out);
  expect(itemsOf(gunzipSync(readFileSync(out)).toString())).toHaveLength(2);
  expect(await own.json('import', out, '--email', bob.email)).toMatchObject({
    exitCode: 1,
    created: 0,
    refused: 2,
  });
  const assigned = await own.json('import', out, '--email', bob.email, '--assign-slugs');
  expect(assigned).toMatchObject({ created: 2, readdressed: 2 });

  await own.admin.db.query(`update smartlinks set status = 'Deleted' where user_id = $1`, [ann.id]);
  expect((await own.run('export', '--email', ann.email)).stdout).toBe('[]\n');
  expect(await own.json('import', out, '--email', ann.email)).toMatchObject({ created: 2, readdressed: 0 });
});

test('the history in an export is checked: no expensive or invalid hash, no future time, no foreign content', async () => {
  const owner = await own.createOwner();
  const [, item] = await everything();
  const dear =
    '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$c29tZWhhc2hzb21laGFzaHNvbWVoYXNoc29tZWhhc2g';
  const bad: [object, RegExp][] = [
    [{ passwordHash: dear }, /^export\.passwordHash: Not a/],
    [{ passwordHash: dear.replace('4194304', '7') }, /^export\.passwordHash: Not a/],
    [{ passwordHash: undefined }, /^shortener\.password: Required when protected/],
    [{ createdAt: '2999-01-01T00:00:00.000Z' }, /^createdAt: Lies in the future/],
    [{ createdAt: '1970-01-01T00:00:00.000Z' }, /^createdAt: Is no time since 1990/],
    [{ updatedAt: 'yesterday' }, /^export\.updatedAt: /],
    [{ status: 'Deleted' }, /^export\.status: /],
    [{ version: 2 }, /^export\.version: Written by another version/],
    [{ aliases: ['dashboard'] }, /^export\.aliases\.0: /],
    [{ totals: { clicks: 1, scans: 0, fallbacks: 2 } }, /^export\.totals: More fallbacks/],
    [{ totals: { clicks: -1, scans: 0, fallbacks: 0 } }, /^export\.totals\.clicks: /],
    [
      { otherContent: { Url: { shortener: { url: 'javascript:1' } } } },
      /^export\.otherContent\.Url\.shortener\.url: /,
    ],
    [{ otherContent: { Secret: {} } }, /^export\.otherContent/],
  ];
  const items = bad.map(([past]) => ({ ...item, export: { ...item!.export, ...past } }));
  const file = own.write('past.json', JSON.stringify(items));
  const summary = await own.json('import', file, '--email', owner.email);
  expect(summary).toMatchObject({ created: 0, refused: bad.length });
  const reasons = readFileSync(summary.report!, 'utf8').split('\r\n').slice(1, -1);
  for (const [i, [, reason]] of bad.entries()) {
    expect(reasons[i]!.split(',').slice(3, -1).join(',').replace(/^"/, '')).toMatch(reason);
  }
});

test('an export whose reader stops early does not report success', async () => {
  const owner = await own.createOwner();
  const unread = { stdoutReady: () => Promise.resolve(false) };
  const run = await own.admin.runIn(unread, {}, ['export', '--email', owner.email]);
  expect(run).toEqual({ exitCode: 0, stdout: '[', stderr: '' });
});

test('while ClickHouse is down an export has the last known totals and a warning', async () => {
  const owner = await own.createOwner();
  const [item] = await everything();
  item!.configuration.smartlinkUrl = 'known';
  await own.json('import', own.write('known.json', JSON.stringify([item])), '--email', owner.email);
  const run = await own.withClickhouseDown((env) => own.admin.runWith(env, 'export', '--email', owner.email));
  expect(run.stderr).toMatch(
    /^ClickHouse cannot be reached: .* Click totals are the last known ones\.\nExported 1/,
  );
  expect(itemsOf(run.stdout)[0]!.export.totals).toEqual({ clicks: 7, scans: 3, fallbacks: 0 });
});

test('an export during an import has every smartlink with its totals', async () => {
  const owner = await own.createOwner();
  const [item] = await everything();
  item!.configuration.smartlinkUrl = 'already';
  item!.export.totals = { clicks: 7, scans: 3, fallbacks: 0 };
  const file = own.write('waiting.json', JSON.stringify([item]));
  await own.withClickhouseDown((env) =>
    own.admin.runWith({ PUBLIC_BASE_URL, ...env }, 'import', file, '--email', owner.email),
  );
  // Another batch, committed while those that were there before are brought to ClickHouse.
  const importMore = `
    with stored as (
      insert into smartlinks (id, user_id, status, type, name, slug, content, version)
      select gen_random_uuid(), '${owner.id}', status, type, name, 'later', content, nextval('smartlink_version')
      from smartlinks where slug = 'already'
      returning id, user_id
    )
    insert into carried_totals (smartlink_id, user_id, date, clicks, scans, fallbacks)
    select id, user_id, '2020-02-29', 7, 3, 0 from stored;
    return null;`;
  await own.withTrigger('after delete on carried_totals', importMore, async () => {
    const run = await own.run('export', '--email', owner.email);
    expect(run).toMatchObject({ exitCode: 0 });
    const totals = itemsOf(run.stdout).map((one) => one.export.totals);
    expect(totals).toEqual(totals.map(() => ({ clicks: 7, scans: 3, fallbacks: 0 })));
  });
  await own.admin.db.query('delete from carried_totals');
});

test('as CSV no cell is a formula; an export that fails leaves no file, and what was there before', async () => {
  const owner = await own.createOwner();
  const body = urlBody('sheet');
  body.configuration.smartlinkName = '=HYPERLINK("https://evil.example/")';
  await own.json('import', own.write('sheet.json', JSON.stringify([body])), '--email', owner.email);
  const csv = await own.run('export', '--email', owner.email, '--format', 'csv');
  expect(csv.stdout.split('\r\n')[0]).toBe(
    'name,address,type,destination,status,created,clicks,scans,fallbacks',
  );
  expect(csv.stdout.split('\r\n')[1]).toMatch(
    /^"'=HYPERLINK\(""https:\/\/evil\.example\/""\)",https:\/\/sl\.example\.com\/sheet,Url,https:\/\/example\.org\/sheet,Active,2/,
  );
  const file = own.write('kept.json', 'before');
  const kept = await own.run('export', '--email', owner.email, '--out', file);
  expect(kept).toMatchObject({
    exitCode: 1,
    stderr: `${file} exists already: add --force to replace it.\n`,
  });
  const stopped = await own.admin.interrupted('export', '--email', owner.email, '--force', '--out', file);
  expect(stopped).toMatchObject({ exitCode: 1, stderr: 'Interrupted: the export was discarded.\n' });
  expect(readFileSync(file, 'utf8')).toBe('before');
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect((await own.run('export', '--email', 'nobody@example.com')).stderr).toMatch(
    /^There is no user nobody/,
  );
});

test('tags, notes, folders by name and external ids come with a table, and what cannot be stored is refused', async () => {
  const owner = await own.createOwner();
  const csv = `name,slug,url,tags,notes,archived,externalId,folder
One,metaOne,https://example.org/1,"a, B","Two
lines",true,id-1,Posters
Two,metaTwo,https://example.org/2,"[""b"",""c d""]",,,,posters
Three,metaThree,https://example.org/3,,,,id-1,
Four,metaFour,https://example.org/4,${Array.from({ length: 21 }, (_, i) => `t${i}`).join('|')},,,,
`;
  const file = own.write('meta.csv', csv);
  const dry = await own.json('import', file, '--account', owner.email, '--dry-run');
  expect(dry).toMatchObject({ created: 2, refused: 2 });
  expect(await own.count('tags', 'user_id = $1', owner.id)).toBe(0);
  const summary = await own.json('import', file, '--account', owner.email);
  expect(summary).toMatchObject({
    created: 2,
    refusedBy: { 'externalId: Is already taken': 1, 'tags.0: Must be at most 50 characters': 1 },
  });
  const { stdout } = await own.run('export', '--account', owner.email);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      tags: ['a', 'B'],
      notes: 'Two\nlines',
      archived: true,
      externalId: 'id-1',
      export: { folder: 'Posters' },
    },
    { tags: ['B', 'c d'], export: { folder: 'Posters' } },
  ]);
  const foreign = urlBody('metaFive', { folderId: '00000000-0000-4000-8000-000000000000' });
  const unknown = await own.json(
    'import',
    own.write('f.json', JSON.stringify([foreign])),
    '--account',
    owner.email,
  );
  expect(unknown.refusedBy).toEqual({ 'folderId: No such folder': 1 });
});
