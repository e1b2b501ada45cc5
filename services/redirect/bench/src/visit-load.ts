import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Column, percent } from '@smartlink/bench/figures';
import { processTimeUs, systemTimeUs } from '@smartlink/bench/machine';
import type { StackRun } from '@smartlink/bench/stack';
import { until } from '@smartlink/test-support/until';
import type { RedirectProcess } from './redirect-process.js';

/** Enough to keep a server busy. */
export const CONNECTIONS = 64;

/** A process batches its Postgres lookups for 20 ms: with this many connections a query fetches some hundred links. */
export const WIDE = 512;

/** One phase of load; each connection waits for its answer before the next request. */
export type VisitLoad = {
  readonly requests: number;
  readonly perSecond: number;
  /** Processor time of the server's processes for one visit, in µs, without the engines. */
  readonly cpuUs: number;
  /** Kernel part of cpuUs. */
  readonly systemUs: number;
  /** Cores that the server's processes used; below 1 the client was the limit. */
  readonly coresUsed: number;
  readonly p50Us: number;
  readonly p99Us: number;
};

/** A server, and the processes whose time is the cost of a visit. */
export type Loaded = Pick<RedirectProcess, 'url' | 'pids'>;

export type WrkOptions = {
  /** From this module. */
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
};

type Run = Pick<StackRun<object>, 'stack' | 'cores' | 'signal'>;

const GRACE_SECONDS = 20;

/** Puts a server under as much load as one thread of wrk makes. Rejects when a request fails, and on `signal`. */
export async function loadVisits(run: Run, { url, pids }: Loaded, options: WrkOptions): Promise<VisitLoad> {
  const sum = (timeOf: (pid: number) => number) => pids().reduce((total, pid) => total + timeOf(pid), 0);
  const used = () => ({ allUs: sum(processTimeUs), systemUs: sum(systemTimeUs) });
  run.signal.throwIfAborted();
  const before = used();
  const limit = AbortSignal.timeout((options.seconds + GRACE_SECONDS) * 1_000);
  const output = await startWrk(run, url, options, AbortSignal.any([run.signal, limit]));
  const after = used();
  const figures = /^figures (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(output)?.slice(1).map(Number);
  const [requests = 0, elapsedUs = 0, p50Us = 0, p99Us = 0, errors = 0] = figures ?? [];
  if (errors > 0 || requests === 0) throw new Error(`Of ${requests} requests ${errors} failed:\n${output}`);
  const allUs = after.allUs - before.allUs;
  return {
    ...{ requests, p50Us, p99Us },
    perSecond: (requests * 1e6) / elapsedUs,
    cpuUs: allUs / requests,
    systemUs: (after.systemUs - before.systemUs) / requests,
    coresUsed: allUs / elapsedUs,
  };
}

/** Columns of a table of loads. */
export const LOAD_COLUMNS: readonly Column<VisitLoad>[] = [
  { title: 'visits/s', valueOf: ({ perSecond }) => perSecond },
  { title: 'CPU µs', valueOf: ({ cpuUs }) => cpuUs },
  { title: 'p50 ms', valueOf: ({ p50Us }) => p50Us / 1_000, isAlone: true },
  { title: 'p99 ms', valueOf: ({ p99Us }) => p99Us / 1_000, isAlone: true },
  { title: 'core busy', valueOf: ({ coresUsed }) => coresUsed, show: percent, isAlone: true },
];

/** Output of wrk, when it has ended. */
async function startWrk(
  { cores }: Run,
  url: string,
  { script, connections, seconds }: WrkOptions,
  signal: AbortSignal,
): Promise<string> {
  const pinned = cores.others === null ? [] : ['taskset', '-c', cores.others];
  // wrk takes whole seconds only.
  const duration = `-d${Math.max(1, Math.round(seconds))}s`;
  const argv = [...pinned, 'wrk', '-t1', `-c${connections}`, duration, '-s', script, url];
  const { stdout } = await promisify(execFile)(argv[0] ?? '', argv.slice(1), { signal });
  return stdout;
}

/** Mix of requests that a client repeats. */
export type VisitMix = {
  readonly slugs: readonly string[];
  /** Number of different User-Agents. */
  readonly agents: number;
  /** Number of different addresses in X-Forwarded-For; 0: no such header. */
  readonly addresses: number;
  /** Every how many visits carries a query; 0: none. */
  readonly queryEvery: number;
  /** The visits come by the address of the QR code. */
  readonly isScan: boolean;
  /** All visitors have a phone. */
  readonly isPhone: boolean;
};

/** A multiple of all mixed numbers, few enough to be kept ready. */
const REQUESTS = 20_000;

const QUERIES = [
  'utm_source=newsletter&utm_medium=email&utm_campaign=spring_sale',
  'ref=story&fbclid=IwAR2qk3J9x0',
];

/** The requests of a mix. */
export function mixRequests({ slugs, agents, addresses, queryEvery, isScan, isPhone }: VisitMix): string[] {
  // More requests of a small mix would only fill the client's cache.
  const isVaried = Math.max(slugs.length, agents, addresses) > 1_000;
  return Array.from({ length: isVaried ? REQUESTS : REQUESTS / 20 }, (_, number) => {
    // Coprime steps: every slug meets every browser.
    const slug = slugs[(number * 7_919) % slugs.length] ?? '';
    const query = queryEvery > 0 && number % queryEvery === 0 ? `?${QUERIES[number % 2] ?? ''}` : '';
    const head = requestHead({
      'User-Agent': userAgent((number * 104_729) % agents, isPhone),
      ...(addresses > 0 && { 'X-Forwarded-For': address(number % addresses) }),
    });
    return `GET /${isScan ? 'q/' : ''}${slug}${query} ${head}`;
  });
}

/** Headers of every visit, in the order of browsers. */
export const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  Host: '127.0.0.1:20000',
  'User-Agent': userAgent(0, false),
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,az;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br',
  Referer: 'https://news.example.org/',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Dest': 'document',
};

