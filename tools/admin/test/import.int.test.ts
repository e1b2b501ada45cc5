import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyPassword } from '@smartlink/smartlink/credentials';
import { exportedBody, importFrame, urlBodies, urlBody } from './import-frame.js';

const own = importFrame();

const shortest = (slug: string) => `${slug},https://example.org/${slug}`;

test('rows are stored, published, noted and shown; refused ones are reported by row, line and reason', async () => {
  const owner = await own.createOwner();
  const rival = await own.createOwner();
  await own.admin.createSmartlink({ userId: rival.id, smartlinkId: rival.id, slug: 'Mine' });
  const file = own.write(
    'mixed.csv',
    `slug,url
${shortest('first')}
mine,https://example.org/
dashboard,https://example.org/
first,https://example.org/twice
no.slug,https://example.org/
local,http://localhost/
own,https://sl.example.com/first
${shortest('last')}
`,
  );
  const run = await own.run('import', file, '--account', owner.email);
  expect(run).toMatchObject({ exitCode: 1, stderr: '6 rows refused.\n' });
  expect(run.stdout).toContain(`${file} for ${owner.email}: 8 rows read, 2 created, 6 refused (`);
  expect(run.stdout).toContain('1  configuration.smartlinkUrl: This smartlink URL is already taken\n');
  expect(run.stdout).toContain(
    'The same command with --assign-slugs imports 3 of these under another address.\n',
  );
  expect(run.stdout).toContain(`Which rows, and why: ${file}.report.csv\n`);
  expect(readFileSync(`${file}.report.csv`, 'utf8').split('\r\n')).toEqual([
    'row,line,slug,reason,created as',
    '2,3,mine,configuration.smartlinkUrl: This smartlink URL is already taken,',
    '3,4,dashboard,configuration.smartlinkUrl: This smartlink URL is reserved,',
    '4,5,first,configuration.smartlinkUrl: This smartlink URL is already yours (row 1),',
    '5,6,no.slug,configuration.smartlinkUrl: Smartlink URL can only contain latin characters and numbers,',
    '6,7,local,shortener.url: Invalid URL format,',
    '7,8,own,shortener.url: Invalid URL format,',
    '',
  ]);
  expect(statSync(`${file}.report.csv`).mode & 0o777).toBe(0o600);
  expect(await own.linksOf(owner.id)).toEqual([
    { slug: 'first', status: 'Active', url: 'https://example.org/first' },
    { slug: 'last', status: 'Active', url: 'https://example.org/last' },
  ]);
  expect(await own.count('publish_outbox', `slug_key in ('first', 'last')`)).toBe(2);
  const noted = `user_id = $1 and actor = 'admin' and action = 'smartlink.import'`;
  expect(await own.count('audit_entries', noted, owner.id)).toBe(2);
});

test('a button may lead to this instance', async () => {
  const owner = await own.createOwner();
  const buttons = [{ title: 'Menu', link: 'https://sl.example.com/menu' }];
  const configuration = { smartlinkName: 'Table 4', smartlinkType: 'QRTag' };
  const file = own.write('own.json', JSON.stringify([{ configuration, qrTag: {}, qrTagButtons: buttons }]));
  expect(await own.json('import', file, '--email', owner.email)).toMatchObject({ created: 1, refused: 0 });
});

test('a dry run prints the result of an import, and changes nothing', async () => {
  const owner = await own.createOwner('Professional');
  const rows = [...urlBodies('dry', 9), urlBody('dry0'), urlBody('tos'), ...urlBodies('late', 3)];
  const file = own.write('dry.json', JSON.stringify(rows));
  const wanted = { rows: 14, created: 10, refused: 4, exitCode: 1 };
  const dry = await own.json('import', file, '--email', owner.email, '--dry-run');
  expect(dry).toMatchObject({ ...wanted, dryRun: true });
  expect(await own.linksOf(owner.id)).toEqual([]);
  expect(await own.count('imports', 'user_id = $1', owner.id)).toBe(0);
  const report = readFileSync(`${file}.report.csv`, 'utf8');
  const real = await own.json('import', file, '--email', owner.email);
  expect(real).toMatchObject({ ...wanted, dryRun: false, refusedBy: dry.refusedBy });
  expect(real.refusedBy).toMatchObject({ 'Subscription limit reached': 2 });
  expect(readFileSync(`${file}.report.csv`, 'utf8')).toBe(report);
  expect(await own.linksOf(owner.id)).toHaveLength(10);
});

