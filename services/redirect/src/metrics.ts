import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Logger } from '@smartlink/process/logger';
import { Counter, Gauge, Registry } from 'prom-client';
import type { CounterReport } from './messages.js';

/** Keys of reports are `<metric>` or `<metric>|<label value>`; this table names each metric and its label. */
const METRICS: Readonly<Record<string, { help: string; kind: 'counter' | 'gauge'; label?: string }>> = {
  visits_total: { help: 'Answers to visitors, by how the visit ended', kind: 'counter', label: 'outcome' },
  cache_lookups_total: { help: 'Look-ups in the memory of each process', kind: 'counter', label: 'result' },
  resolver_total: { help: 'Look-ups in Redis and Postgres', kind: 'counter', label: 'event' },
  pages_total: { help: 'Files made of links, and answers from those kept', kind: 'counter', label: 'event' },
  events_total: {
    help: 'Visit events: accepted, written and dropped by reason; of a killed worker up to its last report, about a second before its end',
    kind: 'counter',
    label: 'fate',
  },
  spool_writer_total: { help: 'What the recorders did to the disk', kind: 'counter', label: 'event' },
  faults_total: { help: 'Faults in answering that no visitor should have seen', kind: 'counter' },
  cache_entries: { help: 'Entries kept, by kind', kind: 'gauge', label: 'kind' },
  replica_lag_seconds: {
    help: 'How far the worst read replica is behind at most, worst process; it grows while nobody knows',
    kind: 'gauge',
  },
  cache_bytes: { help: 'Bytes of kept links, roughly', kind: 'gauge' },
  pages: {
    help: 'Files made of links: kept, their bytes, waiting to be made',
    kind: 'gauge',
    label: 'measure',
  },
  events_buffered: { help: 'Events in memory, not yet written', kind: 'gauge' },
  requests_waiting: { help: 'Requests that wait for something', kind: 'gauge' },
  redis_connections: { help: 'Workers whose connection to Redis is in order', kind: 'gauge', label: 'state' },
  visitor_salts: {
    help: 'Workers by whose salt of the day they count visitors with: the one all share, or one of their own',
    kind: 'gauge',
    label: 'source',
  },
  event_loop_lag_seconds: {
    help: 'Delay of the event loop over the last second, worst process',
    kind: 'gauge',
    label: 'quantile',
  },
  resident_memory_bytes: { help: 'Memory of the worker processes', kind: 'gauge' },
  workers: { help: 'Worker processes, by state', kind: 'gauge', label: 'state' },
  worker_restarts_total: { help: 'Workers started again after they had ended', kind: 'counter' },
  rolling_restarts_total: {
    help: 'Rolling restarts (SIGUSR2) that are over, by how they ended',
    kind: 'counter',
    label: 'result',
  },
  shipper_total: { help: 'What became of spooled events', kind: 'counter', label: 'event' },
  overdue_changes_total: {
    help: 'Committed changes that management had not published in 5 s, and looks at them that failed',
    kind: 'counter',
    label: 'event',
  },
  followed_changes_total: {
    help: 'Changes brought to the Redis of this region (FOLLOW_CHANGES), and looks for them that failed',
    kind: 'counter',
    label: 'event',
  },
  spool: { help: 'What waits in the spool', kind: 'gauge', label: 'measure' },
  insert_seconds: {
    help: 'How long the insert into ClickHouse that is under way has taken, 0 while none is',
    kind: 'gauge',
  },
};

// Of these the worst process tells more than the sum.
const TAKEN_AS_MAXIMUM = ['event_loop_lag_seconds', 'replica_lag_seconds'];

export type MetricsBoard = {
  /** Takes what a worker counts now; counters of a process only grow. */
  readonly report: (pid: number, counters: CounterReport, gauges: CounterReport) => void;
  /** A process has ended: its counters stay in the sums, its gauges do not. */
  readonly forget: (pid: number) => void;
  /** Returns the sums in the Prometheus text format. */
  readonly render: () => Promise<string>;
  readonly contentType: string;
};

/** Returns the sums over all workers, with the primary's own figures from `own` (read at each scrape). */
export function createMetricsBoard(own: () => CounterReport): MetricsBoard {
  const registry = new Registry();
  const metrics = new Map<string, Counter | Gauge>();
  for (const [name, { help, kind, label }] of Object.entries(METRICS)) {
    const settings = {
      name: `smartlink_redirect_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
    };
    const metric =
      kind === 'counter'
        ? new Counter({ ...settings, registers: [registry] })
        : new Gauge({ ...settings, registers: [registry] });
    metrics.set(name, metric);
  }
  const ended: Record<string, number> = {};
  const running = new Map<number, { counters: CounterReport; gauges: CounterReport }>();

  function sums(): Record<string, number> {
    const total = { ...ended };
    for (const { counters, gauges } of running.values()) {
      addTo(total, counters);
      addTo(total, gauges);
    }
    addTo(total, own());
    return total;
  }

  return {
    contentType: registry.contentType,
    report(pid, counters, gauges) {
      running.set(pid, { counters, gauges });
    },
    forget(pid) {
      const last = running.get(pid);
      running.delete(pid);
      if (last) addTo(ended, last.counters);
    },
    async render() {
      registry.resetMetrics();
      for (const [key, value] of Object.entries(sums())) {
        const [name = '', labelValue] = key.split('|');
        const label = METRICS[name]?.label;
        const metric = metrics.get(name);
        if (label !== undefined && labelValue !== undefined) metric?.inc({ [label]: labelValue }, value);
        else metric?.inc(value);
      }
      return registry.metrics();
    },
  };
}

function addTo(total: Record<string, number>, report: CounterReport): void {
  for (const [key, value] of Object.entries(report)) {
    const known = total[key] ?? 0;
    total[key] = TAKEN_AS_MAXIMUM.some((name) => key.startsWith(name))
      ? Math.max(known, value)
      : known + value;
  }
}

/**
 * Serves `/-/metrics`, `/-/live` and `/-/ready` (with reasons) on 127.0.0.1. Resolves with the server once it listens;
 * rejects when the port is taken. The caller closes it.
 */
export async function serveMetrics(options: {
  port: number;
  board: MetricsBoard;
  /** Returns why this service is not ready; empty when it is. */
  notReadyReasons: () => readonly string[];
  log: Logger;
}): Promise<Server> {
  const { board, log } = options;
  const server = createServer((req, res) => {
    const path = req.url?.split('?')[0];
    if (path === '/-/live') {
      res.end('live\n');
    } else if (path === '/-/ready') {
      const reasons = options.notReadyReasons();
      res.statusCode = reasons.length === 0 ? 200 : 503;
      res.end(reasons.length === 0 ? 'ready\n' : `${reasons.join('\n')}\n`);
    } else if (path === '/-/metrics') {
      board.render().then(
        (text) => res.setHeader('content-type', board.contentType).end(text),
        (err: unknown) => {
          log.error({ err }, 'the metrics cannot be rendered');
          res.writeHead(500).end();
        },
      );
    } else {
      res.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      const taken = err.code === 'EADDRINUSE' ? 'is taken; set METRICS_PORT to a free port' : err.message;
      reject(new Error(`METRICS_PORT: 127.0.0.1:${options.port} ${taken}`, { cause: err }));
    });
    server.listen({ host: '127.0.0.1', port: options.port }, resolve);
  });
  return server;
}
