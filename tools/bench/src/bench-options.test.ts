import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { COMMON_ARGS, pageFolderOf, readCommon } from './bench-options.js';
import type { CommonOptions } from './bench-options.js';

const read = (...args: string[]) => readCommon(parseArgs({ args, options: COMMON_ARGS }).values);
const folderOf = (...args: string[]) =>
  pageFolderOf(read(...args) as CommonOptions, { isWhole: true, seconds: 2 });

test('a page is written by whole runs only, and anywhere else whatever the size', () => {
  expect(folderOf()).toMatch(/docs.benchmarks$/);
  expect(folderOf('--rounds', '7', '--seconds', '3')).toMatch(/docs.benchmarks$/);
  expect(folderOf('--smoke')).toBeNull();
  expect(folderOf('--rounds', '4')).toBeNull();
  expect(folderOf('--seconds', '1')).toBeNull();
  expect(folderOf('--smoke', '--out', '/a')).toBe('/a');
  expect(pageFolderOf(read() as CommonOptions, { isWhole: false, seconds: 2 })).toBeNull();
});

test('numbers that no run can have are refused with their bounds', () => {
  for (const args of [
    ['--rounds', '0'],
    ['--rounds', '2.5'],
    ['--rounds', 'x'],
    ['--seconds', '61'],
  ]) {
    expect(read(...args)).toHaveProperty('problem', expect.stringMatching(/^--\w+ must be a .*number from/));
  }
});
