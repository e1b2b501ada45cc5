import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configSchema } from '@smartlink/management/config';
import { ConfigError, type Env, readConfig } from '@smartlink/process/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';

// The reader of a variable accepts a value or reports a problem. It throws nothing else and never shows the value.

const SECRET = 'S3cretOfTheOperator';
const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-values-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const VALUES = [
  ...'foo http:// https://u:S@h:99999 //h postgres:// redis://[ http://% % \u001b[31m \0 true -1 1e999'.split(
    ' ',
  ),
  ...'{} [ 😀 a=b x=%00 x=%E2%82%AC 0x1 , ,, ::1/200 postgres://u:S@h:99999/d postgres://u:S@[::1/d'.split(
    ' ',
  ),
  ...'https://u:S@sl.example.com:99999 redis+sentinel://:S@one,two/ http://u:S@clickhouse:1:2/d'.split(' '),
  ' ',
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

test.each(['redirect', 'management'] as const)(
  'every variable of %s accepts or reports every value',
  (service) => {
    const { names } = readers[service];
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      for (const value of [...VALUES, SECRET.repeat(3)]) {
        expect(
          wordsOf(service, { ...REQUIRED, [name]: value }),
          `${name}=${value.slice(0, 40)}`,
        ).not.toContain(SECRET);
      }
    }
  },
);

test('a secret in place of a file name is not shown, and only regular files are accepted', () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const large = path.join(folder, 'large');
  writeFileSync(large, 'x'.repeat(1024 * 1024 + 1));
  for (const [file, problem] of [
    [`postgres://u:${SECRET}@h/d`, 'no path of a file'],
    [SECRET, 'no path of a file'],
    [`/${SECRET}\n`, 'no path of a file'],
    [folder, 'a folder'],
    [pipe, 'no regular file'],
    [large, 'larger than 1 MiB'],
    [path.join(folder, 'none'), 'does not exist'],
  ] as const) {
    const words = wordsOf('redirect', { ...REQUIRED, DATABASE_URL: '', DATABASE_URL_FILE: file });
    expect(words).toContain(problem);
    expect(words).not.toContain(SECRET);
  }
});

/** Problems with these variables, joined; rethrows other errors. */
function wordsOf(service: keyof typeof readers, env: Env): string {
  try {
    readers[service].read(env);
    return '';
  } catch (err) {
    if (err instanceof ConfigError) return err.problems.join('\n');
    throw err;
  }
}
