import { expect, it } from 'vitest';
import { partsOf, withoutVariables } from './expression.js';

it('finds each series an expression selects, and the labels it names', () => {
  const expr =
    'sum by (instance) (rate(a_total{x="by (no)", y=~"b|c"}[5m] offset 1h)) / on (instance) group_left (z) max_over_time(d:e[1h:1m]) > bool 3e3 and f unless vector(1)';
  expect(partsOf(expr)).toEqual({
    clauseLabels: ['instance', 'instance', 'z'],
    selectors: [
      {
        metric: 'a_total',
        matchers: [
          { label: 'x', operator: '=', value: 'by (no)' },
          { label: 'y', operator: '=~', value: 'b|c' },
        ],
      },
      { metric: 'd:e', matchers: [] },
      { metric: 'f', matchers: [] },
    ],
  });
});

it("puts values in the place of Grafana's variables", () => {
  expect(withoutVariables('rate(a{instance=~"$instance"}[$__rate_interval])', '15s')).toBe(
    'rate(a{instance=~".*"}[15s])',
  );
});
