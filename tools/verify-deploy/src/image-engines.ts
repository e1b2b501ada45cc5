import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { freePort } from '@smartlink/embedded/ports';
import { claimDataFolder, startStack } from '@smartlink/embedded/stack';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { CheckContext } from './check.js';
import { runProgram } from './run-program.js';

const DATABASE = 'installed';
/** Empty until somebody restores into it. */
export const RESTORED_DATABASE = 'restored';

export type Engines = {
  /**
   * A secret of compose.yaml, as make-secrets.sh makes it, with the address of the engine that runs here and this database,
   * the installation's by default.
   */
  readonly secret: (name: string, database?: string) => string;
  readonly clickhouseUrl: string;
  /** Somebody who may make roles, in the installation's database. */
  readonly superuserUrl: string;
  readonly rolesSql: string;
  /** While true, ClickHouse has no table for events, and they stay in the spools. */
  readonly refuseEvents: (isRefused: boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts real engines with what deploy/ says of them: Postgres with the passwords of the roles, Redis with its configuration
 * and its access list. ClickHouse is the embedded one, which knows one user only, so its users are not tried.
 */
export async function startEngines(context: CheckContext): Promise<Engines> {
  const { root, folder, signal } = context;
  const secrets = path.join(folder, 'secrets');
  const made = await runProgram(['sh', path.join(root, 'deploy/compose/make-secrets.sh'), secrets], {
    signal,
  });
  if (made.code !== 0) throw new Error(`make-secrets.sh: ${made.stderr}`);
  const read = (name: string) => readFileSync(path.join(secrets, name), 'utf8').trim();
  const redis = await startRedis(context, path.join(secrets, 'redis_acl'));
  try {
    const redisUrl = moved(read('redis_url'), `redis://127.0.0.1:${redis.port}`);
    await waitForRedis(redisUrl);
    const dataFolder = await claimDataFolder(path.join(folder, 'data'), context.report);
    const stack = await startStack({
      dataFolder,
      external: { redisUrl },
      durable: false,
      report: () => undefined,
      signal,
    });
    try {
      await withPostgres(stack.databaseUrl, async (client) => {
        for (const name of [DATABASE, RESTORED_DATABASE]) await client.query(`create database ${name}`);
      });
    } catch (err) {
      await stack.stop();
      throw err;
    }
    const clickhouseUrl = at(stack.clickhouseUrl, DATABASE);
    return {
      superuserUrl: at(stack.databaseUrl, DATABASE),
      clickhouseUrl,
      rolesSql: readFileSync(path.join(root, 'deploy/postgres/roles.sql'), 'utf8'),
      secret: (name, database = DATABASE) => {
        if (name.startsWith('database_url_')) return at(moved(read(name), stack.databaseUrl), database);
        if (name.startsWith('clickhouse_url_')) return at(clickhouseUrl, database);
        return name === 'redis_url' ? redisUrl : read(name);
      },
      refuseEvents: (isRefused) => renameEvents(clickhouseUrl, isRefused),
      stop: async () => {
        await stack.stop();
        await stop(redis.child);
      },
    };
  } catch (err) {
    await stop(redis.child);
    throw err;
  }
}

/** Runs roles.sql as the jobs of compose.yaml do, passwords as settings of the session. */
export async function applyRoles({
  superuserUrl,
  rolesSql,
  secret,
}: Pick<Engines, 'superuserUrl' | 'rolesSql' | 'secret'>): Promise<void> {
  const options = ['owner', 'management', 'redirect']
    .map((role) => `-c smartlink.${role}_password=${secret(`postgres_${role}_password`)}`)
    .join(' ');
  const client = new Client({ connectionString: superuserUrl, options });
  await client.connect();
  try {
    await client.query(`begin; ${rolesSql}; commit`);
  } finally {
    await client.end();
  }
}

async function startRedis(
  { root, folder }: CheckContext,
  aclFile: string,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const port = await freePort();
  // The loopback address and folders of this machine; everything else is the file's.
  const child = spawn(
    'redis-server',
    [
      path.join(root, 'deploy/compose/redis/redis.conf'),
      ...['--bind', '127.0.0.1', '--port', String(port), '--aclfile', aclFile, '--dir', folder],
    ],
    { stdio: 'ignore' },
  );
  await once(child, 'spawn');
  return { child, port };
}

async function waitForRedis(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 50, retryStrategy: () => 100 });
  redis.on('error', () => undefined);
  try {
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

async function renameEvents(clickhouseUrl: string, isRefused: boolean): Promise<void> {
  const client = createClient({ url: clickhouseUrl });
  try {
    await client.command({
      query: isRefused ? 'rename table events to events_away' : 'rename table events_away to events',
    });
  } finally {
    await client.close();
  }
}

async function withPostgres(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(5_000, undefined, { ref: false })]);
  child.kill('SIGKILL');
}

/** The user and password of one address, at the host and port of another. */
function moved(url: string, to: string): string {
  const copy = new URL(url);
  copy.host = new URL(to).host;
  return copy.href;
}

/** The address with another database in it. */
export function at(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.href;
}
