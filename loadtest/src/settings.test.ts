import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeReportsFolder } from './run-scenario.js';
import { SCENARIOS } from './scenarios.js';
import { describeSettings, readSettings, settingsOf, UsageError } from './settings.js';
import { readTarget } from './target.js';

const hot = SCENARIOS.find(({ name }) => name === 'hot')!;

test('takes an option before a variable, and a variable before the default', () => {
  const env = { RATE: '70', LINKS: '5', SEED: '' };
  const settings = readSettings(hot, ['--rate=80', '--target', 'local'], env);
  expect(settings.number('RATE')).toBe(80);
  expect(settings.number('LINKS')).toBe(5);
  expect(settings.number('SEED')).toBe(1);
  expect(settings.text('TARGET')).toBe('local');
});

test.each([
  [['--rate', '0'], '--rate 0: expected a positive whole number from 1 to 200000'],
  [['--rate', '1.5'], '--rate 1.5: expected a positive whole number from 1 to 200000'],
  [['--rate', 'many'], '--rate many: expected a positive whole number from 1 to 200000'],
  [['--rate=-5'], '--rate -5: expected a positive whole number from 1 to 200000'],
  [['--rate', '-5'], "Option '--rate' argument is ambiguous.: see --help"],
  [['--rate', '0x10'], '--rate 0x10: expected a positive whole number from 1 to 200000'],
  [['--seed=-1.5'], '--seed -1.5: expected a whole number from 0 to 4294967295'],
  [['--rate'], "Option '--rate <value>' argument missing: see --help"],
  [['--rate', '--links', '3'], "Option '--rate' argument is ambiguous.: see --help"],
  [['--speed', '3'], "Unknown option '--speed': see --help"],
  [['--peak-rate', '3'], "Unknown option '--peak-rate': see --help"],
  [['3'], "Unexpected argument '3'. This command does not take positional arguments: see --help"],
])('refuses %j in one line', (argv, message) => {
  expect(() => readSettings(hot, argv, {})).toThrow(new UsageError(message));
});

test('every scenario has a question, defaults in range, and a line of help for each of its settings', () => {
  const help = describeSettings(SCENARIOS);
  for (const scenario of SCENARIOS) {
    expect(scenario.question).toMatch(/^[A-Z].*\?$/);
    const given = Object.entries(scenario.defaults).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    expect(() => readSettings(scenario, [], Object.fromEntries(given))).not.toThrow();
    for (const name of settingsOf(scenario).keys())
      expect(help).toContain(`--${name.toLowerCase().replaceAll('_', '-')}`);
  }
});

const target = (env: Record<string, string>) => readTarget(readSettings(hot, [], env));
const GIVEN = { TARGET: 'http://127.0.0.1:1/', API_URL: 'https://127.0.0.1:2/base', API_KEY: 'key' };

test('takes an address with a slash at its end or without, and the API below a path', () => {
  expect(target(GIVEN)).toMatchObject({
    publicUrl: 'http://127.0.0.1:1',
    apiUrl: 'https://127.0.0.1:2/base',
  });
  expect(target({ ...GIVEN, TARGET: 'http://127.0.0.1:1' })?.publicUrl).toBe('http://127.0.0.1:1');
  expect(target({})).toBeNull();
});

test.each([
  [{ TARGET: 'example.org' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'ftp://127.0.0.1' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'javascript:1' }, '--target: expected an address that begins with http'],
  [{ TARGET: 'http://127.0.0.1/path' }, 'without a path'],
  [{ TARGET: 'http://127.0.0.1/?' }, 'without a query or a fragment'],
  [{ TARGET: 'http://127.0.0.1#a' }, 'without a query or a fragment'],
  [{ TARGET: 'http://user:word@127.0.0.1' }, 'without a user or a password'],
  [{ API_URL: 'file:///etc' }, '--api-url: expected an address that begins with http'],
  [{ API_URL: 'http://user@127.0.0.1' }, 'without a user'],
  [{ API_URL: '' }, '--target needs --api-url and --api-key'],
  [{ CLICKHOUSE_URL: 'tcp://127.0.0.1' }, '--clickhouse-url: expected'],
  [{ METRICS_URL: 'metrics' }, '--metrics-url: expected'],
  [{ TARGET: '' }, 'API_URL is for a run with TARGET'],
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
