import type { Dashboard } from '../dashboard.js';

const HERE = 'job="smartlink-management", instance=~"$instance"';
const API = `${HERE}, route!~"/-/.*"`;

export const api: Dashboard = {
  uid: 'smartlink-api',
  title: 'Smartlink: API and management',
  description:
    'Requests to the API, and what management does by itself: rolling up, webhooks, checks of URLs.',
  instancesOf: 'smartlink-management',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Requests a second',
          description: 'To the API; health checks and metrics are left out.',
          unit: 'reqps',
          kind: 'stat',
          queries: [
            {
              expr: `sum(rate(smartlink_api_request_duration_seconds_count{${API}}[$__rate_interval]))`,
              legend: 'requests',
            },
          ],
        },
        {
          title: 'Answered with 5xx',
          description: 'Part of the requests. The objective allows 0.1 % over 30 days.',
          unit: 'percentunit',
          kind: 'stat',
          thresholds: { warn: 0.001, bad: 0.01 },
          queries: [
            {
              expr: `sum(rate(smartlink_api_responses_total{${HERE}, class="5xx"}[$__rate_interval])) / sum(rate(smartlink_api_responses_total{${HERE}}[$__rate_interval]))`,
              legend: '5xx',
            },
          ],
        },
        {
          title: 'Faster than, 99 %',
          description:
            'Of all requests. Bulk calls, exports and figures of long times take longer by nature.',
          unit: 's',
          kind: 'stat',
          thresholds: { warn: 0.25, bad: 1 },
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le) (rate(smartlink_api_request_duration_seconds_bucket{${API}}[$__rate_interval])))`,
              legend: '99 %',
            },
          ],
        },
        {
          title: 'Last rolled up',
          description: 'By any process. Every 30 s is usual; figures stay exact without it and become slow.',
          unit: 's',
          kind: 'stat',
          thresholds: { warn: 300, bad: 900 },
          queries: [
            {
              expr: 'time() - max(smartlink_rollup_last_success_timestamp_seconds > 0)',
              legend: 'ago',
            },
          ],
        },
      ],
    },
    {
      title: 'Requests',
      panels: [
        {
          title: 'By status',
          description: 'Of the API.',
          unit: 'reqps',
          kind: 'stacked',
          queries: [
            {
              expr: `sum by (status) (rate(smartlink_api_request_duration_seconds_count{${API}}[$__rate_interval]))`,
              legend: '{{status}}',
            },
          ],
        },
        {
          title: 'By route',
          description: 'The ten that are asked most.',
          unit: 'reqps',
          queries: [
            {
              expr: `topk(10, sum by (method, route) (rate(smartlink_api_request_duration_seconds_count{${API}}[$__rate_interval])))`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
        {
          title: 'Slowest routes',
          description: '99 % of the requests of a route were faster. The ten slowest.',
          unit: 's',
          queries: [
            {
              expr: `topk(10, histogram_quantile(0.99, sum by (le, method, route) (rate(smartlink_api_request_duration_seconds_bucket{${API}}[$__rate_interval]))))`,
              legend: '{{method}} {{route}}',
            },
          ],
        },
      ],
    },
    {
      title: 'What requests wait for',
      panels: [
        {
          title: 'Connections to Postgres',
          description:
            'Of the pool (POSTGRES_CONNECTIONS_MAX), and who waits for one. Waiting for long: slow statements, or too small a pool.',
          unit: 'none',
          queries: [
            { expr: `sum by (state) (smartlink_postgres_connections{${HERE}})`, legend: '{{state}}' },
            { expr: `sum(smartlink_postgres_requests_waiting{${HERE}})`, legend: 'waiting' },
            { expr: `sum(smartlink_postgres_connections_max{${HERE}})`, legend: 'most' },
          ],
        },
        {
          title: 'Time of a question to ClickHouse',
          description: '99 % were faster. Analytics ask it, and lists and fetches for their totals.',
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le, result) (rate(smartlink_clickhouse_query_duration_seconds_bucket{${HERE}}[$__rate_interval])))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Rate limit',
          description:
            '`refused`: a user went beyond their plan. `uncounted`: Redis did not answer, and the request passed.',
          unit: 'reqps',
          queries: [
            {
              expr: `sum by (result) (rate(smartlink_rate_limit_checks_total{${HERE}}[$__rate_interval]))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Under way',
          description: 'Requests that are being answered, and open connections.',
          unit: 'none',
          queries: [
            { expr: `sum(smartlink_api_requests_in_flight{${HERE}})`, legend: 'requests' },
            { expr: `sum(smartlink_api_connections{${HERE}})`, legend: 'connections' },
          ],
        },
        {
          title: 'Redis and breakers',
          description: 'Processes without Redis, and breakers that are open.',
          unit: 'none',
          thresholds: { warn: 1, bad: 1 },
          queries: [
            { expr: `count(smartlink_redis_connected{${HERE}} == 0) or vector(0)`, legend: 'without Redis' },
            { expr: `sum by (breaker) (smartlink_breaker_open{${HERE}})`, legend: '{{breaker}}' },
          ],
        },
      ],
    },
    {
      title: 'Work in the background',
      panels: [
        {
          title: 'Turns at rolling up',
          description: 'One process at a time takes a turn; the others skip theirs.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (outcome) (rate(smartlink_rollup_turns_total{${HERE}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Attempts to deliver webhooks',
          description:
            '`retried` ones are tried again for 24 h; `failed` ones were the last of their message.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (result) (rate(smartlink_webhook_attempts_total{${HERE}}[$__rate_interval]))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Webhooks that wait',
          description:
            'Messages that wait for their first attempt or the next, and how long the most overdue one has been due.',
          unit: 'short',
          queries: [
            { expr: 'max(smartlink_webhook_pending)', legend: 'messages' },
            { expr: 'max(smartlink_webhook_overdue_seconds)', legend: 'overdue, seconds' },
          ],
        },
        {
          title: 'Checks of URLs',
          description:
            'Failed and skipped ones leave the URLs unjudged, or refuse them (SAFETY_FAIL_CLOSED). Empty unless SAFETY_PROVIDER names a provider.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (outcome) (rate(smartlink_url_safety_checks_total{${HERE}}[$__rate_interval]))`,
              legend: '{{outcome}}',
            },
            {
              expr: 'max(smartlink_url_checks_overdue)',
              legend: 'overdue links',
            },
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Delay of the event loop',
          description: '99 % of the moments since the last scrape. Above 200 ms callers notice.',
          unit: 's',
          thresholds: { warn: 0.1, bad: 0.2 },
          queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{${HERE}}`, legend: '{{instance}}' }],
        },
        {
          title: 'Memory',
          description: 'Resident, and of it the heap in use.',
          unit: 'bytes',
          queries: [
            { expr: `process_resident_memory_bytes{${HERE}}`, legend: '{{instance}}' },
            { expr: `nodejs_heap_size_used_bytes{${HERE}}`, legend: '{{instance}} heap' },
          ],
        },
        {
          title: 'Processor',
          description: '1 is a whole core; one process of Node hardly uses more.',
          unit: 'percentunit',
          queries: [
            { expr: `rate(process_cpu_seconds_total{${HERE}}[$__rate_interval])`, legend: '{{instance}}' },
          ],
        },
      ],
    },
  ],
};