test('with --assign-slugs rows with a taken or invalid slug get another, and both are reported', async () => {
  const owner = await own.createOwner();
  const rows = [urlBody('same'), urlBody('other.same'), urlBody('pp'), urlBody('no good'), urlBody('ok')];
  rows[4]!.shortener.url = 'javascript:alert(1)';
  const file = own.write('assign.json', JSON.stringify(rows));
  const flags = ['--email', owner.email, '--assign-slugs'];
  expect(await own.json('import', file, ...flags, '--dry-run')).toMatchObject({ created: 4, readdressed: 3 });
  const summary = await own.json('import', file, ...flags);
  expect(summary).toMatchObject({ created: 4, refused: 1, readdressed: 3 });
  const links = await own.linksOf(owner.id);
  expect(links.map(({ url }) => url).toSorted()).toEqual([
    'https://example.org/no%20good',
    'https://example.org/other.same',
    'https://example.org/pp',
    'https://example.org/same',
  ]);
  const slugOf = (path: string) => links.find(({ url }) => url?.endsWith(path))?.slug;
  const report = readFileSync(summary.report!, 'utf8').split('\r\n');
  expect(report[1]).toBe(
    `2,1,other.same,configuration.smartlinkUrl: Smartlink URL can only contain latin characters and numbers,${slugOf('/other.same')}`,
  );
  expect(report[3]).toMatch(new RegExp(`^4,1,no good,.*,${slugOf('/no%20good')}$`));
  expect(report[4]).toMatch(/^5,1,ok,shortener\.url: Invalid URL format,$/);
});

const BITLY = `Link,Custom Link,Long URL,Title,Tags,Created,Clicks
https://bit.ly/2aBcDeF,https://links.example/spring24,https://example.org/spring,Spring sale,"sale,2024",2024-03-01T09:00:00+0000,3646
https://bit.ly/3xYzAbC,https://links.example/spring-sale,https://example.org/sale,Sale,,2024-03-02T09:00:00+0000,12
https://bit.ly/2dt1pnm_,,https://example.org/random,Random,,2024-03-03T09:00:00+0000,5
https://bit.ly/3kLmNoP,https://links.example/SPRING24,https://example.org/other,Other,,2024-03-04T09:00:00+0000,1
https://bit.ly/4qRsTuV,,https://example.org/us,US date,,06/01/2024 10:00 AM,7
https://bit.ly/5wXyZaB,,https://example.org/plain,Plain,,2024-03-06T09:00:00+0000,100
https://bit.ly/6cDeFgH,,example.org/no-scheme,No scheme,,some day,"1,234"
`;

test('an export of Bitly loses no link for a date or a count, keeps tags, and names what is lost', async () => {
  const owner = await own.createOwner();
  const file = own.write('bitly.csv', BITLY);
  const run = await own.run('import', file, '--account', owner.email);
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toContain('7 rows read, 6 created, 1 refused (');
  expect(run.stdout).toContain('Created, but lost something:\n');
  expect(run.stdout).toContain(
    '3  its domain links.example is not kept: verify it among the domains of the account first\n',
  );
  expect(run.stdout).toContain('1  createdAt is read with the month first: ');
  expect(run.stdout).toContain('With --date-format dmy such dates');
  const report = readFileSync(`${file}.report.csv`, 'utf8').split('\r\n');
  expect(report[1]).toMatch(/^1,2,spring24,"?its domain [^"]*"?,spring24$/);
  expect(report).toContain('7,8,6cDeFgH,shortener.url: Invalid URL format,');
  const { rows } = await own.admin.db.query(
    `select created_at, clicks::integer from smartlinks join smartlink_totals on smartlink_id = smartlinks.id
     where smartlinks.user_id = $1 and name = 'US date'`,
    [owner.id],
  );
  expect(rows).toEqual([{ created_at: new Date('2024-06-01T10:00:00Z'), clicks: 7 }]);
  const { rows: tags } = await own.admin.db.query(
    `select slug, tags.name from smartlinks join smartlink_tags on smartlink_id = smartlinks.id join tags on tags.id = tag_id
     where smartlinks.user_id = $1 order by key`,
    [owner.id],
  );
  expect(tags).toEqual(['2024', 'sale'].map((name) => ({ slug: 'spring24', name })));
});

