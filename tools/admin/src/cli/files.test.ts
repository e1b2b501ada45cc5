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
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { fileOf, writeOutput } from './files.js';
import type { Terminal } from './terminal.js';

test.each([
  ['links.csv', '/home/ann', '/home/ann/links.csv'],
  ['../links.csv', '/home/ann', '/home/links.csv'],
  ['/srv/links.csv', '/home/ann', '/srv/links.csv'],
  ['-', '/home/ann', '-'],
  // As it was typed, where that says the same.
  ['links.csv', process.cwd(), 'links.csv'],
  ['links.csv', undefined, 'links.csv'],
])('%s named in %s is %s', (name, calledFrom, file) => {
  expect(fileOf({ env: { INIT_CWD: calledFrom } }, name)).toBe(file);
});

const NO_TERMINAL = {} as Terminal;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'smartlink-output-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  return path;
}

const write = (name: string) =>
  writeOutput(NO_TERMINAL, name, Readable.from(['hashes of passwords']), new AbortController().signal);

test('a file is its owner’s alone, whatever lay beside it or had its name before', async () => {
  const path = folder();
  const [name, linked] = [join(path, 'e.json'), join(path, 'linked.json')];
  writeFileSync(`${name}.part`, 'precious', { mode: 0o666 });
  writeFileSync(name, 'before', { mode: 0o666 });
  symlinkSync(`${name}.part`, `${linked}.part`);
  await write(name);
  await write(linked);
  expect([name, linked].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect([name, linked].map((file) => readFileSync(file, 'utf8'))).toEqual([
    'hashes of passwords',
    'hashes of passwords',
  ]);
  expect(readFileSync(`${name}.part`, 'utf8')).toBe('precious');
  expect(readdirSync(path).toSorted()).toEqual(['e.json', 'e.json.part', 'linked.json', 'linked.json.part']);
});
