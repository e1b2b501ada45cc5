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
    `${report} cannot be written: its folder is not there. The same command with another --report writes it.\n`,
  );
  expect(existsSync(report)).toBe(false);
  const second = await own.json(...args, '--report', own.path('other.csv'));
  expect(second).toMatchObject({ exitCode: 0, created: 1, refused: 1, report: own.path('other.csv') });
  expect(readFileSync(own.path('other.csv'), 'utf8')).toContain('2,3,late-2,');
  expect(await own.linksOf(owner.id)).toHaveLength(1);
});
