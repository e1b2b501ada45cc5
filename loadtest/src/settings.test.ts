import { expect, test } from 'vitest';
import { SCENARIOS, questionOf } from './scenarios.js';
import { describeSettings, readSettings, settingsOf, UsageError } from './settings.js';

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
  [['--rate', '-5'], '--rate -5: expected a positive whole number from 1 to 200000'],
  [['--rate', '0x10'], '--rate 0x10: expected a positive whole number from 1 to 200000'],
  [['--seed', '-1.5'], '--seed -1.5: expected a whole number from 0 to 4294967295'],
  [['--rate'], '--rate needs a value'],
  [['--rate', '--links', '3'], '--rate needs a value'],
  [['--speed', '3'], 'there is no option --speed: see --help'],
  [['--peak-rate', '3'], 'hot does not take --peak-rate: see --help'],
  [['3'], '3 is not expected here: see --help'],
])('refuses %j in one line', (argv, message) => {
  expect(() => readSettings(hot, argv, {})).toThrow(new UsageError(message));
});

test('every scenario has a question, defaults in range, and a line of help for each of its settings', () => {
  const help = describeSettings(SCENARIOS);
  for (const scenario of SCENARIOS) {
    expect(questionOf(scenario)).toMatch(/^[A-Z].*\?$/);
    const given = Object.entries(scenario.defaults).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    expect(() => readSettings(scenario, [], Object.fromEntries(given))).not.toThrow();
    for (const name of settingsOf(scenario).keys())
      expect(help).toContain(`--${name.toLowerCase().replaceAll('_', '-')}`);
  }
});
