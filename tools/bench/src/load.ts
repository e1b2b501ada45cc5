import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '@smartlink/test-support/until';
import { type Column, inTurns, percent } from './figures.js';
import { processTimeUs } from './machine.js';
import { withProgress } from './program.js';
import { readMetrics, type RedirectServer, type Server } from './servers.js';
import type { StackRun } from './stack.js';

/** Enough to keep a server busy. */
export const CONNECTIONS = 64;

/** Gives queries of some hundred links: a redirect worker batches its Postgres lookups for 20 ms. */
export const CONNECTIONS_MANY = 512;

/** One phase of load; each connection waits for its answer before the next request. */
export type Load = {
  readonly requests: number;
  readonly perSecond: number;
  /** Processor time of the server's processes for one request, in µs, without the engines. */
  readonly cpuUs: number;
  /** Cores that the server's processes used; below 1 the client was the limit. */
  readonly coresUsed: number;
  readonly p50Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
};

export const LOAD_COLUMNS: readonly Column<Load>[] = [
  { title: 'requests/s', valueOf: ({ perSecond }) => perSecond },
  { title: 'CPU µs', valueOf: ({ cpuUs }) => cpuUs },
  { title: 'p50 ms', valueOf: ({ p50Us }) => p50Us / 1_000, isAlone: true },
  { title: 'p99 ms', valueOf: ({ p99Us }) => p99Us / 1_000, isAlone: true },
  { title: 'core busy', valueOf: ({ coresUsed }) => coresUsed, show: percent, isAlone: true },
];

/** Requests that a client repeats in order. */
export type Requests = {
  /** Whole requests; if there is a `head`, the paths of GET requests: there may be a million. */
  readonly lines: readonly string[];
  readonly head?: string;
  /** Index of the first line. */
  readonly offset?: number;
  /** Lua that comes before the functions of the script. */
  readonly lua?: string;
  /** Errors of wrk that are expected; `status`: answers of 400 and above. */
  readonly ignored?: readonly WrkError[];
};

type WrkError = (typeof WRK_ERRORS)[number];
const WRK_ERRORS = ['connect', 'read', 'write', 'status', 'timeout'] as const;

export type Phase = { readonly connections: number; readonly seconds: number };

type Run = Pick<StackRun<object>, 'stack' | 'signal'>;

const ANSWER_LIMIT_SECONDS = 20;

/**
 * Puts a server under as much load as one thread of wrk makes. A phase without an answer is repeated with 20 s. Rejects when
 * a request fails, and on `signal`.
 */
export async function loadServer(run: Run, server: Server, requests: Requests, phase: Phase): Promise<Load> {
  run.signal.throwIfAborted();
  const usedUs = () => server.pids().reduce((total, pid) => total + processTimeUs(pid), 0);
  const beforeUs = usedUs();
  const output = await runWrk(run, server.url, requests, phase);
  const cpuUs = usedUs() - beforeUs;
  const figures = /^figures (.*)$/m.exec(output)?.[1]?.split(' ').map(Number);
  const [count = 0, elapsedUs = 0, p50Us = 0, p95Us = 0, p99Us = 0, errors = 0] = figures ?? [];
  if (errors > 0) throw new Error(`Of ${count} requests ${errors} failed:\n${output}`);
  if (count === 0) {
    if (phase.seconds >= ANSWER_LIMIT_SECONDS) throw new Error(`No answer came in ${phase.seconds} s`);
    return loadServer(run, server, requests, { ...phase, seconds: ANSWER_LIMIT_SECONDS });
  }
  return {
    ...{ requests: count, p50Us, p95Us, p99Us },
    perSecond: (count * 1e6) / elapsedUs,
    cpuUs: cpuUs / count,
    coresUsed: cpuUs / elapsedUs,
  };
}

/** A server and its load. */
export type LoadedServer = {
  readonly server: Server;
  readonly connections: number;
  /** Called before each phase; the warm-up is round -1. */
  readonly requestsOf: (round: number) => Requests | Promise<Requests>;
};

// Background work of a phase, such as publishing, ends in this time.
const PAUSE_MS = 100;

/** Loads servers in turns, after a warm-up of each, in which V8 compiles their code. */
export async function loadInTurns<Name extends string>(
  run: StackRun<{ readonly warmUpSeconds: number }>,
  title: string,
  servers: Readonly<Record<Name, LoadedServer>>,
): Promise<Readonly<Record<Name, readonly Load[]>>> {
  const { sizes, signal } = run;
  const { rounds, warmUpSeconds } = sizes;
  const names = Object.keys(servers) as Name[];
  return withProgress(title, (rounds + 1) * names.length, async (advance) => {
    const load = async (name: Name, round: number, seconds = sizes.seconds) => {
      const { server, connections, requestsOf } = servers[name];
      const figures = await loadServer(run, server, await requestsOf(round), { connections, seconds });
      await sleep(PAUSE_MS, undefined, { signal });
      advance();
      return figures;
    };
    for (const name of names) await load(name, -1, warmUpSeconds);
    return inTurns(names, { rounds, signal }, (name, round) => load(name, round));
  });
}

