import { expect, test } from 'vitest';
import { createHistogram } from './histogram.js';

const create = () =>
  createHistogram({ metric: 'duration', labelValues: ['a', 'b'], bounds: [0.001, 0.01, 0.1] });

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

test('one that stands for several is counted so many times, and what has nothing is left out', () => {
  const histogram = create();
  histogram.observe('b', 0.05, 7);
  expect(histogram.report()).toEqual({ 'duration|b|0.1': 7, 'duration|b|sum': 0.05 * 7 });
});

test('an unknown label value is not counted', () => {
  const histogram = create();
  histogram.observe('c', 0.05);
  expect(histogram.report()).toEqual({});
});
