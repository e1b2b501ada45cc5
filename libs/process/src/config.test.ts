import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ConfigError,
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

test('says what a missing variable is for', () => {
  expect(problemsOf({})).toEqual(['DATABASE_URL is not set: the address of Postgres']);
});

test('takes X_FILE for X, without the last line break', () => {
  const file = path.join(folder, 'database-url');
  writeFileSync(file, 'postgres://u:p@h/d\n');
  expect(readConfig(schema, { DATABASE_URL_FILE: file }).DATABASE_URL).toBe('postgres://u:p@h/d');
  expect(problemsOf({ DATABASE_URL_FILE: path.join(folder, 'none') })[0]).toMatch(
    /^DATABASE_URL_FILE: ENOENT/,
  );
});