const BAD_ROW = '=1+1, "quoted"';

test.each([
  [
    'csv',
    'Link;Long URL;Title;Notes\nbit.ly/c1;https://example.org/c1;One;a\nbit.ly/c2;example.org/c2;"=1+1, ""quoted""";b\n',
    ',example.org/c2,',
    ',https://example.org/c2,',
  ],
  [
    'json',
    JSON.stringify([
      { link: 'https://bit.ly/j1', long_url: 'https://example.org/j1', title: 'One' },
      { link: 'bit.ly/j2', long_url: 'example.org/j2', title: BAD_ROW },
    ]),
    '"example.org/j2',
    '"https://example.org/j2',
  ],
])('the refused rows of a %s file can be corrected and imported', async (kind, content, wrong, right) => {
  const owner = await own.createOwner();
  const file = own.write(`correct.${kind}`, content);
  const first = await own.json('import', file, '--account', owner.email);
  const refused = `${file}.refused.${kind}`;
  expect(first).toMatchObject({ refused: 1, refusedRows: refused });
  expect(first.losses).toEqual({});
  expect(statSync(refused).mode & 0o777).toBe(0o600);
  const rows = readFileSync(refused, 'utf8');
  expect(rows).toContain('shortener.url: Invalid URL format');
  writeFileSync(refused, rows.replace(wrong, right));
  expect(await own.json('import', refused, '--account', owner.email)).toMatchObject({
    created: 1,
    refused: 0,
    refusedRows: null,
  });
  const { rows: named } = await own.admin.db.query('select name from smartlinks where user_id = $1', [
    owner.id,
  ]);
  expect(named.map((row) => (row as { name: string }).name).toSorted()).toEqual([BAD_ROW, 'One']);
});

test('all faults of a row are reported, and a faulty date or count of a row is no fault', async () => {
  const owner = await own.createOwner();
  const file = own.write(
    'faults.csv',
    `slug,url,protected,createdAt,clicks,scans
no-slug,nowhere,maybe,1850-01-01,1,1
kept,https://example.org/,,1850-01-01,9999999999999,2
`,
  );
  const summary = await own.json('import', file, '--account', owner.email);
  expect(summary).toMatchObject({
    created: 1,
    refused: 1,
    losses: { 'createdAt: Is no time since 1990': 1 },
    refusedBy: {
      'shortener.protected: Must be true or false; configuration.smartlinkUrl: Smartlink URL can only contain latin characters and numbers; shortener.url: Invalid URL format': 1,
    },
  });
  expect(Object.keys(summary.losses)).toHaveLength(2);
});

test('a finished file is not imported again by accident, and with --again it is', async () => {
  const owner = await own.createOwner();
  const file = own.write('again.csv', 'url\nhttps://example.org/again\n');
  await own.json('import', file, '--email', owner.email);
  const second = await own.run('import', file, '--email', owner.email);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toMatch(
    /again\.csv was imported for .* on \d{4}-\d\d-\d\d \d\d:\d\d UTC, with 1 smartlink created: add --again/,
  );
  const again = await own.json('import', file, '--email', owner.email, '--again');
  expect(again).toMatchObject({ created: 1, resumedAfter: 0 });
  expect(await own.linksOf(owner.id)).toHaveLength(2);
  // Another owner.
  const other = await own.createOwner();
  expect(await own.json('import', file, '--email', other.email)).toMatchObject({ created: 1 });
});

