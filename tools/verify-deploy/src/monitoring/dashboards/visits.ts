import type { Dashboard } from '../dashboard.js';

const HERE = 'instance=~"$instance"';

export const visits: Dashboard = {
  uid: 'smartlink-visits',
  title: 'Smartlink: visits',
  description: 'What visitors get, how fast, and the workers that answer them.',
  instancesOf: 'smartlink-redirect',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Visits a second',
          description: 'Answers to visitors, of every kind.',
          unit: 'reqps',
          kind: 'stat',
          queries: [
            {
              expr: `sum(rate(smartlink_redirect_visits_total{${HERE}}[$__rate_interval]))`,
              legend: 'visits',
            },
          ],
        },
        {
          title: 'Answered badly',
          description:
            'Part of the answers that were 503 or a fault of ours. The objective allows 0.05 % over 30 days.',
          unit: 'percentunit',
          kind: 'stat',
          thresholds: { warn: 0.0005, bad: 0.005 },
          queries: [
            {
              expr: `sum(rate(smartlink_redirect_visits_total{${HERE}, outcome=~"unavailable|error"}[$__rate_interval])) / sum(rate(smartlink_redirect_visits_total{${HERE}}[$__rate_interval]))`,
              legend: 'bad',
            },
          ],
        },
        {
          title: 'Workers that can serve',
          description: 'Of all instances chosen. One of each core is usual (REDIRECT_PROCESSES).',
          unit: 'none',
          kind: 'stat',
          thresholds: { warn: 2, bad: 1, side: 'low' },
          queries: [{ expr: `sum(smartlink_redirect_workers{${HERE}, state="ready"})`, legend: 'ready' }],
        },
        {
          title: 'Visitors who wait',
          description: 'Requests that wait for Redis, Postgres, a page or a password check at this moment.',
          unit: 'none',
          kind: 'stat',
          thresholds: { warn: 100, bad: 500 },
          queries: [{ expr: `sum(smartlink_redirect_requests_waiting{${HERE}})`, legend: 'waiting' }],
        },
      ],
    },
    {
      title: 'Answers',
      panels: [
        {
          title: 'Visits by outcome',
          description:
            'How visits end. `unavailable` is a 503, `error` a fault of ours; `not_found` is often a guessed address.',
          unit: 'reqps',
          kind: 'stacked',
          queries: [
            {
              expr: `sum by (outcome) (rate(smartlink_redirect_visits_total{${HERE}}[$__rate_interval])) > 0`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Visits by instance',
          description: 'A balancer in front should deal them out evenly.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (instance) (rate(smartlink_redirect_visits_total{${HERE}}[$__rate_interval]))`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'How fast',
      panels: [
        {
          title: 'Time to an answer',
          description:
            'At the server, of all visits but password checks, which are slow on purpose. The objective: 99 % within 10 ms.',
          unit: 's',
          thresholds: { warn: 0.01, bad: 0.1 },
          queries: [0.5, 0.99, 0.999].map((part) => ({
            expr: `histogram_quantile(${part}, sum by (le) (rate(smartlink_redirect_visit_duration_seconds_bucket{${HERE}, outcome!~"unlocked|wrong_password|refused_unlock"}[$__rate_interval])))`,
            legend: `${part * 100} %`,
          })),
        },
        {
          title: 'Time to an answer by outcome',
          description: '99 % of the visits of each outcome were faster.',
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le, outcome) (rate(smartlink_redirect_visit_duration_seconds_bucket{${HERE}}[$__rate_interval])))`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Time of a look-up beyond memory',
          description:
            '99 % of the look-ups were faster, by who answered. `failed` ones ended in a stale entry or a 503.',
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le, source) (rate(smartlink_redirect_lookup_duration_seconds_bucket{${HERE}}[$__rate_interval])))`,
              legend: '{{source}}',
            },
          ],
        },
        {
          title: 'Open connections',
          description: 'Of visitors, and of the proxies that bring them.',
          unit: 'short',
          queries: [
            { expr: `sum by (instance) (smartlink_redirect_connections{${HERE}})`, legend: '{{instance}}' },
          ],
        },
      ],
    },
    {
      title: 'Passwords and pages',
      panels: [
        {
          title: 'Tries at passwords',
          description: 'Many wrong or refused ones are somebody who guesses; the limits hold them off.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (outcome) (rate(smartlink_redirect_visits_total{${HERE}, outcome=~"unlock_form|unlocked|wrong_password|refused_unlock"}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Files of links made and reused',
          description: 'Pages and codes made by the rendering thread, and answers from those kept.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_pages_total{${HERE}}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
        {
          title: 'Files that wait to be made',
          description:
            'More than a few for long: the rendering thread has too much to do, and visitors of cold pages wait.',
          unit: 'none',
          queries: [
            {
              expr: `sum by (instance) (smartlink_redirect_pages{${HERE}, measure="waiting"})`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Workers',
      panels: [
        {
          title: 'Workers by state',
          description: 'Ready ones can serve. A draining one has a successor and lets its visitors leave.',
          unit: 'none',
          queries: [{ expr: `sum by (state) (smartlink_redirect_workers{${HERE}})`, legend: '{{state}}' }],
        },
        {
          title: 'Workers started again',
          description: 'Each was a crash, or a kill by the system for want of memory.',
          unit: 'none',
          queries: [
            {
              expr: `sum by (instance) (increase(smartlink_redirect_worker_restarts_total{${HERE}}[$__rate_interval]))`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Delay of the event loop',
          description:
            'The worst worker of each instance, 99 % of the moments. Above 100 ms visitors notice.',
          unit: 's',
          thresholds: { warn: 0.05, bad: 0.1 },
          queries: [
            {
              expr: `max by (instance) (smartlink_redirect_event_loop_lag_seconds{${HERE}, quantile="0.99"})`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Memory of all workers',
          description:
            'Resident bytes. It is bounded by L1_BYTES_MAX and PAGES_BYTES_MAX of each worker, and what the code takes.',
          unit: 'bytes',
          queries: [
            {
              expr: `sum by (instance) (smartlink_redirect_resident_memory_bytes{${HERE}})`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
  ],
};
