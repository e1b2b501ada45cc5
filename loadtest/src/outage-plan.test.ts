import { expect, test } from 'vitest';
import { phaseAt, planOutages } from './outage-plan.js';
import { SCENARIOS } from './scenarios.js';
import { readSettings, UsageError } from './settings.js';

const outage = SCENARIOS.find(({ name }) => name === 'outage')!;
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

test('refuses a plan with no time to start an engine, or to visit each link before Postgres goes', () => {
  expect(() => plan('--duration-seconds', '44')).toThrow(UsageError);
  expect(() => plan('--links', '2000')).toThrow(UsageError);
  expect(() => plan('--links', '2000', '--rate', '500')).not.toThrow();
});
