import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ConfigError,
  RUN_ALWAYS,
  databaseUrlVariable,
  flagVariable,
  integerVariable,
  listVariable,
  portVariable,
  readConfig,
  urlVariable,
} from './config.js';

const schema = z.object({
  DATABASE_URL: urlVariable('postgres:', 'postgresql:').describe('the address of Postgres'),
  PORT: portVariable(3000),
  ROWS_MAX: integerVariable(10, 1, 100),
  STRICT: flagVariable(false),
  NETWORKS: listVariable(),
});
const NEEDED = { DATABASE_URL: 'postgres://u:p@h/d' };
const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-config-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(schema, env);
    return [];
  } catch (err) {
    if (err instanceof ConfigError) return err.problems;
    throw err;
  }
};

test('fills in defaults, splits lists and freezes the result', () => {
  const config = readConfig(schema, {
    DATABASE_URL: 'postgres://u@h/d',
    NETWORKS: '10.0.0.0/8, ::1/128,',
    PORT: '',
  });
  expect(config).toEqual({
    DATABASE_URL: 'postgres://u@h/d',
    PORT: 3000,
    ROWS_MAX: 10,
    STRICT: false,
    NETWORKS: ['10.0.0.0/8', '::1/128'],
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('reports every bad variable together and never the value of one', () => {
  const problems = problemsOf({
    PORT: '70000',
    ROWS_MAX: 'ten',
    STRICT: 'yes',
    DATABASE_URL: 'mysql://u:secret@h/d',
  });
  expect(problems).toHaveLength(4);
  expect(problems.join('\n')).toContain('ROWS_MAX: expected a whole number from 1 to 100');
  expect(problems.join('\n')).not.toContain('secret');
});

test('a number is digits alone', () => {
  for (const PORT of ['', '0', '65535']) expect(problemsOf({ ...NEEDED, PORT })).toEqual([]);
  for (const PORT of ['x', '-1', '65536', '1e3', '0x50', '80.5', ' 80'])
    expect(problemsOf({ ...NEEDED, PORT })).toEqual(['PORT: expected a port, 0 to 65535']);
  for (const ROWS_MAX of ['0', '101', '1e1', '5.0', '+5'])
    expect(problemsOf({ ...NEEDED, ROWS_MAX })).toEqual(['ROWS_MAX: expected a whole number from 1 to 100']);
});

test('names the purpose of a missing variable', () => {
  expect(problemsOf({})).toEqual(['DATABASE_URL is not set: the address of Postgres']);
});

test('reads X_FILE instead of X, without the last line break', () => {
  const file = path.join(folder, 'database-url');
  writeFileSync(file, 'postgres://u:p@h/d\n');
  expect(readConfig(schema, { DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://u:p@h/d');
});

test('reports the fault of a file once', () => {
  const empty = path.join(folder, 'empty');
  writeFileSync(empty, '\n');
  const none = path.join(folder, 'none');
  expect(problemsOf({ DATABASE_URL_FILE: none })).toEqual([
    `DATABASE_URL_FILE names ${none}, which does not exist`,
  ]);
  expect(problemsOf({ DATABASE_URL_FILE: folder })).toEqual([
    `DATABASE_URL_FILE names ${folder}, which is a folder`,
  ]);
  expect(problemsOf({ DATABASE_URL_FILE: empty })).toEqual([
    `DATABASE_URL_FILE names ${empty}, which is empty`,
  ]);
});

test('refuses a file beside the plain variable', () => {
  expect(problemsOf({ DATABASE_URL: 'postgres://u:p@h/d', DATABASE_URL_FILE: '/somewhere' })).toEqual([
    'DATABASE_URL_FILE and DATABASE_URL are both set: keep one of them',
  ]);
});

test('faults across several variables are reported together with faults of one', () => {
  const withRule = z
    .object({ PORT: portVariable(3000), MODE: z.string().optional().describe('how') })
    .superRefine((config, context) => {
      if (config.MODE === undefined) context.addIssue({ code: 'custom', path: ['MODE'], message: 'why' });
    }, RUN_ALWAYS);
  let problems: readonly string[] = [];
  try {
    readConfig(withRule, { PORT: 'x' });
  } catch (err) {
    if (err instanceof ConfigError) problems = err.problems;
  }
  expect(problems).toEqual(['PORT: expected a port, 0 to 65535', 'MODE is not set: how (why)']);
});

test('refuses the address of a database on another machine without a password, or with a known one', () => {
  const url = z.object({ URL: databaseUrlVariable('postgres:') });
  expect(() => readConfig(url, { URL: 'postgres://app@db/x' })).toThrow('URL: has no password');
  expect(() => readConfig(url, { URL: 'postgres://app:postgres@db/x' })).toThrow('well-known password');
  expect(readConfig(url, { URL: 'postgres://postgres@127.0.0.1/x' })).toEqual({
    URL: 'postgres://postgres@127.0.0.1/x',
  });
});
