import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLIC_BASE_URL, importFrame } from './import-frame.js';

const own = importFrame();

test('a report that cannot be written at the end costs no figures, and the next run writes it', async () => {
  const owner = await own.createOwner();
  const file = own.write('late.csv', 'slug,url\nlate1,https://example.org/\nlate-2,https://example.org/\n');
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
  expect(second).toMatchObject({ exitCode: 0, created: 1, refused: 1, report: own.path('other.csv') });
  expect(readFileSync(own.path('other.csv'), 'utf8')).toContain('2,3,late-2,');
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
  expect(tooEarly).toMatchObject({ exitCode: 0, created: 10, refused: 5, resumedAfter: 11 });
  expect(tooEarly.refusedBy).toMatchObject({ 'Subscription limit reached': 4 });
  await own.admin.run('users', 'set-plan', owner.email, 'Enterprise');
  const rest = await import_();
  expect(rest).toMatchObject({ exitCode: 0, rows: 15, created: 14, refused: 1 });
  expect(rest.stderr).toBe('Trying 4 rows again that the plan had no room for.\n');
  // The report is of all runs.
  expect(readFileSync(rest.report!, 'utf8')).toMatch(/^row,[^\n]+\r\n1,2,,shortener\.url: [^\n]+\r\n$/);
  expect((await own.linksOf(owner.id)).map(({ url }) => url).toSorted()).toEqual(urls.toSorted());
  expect(await own.count('import_remarks', 'true')).toBe(0);
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
  expect(await own.count('import_remarks', 'true')).toBe(0);
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
  expect(none.stderr).toBe('Nothing would be imported: 12 rows refused.\n');
});
