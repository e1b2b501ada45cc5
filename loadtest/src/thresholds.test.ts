import { expect, test } from 'vitest';
import { thresholdsOf } from './thresholds.js';

test('tells thresholds in the order of their names, each with the value beside its limit', () => {
  const metrics = {
    visits_failed: { values: { count: 3 }, thresholds: { 'count==0': { ok: false } } },
    checks: { values: { rate: 0.99876 }, thresholds: { 'rate==1': { ok: false } } },
    http_req_duration: {
      values: { 'p(99)': 12.345678, max: 90 },
      thresholds: { 'p(99)<50': { ok: true }, 'max<=100': { ok: true } },
    },
    iterations: { values: { count: 1 } },
    'seen{a:b}': { values: {}, thresholds: { 'count>1': { ok: false } } },
  };
  const found = thresholdsOf({ state: { testRunDurationMs: 1 }, metrics });
  expect(found.map(({ text, holds }) => [text, holds])).toEqual([
    ['checks: rate==1, was 0.9988', false],
    ['http_req_duration: max<=100, was 90', true],
    ['http_req_duration: p(99)<50, was 12.3457', true],
    ['seen{a:b}: count>1', false],
    ['visits_failed: count==0, was 3', false],
  ]);
});
