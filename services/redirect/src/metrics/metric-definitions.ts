import { noCounts } from '@smartlink/links/resolve';
import { createCacheCounters } from '../links/link-cache.js';
import { createShipperCounters, DROP_REASONS, type ShipperCounters } from './event-counters.js';

/** Outcomes of a visit, as counted by a worker. `error` is an internal fault. */
export const VISIT_RESULTS = [
  'redirect',
  'page',
  'store_chooser',
  'ipad_or_mac',
  'link_preview',
  'link_file',
  'unlock_form',
  'unlocked',
  'wrong_password',
  'refused_unlock',
  'not_found',
  'paused',
  'gone',
  'scheduled',
  'expired',
  'exhausted',
  'prefetch',
  'unavailable',
  'method_not_allowed',
  'misdirected',
  'error',
] as const;
export type VisitResult = (typeof VISIT_RESULTS)[number];

/** Outcomes of a reported press. `repeated`: the same within two seconds; `excluded`: by a bot or a prefetch. */
export const PRESS_RESULTS = [
  'counted',
  'repeated',
  'excluded',
  'refused',
  'not_found',
  'unavailable',
  'error',
] as const;
export type PressResult = (typeof PRESS_RESULTS)[number];

/**
 * One metric, without the prefix of its name. All `values` of its label are shown from the start, since a counter that
 * begins with its first event has no rate() for it. `buckets` are upper bounds.
 */
export type MetricDefinition = { readonly help: string } & (
  | { readonly kind: 'counter' | 'gauge'; readonly label?: string; readonly values?: readonly string[] }
  | {
      readonly kind: 'histogram';
      readonly label?: string;
      readonly values: readonly string[];
      readonly buckets: readonly number[];
    }
);

// From a visit answered from memory to a menu of a megabyte behind a slow engine.
const VISIT_BUCKETS = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
  0.5, 1, 2.5,
];
const LOOKUP_BUCKETS = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const FEED_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const INSERT_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

// Derived from the counters, so that a new counter is shown.
const RESOLVER_EVENTS = labelValues(noCounts());
const CACHE_RESULTS = [...labelValues(createCacheCounters()), 'evictions'];
const SHIPPER_EVENTS = labelValues(sentCounters(createShipperCounters()));

const workerMetrics = {
  visits_total: {
    help: 'Answers to visitors, by how the visit ended',
    kind: 'counter',
    label: 'outcome',
    values: VISIT_RESULTS,
  },
  presses_total: {
    help: 'Reports of pressed buttons, by how they ended',
    kind: 'counter',
    label: 'result',
    values: PRESS_RESULTS,
  },
  visit_duration_seconds: {
    help: 'Time from a request to its answer, by how the visit ended',
    kind: 'histogram',
    label: 'outcome',
    values: VISIT_RESULTS,
    buckets: VISIT_BUCKETS,
  },
  cache_lookups_total: {
    help: 'Look-ups in the memory of each process',
    kind: 'counter',
    label: 'result',
    values: CACHE_RESULTS,
  },
  resolver_total: {
    help: 'Look-ups in Redis and Postgres',
    kind: 'counter',
    label: 'event',
    values: RESOLVER_EVENTS,
  },
  lookup_duration_seconds: {
    help: 'Time of a lookup in Redis or Postgres, by the engine that answered',
    kind: 'histogram',
    label: 'source',
    values: ['redis', 'replica', 'postgres', 'failed'],
    buckets: LOOKUP_BUCKETS,
  },
  change_feed_delay_seconds: {
    help: "Time from a message of this host's primary on the change feed until a worker of the same host has read it",
    kind: 'histogram',
    values: [''],
    buckets: FEED_BUCKETS,
  },
  breakers_open: {
    help: 'Workers that leave an engine alone after failures; of a Redis cluster, because of any node',
    kind: 'gauge',
    label: 'engine',
    values: ['redis', 'postgres'],
  },
  replica_lag_seconds: {
    help: 'Upper bound of the largest replica lag; increases while the lag cannot be measured',
    kind: 'gauge',
  },
  redis_connections: {
    help: 'Workers whose connection to Redis is in order',
    kind: 'gauge',
    label: 'state',
    values: ['ready', 'feed_live'],
  },
  pages_total: {
    help: 'Files made of links, and answers from those kept',
    kind: 'counter',
    label: 'event',
    values: ['hits', 'renders', 'busy', 'failures'],
  },
  pages: {
    help: 'Files made of links: kept, their bytes, waiting to be made',
    kind: 'gauge',
    label: 'measure',
    values: ['entries', 'bytes', 'waiting'],
  },
  events_total: {
    help: 'Events of visits and presses: accepted, written and dropped by reason; of a killed worker up to its last report, about a second before its end',
    kind: 'counter',
    label: 'fate',
    values: ['accepted', 'written', ...DROP_REASONS.map((reason) => `dropped_${reason}`)],
  },
  events_buffered: { help: 'Events in memory, not yet written', kind: 'gauge' },
  spool_writer_total: {
    help: 'Spool write activity: bytes, sealed segments and disk errors',
    kind: 'counter',
    label: 'event',
    values: ['bytes', 'sealed_segments', 'disk_errors'],
  },
  faults_total: { help: 'Internal errors while handling requests', kind: 'counter' },
  connections: { help: 'Open connections of visitors and of proxies', kind: 'gauge' },
  requests_waiting: { help: 'Requests that wait for something', kind: 'gauge' },
  cache_entries: { help: 'Entries kept, by kind', kind: 'gauge', label: 'kind', values: ['link', 'absent'] },
  cache_bytes: { help: 'Bytes of kept links, roughly', kind: 'gauge' },
  visitor_salts: {
    help: 'Workers by source of the daily visitor salt: shared or their own',
    kind: 'gauge',
    label: 'source',
    values: ['shared', 'own'],
  },
  event_loop_lag_seconds: {
    help: 'Delay of the event loop over the last second, worst process',
    kind: 'gauge',
    label: 'quantile',
    values: ['0.99', '1'],
  },
  cpu_seconds_total: {
    help: 'Processor time of the worker processes, up to the last report of each',
    kind: 'counter',
  },
  resident_memory_bytes: { help: 'Memory of the worker processes', kind: 'gauge' },
} as const satisfies Record<string, MetricDefinition>;

