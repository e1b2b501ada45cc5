import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type DestinationStream, type Logger, pino } from 'pino';
import { failureMessage } from './database.js';

export type { Logger } from 'pino';

// Where a secret could slip into an object that is logged. Values are cut, names stay.
const SECRET_PATHS = ['authorization', 'cookie', 'password', 'apiKey', 'passwordHash'];

// Errors of Postgres hold the refused row (detail) or the parsed text (where), those of ioredis the command's arguments.
const ERROR_CONTENT_PATHS = ['err.detail', 'err.where', 'err.command.args'];

/**
 * The process's root logger: JSON lines with ISO times on standard output (or `destination`).
 * Children per component come from `.child({ component })`.
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: [...SECRET_PATHS.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]), ...ERROR_CONTENT_PATHS],
      censor: '[redacted]',
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}

export type ShutdownStep = {
  readonly name: string;
  /** `leftMs`: time until the deadline of the whole shutdown. */
  readonly run: (leftMs: number) => Promise<void> | void;
};

/**
 * Ends the process in order. On SIGTERM, SIGINT, an uncaught exception or an unhandled rejection the steps run one after
 * another; a failed step is logged and does not stop the next. After the last step, or `deadlineMs`, the process exits: 0
 * after a signal, 1 after a fault or a missed deadline. The returned function starts the same and may be called again.
 */
export function installShutdown(options: {
  log: Logger;
  deadlineMs: number;
  steps: readonly ShutdownStep[];
}): (reason: string, exitCode?: number) => void {
  const { log, deadlineMs, steps } = options;
  let begun = false;
  let worstExitCode = 0;

  const shutdown = (reason: string, exitCode = 0): void => {
    worstExitCode = Math.max(worstExitCode, exitCode);
    if (begun) return;
    begun = true;
    log.info({ reason }, 'shutdown begins');
    // Not unref'd: a step waiting outside the event loop must not end the process early with 0.
    setTimeout(() => {
      log.error({ deadlineMs }, 'shutdown took too long');
      process.exit(1);
    }, deadlineMs);
    void runSteps(log, steps, performance.now() + deadlineMs).then((allRan) => {
      log.info('shutdown complete');
      process.exit(allRan ? worstExitCode : 1);
    });
  };

  process.on('SIGTERM', () => {
    shutdown('SIGTERM');
  });
  process.on('SIGINT', () => {
    shutdown('SIGINT');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught exception');
    shutdown('uncaught exception', 1);
  });
  process.on('unhandledRejection', (err) => {
    log.fatal({ err }, 'unhandled rejection');
    shutdown('unhandled rejection', 1);
  });
  return shutdown;
}

/**
 * Makes the exit of a process certain once its parent, which would kill a process that hangs, is gone. For processes with an
 * IPC channel. In rare cases Node 20 deadlocks in process.exit, after the exit handlers (nodejs/node#54918); such a
 * worker would hold its port forever and ignore SIGTERM.
 */
export function killOrphanAtExit(): void {
  process.once('exit', () => {
    if (!process.connected) process.kill(process.pid, 'SIGKILL');
  });
}

async function runSteps(log: Logger, steps: readonly ShutdownStep[], deadline: number): Promise<boolean> {
  let allRan = true;
  for (const step of steps) {
    try {
      await step.run(deadline - performance.now());
    } catch (err) {
      allRan = false;
      log.error({ err, step: step.name }, 'shutdown step failed');
    }
  }
  return allRan;
}

/** A background job: one run at a time, repeated until it is stopped. */
export type Job = {
  /** Aborts the signal, and resolves when the run in progress has ended. Never rejects; may be called again. */
  readonly stop: () => Promise<void>;
};

