import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCountries } from './countries.js';

const EMBEDDED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
const openFinder = (path: string | undefined) => {
  const lookUp = openCountries(path);
  return (address: string) => lookUp(address)[0];
};
const findCountry = openFinder(undefined);

// Networks that registries gave to carriers and hosts of these countries, and those of large public services.
test.each([
  ['85.132.0.1', 'AZ'],
  ['94.20.0.1', 'AZ'],
  ['78.46.1.1', 'DE'],
  ['8.8.8.8', 'US'],
  ['2a01:4f8::1', 'DE'],
  ['2a01:4f8:0:0:0:0:0:1', 'DE'],
  ['2001:4860:4860::8888', 'US'],
])('%s is in %s', (address, country) => {
  expect(findCountry(address)).toBe(country);
});

test.each([
  ...'127.0.0.1 10.1.2.3 172.16.3.4 172.31.255.255 192.168.1.1 169.254.1.1 100.64.0.1 0.0.0.0'.split(' '),
  ...'::1 0:0:0:0:0:0:0:1 :: fd00::1 fe80::1'.split(' '),
  '',
  'unknown',
  '999.1.1.1',
])('%j is of no known country', (address) => {
  expect(findCountry(address)).toBe('XX');
});

test('neighbours of private networks are public', () => {
  expect(['11.0.0.1', '172.15.0.1', '172.32.0.1'].map(findCountry)).not.toContain('XX');
});

test('reads MaxMind’s own form of a record, and rejects invalid codes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-country-'));
  try {
    const file = join(folder, 'made.mmdb');
    writeFileSync(file, madeDatabase('AZ'));
    expect(openFinder(file)('1.2.3.4')).toBe('AZ');
    expect(openFinder(file)('200.2.3.4')).toBe('XX');
    writeFileSync(file, madeDatabase('EU'));
    expect(openFinder(file)('1.2.3.4')).toBe('XX');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['/nowhere/at-all.mmdb', 'ENOENT'],
  [import.meta.filename, 'COUNTRY_DATABASE'],
])('%s as the database is an error that names the variable', (path, reason) => {
  expect(() => openCountries(path)).toThrow(/^COUNTRY_DATABASE: /);
  expect(() => openCountries(path)).toThrow(reason);
});

test('a database that is damaged ends the start, or is of no known country where it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-country-'));
  try {
    const file = join(folder, 'damaged.mmdb');
    const damaged = madeDatabase('AZ');
    damaged[1] = 0xff;
    writeFileSync(file, damaged);
    expect(() => openCountries(file)).toThrow(/^COUNTRY_DATABASE: /);
    const embedded = readFileSync(createRequire(import.meta.url).resolve(EMBEDDED));
    // A few nodes of the tree, which lead beyond the end now: of networks that the check at the start does not touch.
    embedded.fill(0xee, 10_000, 10_600);
    writeFileSync(file, embedded);
    const find = openFinder(file);
    const found = Array.from({ length: 60_000 }, (_, i) => find(`${i % 224}.${(i * 7) % 256}.${i % 251}.1`));
    expect(found.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * Returns a GeoLite2-Country of one node for IPv4: who has a 0 as the first bit is in `code`, the others are nowhere
 * (https://maxmind.github.io/MaxMind-DB/).
 */
function madeDatabase(code: string): Buffer {
  const text = (value: string) => Buffer.from([0x40 | value.length, ...Buffer.from(value)]);
  const map = (...entries: [string, Buffer][]) =>
    Buffer.concat([
      Buffer.from([0xe0 | entries.length]),
      ...entries.flatMap(([key, value]) => [text(key), value]),
    ]);
  const number = (value: number) => Buffer.from([0xa1, value]);
  const record = map(['country', map(['iso_code', text(code)])]);
  const metadata = map(
    ['binary_format_major_version', number(2)],
    ['binary_format_minor_version', number(0)],
    ['build_epoch', number(1)],
    ['database_type', text('GeoLite2-Country')],
    ['ip_version', number(4)],
    ['node_count', number(1)],
    ['record_size', number(24)],
  );
  // Left: data begins 16 after the number of nodes. Right: the number of nodes itself means no data.
  const node = Buffer.from([0, 0, 17, 0, 0, 1]);
  const mark = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);
  return Buffer.concat([node, Buffer.alloc(16), record, mark, metadata]);
}
