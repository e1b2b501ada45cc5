import { expect, test } from 'vitest';
import { findOutageFaults, type Phase, planOutages } from './outage.js';
import { SCENARIOS } from './scenarios.js';
import { readSettings } from './settings.js';

const outage = SCENARIOS.find(({ name }) => name === 'outage')!;
const phaseAt = (phases: readonly Phase[], seconds: number) =>
  phases.findLast(({ fromSeconds }) => seconds >= fromSeconds);
const plan = (...argv: string[]) => planOutages(readSettings(outage, argv, {}));

test('each engine alone is down for 15 of 90 seconds, Redis before Postgres', () => {
  expect(plan().outages).toMatchObject([
    { engine: 'clickhouse', stopSeconds: 10, startSeconds: 25, backSeconds: 30 },
    { engine: 'redis', stopSeconds: 35, startSeconds: 50, backSeconds: 55 },
    { engine: 'postgres', stopSeconds: 60, startSeconds: 75, backSeconds: 80 },
  ]);
});

test('the plan scales with the duration, except the first second without an engine', () => {
  expect(plan('--duration-seconds', '180').outages[1]).toMatchObject({ stopSeconds: 70, startSeconds: 100 });
  const { phases } = plan('--duration-seconds', '180');
  expect(phaseAt(phases, 70.9)?.name).toBe('redis-first');
  expect(phaseAt(phases, 71)?.name).toBe('redis');
});

test('phases are in order, and only those of Postgres change the answers that need it', () => {
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

const faults = (...argv: string[]) => findOutageFaults(readSettings(outage, argv, {}));

test('reports all faults of a plan at once, with a possible number of links', () => {
  const [target, duration, links] = faults('--duration-seconds', '59', '--rate', '23', '--target', 'local');
  expect(target).toContain('omit --target');
  expect(duration).toBe('--duration-seconds 59: outage needs at least 60');
  expect(links).toMatch(/^--links 1000: .*at most 69 links/);
  expect(faults('--duration-seconds', '60', '--rate', '23', '--links', '69')).toEqual([]);
  expect(faults('--duration-seconds', '60', '--rate', '23', '--links', '70')).toHaveLength(1);
});

test('accepts the defaults, and more links at a higher rate', () => {
  expect(faults()).toEqual([]);
  expect(faults('--links', '2000')).toHaveLength(1);
  expect(faults('--links', '2000', '--rate', '500')).toEqual([]);
});
