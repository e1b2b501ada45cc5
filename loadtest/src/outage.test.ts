import { expect, test } from 'vitest';
import { type Phase, planOutages, problemsOfOutages } from './outage.js';
import { SCENARIOS } from './scenarios.js';
import { readSettings } from './settings.js';

const outage = SCENARIOS.find(({ name }) => name === 'outage')!;
const phaseAt = (phases: readonly Phase[], seconds: number) =>
  phases.findLast(({ fromSeconds }) => seconds >= fromSeconds);
const plan = (...argv: string[]) => planOutages(readSettings(outage, argv, {}));

test('each engine is away by itself for 15 of 90 seconds, in an order in which Redis can be filled again', () => {
  expect(plan().outages).toEqual([
    { engine: 'clickhouse', stopSeconds: 10, startSeconds: 25, backSeconds: 30 },
    { engine: 'redis', stopSeconds: 35, startSeconds: 50, backSeconds: 55 },
    { engine: 'postgres', stopSeconds: 60, startSeconds: 75, backSeconds: 80 },
  ]);
});

test('the plan grows with the duration, and the first second without an engine stays a second', () => {
  expect(plan('--duration-seconds', '180').outages[1]).toMatchObject({ stopSeconds: 70, startSeconds: 100 });
  const { phases } = plan('--duration-seconds', '180');
  expect(phaseAt(phases, 70.9)?.name).toBe('redis-first');
  expect(phaseAt(phases, 71)?.name).toBe('redis');
});

test('phases follow each other, and only those of Postgres change what needs it', () => {
  const { phases } = plan();
  const at = (seconds: number) => phaseAt(phases, seconds);
  expect([0, 12, 26, 31, 40, 52, 57].map((seconds) => at(seconds)?.postgres)).toEqual(Array(7).fill('here'));
  expect([60, 61, 74.9, 75, 80].map((seconds) => at(seconds)?.postgres)).toEqual([
    'either',
    'away',
    'away',
    'either',
    'here',
  ]);
  const begins = phases.map(({ fromSeconds }) => fromSeconds);
  expect(begins).toEqual(begins.toSorted((a, b) => a - b));
});

const problems = (...argv: string[]) => problemsOfOutages(readSettings(outage, argv, {}));

test('names everything that is wrong with a plan at once, and a number of links that cures it', () => {
  const [target, duration, links] = problems('--duration-seconds', '59', '--rate', '23', '--target', 'local');
  expect(target).toContain('leave --target out');
  expect(duration).toBe('--duration-seconds 59: outage needs 60 at least');
  expect(links).toMatch(/^--links 1000: use --links 69, /);
  expect(problems('--duration-seconds', '60', '--rate', '23', '--links', '69')).toEqual([]);
  expect(problems('--duration-seconds', '60', '--rate', '23', '--links', '70')).toHaveLength(1);
});

test('takes the defaults, and more links at a higher rate', () => {
  expect(problems()).toEqual([]);
  expect(problems('--links', '2000')).toHaveLength(1);
  expect(problems('--links', '2000', '--rate', '500')).toEqual([]);
});
