import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LinkResolver } from '@smartlink/link-resolver/link-resolver';
import type { VisitCounters } from './counters.js';
import type { EventRecorder } from './events/event-recorder.js';
import type { Histogram } from './histogram.js';
import type { LinkCache } from './link-cache.js';
import type { CounterReport, WorkerMessage } from './messages.js';
import type { Pages } from './open-pages.js';
import type { Server } from './server.js';

const REPORT_INTERVAL_MS = 1_000;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

export type WorkerReports = {
  /** Sends what was counted since the start once more, and no more after that. */
  readonly close: () => Promise<void>;
};

export type ReportedParts = {
  readonly visits: VisitCounters;
  readonly faults: { count: number };
  readonly cache: LinkCache;
  readonly resolver: Pick<LinkResolver, 'counters' | 'leftAlone' | 'replicaLagSeconds'>;
  readonly recorder: EventRecorder;
  readonly pages: Pages;
  readonly server: Pick<Server, 'waiting' | 'connections'>;
  readonly histograms: readonly Pick<Histogram, 'report'>[];
  readonly feedIsLive: () => boolean;
  readonly saltIsShared: () => boolean;
  readonly redisIsReady: () => boolean;
};

/** Sends a worker's counters to its primary about once a second. The hot path only adds to plain numbers. */
export function startReports(
  parts: ReportedParts,
  send: (message: WorkerMessage) => Promise<void>,
): WorkerReports {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const report = (): Promise<void> => {
    const gauges = readGauges(parts, delay);
    delay.reset();
    return send({ kind: 'report', counters: readCounters(parts), gauges });
  };
  const timer = setInterval(() => void report(), REPORT_INTERVAL_MS);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      const sent = report();
      delay.disable();
      return sent;
    },
  };
}

function readCounters(parts: ReportedParts): CounterReport {
  const { visits, faults, cache, resolver, recorder, pages } = parts;
  const { droppedEvents, ...events } = recorder.counters;
  const { user, system } = process.cpuUsage();
  return {
    ...labelled('visits_total', visits),
    ...labelled('cache_lookups_total', { ...cache.counters, evictions: cache.gauges().evictions }),
    ...labelled('resolver_total', resolver.counters),
    ...labelled('pages_total', pages.files.counters),
    'events_total|accepted': events.acceptedEvents,
    'events_total|written': events.writtenEvents,
    ...labelled('events_total', droppedEvents, 'dropped_'),
    'spool_writer_total|bytes': events.writtenBytes,
    'spool_writer_total|sealed_segments': events.sealedSegments,
    'spool_writer_total|disk_errors': events.diskErrors,
    faults_total: faults.count,
    cpu_seconds_total: (user + system) / MICROSECONDS,
    ...mergeReports(parts.histograms),
  };
}

function mergeReports(histograms: readonly Pick<Histogram, 'report'>[]): CounterReport {
  return Object.fromEntries(histograms.flatMap((histogram) => Object.entries(histogram.report())));
}

function readGauges(
  { cache, resolver, recorder, pages, server, feedIsLive, saltIsShared, redisIsReady }: ReportedParts,
  delay: ReturnType<typeof monitorEventLoopDelay>,
): CounterReport {
  const { entries, absentEntries, bytes } = cache.gauges();
  const leftAlone = resolver.leftAlone();
  return {
    'cache_entries|link': entries,
    'cache_entries|absent': absentEntries,
    cache_bytes: bytes,
    replica_lag_seconds: resolver.replicaLagSeconds(),
    ...labelled('pages', { ...pages.files.gauges(), waiting: pages.renderer.waiting() }),
    events_buffered: recorder.counters.bufferedEvents,
    connections: server.connections(),
    requests_waiting: server.waiting(),
    'breakers_open|redis': leftAlone.redis ? 1 : 0,
    'breakers_open|postgres': leftAlone.postgres ? 1 : 0,
    'redis_connections|ready': redisIsReady() ? 1 : 0,
    'redis_connections|feed_live': feedIsLive() ? 1 : 0,
    'visitor_salts|shared': saltIsShared() ? 1 : 0,
    'visitor_salts|own': saltIsShared() ? 0 : 1,
    'event_loop_lag_seconds|0.99': delay.percentile(99) / NANOSECONDS,
    'event_loop_lag_seconds|1': delay.max / NANOSECONDS,
    resident_memory_bytes: process.memoryUsage.rss(),
  };
}

/** Returns `values` under the keys of metrics.ts, label values in snake_case. */
export function labelled(
  metric: string,
  values: Readonly<Record<string, number>>,
  prefix = '',
): CounterReport {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${metric}|${prefix}${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
}