export type JobOptions = {
  /** Pause between the end of a run and the start of the next, and before the first, in milliseconds. */
  readonly everyMs: number;
  /** Pause before the first run, in milliseconds; `everyMs` by default. */
  readonly firstAfterMs?: number;
  /** Share of the pause that is random, 0 to 1; 0 by default. Set it where many processes would run in step. */
  readonly jitter?: number;
  /**
   * One run. The number it resolves with, if any, replaces `everyMs` for the next pause. It should return early once the
   * signal is aborted; a rejection after that is not a failure.
   */
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most runs return nothing
  readonly run: (signal: AbortSignal) => Promise<number | void>;
  /** Log message of a failure. Consecutive failures are logged once, until a run succeeds again. */
  readonly failure: string;
  readonly log: Pick<Logger, 'warn'>;
  /** Called for every failure, for counters. */
  readonly onFailure?: (err: unknown) => void;
};

/** Starts a background job. Its timer does not keep the process alive. */
export function startJob(options: JobOptions): Job {
  const { everyMs, jitter = 0, log } = options;
  const stopping = new AbortController();
  let isFailing = false;
  let current: Promise<void> = Promise.resolve();
  let timer = schedule(options.firstAfterMs ?? everyMs);

  function schedule(pauseMs: number): NodeJS.Timeout {
    return setTimeout(
      () => {
        current = runOnce();
      },
      pauseMs * (1 - jitter * Math.random()),
    ).unref();
  }

  async function runOnce(): Promise<void> {
    let pauseMs = everyMs;
    try {
      pauseMs = (await options.run(stopping.signal)) ?? everyMs;
      isFailing = false;
    } catch (err) {
      if (stopping.signal.aborted) return;
      // Errors of Redis and Postgres carry the command, which holds content: only the message is logged.
      if (!isFailing) log.warn({ err: { message: failureMessage(err) } }, options.failure);
      isFailing = true;
      options.onFailure?.(err);
    }
    if (!stopping.signal.aborted) timer = schedule(pauseMs);
  }

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
}

/** The boot's id and clock ticks since boot, which alone repeat after a reboot. */
export type ProcessStart = { readonly bootId: string; readonly ticks: string };

/**
 * Start of the process with this pid, which tells it from earlier ones with the same pid. null for an ended process, a
 * zombie, and on systems without /proc (proc(5), stat: state and starttime).
 */
export function readProcessStart(pid: number): ProcessStart | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may hold spaces and brackets itself.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[18];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return { bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(), ticks };
  } catch {
    return null;
  }
}

/** The version in a package.json. Throws when the file cannot be read. */
export function readPackageVersion(packageFile: URL): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

export type InternalAnswer = { readonly status?: number; readonly type?: string; readonly text: string };

/**
 * Serves plain texts by path to the internal network, without a key: metrics and probes. A route gets the text after `?`. `variables` name the host and the
 * port in messages. Rejects when the port is taken or the address is not this machine's. The caller closes it.
 */
export async function serveInternally(options: {
  readonly host: string;
  readonly port: number;
  readonly variables: { readonly host: string; readonly port: string };
  readonly routes: Readonly<Record<string, (query: string) => InternalAnswer | Promise<InternalAnswer>>>;
  readonly log: Logger;
}): Promise<Server> {
  const { host, port, variables, log } = options;
  const routes = new Map(Object.entries(options.routes));
  const server = createServer((req, res) => {
    const answer = async () => {
      const [path = '', ...query] = req.url?.split('?') ?? [];
      const found = await routes.get(path)?.(query.join('?'));
      const { status = 200, type = 'text/plain', text } = found ?? { status: 404, text: '' };
      res.writeHead(status, { 'content-type': type }).end(text);
    };
    answer().catch((err: unknown) => {
      log.error({ err, path: req.url }, 'internal request failed');
      res.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (err: NodeJS.ErrnoException) => {
      const isTaken = err.code === 'EADDRINUSE';
      const problem = isTaken ? `is taken; set ${variables.port} to a free port` : err.message;
      const variable = isTaken ? variables.port : variables.host;
      reject(new Error(`${variable}: ${host}:${port} ${problem}`, { cause: err }));
    });
    server.listen({ host, port }, resolve);
  });
  return server;
}

/** Closes a server with its open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
