import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '@smartlink/bench/machine';
import { type Place, startProgram } from '@smartlink/bench/processes';
import { until } from '@smartlink/test-support/until';

export type RedirectProcess = {
  readonly url: string;
  readonly workerPids: () => readonly number[];
  /** Primary and workers: their processor time is the cost of a visit. */
  readonly pids: () => readonly number[];
  /** Metrics by line without the prefix `smartlink_redirect_`: `events_total{fate="accepted"}`. */
  readonly metrics: () => Promise<ReadonlyMap<string, number>>;
  readonly stop: () => Promise<void>;
};

export type ServiceSettings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** Number of its Redis database, so that it can be emptied alone. */
  readonly redisDatabase?: number;
  /** A built checkout of the project; this one by default. */
  readonly root?: string;
};

const ROOT = path.resolve(import.meta.dirname, '../../../..');
/** The discard port: connections are refused at once. */
const NO_CLICKHOUSE = 'http://127.0.0.1:9/smartlink';

/**
 * Starts the redirect service as in production, with one worker unless `env` says otherwise. Its ClickHouse does not
 * answer, so events stay in the spool. The caller stops it. Throws StackError when it does not start.
 */
export async function startRedirect(
  place: Place,
  name: string,
  { env, nodeArgs = [], redisDatabase = 0, root = ROOT }: ServiceSettings,
): Promise<RedirectProcess> {
  const { stack } = place;
  const { pid, ready, stop } = await startProgram(
    place,
    {
      name,
      command: [process.execPath, ...nodeArgs, path.join(root, 'services/redirect/dist/main.js')],
      cwd: stack.folder(`run-${name}`),
      env: {
        DATABASE_URL: stack.serviceEnv['DATABASE_URL'] ?? '',
        REDIS_URL: `${stack.redisUrl}/${redisDatabase}`,
        CLICKHOUSE_URL: NO_CLICKHOUSE,
        REDIRECT_PORT: '0',
        METRICS_PORT: '0',
        REDIRECT_PROCESSES: '1',
        SPOOL_DIR: stack.folder(`spool-${name}`),
        SPOOL_BYTES_MAX: String(64 * 2 ** 30),
        COOKIE_SECRETS: 'a secret of 32 bytes or more for the bench alone',
        ...env,
      },
    },
    (child) => {
      const lines = child.lastLines(200).split('\n');
      const line = lines.find((text) => text.includes('"msg":"listening"'));
      return line === undefined ? null : (JSON.parse(line) as { port: number; metricsPort: number });
    },
  );
  return {
    url: `http://127.0.0.1:${ready.port}`,
    workerPids: () => childrenOf(pid),
    pids: () => [pid, ...childrenOf(pid)],
    metrics: async () => {
      const response = await fetch(`http://127.0.0.1:${ready.metricsPort}/-/metrics`);
      const lines = (await response.text()).matchAll(/^smartlink_redirect_(\S+) (\S+)$/gm);
      return new Map([...lines].map(([, metric = '', value]) => [metric, Number(value)]));
    },
    stop,
  };
}

/** Does `work` with one service for each of `settings`. */
export async function withServices<Name extends string, Result>(
  place: Place,
  settings: Readonly<Record<Name, ServiceSettings>>,
  work: (services: Readonly<Record<Name, RedirectProcess>>) => Promise<Result>,
): Promise<Result> {
  const services: Record<string, RedirectProcess> = {};
  try {
    for (const [name, one] of Object.entries<ServiceSettings>(settings))
      services[name] = await startRedirect(place, name, one);
    return await work(services as Record<Name, RedirectProcess>);
  } finally {
    for (const service of Object.values(services)) await service.stop();
  }
}

/** Lookups of a service by the layer that answered. */
export type LayerCounts = Readonly<Record<'visits' | 'redisHits' | 'postgresHits', number>>;

// Workers report once a second.
const REPORT_MS = 1_200;
const SETTLE_LIMIT_MS = 20_000;

/** Counts of a service, once they rest. */
export async function settledLayers(service: RedirectProcess): Promise<LayerCounts> {
  let last = -1;
  return until(
    async () => {
      const metrics = await service.metrics();
      const lines = [...metrics].filter(([line]) => line.startsWith('visits_total{'));
      const visits = lines.reduce((sum, [, value]) => sum + value, 0);
      const isAtRest = visits === last;
      last = visits;
      if (!isAtRest) await sleep(REPORT_MS);
      return (
        isAtRest && {
          visits,
          redisHits: metrics.get('resolver_total{event="redis_hits"}') ?? 0,
          postgresHits: metrics.get('resolver_total{event="postgres_hits"}') ?? 0,
        }
      );
    },
    'the service has counted its visits',
    SETTLE_LIMIT_MS,
  );
}