/** A request after its path, as a browser sends it: some 400 bytes. */
function requestHead(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...BROWSER_HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** `number`: 0 to 9,999. */
function userAgent(number: number, isPhone: boolean): string {
  const version = 142 - (number % 40);
  const build = Math.floor(number / 40);
  const chrome = `Chrome/${version}.0.${build === 0 ? 0 : 6_000 + build}.${number % 7} Safari/537.36`;
  if (isPhone) {
    return `Mozilla/5.0 (Linux; Android ${10 + (number % 6)}; SM-S9${10 + (number % 30)}B) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome.replace(' Safari', ' Mobile Safari')}`;
  }
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ${chrome}`;
}

function address(number: number): string {
  return `${20 + (number % 170)}.${(number * 31) % 256}.${(number * 7) % 256}.${1 + (number % 250)}`;
}

/** Writes a wrk script that repeats the requests of a mix; path of the script. */
export function writeMixScript(run: Run, name: string, mix: VisitMix): string {
  const lines = mixRequests(mix).map((request) => request.replaceAll('\r\n', '\t'));
  return writeScript(run, name, { lines, kept: '(line:gsub("\\t", "\\r\\n"))', request: 'all[at]' });
}

export type Walk = {
  /** Index of the first path; the last one is followed by the first. */
  readonly offset?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers of 400 and above are expected. */
  readonly isRefused?: boolean;
  /** A new connection for each request. */
  readonly isClosing?: boolean;
};

/** Writes a wrk script that visits `paths` in order; path of the script. */
export function writeWalkScript(
  run: Run,
  name: string,
  paths: readonly string[],
  { offset = 0, headers = {}, isRefused = false, isClosing = false }: Walk = {},
): string {
  const head = requestHead(isClosing ? { ...headers, Connection: 'close' } : headers);
  return writeScript(run, name, {
    lines: paths,
    offset,
    // Paths alone: there may be millions of them.
    kept: 'line',
    request: `"GET " .. all[at] .. ${JSON.stringify(` ${head}`)}`,
    // The answer does not announce that the connection is closed, so wrk counts each close as an error.
    ignored: [...(isClosing ? ['read'] : []), ...(isRefused ? ['status'] : [])],
  });
}

// `status`: 400 and above.
const ERRORS = ['connect', 'read', 'write', 'status', 'timeout'];

/** Writes a wrk script that sends one request for each line. */
function writeScript(
  { stack }: Run,
  name: string,
  script: {
    readonly lines: readonly string[];
    readonly offset?: number;
    /** Lua expression of `line` that is kept in memory. */
    readonly kept: string;
    /** Lua expression of `all[at]` that is sent. */
    readonly request: string;
    readonly ignored?: readonly string[];
    readonly setup?: string;
  },
): string {
  const { lines, offset = 0, kept, request, ignored = [], setup = '' } = script;
  const counted = ERRORS.filter((kind) => !ignored.includes(kind)).map((kind) => `e.${kind}`);
  const file = path.join(stack.folder('wrk'), name);
  writeFileSync(`${file}.txt`, lines.join('\n'));
  writeFileSync(
    `${file}.lua`,
    `local all, at, count = {}, ${offset}, 0
${setup}
init = function()
  for line in io.lines(${JSON.stringify(`${file}.txt`)}) do
    count = count + 1
    all[count] = ${kept}
  end
end
request = function()
  at = at % count + 1
  return ${request}
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("\\nfigures %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), ${counted.join(' + ')}))
end
`,
  );
  return `${file}.lua`;
}

// The server closes a connection that is idle for 10 s.
const IDLE_MS = 7_000;
const IDLE_LIMIT_SECONDS = 120;
const HELD_SHARE_MIN = 0.9;

/** Does `work` while a client holds connections, each of which makes a visit first and another one every 7 s. */
export async function withIdleConnections<Result>(
  run: Run,
  service: RedirectProcess,
  { connections, visited }: { connections: number; visited: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const script = writeScript(run, 'idle', {
    lines: [visited],
    kept: `"GET " .. line .. ${JSON.stringify(` ${requestHead({})}`)}`,
    request: 'all[at]',
    setup: `local made = 0
delay = function()
  made = made + 1
  return made > ${connections} and ${IDLE_MS} or math.floor(made / 10)
end`,
  });
  const stopping = new AbortController();
  const signal = AbortSignal.any([run.signal, stopping.signal]);
  const options = { script, connections, seconds: IDLE_LIMIT_SECONDS };
  const held = startWrk(run, service.url, options, signal).catch(() => undefined);
  try {
    const areOpen = async () =>
      ((await service.metrics()).get('connections') ?? 0) >= HELD_SHARE_MIN * connections;
    await until(areOpen, `${connections} connections are open`);
    // The first visits take a second.
    await sleep(1_000, undefined, { signal });
    return await work();
  } finally {
    stopping.abort();
    await held;
  }
}
