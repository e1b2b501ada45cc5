import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeReportsFolder } from './reports-folder.js';
import { UsageError } from './settings.js';

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-reports-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('makes a folder with its parents, and leaves nothing in it', () => {
  const wanted = path.join(temporaryFolder(), 'a/b/c');
  expect(makeReportsFolder(wanted)).toBe(wanted);
  expect(readdirSync(makeReportsFolder(wanted))).toEqual([]);
});

test('refuses at once a folder that cannot be made', () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeReportsFolder(file)).toThrow(UsageError);
  expect(() => makeReportsFolder(path.join(file, 'below'))).toThrow(/^--reports-dir .*file\/below: reports/);
});

test.runIf(existsSync('/proc/self'))('refuses at once where a recursive mkdir would try for ever', () => {
  expect(() => makeReportsFolder('/proc/x/y')).toThrow(UsageError);
});
