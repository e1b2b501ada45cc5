import type { Dashboard } from '../dashboard.js';

const HERE = 'instance=~"$instance"';

export const events: Dashboard = {
  uid: 'smartlink-events',
  title: 'Smartlink: events and spool',
  description: 'The way of a visit into the figures: recorded, written to the spool, shipped to ClickHouse.',
  instancesOf: 'smartlink-redirect',
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Oldest event that waits',
          description: 'So far behind are the figures. The objective allows 5 s.',
          unit: 's',
          kind: 'stat',
          thresholds: { warn: 5, bad: 300 },
          queries: [
            { expr: `max(smartlink_redirect_spool{${HERE}, measure="oldest_seconds"})`, legend: 'oldest' },
          ],
        },
        {
          title: 'Spool in use',
          description: 'The fullest of the instances chosen. At 100 % events are dropped.',
          unit: 'percentunit',
          kind: 'stat',
          thresholds: { warn: 0.5, bad: 0.8 },
          queries: [
            {
              expr: `max(smartlink_redirect_spool{${HERE}, measure="bytes"} / on (instance) group_left () smartlink_redirect_spool_bytes_max{${HERE}})`,
              legend: 'in use',
            },
          ],
        },
        {
          title: 'Lost in 10 minutes',
          description:
            'Visits that were answered and will be in no figure, for whatever reason. All instances.',
          unit: 'short',
          kind: 'stat',
          thresholds: { warn: 1, bad: 1 },
          queries: [{ expr: 'sum(reason:smartlink_events_lost:increase10m)', legend: 'lost' }],
        },
        {
          title: 'Insert under way',
          description:
            'How long the insert that is under way has taken. It is tried for ever, with every failure counted.',
          unit: 's',
          kind: 'stat',
          thresholds: { warn: 10, bad: 30 },
          queries: [{ expr: `max(smartlink_redirect_insert_seconds{${HERE}})`, legend: 'insert' }],
        },
      ],
    },
    {
      title: 'Flow',
      panels: [
        {
          title: 'Events a second',
          description:
            'Accepted from visits, written to the spool, delivered to ClickHouse. In the long run the three are equal.',
          unit: 'cps',
          queries: [
            {
              expr: `sum by (fate) (rate(smartlink_redirect_events_total{${HERE}, fate=~"accepted|written"}[$__rate_interval]))`,
              legend: '{{fate}}',
            },
            {
              expr: `sum(rate(smartlink_redirect_shipper_total{${HERE}, event="delivered_events"}[$__rate_interval]))`,
              legend: 'delivered',
            },
          ],
        },
        {
          title: 'Losses by reason',
          description:
            'Dropped ones by the reason in the name: the disk is slow, full or broken. Torn: damaged on the disk. Discarded: refused, and the quarantine was full.',
          unit: 'short',
          queries: [{ expr: 'reason:smartlink_events_lost:increase10m', legend: '{{reason}}' }],
        },
        {
          title: 'Put aside',
          description:
            'Quarantined: refused by ClickHouse for what they hold, kept on the disk. Resent: sent once more after ClickHouse restarted; they count once.',
          unit: 'cps',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_shipper_total{${HERE}, event=~"quarantined_events|resent_events"}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Spool',
      panels: [
        {
          title: 'Bytes that wait',
          description: 'Beside it SPOOL_BYTES_MAX, the room of one instance: what does not fit is dropped.',
          unit: 'bytes',
          queries: [
            {
              expr: `sum by (instance) (smartlink_redirect_spool{${HERE}, measure="bytes"})`,
              legend: '{{instance}}',
            },
            {
              expr: `min(smartlink_redirect_spool_bytes_max{${HERE}})`,
              legend: 'room of one instance',
            },
          ],
        },
        {
          title: 'Events that wait',
          description: 'In sealed segments.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (instance) (smartlink_redirect_spool{${HERE}, measure="events"})`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Age of the oldest',
          description: 'About a second while ClickHouse keeps up.',
          unit: 's',
          thresholds: { warn: 5, bad: 300 },
          queries: [
            {
              expr: `max by (instance) (smartlink_redirect_spool{${HERE}, measure="oldest_seconds"})`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Disk and inserts',
      panels: [
        {
          title: 'Written to the spool',
          description: 'Bytes a second on the disk of SPOOL_DIR.',
          unit: 'Bps',
          queries: [
            {
              expr: `sum by (instance) (rate(smartlink_redirect_spool_writer_total{${HERE}, event="bytes"}[$__rate_interval]))`,
              legend: '{{instance}}',
            },
          ],
        },
        {
          title: 'Inserts',
          description: 'At most one a second while the shipper keeps up; failed ones are tried again.',
          unit: 'ops',
          queries: [
            {
              expr: `sum by (event) (rate(smartlink_redirect_shipper_total{${HERE}, event=~"inserts|failed_inserts"}[$__rate_interval]))`,
              legend: '{{event}}',
            },
          ],
        },
        {
          title: 'Time of an insert',
          description: '99 % of the inserts were faster, by how they ended.',
          unit: 's',
          queries: [
            {
              expr: `histogram_quantile(0.99, sum by (le, result) (rate(smartlink_redirect_insert_duration_seconds_bucket{${HERE}}[$__rate_interval])))`,
              legend: '{{result}}',
            },
          ],
        },
        {
          title: 'Refused by the disk, and taken over',
          description: 'Failed calls of every kind, and segments taken over from processes that died.',
          unit: 'ops',
          queries: [
            {
              expr: `sum(rate(smartlink_redirect_spool_writer_total{${HERE}, event="disk_errors"}[$__rate_interval]))`,
              legend: 'disk errors',
            },
            {
              expr: `sum(rate(smartlink_redirect_shipper_total{${HERE}, event="adopted_segments"}[$__rate_interval]))`,
              legend: 'adopted segments',
            },
          ],
        },
        {
          title: 'Events in memory',
          description: 'Recorded and not yet written; a few milliseconds of visits.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (instance) (smartlink_redirect_events_buffered{${HERE}})`,
              legend: '{{instance}}',
            },
          ],
        },
      ],
    },
  ],
};
