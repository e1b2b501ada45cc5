import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configSchema } from '@smartlink/management/config';
import { ConfigError, type Env, readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';

// Whatever stands in a variable, its reader tells what is wrong, or takes it; it never throws anything else, and never
// shows what it read.

const SECRET = 'S3cretOfTheOperator';
const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-values-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const VALUES = [
  ...[
    'foo',
    'http://',
    'https://u:S@h:99999',
    '//h',
    'postgres://',
    'redis://[',
    'http://%',
    '%',
    '\u001b[31m',
    '\0',
  ],
  ...[
    'true',
    '-1',
    '1e999',
    '{}',
    '[',
    '😀',
    'a=b',
    'x=%00',
    'x=%E2%82%AC',
    '0x1',
    ' ',
    ',',
    ',,',
    '::1/200',
  ],
  'postgres://u:S@h:99999/d',
  'postgres://u:S@[::1/d',
  'https://u:S@sl.example.com:99999',
  'redis+sentinel://:S@one,two/',
  'http://u:S@clickhouse:1:2/d',
  'x'.repeat(70_000),
].map((value) => value.replace('S', SECRET));

const REQUIRED = {
  DATABASE_URL: 'postgres://u@127.0.0.1/d',
  REDIS_URL: 'redis://127.0.0.1',
  CLICKHOUSE_URL: 'http://127.0.0.1/d',
};

const readers = {
  redirect: {
    names: Object.keys(redirectConfigSchema.shape),
    read: (env: Env) => readConfig(redirectConfigSchema, env),
  },
  management: { names: Object.keys(configSchema.shape), read: (env: Env) => readConfig(configSchema, env) },
};

test.each(['redirect', 'management'] as const)('every variable of %s bears every value', (service) => {
  const { names } = readers[service];
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    for (const value of [...VALUES, SECRET.repeat(3)]) {
      expect(wordsOf(service, { ...REQUIRED, [name]: value }), `${name}=${value.slice(0, 40)}`).not.toContain(
        SECRET,
      );
    }
  }
});

test('a secret where the name of its file belongs is not shown, and what is no plain file is refused', () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const large = path.join(folder, 'large');
  writeFileSync(large, 'x'.repeat(1024 * 1024 + 1));
  const given = [
    `postgres://u:${SECRET}@h/d`,
    SECRET,
    `/${SECRET}\n`,
    folder,
    pipe,
    large,
    path.join(folder, 'none'),
  ];
  const words = given.map((file) =>
    wordsOf('redirect', { ...REQUIRED, DATABASE_URL: '', DATABASE_URL_FILE: file }),
  );
  expect(words.join()).not.toContain(SECRET);
  const expected = [
    'no path of a file',
    'no path of a file',
    'no path of a file',
    'a folder',
    'no regular file',
  ];
  [...expected, 'larger than 1 MiB', 'does not exist'].forEach((part, index) => {
    expect(words[index]).toContain(part);
  });
});

/** Returns all that reading says; rejects what is thrown and is no ConfigError. */
function wordsOf(service: keyof typeof readers, env: Env): string {
  try {
    readers[service].read(env);
    return '';
  } catch (err) {
    if (err instanceof ConfigError) return err.problems.join('\n');
    throw err;
  }
}
