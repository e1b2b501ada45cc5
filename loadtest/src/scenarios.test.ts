import { expect, test } from 'vitest';
import { brokenThresholds, type K6Summary } from './k6.js';
import { describeSteps } from './scenarios.js';

const RATES = [100, 150, 200, 250];

const step = (count: number, p99Ms: number) => ({
  ...{ count, 'p(99)': p99Ms },
  thresholds: { 'p(99)<50': p99Ms >= 50 },
});

function summaryOf(third: number, hasFailed = false): K6Summary {
  return {
    metrics: {
      'http_req_duration{rate:100}': step(1_000, 2),
      'http_req_duration{rate:150}': step(1_500, 9),
      'http_req_duration{rate:200}': step(700, third),
      // Never reached.
      'http_req_duration{rate:250}': step(0, 0),
      visits_failed: { count: 0, thresholds: { 'count==0': hasFailed } },
      iterations: { count: 1 },
    },
  };
}

test('names the rate that broke, the cause, and the last rate that held', () => {
  const line = describeSteps(summaryOf(80), RATES);
  expect(line).toBe('It broke at 200 per second (p99); 150 per second held.');
});

test('names wrong answers, a run without a fault, and one without a step', () => {
  expect(describeSteps(summaryOf(10, true), RATES)).toContain('200 per second (visits_failed)');
  expect(describeSteps(summaryOf(10), RATES)).toBe('Nothing broke up to 200 per second.');
  expect(describeSteps({ metrics: {} }, RATES)).toBe('No step was reached.');
});

test('lists only broken thresholds', () => {
  expect(brokenThresholds(summaryOf(80, true))).toEqual([
    'http_req_duration{rate:200}: p(99)<50',
    'visits_failed: count==0',
  ]);
});
