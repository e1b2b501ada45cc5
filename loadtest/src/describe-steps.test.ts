import { expect, test } from 'vitest';
import { describeSteps } from './describe-steps.js';
import { SCENARIOS } from './scenarios.js';
import { readSettings } from './settings.js';
import type { K6Summary } from './k6-summary.js';

const breakpoint = SCENARIOS.find(({ name }) => name === 'breakpoint')!;
const settings = readSettings(breakpoint, ['--rate', '100', '--step-rate', '50', '--steps-max', '4'], {});

const step = (count: number, p99Ms: number) => ({
  values: { count, 'p(99)': p99Ms },
  thresholds: { 'p(99)<50': { ok: p99Ms < 50 } },
});

function summaryOf(third: number, failedOk = true): K6Summary {
  return {
    state: { testRunDurationMs: 30_000 },
    metrics: {
      'http_req_duration{rate:100}': step(1_000, 2),
      'http_req_duration{rate:150}': step(1_500, 9),
      'http_req_duration{rate:200}': step(700, third),
      // Never reached.
      'http_req_duration{rate:250}': step(0, 0),
      visits_failed: { values: { count: 0 }, thresholds: { 'count==0': { ok: failedOk } } },
    },
  };
}

test('says which rate broke, why, and which was the last that held', () => {
  const lines = describeSteps(summaryOf(80), settings);
  expect(lines.at(-1)).toBe('It broke at 200 a second (p99); 150 a second held.');
  expect(lines.filter((line) => line.startsWith('✓'))).toHaveLength(2);
  expect(lines.filter((line) => line.startsWith('✗'))).toHaveLength(1);
});

test('says so when answers were wrong, and when nothing broke', () => {
  expect(describeSteps(summaryOf(10, false), settings).at(-1)).toContain('200 a second (visits_failed)');
  expect(describeSteps(summaryOf(10), settings).at(-1)).toBe('Nothing broke up to 200 a second.');
});
