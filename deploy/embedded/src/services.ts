import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.js';
import type { Child } from './child.js';
import { readableLog, withoutInfo } from './readable-log.js';
import { describeFailure, StackError } from './stack-error.js';

export type ServiceName = 'management' | 'redirect';

export type ServiceOptions = {
  readonly name: ServiceName;
  readonly root: string;
  readonly node: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logDir: string;
};

const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 15_000;
const POLL_MS = 100;
const LAST_LINES = 10;
const READY = 'ready';

/** Starts a built service in a session of its own; its output goes to `<logDir>/<name>.log`. */
export async function startService(options: ServiceOptions): Promise<Child> {
  return startChild({
    name: options.name,
    command: options.node,
    args: [join(options.root, 'services', options.name, 'dist/main.js')],
    cwd: options.root,
    env: options.env,
    logFile: join(options.logDir, `${options.name}.log`),
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
  });
}

/** Waits until the service says that it is ready. Throws StackError with its last warnings when it ends or takes too long. */
export async function waitUntilReady(service: Child, url: string, signal: AbortSignal): Promise<void> {
  const { name } = service.identity;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let answer = 'it does not answer';
  while (!service.hasExited() && Date.now() < deadline) {
    signal.throwIfAborted();
    answer = await askReady(url);
    if (answer === READY) return;
    await sleep(POLL_MS);
  }
  if (service.hasExited()) throw new StackError(describeEnd(service, await service.exited));
  const seconds = READY_TIMEOUT_MS / 1000;
  throw new StackError(`${name} is not ready after ${seconds} s (${answer})${lastWords(service)}`);
}

/** Returns what to say about a service that ended without being asked to, `how` being its signal or exit code. */
export function describeEnd(service: Child, how: string): string {
  return `${service.identity.name} ended (${how})${lastWords(service)}`;
}

/** What a service logs of its work would hide why it ended. */
function lastWords(service: Child): string {
  const lines = withoutInfo(service.lastLines(Infinity).split('\n')).slice(-LAST_LINES);
  return lines.length === 0
    ? '; it logged no warning or error before'
    : `; its last warnings and errors:\n${readableLog(lines.join('\n'))}`;
}

async function askReady(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    return response.ok ? READY : `${response.status} ${text.slice(0, 200)}`;
  } catch (err) {
    return describeFailure(err instanceof Error && err.cause !== undefined ? err.cause : err);
  }
}