test('a password in a row unlocks the link, and is stored nowhere', async () => {
  const owner = await own.createOwner();
  const rows = urlBodies('secret', 3).map((body) => ({
    ...body,
    shortener: { ...body.shortener, protected: true, password: `open ${body.configuration.smartlinkUrl}` },
  }));
  const file = own.write('secret.json', JSON.stringify(rows));
  expect(await own.json('import', file, '--email', owner.email)).toMatchObject({ created: 3 });
  const { rows: stored } = await own.admin.db.query<{ slug: string; password_hash: string; content: object }>(
    'select slug, password_hash, content from smartlinks where user_id = $1',
    [owner.id],
  );
  for (const { slug, password_hash, content } of stored) {
    expect(await verifyPassword(password_hash, `open ${slug}`)).toBe(true);
    expect(JSON.stringify(content)).not.toContain('open');
  }
});

test('hostile rows are refused one by one, and a spreadsheet would run nothing in the report', async () => {
  const owner = await own.createOwner();
  const file = own.write(
    'hostile.csv',
    Buffer.concat([
      Buffer.from(`slug,url\n=1+1,https://example.org/\n+cmd|' /C calc'!A0,https://example.org/\n`),
      Buffer.from([0x62, 0xe9, 0x2c, 0x68, 0x0a]),
      Buffer.from(`nul\0,https://example.org/\n${owner.id.slice(-6)},https://example.org/fine\n`),
      Buffer.from('cut,"https://example.org/'),
    ]),
  );
  const summary = await own.json('import', file, '--email', owner.email);
  expect(summary).toMatchObject({ exitCode: 1, created: 1, refused: 5, rows: 6 });
  expect(await own.linksOf(owner.id)).toHaveLength(1);
  const report = readFileSync(summary.report!, 'utf8');
  expect(report).toContain(`,'=1+1,`);
  expect(report).toContain(`,'+cmd|' /C calc'!A0,`);
  expect(report).toContain('6,7,');
  expect(report.length).toBeLessThan(3_000);
});

test('text that Postgres cannot hold costs its row and not the file', async () => {
  const owner = await own.createOwner();
  const rows = ['shortener.url', 'a\0b'].map((text, i) =>
    exportedBody(`nul${i}`, {
      status: 'Paused',
      pauseReason: { code: 'UNSAFE_URL', details: [{ path: text, message: text }] },
    }),
  );
  const file = own.write('nul.json', JSON.stringify(rows));
  const summary = await own.json('import', file, '--email', owner.email);
  expect(summary).toMatchObject({ exitCode: 1, created: 1, refused: 1 });
});

test('an unusable file or option is one clear line', async () => {
  const owner = await own.createOwner();
  const fine = own.write('fine.csv', 'url\nhttps://example.org/\n');
  const cases: [string[], RegExp][] = [
    [['import', fine, '--email', 'nobody@example.com'], /^There is no user nobody@example\.com/],
    [['import', own.path('missing.csv'), '--email', owner.email], /missing\.csv does not exist\.\n$/],
    [['import', fine], /^Name the account that gets the smartlinks: --account <email>\.\n$/],
    [['import', '--email', owner.email], /^Which file\? Give its name\.\n$/],
    [
      ['import', fine, '--email', owner.email, '--format', 'xls'],
      /^--format "xls": expected one of csv, json/,
    ],
    [
      ['import', fine, '--email', owner.email, '--report', fine],
      /fine\.csv exists already, and is not a report of an import\.\n$/,
    ],
    [['import', own.write('e.csv', ''), '--email', owner.email], /e\.csv is empty\.\n$/],
  ];
  for (const [args, line] of cases) {
    const { exitCode, stdout, stderr } = await own.run(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  }
  // Nothing may be stored before that is known.
  const noFolder = own.path('none/report.csv');
  const unwritable = await own.run('import', fine, '--email', owner.email, '--report', noFolder);
  expect(unwritable).toMatchObject({
    exitCode: 1,
    stderr: `${noFolder} cannot be written: its folder does not exist.\n`,
  });
  const without = await own.admin.run('import', fine, '--email', owner.email);
  expect(without.stderr).toBe('PUBLIC_BASE_URL is not set: smartlinks must not lead back to it.\n');
  const none = await own.run('import', own.write('bad.csv', 'url\nftp://x.org/\n'), '--email', owner.email);
  expect(none).toMatchObject({ exitCode: 1, stderr: '1 row refused.\n' });
  expect(existsSync(own.path('bad.csv.report.csv'))).toBe(true);
  expect(await own.linksOf(owner.id)).toEqual([]);
});