async function runWrk(
  { stack, signal }: Run,
  url: string,
  requests: Requests,
  { connections, seconds }: Phase,
): Promise<string> {
  const file = path.join(stack.folder('wrk'), randomUUID());
  writeFileSync(`${file}.txt`, requests.lines.map((line) => line.replaceAll('\r\n', '\t')).join('\n'));
  writeFileSync(`${file}.lua`, wrkScript(`${file}.txt`, requests));
  // wrk takes whole seconds only.
  const duration = Math.max(1, Math.round(seconds));
  const limits = [`-d${duration}s`, '--timeout', `${ANSWER_LIMIT_SECONDS}s`];
  const ended = AbortSignal.timeout((duration + ANSWER_LIMIT_SECONDS) * 1_000);
  try {
    const argv = ['-t1', `-c${connections}`, ...limits, '-s', `${file}.lua`, url];
    const options = { signal: AbortSignal.any([signal, ended]) };
    return (await promisify(execFile)('wrk', argv, options)).stdout;
  } finally {
    for (const extension of ['txt', 'lua']) rmSync(`${file}.${extension}`);
  }
}

function wrkScript(file: string, { head, offset = 0, lua = '', ignored = [] }: Requests): string {
  const counted = WRK_ERRORS.filter((kind) => !ignored.includes(kind)).map((kind) => `e.${kind}`);
  return `local all, at, count = {}, ${offset}, 0
${lua}
init = function()
  for line in io.lines(${JSON.stringify(file)}) do
    count = count + 1
    all[count] = line:gsub("\\t", "\\r\\n")
  end
end
request = function()
  at = at % count + 1
  return ${head === undefined ? 'all[at]' : `"GET " .. all[at] .. ${JSON.stringify(` ${head}`)}`}
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("\\nfigures %d %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(95), latency:percentile(99), ${counted.join(' + ')}))
end
`;
}

/** Headers of every visit, in the order of browsers. */
export const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  Host: '127.0.0.1:20000',
  'User-Agent': userAgent(0),
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
  Referer: 'https://news.example.org/',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};

/** A request after its path, as a browser sends it: some 400 bytes. */
export function browserHead(headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ ...BROWSER_HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** A multiple of both numbers below. */
const MIXED_REQUESTS = 20_000;
const MIXED_AGENTS = 1_000;
const MIXED_ADDRESSES = 20_000;
const QUERIES = [
  '?utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale',
  '?ref=story&fbclid=IwAR2qk3J9x0',
];

/** Visits of 20,000 visitors with 1,000 User-Agents; a third have a query. */
export function mixRequests(slugs: readonly string[]): string[] {
  return Array.from({ length: MIXED_REQUESTS }, (_, number) => {
    // Coprime steps: every slug meets every browser.
    const slug = slugs[(number * 7_919) % slugs.length] ?? '';
    const query = number % 3 === 0 ? (QUERIES[number % 2] ?? '') : '';
    const head = browserHead({
      'User-Agent': userAgent((number * 104_729) % MIXED_AGENTS),
      'X-Forwarded-For': clientAddress(number % MIXED_ADDRESSES),
    });
    return `GET /${slug}${query} ${head}`;
  });
}

function userAgent(number: number): string {
  const version = 142 - (number % 40);
  const build = Math.floor(number / 40);
  const chrome = `Chrome/${version}.0.${build === 0 ? 0 : 6_000 + build}.${number % 7}`;
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome} Safari/537.36`;
}

function clientAddress(number: number): string {
  return `${20 + (number % 170)}.${(number * 31) % 256}.${(number * 7) % 256}.${1 + (number % 250)}`;
}

// The server closes a connection that is idle for 10 s.
const IDLE_MS = 7_000;
const IDLE_LIMIT_SECONDS = 120;
const HELD_SHARE_MIN = 0.9;

/** Does `work` while a client holds connections, each of which makes a visit first and another one every 7 s. */
export async function withIdleConnections<Result>(
  run: Run,
  server: RedirectServer,
  { connections, visited }: { readonly connections: number; readonly visited: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const lua = `local made = 0
delay = function()
  made = made + 1
  return made > ${connections} and ${IDLE_MS} or math.floor(made / 10)
end`;
  const stopping = new AbortController();
  const signal = AbortSignal.any([run.signal, stopping.signal]);
  const requests = { lines: [visited], head: browserHead(), lua };
  const phase = { connections, seconds: IDLE_LIMIT_SECONDS };
  const held = runWrk({ ...run, signal }, server.url, requests, phase).catch(() => undefined);
  try {
    const areOpen = async () =>
      ((await readMetrics(server)).get('connections') ?? 0) >= HELD_SHARE_MIN * connections;
    await until(areOpen, `${connections} connections are open`);
    // The first visits take a second.
    await sleep(1_000, undefined, { signal });
    return await work();
  } finally {
    stopping.abort();
    await held;
  }
}
