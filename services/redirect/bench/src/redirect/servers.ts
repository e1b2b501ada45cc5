import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchStack } from '@smartlink/bench/bench-stack';
import { childrenOf } from '@smartlink/bench/process-times';
import { startServer } from '@smartlink/bench/server-process';
import { startChild } from '@smartlink/embedded/child';
import { freePort } from '@smartlink/embedded/ports';
import { StackError } from '@smartlink/embedded/stack-error';
import { evenUrl } from '../many-links.js';
import { startRedirect } from '../redirect-process.js';
import type { RedirectProcess } from '../redirect-process.js';

/** A server under load. */
export type Target = {
  readonly url: string;
  /** The processes whose time is its cost. */
  readonly pids: () => readonly number[];
  readonly stop: () => Promise<void>;
  /** Present of our own service. */
  readonly service?: RedirectProcess;
};

export type Place = {
  readonly stack: BenchStack;
  readonly core: string | null;
  /** PATH: where taskset, setpriv and nginx are looked for. */
  readonly searchPath: string | undefined;
};

const BARE_PROGRAM = fileURLToPath(new URL('../../dist/redirect/bare-server.js', import.meta.url));
const STOP_GRACE_MS = 5_000;
const NGINX_LIMIT_MS = 10_000;

/** Starts a handler of uWebSockets.js that answers `302` with these headers, whatever is asked. */
export async function startBare(
  { stack, core, searchPath }: Place,
  name: string,
  headers: readonly (readonly [name: string, value: string])[],
): Promise<Target> {
  const [first, ...others] = headers;
  // Written by one call: a handler that calls for each header is slower, and this is to be the floor.
  const [firstName, firstValue] = first ?? ['', ''];
  const lines = [firstValue, ...others.map(([header, value]) => `${header}: ${value}`)].join('\r\n');
  const server = await startServer({
    name,
    program: BARE_PROGRAM,
    args: [firstName, lines],
    env: { PATH: searchPath },
    core,
    logFile: stack.logFile(name),
  });
  const { pid } = server.child.identity;
  return { url: server.url, pids: () => [pid], stop: server.stop };
}

/** Starts nginx with one worker that answers `return 302`. Throws StackError when it does not. */
export async function startNginx({ stack, core, searchPath }: Place): Promise<Target> {
  const folder = stack.folder('nginx');
  const port = await freePort();
  mkdirSync(path.join(folder, 'temp'), { recursive: true });
  const configuration = path.join(folder, 'nginx.conf');
  writeFileSync(configuration, nginxConfiguration(folder, port));
  const nginx = ['nginx', '-p', folder, '-c', configuration, '-e', 'stderr'];
  const [command = '', ...args] = core === null ? nginx : ['taskset', '-c', core, ...nginx];
  const child = await startChild({
    name: 'nginx',
    command,
    args,
    env: { PATH: searchPath },
    logFile: stack.logFile('nginx'),
    stopSignal: 'SIGQUIT',
    graceMs: STOP_GRACE_MS,
  });
  const { pid } = child.identity;
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (!child.hasExited()) await child.stop();
  };
  const deadline = Date.now() + NGINX_LIMIT_MS;
  while (!(await answers(url))) {
    if (child.hasExited() || Date.now() > deadline) {
      await stop();
      throw new StackError(`nginx did not start; its last words:\n${child.lastLines(10)}`);
    }
    await sleep(50);
  }
  return { url, pids: () => [pid, ...childrenOf(pid)], stop };
}

/** Starts our service; `root` is another built checkout, null: this one. */
export async function startService(
  place: Place,
  name: string,
  options: {
    readonly root?: string | null;
    readonly env?: Readonly<Record<string, string>>;
    readonly nodeArgs?: readonly string[];
  } = {},
): Promise<Target> {
  const service = await startRedirect({ ...place, name, root: null, ...options });
  return {
    url: service.url,
    pids: service.pids,
    stop: service.stop,
    service,
  };
}

// What is not said is nginx's own default; what is said is in its favour.
function nginxConfiguration(folder: string, port: number): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/temp/${name};`,
  );
  return `daemon off;
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
    location / { return 302 ${evenUrl(0)}; }
  }
}
`;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { redirect: 'manual' })).status === 302;
  } catch {
    return false;
  }
}
