import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '@smartlink/management/config';
import { migrateConfigSchema } from '@smartlink/migrate/config';
import { redirectConfigSchema } from '@smartlink/redirect/config';
import { SHOWN_NAMES, maskAddress, printValue, readStackVariables } from './config.js';

test('the spool of a stack is the one that npm start has given its services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const databases = { databaseUrl: 'postgres://db', redisUrl: 'redis://r', clickhouseUrl: 'http://ch' };
  const spoolOf = (stack: object) => {
    writeFileSync(join(folder, 'stack.json'), JSON.stringify({ ...databases, ...stack }));
    return readStackVariables({ SMARTLINK_DATA_DIR: folder })['SPOOL_DIR'];
  };
  try {
    expect(spoolOf({ spoolDir: '/mnt/spool' })).toBe('/mnt/spool');
    expect(spoolOf({})).toBe(join(folder, 'spool'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const SECRET = 'Zm9yLWV5ZXMtb25seQ';
const NAMES = [redirectConfigSchema, configSchema, migrateConfigSchema].flatMap((schema) =>
  Object.keys(schema.shape),
);

test.each([...new Set(NAMES)].filter((name) => !SHOWN_NAMES.includes(name)))(
  'no text of %s is printed',
  (name) => {
    for (const value of [SECRET, [SECRET, SECRET], { authorization: SECRET }]) {
      expect(JSON.stringify(printValue(name, value))).not.toContain(SECRET);
    }
  },
);

test('nothing that is named like a secret is printed', () => {
  expect(SHOWN_NAMES.filter((name) => /SECRET|TOKEN|PASSWORD|API_KEY|CREDENTIAL|HEADERS/.test(name))).toEqual(
    [],
  );
});

test.each([...SHOWN_NAMES.filter((name) => name.endsWith('_URL') && name !== 'ABUSE_CONTACT_URL')])(
  'no password in %s is printed',
  (name) => {
    for (const url of [
      `https://user:${SECRET}@db.example.com:1/path`,
      `https://${SECRET}@db.example.com/path`,
      `https://db.example.com/path?password=${SECRET}`,
      `https://user:a/${SECRET}@db.example.com/path`,
      `https://user:a#${SECRET}@db.example.com/path`,
      `user:${SECRET}@db.example.com`,
    ]) {
      expect(printValue(name, url).text).not.toContain(SECRET);
    }
  },
);

test.each([
  [
    'postgres://app:pw@db:5432/smartlink?sslmode=require',
    'postgres://app:***@db:5432/smartlink?sslmode=require',
  ],
  ['redis+cluster://:pw@one:6379,two:6379', 'redis+cluster://:***@one:6379,two:6379'],
  [
    'redis+sentinel://a:p%40w@s:26379/main?sentinelPassword=x',
    'redis+sentinel://a:***@s:26379/main?sentinelPassword=***',
  ],
  ['https://sl.example.com', 'https://sl.example.com'],
  ['http://db/a?x=1#frag', 'http://db/a?x=***'],
])('%s is shown as %s', (url, shown) => {
  expect(maskAddress(url)).toBe(shown);
});

const POSTGRES = `postgres://app:${SECRET}@one/sl`;
const masked = 'postgres://app:***@one/sl';

test.each([
  // A new variable counts as a secret.
  ['NEW_VARIABLE', SECRET, 'set, 18 bytes', true],
  ['COOKIE_SECRETS', ['a'.repeat(32), 'b'.repeat(40)], 'set, 32 and 40 bytes', true],
  ['OTEL_EXPORTER_OTLP_HEADERS', { authorization: SECRET }, 'set, 1 value', true],
  ['OTEL_EXPORTER_OTLP_HEADERS', {}, null, false],
  ['SAFETY_HTTP_URL', `https://judge.example.com/hooks/${SECRET}`, 'https://judge.example.com/…', true],
  ['DATABASE_REPLICA_URL', [POSTGRES, `${POSTGRES}?sslkey=x`], `${masked},${masked}?sslkey=***`, true],
  ['METRICS_HOST', '127.0.0.1', '127.0.0.1', false],
  ['SPOOL_BYTES_MAX', 4096, '4096', false],
  ['FORWARD_QUERY', false, 'false', false],
  ['TRUSTED_PROXIES', ['10.0.0.0/8', '::1'], '10.0.0.0/8,::1', false],
])('%s %j is printed as %j', (name, value, text, isMasked) => {
  expect(printValue(name, value)).toEqual({ text, isMasked });
});
