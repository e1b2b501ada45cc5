import type { RedirectConfig } from './config.js';
import type { Shipper } from './events/shipper.js';
import type { CounterReport } from './messages.js';
import type { OwnConnections } from './own-connections.js';
import type { Supervisor } from './supervisor.js';
import { labelled } from './worker-report.js';

/** Returns what the primary itself tells the board of metrics: of workers, the spool, and the limits that are configured. */
export function readPrimaryFigures(parts: {
  readonly config: RedirectConfig;
  readonly supervisor: Supervisor;
  readonly shipper: Shipper;
  readonly connections: OwnConnections;
}): CounterReport {
  const { config, supervisor, shipper, connections } = parts;
  const { REDIRECT_PROCESSES: workers } = config;
  const events = shipper.counters;
  return {
    'workers|listening': supervisor.listening(),
    'workers|ready': supervisor.ready(),
    'workers|draining': supervisor.draining(),
    worker_restarts_total: supervisor.counters.restarts,
    ...labelled('rolling_restarts_total', supervisor.rolls),
    ...labelled('shipper_total', {
      deliveredEvents: events.deliveredEvents,
      resentEvents: events.resentEvents,
      quarantinedEvents: events.quarantinedEvents,
      discardedEvents: events.discardedEvents,
      tornEvents: events.tornEvents,
      tornBytes: events.tornBytes,
      adoptedSegments: events.adoptedSegments,
      inserts: events.inserts,
      failedInserts: events.failedInserts,
    }),
    ...labelled(connections.changesMetric, connections.changeCounters()),
    ...labelled('spool', {
      events: events.spooledEvents,
      segments: events.spooledSegments,
      bytes: events.spooledBytes,
      oldestSeconds: shipper.oldestSpooledSeconds(),
    }),
    insert_seconds: shipper.inserts.seconds(),
    last_insert_timestamp_seconds: shipper.inserts.lastSeconds(),
    ...shipper.inserts.report(),
    workers_max: workers,
    spool_bytes_max: config.SPOOL_BYTES_MAX,
    cache_entries_max: workers * config.L1_ENTRIES_MAX,
    cache_bytes_max: workers * config.L1_BYTES_MAX,
    pages_bytes_max: workers * config.PAGES_BYTES_MAX,
  };
}
