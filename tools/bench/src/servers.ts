import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Child, startChild } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { StackError } from '@smartlink/embedded/stack-error';
import { until } from '@smartlink/test-support/until';
import { childrenOf } from './machine.js';
import type { Answers } from './probe.js';
import type { StackRun } from './stack.js';

type Place = Pick<StackRun<object>, 'stack' | 'serverCore'>;

/** A server under load. */
export type Server = {
  readonly url: string;
  /** The process and its children: their processor time is the cost of a request. */
  readonly pids: () => readonly [pid: number, ...children: number[]];
  readonly stop: () => Promise<void>;
};

type Env = Readonly<Record<string, string>>;

type ServerOptions = {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Env;
  readonly cwd?: string;
};

const ROOT = path.resolve(import.meta.dirname, '../../..');
const START_LIMIT_MS = 30_000;
const STOP_GRACE_MS = 15_000;
const ANSWER_LIMIT_MS = 60_000;

/** Does `work` while all servers run, started one after the other. */
export async function withServers<Servers extends Readonly<Record<string, Server>>, Result>(
  starts: { readonly [Name in keyof Servers]: () => Promise<Servers[Name]> },
  work: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  const servers: Record<string, Server> = {};
  try {
    for (const [name, start] of Object.entries<() => Promise<Server>>(starts)) servers[name] = await start();
    return await work(servers as Servers);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

/**
 * Starts a server on the core for servers and waits for `findReady`. The caller stops it. Throws StackError when it ends
 * or is not ready within 30 s.
 */
async function startServer<Ready extends { readonly url: string }>(
  { stack, serverCore }: Place,
  { name, command, env, cwd }: ServerOptions,
  findReady: (child: Child) => Ready | null | Promise<Ready | null>,
): Promise<Server & Ready> {
  const [program = '', ...args] = serverCore === null ? command : ['taskset', '-c', serverCore, ...command];
  const child = await startChild({
    ...{ name, command: program, args, stopSignal: 'SIGTERM', graceMs: STOP_GRACE_MS },
    ...(cwd !== undefined && { cwd }),
    env: { PATH: process.env['PATH'], ...env },
    logFile: path.join(stack.folder('logs'), `${name}.log`),
  });
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  const findReadyAlive = () => {
    if (child.hasExited()) throw new Error('it ended');
    return findReady(child);
  };
  try {
    const ready = await until(findReadyAlive, 'it is ready', START_LIMIT_MS);
    const { pid } = child.identity;
    return { ...ready, pids: () => [pid, ...childrenOf(pid)], stop };
  } catch (err) {
    await stop();
    const why = err instanceof Error ? err.message : String(err);
    throw new StackError(`${name} did not start (${why}); last log lines:\n${child.lastLines(10)}`);
  }
}

function findListening(child: Child): { readonly url: string } | null {
  const url = /Server listening at (http:\/\/[\d.]+:\d+)/.exec(child.lastLines(1_000))?.[1];
  return url === undefined ? null : { url };
}

type NodeSettings = { readonly env?: Env; readonly nodeArgs?: readonly string[] };

export async function startManagement(place: Place, { env, nodeArgs = [] }: NodeSettings): Promise<Server> {
  const { databaseUrl, redisUrl, clickhouseUrl } = place.stack;
  const options = {
    name: 'management',
    command: [process.execPath, ...nodeArgs, path.join(ROOT, 'services/management/dist/main.js')],
    env: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      CLICKHOUSE_URL: clickhouseUrl,
      MANAGEMENT_PORT: '0',
      MANAGEMENT_METRICS_PORT: '0',
      ...env,
    },
  };
  return startServer(place, options, findListening);
}

export type RedirectServer = Server & { readonly metricsPort: number };

export type RedirectSettings = NodeSettings & {
  /** Number of its Redis database, so that it can be emptied alone. */
  readonly redisDatabase?: number;
  /** A built checkout of the project; this one by default. */
  readonly root?: string;
};

/** The discard port: connections are refused at once. */
const NO_CLICKHOUSE = 'http://127.0.0.1:9/smartlink';

/** Starts the redirect service with one worker by default. Its ClickHouse does not answer: events stay in the spool. */
export async function startRedirect(
  place: Place,
  name: string,
  { env, nodeArgs = [], redisDatabase = 0, root = ROOT }: RedirectSettings,
): Promise<RedirectServer> {
  const { databaseUrl, redisUrl, folder } = place.stack;
  const options = {
    name,
    command: [process.execPath, ...nodeArgs, path.join(root, 'services/redirect/dist/main.js')],
    cwd: folder(`run-${name}`),
    env: {
      DATABASE_URL: databaseUrl,
      REDIS_URL: `${redisUrl}/${redisDatabase}`,
      CLICKHOUSE_URL: NO_CLICKHOUSE,
      REDIRECT_PORT: '0',
      METRICS_PORT: '0',
      REDIRECT_PROCESSES: '1',
      SPOOL_DIR: folder(`spool-${name}`),
      SPOOL_BYTES_MAX: String(64 * 2 ** 30),
      COOKIE_SECRETS: 'a secret of 32 bytes or more for the bench alone',
      ...env,
    },
  };
  return startServer(place, options, (child) => {
    const line = child
      .lastLines(200)
      .split('\n')
      .find((each) => each.includes('"msg":"listening"'));
    if (line === undefined) return null;
    const { port, metricsPort } = JSON.parse(line) as { port: number; metricsPort: number };
    return { url: `http://127.0.0.1:${port}`, metricsPort };
  });
}

/** Metrics by line without the prefix `smartlink_redirect_`: `events_total{fate="accepted"}`. */
export async function readMetrics({ metricsPort }: RedirectServer): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/-/metrics`);
  const lines = (await response.text()).matchAll(/^smartlink_redirect_(\S+) (\S+)$/gm);
  return new Map([...lines].map(([, metric = '', value]) => [metric, Number(value)]));
}

export type VisitCounts = Readonly<Record<'visits' | 'redis' | 'postgres', number>>;

// Workers report once a second.
const REPORT_MS = 1_200;
const SETTLE_LIMIT_MS = 20_000;

/** Visits of a service, and its lookups in Redis and Postgres. Rejects if visits lack events on the disk after 20 s. */
export async function settleVisits(server: RedirectServer): Promise<VisitCounts> {
  let last = -1;
  return until(
    async () => {
      const metrics = await readMetrics(server);
      const count = (line: string) => metrics.get(line) ?? 0;
      const visits = count('visits_total{outcome="redirect"}') + count('visits_total{outcome="page"}');
      const events = [count('events_total{fate="accepted"}'), count('events_total{fate="written"}')];
      const isSettled = visits === last && events.every((each) => each === visits);
      last = visits;
      if (!isSettled) await sleep(REPORT_MS);
      return (
        isSettled && {
          visits,
          redis: count('resolver_total{event="redis_hits"}'),
          postgres: count('resolver_total{event="postgres_hits"}'),
        }
      );
    },
    'every visit has its event on the disk',
    SETTLE_LIMIT_MS,
  );
}

/** A handler of uWebSockets.js that reads nothing and answers `302` with one Location. */
export async function startBare(place: Place, location: string): Promise<Server> {
  const program = path.resolve(import.meta.dirname, '../dist/bare-server.js');
  return startServer(place, { name: 'bare', command: [process.execPath, program, location] }, findListening);
}

/** nginx with one worker and `return 302`. */
export async function startNginx(place: Place, location: string): Promise<Server> {
  const folder = place.stack.folder('nginx');
  const port = await freePort();
  mkdirSync(path.join(folder, 'temp'), { recursive: true });
  const configuration = path.join(folder, 'nginx.conf');
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  // nginx's defaults, except for settings in its favour.
  writeFileSync(
    configuration,
    `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 16384; }
