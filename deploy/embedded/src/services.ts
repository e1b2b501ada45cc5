import { join } from 'node:path';
import { z } from 'zod';
import { type Child, startChild, waitUntilReady } from './child.js';
import { StackError } from './stack-error.js';

const STOP_GRACE_MS = 15_000;
const LAST_LINES = 10;

/** Starts a built service; its output goes to `<logDir>/<name>.log`. */
export async function startService(options: {
  readonly name: 'management' | 'redirect';
  readonly root: string;
  readonly node: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logDir: string;
}): Promise<Child> {
  const { name, root, node, env, logDir } = options;
  return startChild({
    name,
    command: node,
    args: [join(root, 'services', name, 'dist/main.js')],
    cwd: root,
    env,
    logFile: join(logDir, `${name}.log`),
    stopSignal: 'SIGTERM',
    graceMs: STOP_GRACE_MS,
  });
}

/** Throws StackError with the service's last warnings when it ends or is not ready in time. */
export async function waitUntilServing(service: Child, url: string, signal: AbortSignal): Promise<void> {
  try {
    await waitUntilReady(service, () => requireReady(url), signal);
  } catch (err) {
    throw err instanceof StackError ? new StackError(`${err.message}${lastWarnings(service)}`) : err;
  }
}

async function requireReady(url: string): Promise<void> {
  const response = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 200)}`);
}

/** Message about a service that ended without being asked; `how` is its signal or exit code. */
export function describeEnd(service: Child, how: string): string {
  return `${service.identity.name} ended (${how})${lastWarnings(service)}`;
}

function lastWarnings(service: Child): string {
  const lines = warningsIn(service.lastLines(Infinity)).slice(-LAST_LINES);
  return lines.length === 0
    ? '; it had logged no warning or error'
    : `; its last warnings and errors:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' };
const BELOW_WARNING: ReadonlySet<string> = new Set(['trace', 'debug', 'info']);

const lineSchema = z.object({
  level: z.union([z.number(), z.string()]),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
  reason: z.string().optional().catch(undefined),
});

/** Level, message and error or reason of pino's JSON lines from a warning up; other lines unchanged, without empty ones. */
export function warningsIn(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return line.trim() === '' ? [] : [line];
    try {
      const { level, msg, err, reason } = lineSchema.parse(JSON.parse(line));
      const name = LEVELS[level as keyof typeof LEVELS] ?? String(level);
      if (BELOW_WARNING.has(name)) return [];
      return [
        [`${name}:`, msg, err && `(${err.message})`, reason && `(${reason})`].filter(Boolean).join(' '),
      ];
    } catch {
      return [line];
    }
  });
}
