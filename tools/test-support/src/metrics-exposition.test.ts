import { expect, test } from 'vitest';
import { readExposition } from './metrics-exposition.js';

const COUNTER = '# HELP smartlink_a_total Help\n# TYPE smartlink_a_total counter\n';
const HISTOGRAM = '# HELP h Help\n# TYPE h histogram\n';

test('what is written by the rules is read', () => {
  const shown = readExposition(
    `${COUNTER}smartlink_a_total{x="1"} 0\nsmartlink_a_total{x="2"} 5\n${HISTOGRAM}h_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2\n`,
  );
  expect(shown.get('smartlink_a_total')).toEqual({
    type: 'counter',
    help: 'Help',
    labels: new Map([['x', new Set(['1', '2'])]]),
  });
  expect(shown.get('h')).toEqual({ type: 'histogram', help: 'Help', labels: new Map() });
});

test.each([
  ['a metric without TYPE', '# HELP smartlink_a_total Help\nsmartlink_a_total 1\n'],
  ['a metric that is described twice', `${COUNTER}smartlink_a_total 1\n${COUNTER}smartlink_a_total 1\n`],
  ['a series twice', `${COUNTER}smartlink_a_total 1\nsmartlink_a_total 1\n`],
  ['a sample of another metric', `${COUNTER}smartlink_b_total 1\n`],
  ['a metric without samples', COUNTER],
  ['a gauge that is named like a counter', COUNTER.replace('counter', 'gauge') + 'smartlink_a_total 1\n'],
  ['what is no number', `${COUNTER}smartlink_a_total many\n`],
  ['buckets that fall', `${HISTOGRAM}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 3\nh_count 1\n`],
  [
    'bounds that fall',
    `${HISTOGRAM}h_bucket{le="2"} 1\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 1\nh_sum 3\nh_count 1\n`,
  ],
  ['no last bucket', `${HISTOGRAM}h_bucket{le="1"} 1\nh_sum 3\nh_count 1\n`],
  ['another count', `${HISTOGRAM}h_bucket{le="+Inf"} 1\nh_sum 3\nh_count 2\n`],
  ['no sum', `${HISTOGRAM}h_bucket{le="+Inf"} 1\nh_count 1\n`],
  ['a last line without an end', `${COUNTER}smartlink_a_total 1`],
])('%s is refused', (_what, text) => {
  expect(() => readExposition(text)).toThrow();
});
