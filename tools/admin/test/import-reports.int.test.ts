import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLIC_BASE_URL, exportedBody, importFrame } from './import-frame.js';

const own = importFrame();

const OF_USER = 'import_id in (select id from imports where user_id = $1)';

test('a report that cannot be written at the end costs no figures, and the next run writes it', async () => {
  const owner = await own.createOwner();
  const file = own.write('late.csv', 'slug,url\nlate1,https://example.org/\nlate.2,https://example.org/\n');
  const report = own.path('gone/report.csv');
  mkdirSync(own.path('gone'));
  const args = ['import', file, '--email', owner.email];
  // Its place is looked at first, and then goes.
  const env = {
    PUBLIC_BASE_URL,
    get DATABASE_URL() {
      rmSync(own.path('gone'), { recursive: true, force: true });
      return own.admin.databases.databaseUrl;
    },
  };
  const run = await own.admin.runIn({ env }, {}, [...args, '--report', report]);
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toContain('2 rows read, 1 created, 1 refused (');
  expect(run.stderr).toBe(
    `${report} cannot be written: its folder does not exist. The same command with another --report writes it.\n`,
  );
  expect(existsSync(report)).toBe(false);
  const second = await own.json(...args, '--report', own.path('other.csv'));
  expect(second).toMatchObject({ exitCode: 1, created: 1, refused: 1, report: own.path('other.csv') });
  expect(readFileSync(own.path('other.csv'), 'utf8')).toContain('2,3,late.2,');
  expect(await own.linksOf(owner.id)).toHaveLength(1);
});

