import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openReport, requireReportName } from './import-report.js';

const HEADING = 'row,line,slug,reason,created as\r\n';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'smartlink-report-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

const remark = { rowNumber: 1, line: 2, slug: 'a-b', reason: 'no', createdAs: null };

test('a report is written over nothing that lies beside it, and only its owner can read it', async () => {
  const path = folder();
  const name = join(path, 'links');
  // The file that is imported may be called so, or somebody may have laid a link there.
  writeFileSync(`${name}.part`, 'precious', { mode: 0o666 });
  symlinkSync(`${name}.part`, join(path, 'second.part'));
  const reports = [openReport(name), openReport(name), openReport(join(path, 'second'))];
  for (const report of reports) await report.add([remark]);
  for (const report of reports) expect(await report.close()).not.toBeNull();
  expect(readFileSync(`${name}.part`, 'utf8')).toBe('precious');
  expect(readdirSync(path).toSorted()).toEqual(['links', 'links.part', 'second', 'second.part']);
  expect(readFileSync(name, 'utf8')).toBe(`${HEADING}1,2,a-b,no,\r\n`);
  expect(statSync(name).mode & 0o777).toBe(0o600);
});

test('nothing in a report steers the terminal that shows it', async () => {
  const name = join(folder(), 'report.csv');
  const report = openReport(name);
  await report.add([{ ...remark, slug: '\u001b[31m\u009b', reason: '\u202eno' }]);
  await report.close();
  expect(readFileSync(name, 'utf8')).toBe(`${HEADING}1,2,\ufffd[31m\ufffd,\ufffdno,\r\n`);
});

test('a report takes the place of an earlier one, and of nothing else', async () => {
  const path = folder();
  const earlier = join(path, 'earlier.csv');
  writeFileSync(earlier, HEADING);
  await expect(requireReportName(earlier)).resolves.toBeUndefined();
  await expect(requireReportName(join(path, 'none.csv'))).resolves.toBeUndefined();
  const pipe = join(path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  writeFileSync(join(path, 'links.csv'), 'name,url\n');
  for (const name of [pipe, path, join(path, 'links.csv')])
    await expect(requireReportName(name)).rejects.toThrow(
      `${name} is there already, and is no report of an import.`,
    );
});
