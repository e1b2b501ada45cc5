import { expect, onTestFinished, test } from 'vitest';
import type { VisitResult } from './metric-definitions.js';
import { createHistogram, createVisitCounters, createVisitTimer, recordResult } from './worker-metrics.js';

const create = () => createHistogram('duration', { values: ['a', 'b'], buckets: [0.001, 0.01, 0.1] });

test('a duration is counted in the bucket of the first bound that it does not exceed', () => {
  const histogram = create();
  for (const seconds of [0.0005, 0.001, 0.0011, 0.1, 0.2]) histogram.observe('a', seconds);
  const { 'duration|a|sum': sum, ...buckets } = histogram.report();
  expect(buckets).toEqual({
    'duration|a|0.001': 2,
    'duration|a|0.01': 1,
    'duration|a|0.1': 1,
    'duration|a|+Inf': 1,
  });
  expect(sum).toBeCloseTo(0.3026, 10);
});

test('a weighted duration is counted by its weight, and empty buckets are left out', () => {
  const histogram = create();
  histogram.observe('b', 0.05, 7);
  expect(histogram.report()).toEqual({ 'duration|b|0.1': 7, 'duration|b|sum': 0.05 * 7 });
});

test('an unknown label value is not counted', () => {
  const histogram = create();
  histogram.observe('c', 0.05);
  expect(histogram.report()).toEqual({});
});

/** A timer whose clock stands still but for what `advance` adds. */
function createTrial() {
  let time = 1_000;
  const counters = createVisitCounters();
  const timer = createVisitTimer(counters, () => time);
  onTestFinished(timer.stop);
  const visit = (outcome: VisitResult, tookMs: number): boolean => {
    const tally = { outcome: null };
    const beganAt = timer.begin();
    time += tookMs;
    recordResult(counters, tally, outcome);
    if (beganAt !== 0) timer.endAtOnce(tally, beganAt);
    return beganAt !== 0;
  };
  return { counters, timer, visit, now: () => time, advance: (ms: number) => (time += ms) };
}

const countOf = (report: Readonly<Record<string, number>>, outcome: VisitResult): number =>
  Object.entries(report)
    .filter(([key]) => key.startsWith(`visit_duration_seconds|${outcome}|`) && !key.endsWith('|sum'))
    .reduce((sum, [, count]) => sum + count, 0);

test('few visits are timed one by one, each in its own bucket', () => {
  const { timer, visit } = createTrial();
  for (const tookMs of [0.005, 0.02, 2]) expect(visit('redirect', tookMs)).toBe(true);
  expect(timer.report()).toMatchObject({
    'visit_duration_seconds|redirect|0.00001': 1,
    'visit_duration_seconds|redirect|0.000025': 1,
    'visit_duration_seconds|redirect|0.0025': 1,
  });
});

test('one in n visits is timed, with the weight of all visits of its outcome since the previous one', () => {
  const { counters, timer, visit } = createTrial();
  for (let i = 0; i < 5_000; i += 1) visit('redirect', 0.01);
  timer.tick();
  const timed = Array.from({ length: 5_000 }, () => visit('redirect', 0.01)).filter(Boolean).length;
  expect(timed).toBe(100);
  const counted = countOf(timer.report(), 'redirect');
  expect(counted).toBeLessThanOrEqual(counters.redirect);
  expect(counted).toBeGreaterThan(counters.redirect - 50);
});

test('after a quiet tick every visit is timed, and the count of a rare outcome catches up', () => {
  const { counters, timer, visit } = createTrial();
  for (let i = 0; i < 5_000; i += 1) visit('redirect', 0.01);
  timer.tick();
  for (let i = 0; i < 49; i += 1) visit(i === 20 ? 'not_found' : 'redirect', 0.01);
  timer.tick();
  expect(visit('not_found', 0.01)).toBe(true);
  expect(visit('redirect', 0.01)).toBe(true);
  const report = timer.report();
  expect(countOf(report, 'not_found')).toBe(counters.not_found);
  expect(countOf(report, 'redirect')).toBe(counters.redirect);
});

test('a waiting visit is always timed, and nothing is counted twice', () => {
  const { counters, timer, visit, advance, now } = createTrial();
  for (let i = 0; i < 5_000; i += 1) visit('page', 0.01);
  timer.tick();
  const tally = { outcome: null };
  const beganAt = now();
  advance(300);
  recordResult(counters, tally, 'page');
  // One that is answered at once in between takes it along; the next ones make up for that.
  timer.tick();
  visit('page', 0.01);
  timer.endWaiting(tally, beganAt);
  visit('page', 0.01);
  visit('page', 0.01);
  const report = timer.report();
  expect(report['visit_duration_seconds|page|0.5']).toBe(1);
  expect(countOf(report, 'page')).toBe(counters.page);
});

test('a request that is not a visit is not timed', () => {
  const { timer } = createTrial();
  timer.endAtOnce({ outcome: null }, timer.begin());
  timer.endWaiting({ outcome: null }, 1);
  expect(timer.report()).toEqual({});
});
