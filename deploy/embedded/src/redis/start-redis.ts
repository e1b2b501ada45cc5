import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRedis, whenReady } from '@smartlink/link-resolver/redis-connection';
import { startChild } from '../child.js';
import type { Child } from '../child.js';
import { freePort } from '../ports.js';
import { StackError } from '../stack-error.js';
import { findRedis } from './find-redis.js';

export type RedisOptions = {
  readonly dataDir: string;
  readonly logFile: string;
  readonly password: string;
  readonly report: (line: string) => void;
  readonly onStart: (child: Child) => void;
};

export type RunningRedis = { readonly child: Child; readonly redisUrl: string };

const READY_TIMEOUT_MS = 30_000;
const START_ATTEMPTS_MAX = 3;
const STOP_GRACE_MS = 10_000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 2_000;
const EXTERNAL_TIMEOUT_MS = 5_000;

/**
 * Starts redis-server (or valkey-server) on a free port of the loopback address and waits until it answers. The
 * caller stops `child`. Throws StackError when there is none to start or it ends; the message says what to do.
 */
export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const command = await findRedis(options.report);
  const folder = join(options.dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const configFile = join(folder, 'redis.conf');
    writeFileSync(configFile, configuration({ ...options, port, folder }), { mode: 0o600 });
    const child = await startChild({
      name: 'redis',
      command,
      args: [configFile],
      env: { PATH: process.env['PATH'], TZ: 'UTC' },
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      graceMs: STOP_GRACE_MS,
    });
    options.onStart(child);
    const redisUrl = `redis://:${options.password}@127.0.0.1:${port}`;
    if (await waitUntilReady(child, redisUrl)) return { child, redisUrl };
    await child.stop();
    if (attempt === START_ATTEMPTS_MAX) {
      throw new StackError(`Redis did not start; ${options.logFile} ends with:\n${child.lastLines(5)}`);
    }
  }
}

// The password stands in this file, which only its owner can read; arguments are for everybody to see. Redis is a
// cache here whose content can be made anew from Postgres, so none of it is kept. Every key has a time
// to live, and when memory is short the ones least used go first.
function configuration(settings: { port: number; password: string; folder: string }): string {
  return [
    'bind 127.0.0.1',
    `port ${settings.port}`,
    `requirepass ${settings.password}`,
    `dir ${JSON.stringify(settings.folder)}`,
    'daemonize no',
    'supervised no',
    'appendonly no',
    // Nothing in it must outlive it: snapshots that come back from a disk may be older than what was published since.
    'save ""',
    'maxmemory 512mb',
    'maxmemory-policy volatile-lru',
    '',
  ].join('\n');
}

async function waitUntilReady(child: Child, redisUrl: string): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    if (await answersPing(redisUrl, ANSWER_TIMEOUT_MS)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Throws StackError when the Redis, or the group of them, that somebody else runs does not answer, or not to us. */
export async function requireRedis(redisUrl: string): Promise<void> {
  if (await answersPing(redisUrl, EXTERNAL_TIMEOUT_MS)) return;
  throw new StackError('Redis does not answer, or not with this user and password: look at REDIS_URL.');
}

// Refused connections are expected here.
const SILENT = { info: () => undefined, warn: () => undefined };

async function answersPing(redisUrl: string, limitMs: number): Promise<boolean> {
  const redis = openRedis({ url: redisUrl, log: SILENT, commandTimeoutMs: limitMs });
  try {
    await whenReady(redis, limitMs);
    await redis.ping();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}