const primaryMetrics = {
  domains: { help: 'Custom domains, suspended ones included', kind: 'gauge' },
  domains_read_timestamp_seconds: {
    help: 'When the table of domains was last compared with Postgres, in seconds since 1970; 0 before the first',
    kind: 'gauge',
  },
  workers: {
    help: 'Worker processes, by state',
    kind: 'gauge',
    label: 'state',
    values: ['listening', 'ready', 'draining'],
  },
  workers_max: { help: 'REDIRECT_PROCESSES: worker processes that there should be', kind: 'gauge' },
  worker_restarts_total: { help: 'Workers started again after they had ended', kind: 'counter' },
  rolling_restarts_total: {
    help: 'Rolling restarts (SIGUSR2) that are over, by how they ended',
    kind: 'counter',
    label: 'result',
    values: ['completed', 'failed'],
  },
  shipper_total: {
    help: 'Spooled events by result; torn_bytes includes rows whose number could not be read',
    kind: 'counter',
    label: 'event',
    values: SHIPPER_EVENTS,
  },
  spool: {
    help: 'Events and segments waiting in the spool, unsealed ones included',
    kind: 'gauge',
    label: 'measure',
    values: ['events', 'segments', 'bytes', 'oldest_seconds'],
  },
  spool_bytes_max: { help: 'SPOOL_BYTES_MAX: what the spool may take', kind: 'gauge' },
  insert_seconds: {
    help: 'How long the insert into ClickHouse that is under way has taken, 0 while none is',
    kind: 'gauge',
  },
  insert_duration_seconds: {
    help: 'Time of an insert into ClickHouse',
    kind: 'histogram',
    label: 'result',
    values: ['acknowledged', 'refused', 'failed'],
    buckets: INSERT_BUCKETS,
  },
  last_insert_timestamp_seconds: {
    help: 'When ClickHouse last acknowledged an insert of this process, in seconds since 1970; 0 before the first',
    kind: 'gauge',
  },
  overdue_changes_total: {
    help: 'Committed changes that management had not published in 5 s, and looks at them that failed',
    kind: 'counter',
    label: 'event',
    values: ['published', 'damaged', 'failures'],
  },
  followed_changes_total: {
    help: 'Changes brought to the Redis of this region (FOLLOW_CHANGES), and looks for them that failed',
    kind: 'counter',
    label: 'event',
    values: ['published', 'damaged', 'failures'],
  },
  cache_entries_max: {
    help: 'Links that the workers may keep: L1_ENTRIES_MAX of each',
    kind: 'gauge',
  },
  cache_bytes_max: {
    help: 'Bytes that the workers may keep links in: L1_BYTES_MAX of each',
    kind: 'gauge',
  },
  pages_bytes_max: {
    help: 'Bytes that the workers may keep files in: PAGES_BYTES_MAX of each',
    kind: 'gauge',
  },
} as const satisfies Record<string, MetricDefinition>;

/** Every metric of this service, without `smartlink_redirect_`. */
export const METRICS = { ...workerMetrics, ...primaryMetrics };

/** Values by key: `<metric>` or `<metric>|<label value>`; of a histogram `<metric>|<label value>|<upper bound>` and `…|sum`. */
export type CounterReport = Readonly<Record<string, number>>;

/** `values` as a report of `metric`. */
export function labelled(
  metric: string,
  values: Readonly<Record<string, number>>,
  prefix = '',
): CounterReport {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`${metric}|${prefix}${snakeCase(name)}`, value]),
  );
}

/** The label values of counters: their names in snake_case. */
function labelValues(counters: object): readonly string[] {
  return Object.keys(counters).map(snakeCase);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The shipper's counters without its gauges. */
export function sentCounters({
  spooledEvents: _events,
  spooledSegments: _segments,
  spooledBytes: _bytes,
  ...counters
}: ShipperCounters) {
  return counters;
}
