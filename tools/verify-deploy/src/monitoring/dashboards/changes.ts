import type { Dashboard } from '../dashboard.js';

const HERE = 'instance=~"$instance"';

export const changes: Dashboard = {
  uid: 'smartlink-changes',
  title: 'Smartlink: changes and caches',
  description: 'How a change reaches every worker, and where visits find their link.',
  instancesOf: 'smartlink-redirect',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Oldest change not published',
          description:
            'Committed in Postgres, not yet known to be in Redis. Nearly always 0; after 5 s redirect publishes it too.',
          unit: 's',
          kind: 'stat',
          thresholds: { warn: 5, bad: 10 },
          queries: [{ expr: 'max(smartlink_outbox_oldest_seconds)', legend: 'oldest' }],
        },
        {
          title: 'Found in memory',
          description:
            'Part of the visits whose link a worker had ready. Links that are rarely visited lower it; a fall of it needs a reason.',
          unit: 'percentunit',
          kind: 'stat',
          max: 1,
          queries: [
            {
              expr: `sum(rate(smartlink_redirect_cache_lookups_total{${HERE}, result=~"hits|absent_hits"}[$__rate_interval])) / sum(rate(smartlink_redirect_cache_lookups_total{${HERE}, result=~"hits|absent_hits|misses"}[$__rate_interval]))`,
              legend: 'hits',
            },
          ],
        },
        {
          title: 'Workers without Redis',
          description:
            'They ask Postgres for what they do not hold. The first thing to look at when visits become slow.',
          unit: 'none',
          kind: 'stat',
          thresholds: { warn: 1, bad: 2 },
          queries: [
            {
              expr: `sum(smartlink_redirect_workers{${HERE}, state="listening"}) - sum(smartlink_redirect_redis_connections{${HERE}, state="ready"})`,
              legend: 'without',
            },
          ],
        },
        {
          title: 'Answers from stale entries',
          description:
            'A second. Entries past their life, served since neither Redis nor Postgres answered; up to an hour old.',
          unit: 'reqps',
          kind: 'stat',
          thresholds: { warn: 0.1, bad: 10 },
          queries: [
            {
              expr: `sum(rate(smartlink_redirect_cache_lookups_total{${HERE}, result="stale_served"}[$__rate_interval]))`,
              legend: 'stale',
            },
          ],
        },
      ],
    },
    {
      title: 'Publishing',
      panels: [
        {
          title: 'Time from commit to Redis',
          description:
            '99 % of the changes were published faster, by who did it. The objective: 99.9 % within half a second.',
          unit: 's',
          thresholds: { warn: 0.5, bad: 5 },
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (le, outcome) (rate(smartlink_change_publish_delay_seconds_bucket[$__rate_interval])))',
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Time on the change feed',
          description:
            '99 % of the messages reached the workers of their host faster. Added to the time before, it is how old a visit may be.',
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le, instance) (rate(smartlink_redirect_change_feed_delay_seconds_bucket{${HERE}}[$__rate_interval])))`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Who publishes',
      panels: [
        {
          title: 'Published by',
          description:
            'Slugs a second. `request`: before the API answered; `relay`: after that; `failed` ones are left to the relay.',
          unit: 'ops',
          queries: [
            {
              expr: 'sum by (outcome) (rate(smartlink_published_slugs_total[$__rate_interval]))',
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Time to publish',
          description:
            '99 % of the publishings of requests and of the relay were faster. A request waits for 150 ms at most.',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.99, sum by (le, outcome) (rate(smartlink_publish_duration_seconds_bucket[$__rate_interval])))',
              legend: '{{outcome}}',
            },
          ],
        },
        {
          title: 'Waiting in the outbox',
          description: 'Changes that are committed and not yet known to be published.',
          unit: 'short',
          queries: [{ expr: 'max(smartlink_outbox_depth)', legend: 'changes' }],
        },
        {
          title: 'Overdue changes',
          description:
            'What redirect did about changes that management had not published in 5 s. Anything but 0 means that management is away or stuck.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_overdue_changes_total{${HERE}}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Look-ups',
      panels: [
        {
          title: 'In memory',
          description:
            'By result. `misses` go to Redis; `refreshes` are fills behind a visit that had its answer.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (result) (rate(smartlink_redirect_cache_lookups_total{${HERE}}[$__rate_interval]))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'In Redis',
          description: '`skipped` ones were not asked for since Redis had failed: the breaker is open.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_resolver_total{${HERE}, event=~"redis_.+"}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
        {
          title: 'In Postgres',
          description: 'Slugs by what was found, and the queries they were gathered into.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_resolver_total{${HERE}, event!~"redis_.+"}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
      ],
    },
    {
      title: 'What is kept',
      panels: [
        {
          title: 'Entries in memory',
          description:
            'Of all workers. Each keeps L1_ENTRIES_MAX at most; `absent` ones are slugs that do not exist.',
          unit: 'short',
          queries: [
            { expr: `sum by (kind) (smartlink_redirect_cache_entries{${HERE}})`, legend: '{{kind}}' },
          ],
        },
        {
          title: 'Bytes in memory',
          description: 'Of links, roughly, by instance. Each worker keeps L1_BYTES_MAX at most.',
          unit: 'bytes',
          queries: [
            { expr: `sum by (instance) (smartlink_redirect_cache_bytes{${HERE}})`, legend: '{{instance}}' },
            { expr: `sum(smartlink_redirect_cache_bytes_max{${HERE}})`, legend: 'room of all' },
          ],
        },
        {
          title: 'Connections to Redis',
          description: 'Workers that are connected, and those that hear of changes.',
          unit: 'none',
          queries: [
            {
              expr: `sum by (state) (smartlink_redirect_redis_connections{${HERE}})`,
              legend: '{{state}}',
            },
          ],
        },
        {
          title: 'Open breakers',
          description:
            'Workers that leave an engine alone after three failures; one request in 500 ms tries it.',
          unit: 'none',
          thresholds: { warn: 1, bad: 1 },
          queries: [
            {
              expr: `sum by (engine) (smartlink_redirect_breakers_open{${HERE}})`,
              legend: '{{engine}}',
            },
          ],
        },
      ],
    },
  ],
};
