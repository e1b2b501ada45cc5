import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LinkResolver } from '@smartlink/links/resolve';
import type { EventRecorder } from '../events/event-recorder.js';
import type { LinkCache } from '../links/link-cache.js';
import { type CounterReport, labelled } from '../metrics/metric-definitions.js';
import type { Histogram, PressCounters, VisitCounters } from '../metrics/worker-metrics.js';
import type { Pages } from '../rendering/file-cache.js';
import type { WorkerMessage } from './protocol.js';
import type { Server } from './server.js';

const REPORT_INTERVAL_MS = 1_000;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

type ReportedParts = {
  readonly visits: VisitCounters;
  readonly presses: PressCounters;
  readonly faults: { count: number };
  readonly cache: LinkCache;
  readonly resolver: Pick<LinkResolver, 'counters' | 'openBreakers' | 'replicaLagSeconds'>;
  readonly recorder: EventRecorder;
  readonly pages: Pages;
  readonly server: Pick<Server, 'waiting' | 'connections'>;
  readonly histograms: readonly Pick<Histogram, 'report'>[];
  readonly feedIsLive: () => boolean;
  readonly saltIsShared: () => boolean;
  readonly redisIsReady: () => boolean;
};

/** Sends a worker's counters to its primary about once a second. The hot path only adds to plain numbers. */
export function startReports(parts: ReportedParts, send: (message: WorkerMessage) => Promise<void>) {
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
    /** Sends a final report. */
    close() {
      clearInterval(timer);
      const sent = report();
      delay.disable();
      return sent;
    },
  };
}

function readCounters(parts: ReportedParts): CounterReport {
  const { visits, presses, faults, cache, resolver, recorder, pages } = parts;
  const { droppedEvents, ...events } = recorder.counters;
  const { user, system } = process.cpuUsage();
  return {
    ...labelled('visits_total', visits),
    ...labelled('presses_total', presses),
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
  const openBreakers = resolver.openBreakers();
  return {
    'cache_entries|link': entries,
    'cache_entries|absent': absentEntries,
    cache_bytes: bytes,
    replica_lag_seconds: resolver.replicaLagSeconds(),
    ...labelled('pages', { ...pages.files.gauges(), waiting: pages.renderer.waiting() }),
    events_buffered: recorder.counters.bufferedEvents,
    'spool|events': recorder.counters.unsealedEvents,
    connections: server.connections(),
    requests_waiting: server.waiting(),
    'breakers_open|redis': openBreakers.redis ? 1 : 0,
    'breakers_open|postgres': openBreakers.postgres ? 1 : 0,
    'redis_connections|ready': redisIsReady() ? 1 : 0,
    'redis_connections|feed_live': feedIsLive() ? 1 : 0,
    'visitor_salts|shared': saltIsShared() ? 1 : 0,
    'visitor_salts|own': saltIsShared() ? 0 : 1,
    'event_loop_lag_seconds|0.99': delay.percentile(99) / NANOSECONDS,
    'event_loop_lag_seconds|1': delay.max / NANOSECONDS,
    resident_memory_bytes: process.memoryUsage.rss(),
  };
}
