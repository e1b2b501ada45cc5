import type { Dashboard, Panel } from '../dashboard.js';

// Prometheus must have watched for as long as the shortest window of a rule, five minutes at most.
const NEEDS_A_LONG_WATCH = 'Prometheus works long windows out every five minutes';

function burn(window: string, factor: number): Panel {
  return {
    title: `Burn rate over ${window}`,
    description: `1 spends the budget of 30 days in just that time. Above ${factor} an alert asks whether it goes on.`,
    unit: 'none',
    thresholds: { warn: 1, bad: factor },
    queries: [
      {
        expr: `slo:error_ratio:${window} / on (slo) (1 - slo:objective)`,
        legend: '{{slo}}',
        ...(window === '3d' && { emptyUnless: NEEDS_A_LONG_WATCH }),
      },
    ],
  };
}

export const slo: Dashboard = {
  uid: 'smartlink-slo',
  title: 'Smartlink: objectives',
  description:
    'What was promised, how much of it is left, and how fast it goes. docs/slo.md defines each objective.',
  rows: [
    {
      title: 'Error budget of 30 days',
      panels: [
        {
          title: 'Left of the budget',
          description:
            '100 %: nothing was bad. 0 %: all that the objective allows was bad. Below: the objective is missed.',
          unit: 'percentunit',
          kind: 'stat',
          min: -1,
          max: 1,
          thresholds: { warn: 0.5, bad: 0, side: 'low' },
          queries: [{ expr: 'slo:budget_left:30d', legend: '{{slo}}', emptyUnless: NEEDS_A_LONG_WATCH }],
        },
      ],
    },
    { title: 'How fast it goes', panels: [burn('1h', 14.4), burn('6h', 6), burn('3d', 1)] },
    {
      title: 'Now',
      panels: [
        {
          title: 'Part that is bad',
          description: 'Over five minutes, by objective.',
          unit: 'percentunit',
          queries: [{ expr: 'slo:error_ratio:5m', legend: '{{slo}}' }],
        },
        {
          title: 'What is counted',
          description:
            'Events a second behind each objective; seconds a second behind those that count time.',
          unit: 'cps',
          queries: [{ expr: 'slo:total:rate5m', legend: '{{slo}}' }],
        },
      ],
    },
    {
      title: 'Alerts',
      panels: [
        {
          title: 'Firing now',
          description:
            'The link of each alert leads to its section of docs/runbook.md. Watchdog fires always.',
          unit: 'none',
          kind: 'table',
          queries: [
            {
              expr: 'sum by (alertname, severity, slo, instance) (ALERTS{alertstate="firing"})',
              legend: '{{alertname}}',
            },
          ],
        },
        {
          title: 'Firing over time',
          description: 'Alerts that want a person, by name.',
          unit: 'none',
          kind: 'stacked',
          queries: [
            {
              expr: 'count by (alertname) (ALERTS{alertstate="firing", severity!="none"})',
              legend: '{{alertname}}',
              emptyUnless: 'a fault lasts long enough for an alert',
            },
          ],
        },
      ],
    },
  ],
};
