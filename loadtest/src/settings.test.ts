import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Env } from '@smartlink/process/config';
import { makeReportsFolder } from './run-scenario.js';
import { SCENARIOS } from './scenarios.js';
import { describeSettings, readSettings, UsageError } from './settings.js';
import { readTarget } from './target.js';

const hot = SCENARIOS.find(({ name }) => name === 'hot')!;

test('prefers options to variables, and variables to defaults', () => {
  const env = { RATE: '70', LINKS: '5', SEED: '' };
  const settings = readSettings(hot, ['--rate=80', '--target', 'local'], env);
  expect(settings).toMatchObject({ RATE: 80, LINKS: 5, SEED: 1, TARGET: 'local' });
  expect(readSettings(hot, ['--target='], { TARGET: 'local' }).TARGET).toBeUndefined();
});

test.each([
  [['--rate', '0'], '--rate: expected a whole number from 1 to 200000'],
  [['--rate', '1.5'], '--rate: expected a whole number from 1 to 200000'],
  [['--rate', 'many'], '--rate: expected a whole number from 1 to 200000'],
  [['--rate=-5'], '--rate: expected a whole number from 1 to 200000'],
  [['--rate', '-5'], "Option '--rate' argument is ambiguous.: see --help"],
  [['--rate', '0x10'], '--rate: expected a whole number from 1 to 200000'],
  [['--seed=-1.5'], '--seed: expected a whole number from 0 to 4294967295'],
  [['--rate'], "Option '--rate <value>' argument missing: see --help"],
  [['--rate', '--links', '3'], "Option '--rate' argument is ambiguous.: see --help"],
  [['--speed', '3'], "Unknown option '--speed': see --help"],
  [['--peak-rate', '3'], "Unknown option '--peak-rate': see --help"],
  [['3'], "Unexpected argument '3'. This command does not take positional arguments: see --help"],
])('refuses %j in one line', (argv, message) => {
  expect(() => readSettings(hot, argv, {})).toThrow(new UsageError(message));
});

test.each(['6', '-1', 'steep'])('refuses the exponent %s', (exponent) => {
  const mixed = SCENARIOS.find(({ name }) => name === 'mixed')!;
  const call = () => readSettings(mixed, [`--zipf-exponent=${exponent}`], {});
  expect(call).toThrow(new UsageError('--zipf-exponent: expected a number from 0 to 5'));
});

test('every scenario has a question, defaults in range, and a line of help for each of its numbers', () => {
  const help = describeSettings(SCENARIOS);
  for (const scenario of SCENARIOS) {
    expect(scenario.question).toMatch(/^[A-Z].*\?$/);
    const given = Object.entries(scenario.defaults).map(([name, value]) => [name, String(value)]);
    expect(readSettings(scenario, [], Object.fromEntries(given) as Env)).toMatchObject(scenario.defaults);
    for (const [name] of given)
      expect(help).toContain(`--${(name ?? '').toLowerCase().replaceAll('_', '-')} `);
  }
});

const target = (env: Env) => readTarget(readSettings(hot, [], env));
const GIVEN = { TARGET: 'http://127.0.0.1:1/', API_URL: 'https://127.0.0.1:2/base', API_KEY: 'key' };

test('accepts a public URL with or without a final slash, and an API below a path', () => {
  expect(target(GIVEN)).toMatchObject({
    publicUrl: 'http://127.0.0.1:1',
    apiUrl: 'https://127.0.0.1:2/base',
  });
  expect(target({ ...GIVEN, TARGET: 'http://127.0.0.1:1' })?.publicUrl).toBe('http://127.0.0.1:1');
  expect(target({})).toBeNull();
});

test.each([
  [{ TARGET: 'example.org' }, '--target: expected local, or http or https, host and port alone'],
  [{ TARGET: 'ftp://127.0.0.1' }, '--target: expected'],
  [{ TARGET: 'javascript:1' }, '--target: expected'],
  [{ TARGET: 'http://127.0.0.1/path' }, '--target: expected'],
  [{ TARGET: 'http://127.0.0.1/?' }, '--target: expected'],
  [{ TARGET: 'http://127.0.0.1#a' }, '--target: expected'],
  [{ TARGET: 'http://user:word@127.0.0.1' }, '--target: expected'],
  [{ API_URL: 'file:///etc' }, '--api-url: expected a URL that starts with http'],
  [{ API_URL: 'http://user@127.0.0.1' }, '--api-url: expected a URL without user'],
  [{ API_URL: '' }, '--target needs --api-url and --api-key'],
  [{ CLICKHOUSE_URL: 'tcp://127.0.0.1' }, '--clickhouse-url: expected'],
  [{ METRICS_URL: 'metrics' }, '--metrics-url: expected'],
  [{ TARGET: '' }, 'need a TARGET'],
])('refuses %j', (changed, message) => {
  const call = () => target({ ...GIVEN, ...changed });
  expect(call).toThrow(UsageError);
  expect(call).toThrow(message);
});

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'smartlink-reports-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('creates a folder with its parents, and leaves it empty', () => {
  const wanted = path.join(temporaryFolder(), 'a/b/c');
  expect(makeReportsFolder(wanted)).toBe(wanted);
  expect(readdirSync(makeReportsFolder(wanted))).toEqual([]);
});

test('refuses a folder that cannot be created', () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => makeReportsFolder(file)).toThrow(UsageError);
  expect(() => makeReportsFolder(path.join(file, 'below'))).toThrow(/^--reports-dir .*file\/below: reports/);
});

test.runIf(existsSync('/proc/self'))(
  'refuses a folder for which a recursive mkdir of Node never ends',
  () => {
    expect(() => makeReportsFolder('/proc/x/y')).toThrow(UsageError);
  },
);