http {
  access_log off;
  ${temp.join('\n  ')}
  keepalive_requests 1000000000;
  keepalive_timeout 3600s;
  server {
    listen 127.0.0.1:${port};
    location / { return 302 ${location}; }
  }
}
`,
  );
  const command = ['nginx', '-p', folder, '-c', configuration, '-e', 'stderr'];
  const url = `http://127.0.0.1:${port}`;
  return startServer(place, { name: 'nginx', command }, async () => {
    const response = await fetch(url, { redirect: 'manual' }).catch(() => null);
    return response?.status === 302 ? { url } : null;
  });
}

export type Probe = {
  readonly nodeArgs: readonly string[];
  readonly ask: <Question extends keyof Answers>(
    pid: number,
    question: Question,
  ) => Promise<Answers[Question]>;
};

/** A probe for processes started with its `nodeArgs`. Answers take a minute at most. */
export function createProbe({ stack }: Place, { hasCoverage = false } = {}): Probe {
  const folder = stack.folder('probes');
  const module = pathToFileURL(path.resolve(import.meta.dirname, '../dist/probe.js'));
  module.searchParams.set('folder', folder);
  if (hasCoverage) module.searchParams.set('coverage', 'on');
  return {
    nodeArgs: ['--expose-gc', '--import', module.href],
    ask: async (pid, question) => {
      const socket = connect(path.join(folder, `${pid}.sock`));
      socket.setTimeout(ANSWER_LIMIT_MS, () => socket.destroy(new Error('A probe did not answer')));
      socket.write(question);
      return JSON.parse(await text(socket)) as Answers[typeof question];
    },
  };
}