test('rows beyond the plan are imported by the same command after an upgrade, and no other row twice', async () => {
  const owner = await own.createOwner('Professional');
  const urls = Array.from({ length: 14 }, (_, i) => `https://example.org/plan${i}`);
  const file = own.write('plan.csv', ['url', 'nowhere', ...urls, ''].join('\n'));
  const import_ = (...more: string[]) => own.json('import', file, '--email', owner.email, ...more);
  expect(await import_()).toMatchObject({ created: 10, refused: 5 });
  // Not before.
  const tooEarly = await import_();
  expect(tooEarly).toMatchObject({ exitCode: 1, created: 10, refused: 5, resumedAfter: 11 });
  expect(tooEarly.refusedBy).toMatchObject({ 'Subscription limit reached': 4 });
  await own.admin.run('users', 'set-plan', owner.email, 'Enterprise');
  const rest = await import_();
  expect(rest).toMatchObject({ exitCode: 1, rows: 15, created: 14, refused: 1 });
  expect(rest.stderr).toBe('Trying 4 refused rows again.\n1 row refused.\n');
  // The report is of all runs.
  expect(readFileSync(rest.report!, 'utf8')).toMatch(/^row,[^\n]+\r\n1,2,,shortener\.url: [^\n]+\r\n$/);
  expect((await own.linksOf(owner.id)).map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
  expect(await own.count('import_remarks', OF_USER, owner.id)).toBe(0);
  expect((await own.run('import', file, '--email', owner.email)).stderr).toMatch(
    /plan\.csv was imported for/,
  );
});

test('--again is the whole file, also where the plan had no room for all of it', async () => {
  const owner = await own.createOwner('Professional');
  const file = own.write('all.csv', `url\n${'https://example.org/all\n'.repeat(12)}`);
  await own.json('import', file, '--email', owner.email);
  await own.admin.run('users', 'set-plan', owner.email, 'Enterprise');
  const again = await own.json('import', file, '--email', owner.email, '--again');
  expect(again).toMatchObject({ rows: 12, created: 12, refused: 0, resumedAfter: 0, stderr: '' });
  expect(await own.count('import_remarks', OF_USER, owner.id)).toBe(0);
});

test('a dry run is about what the import would do now, with its exit code', async () => {
  const owner = await own.createOwner('Professional');
  const rows = Array.from({ length: 12 }, (_, i) => `rest${i},https://example.org/`);
  const file = own.write('rest.csv', ['slug,url', ...rows, ''].join('\n'));
  const import_ = (...more: string[]) => own.json('import', file, '--email', owner.email, ...more);
  await import_();
  await own.admin.run('users', 'set-plan', owner.email, 'Enterprise');
  const rest = await import_('--dry-run');
  expect(rest).toMatchObject({ exitCode: 0, rows: 2, created: 2, refused: 0, resumedAfter: 10 });
  expect(rest.stderr).toBe('10 rows of the file are done already: what follows is about the rest.\n');
  await import_();
  const done = await own.run('import', file, '--email', owner.email, '--dry-run');
  expect(done).toMatchObject({ exitCode: 1, stdout: '' });
  expect(done.stderr).toContain('rest.csv was imported for');
  const none = await import_('--dry-run', '--again');
  expect(none).toMatchObject({ exitCode: 1, rows: 12, created: 0, refused: 12, assignable: 0 });
  expect(none.stderr).toBe('12 rows would be refused.\n');
});

test('a dry run of the rest fails if an earlier run refused rows for good', async () => {
  const owner = await own.createOwner('Professional');
  const rows = Array.from({ length: 11 }, (_, i) => `early${i},https://example.org/`);
  const file = own.write('early.csv', ['slug,url', 'early,nowhere', ...rows, ''].join('\n'));
  await own.json('import', file, '--email', owner.email);
  await own.admin.run('users', 'set-plan', owner.email, 'Enterprise');
  const rest = await own.json('import', file, '--email', owner.email, '--dry-run');
  expect(rest).toMatchObject({ exitCode: 1, rows: 1, created: 1, refused: 0 });
  expect(rest.stderr).toContain('1 row would be refused.\n');
});

test('on an imported file --assign-slugs imports as many rows as the summary said, and copies none', async () => {
  const owner = await own.createOwner();
  const totals = { clicks: 7, scans: 0, fallbacks: 0 };
  const slugs = ['assign1', 'assign.2', 'Welcome', 'assign1', 'assign.3', 'assign4'];
  const items = slugs.map((slug) => exportedBody(slug, { totals }));
  items[5]!.shortener.url = 'nowhere';
  const file = own.write('retry.json', JSON.stringify(items));
  const import_ = (...more: string[]) => own.json('import', file, '--email', owner.email, ...more);
  expect(await import_()).toMatchObject({ exitCode: 1, created: 1, refused: 5, assignable: 3 });
  const readRefused = () => readFileSync(`${file}.report.csv`, 'utf8').split('\r\n');
  const slugPath = 'configuration.smartlinkUrl: This smartlink URL';
  expect(readRefused()[2]).toBe(`3,1,Welcome,${slugPath} is reserved,`);
  expect(readRefused()[3]).toBe(`4,1,assign1,${slugPath} is already yours (row 1),`);
  expect((await own.run('import', file, '--email', owner.email)).stderr).toContain(
    'with 1 smartlink created: add --assign-slugs to retry 3 refused rows, or --again to import it once more.\n',
  );
  const isCopied = await import_('--assign-slugs', '--again');
  expect(isCopied).toMatchObject({ exitCode: 1 });
  expect(isCopied.stderr).toContain('--again with --assign-slugs would copy links');
  const dry = await import_('--assign-slugs', '--dry-run');
  expect(dry).toMatchObject({ exitCode: 1, rows: 3, created: 3, refused: 0, readdressed: 3 });
  const retried = await import_('--assign-slugs');
  expect(retried).toMatchObject({ exitCode: 1, created: 4, refused: 2, readdressed: 3, assignable: 0 });
  expect(retried.stderr).toBe('Trying 3 refused rows again.\n2 rows refused.\n');
  expect((await own.linksOf(owner.id)).map(({ url }) => url?.slice(-8)).toSorted()).toEqual(
    ['/Welcome', '/assign1', 'assign.2', 'assign.3'].toSorted(),
  );
  const isCounted = 'smartlink_id in (select id from smartlinks where user_id = $1) and clicks = 7';
  expect(await own.count('smartlink_totals', isCounted, owner.id)).toBe(4);
  expect((await import_('--assign-slugs')).stderr).toContain('add --again to import it once more.\n');
  expect(await own.linksOf(owner.id)).toHaveLength(4);
});
