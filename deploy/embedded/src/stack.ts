import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Child } from './child.js';
import { startClickhouse } from './clickhouse/start-clickhouse.js';
import { openDataFolder, writePrivateFile } from './data-folder.js';
import type { DataFolder } from './data-folder.js';
import { startPostgres } from './postgres/start-postgres.js';
import { isRunning, stopProcess } from './process-identity.js';
import type { ProcessIdentity } from './process-identity.js';
import { requireRedis, startRedis } from './redis/start-redis.js';
import { loadSecrets } from './secrets.js';
import type { Secrets } from './secrets.js';

export type StackAddresses = {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly clickhouseUrl: string;
};

export type Stack = StackAddresses & {
  readonly dataFolder: DataFolder;
  readonly secrets: Secrets;
  /** Every folder that holds data: the data folder, and another one when Postgres had to be put elsewhere. */
  readonly dataDirs: readonly string[];
  /** Puts a process that the caller started on the list of those that the next start ends if they are left over. */
  readonly remember: (child: Child) => void;
  /** Writes addresses to `stack.json` in the data folder, for the commands that look for a running stack. */
  readonly announce: (addresses: Readonly<Record<string, string>>) => void;
  /** Resolves with one line when an engine ends that nobody stopped. */
  readonly failed: Promise<string>;
  /** Stops ClickHouse, Redis, Postgres, in that order, and gives the data folder back. Safe to call again. */
  readonly stop: () => Promise<void>;
};

export type StackOptions = {
  /** From claimDataFolder; given back by the stack's `stop`, or when the start fails. */
  readonly dataFolder: DataFolder;
  /** Engines that run elsewhere. What is not given is embedded. */
  readonly external: { readonly [Name in keyof StackAddresses]?: string | undefined };
  readonly report: (line: string) => void;
  /** False for data that may be lost, as in tests. */
  readonly durable?: boolean;
  /** Stops the start between two steps. */
  readonly signal?: AbortSignal;
};

/**
 * Makes and locks the data folder, and ends processes that a killed launcher left over on it. Throws StackError, in
 * one line, when the folder cannot be used or another Smartlink has it. The caller unlocks it, or hands it to startStack.
 */
export async function claimDataFolder(path: string, report: (line: string) => void): Promise<DataFolder> {
  const dataFolder = openDataFolder(path);
  await endLeftOvers(dataFolder.file('processes.json'), report);
  rmSync(dataFolder.file('stack.json'), { force: true });
  return dataFolder;
}

/**
 * Brings up what is not given as `external` and returns the addresses. Throws StackError with one clear line for
 * whatever the person at the terminal can put right, after stopping what had started.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataFolder } = options;
  const children = createChildren(dataFolder.file('processes.json'));
  const stop = once(async () => {
    rmSync(dataFolder.file('stack.json'), { force: true });
    await children.stopAll(options.report);
    dataFolder.unlock();
  });
  try {
    const secrets = loadSecrets(dataFolder.file('secrets.json'));
    const engines = await startEngines(options, secrets, children);
    const { home, engineProcesses, ...addresses } = engines;
    const announce = createAnnounce(dataFolder.file('stack.json'));
    announce(addresses);
    return {
      ...addresses,
      dataFolder,
      secrets,
      dataDirs: [
        ...new Set([dataFolder.path, ...(home?.startsWith(dataFolder.path) === false ? [home] : [])]),
      ],
      remember: children.remember,
      announce,
      failed: children.firstDeath(engineProcesses),
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function startEngines(
  options: StackOptions,
  secrets: Secrets,
  children: Children,
): Promise<StackAddresses & { home?: string; engineProcesses: readonly Child[] }> {
  const { dataFolder, external, report, durable = true, signal } = options;
  const logFile = (name: string) => `${dataFolder.folder('logs')}/${name}.log`;
  const common = { dataDir: dataFolder.path, dataId: secrets.dataId, durable, report, onStart: children.own };
  const postgres =
    external.databaseUrl === undefined
      ? await startPostgres({ ...common, logFile: logFile('postgres'), password: secrets.postgresPassword })
      : null;
  report(postgres ? 'Postgres is ready' : 'Postgres is the one of DATABASE_URL');
  signal?.throwIfAborted();
  const redis =
    external.redisUrl === undefined
      ? await startRedis({ ...common, logFile: logFile('redis'), password: secrets.redisPassword })
      : null;
  if (external.redisUrl !== undefined) await requireRedis(external.redisUrl);
  report(redis ? 'Redis is ready' : 'Redis is the one of REDIS_URL');
  signal?.throwIfAborted();
  const clickhouse =
    external.clickhouseUrl === undefined
      ? await startClickhouse({
          ...common,
          logFile: logFile('clickhouse'),
          password: secrets.clickhousePassword,
        })
      : null;
  report(clickhouse ? 'ClickHouse is ready' : 'ClickHouse is the one of CLICKHOUSE_URL');
  signal?.throwIfAborted();
  return {
    databaseUrl: postgres?.databaseUrl ?? external.databaseUrl ?? '',
    redisUrl: redis?.redisUrl ?? external.redisUrl ?? '',
    clickhouseUrl: clickhouse?.clickhouseUrl ?? external.clickhouseUrl ?? '',
    engineProcesses: [postgres, redis, clickhouse].flatMap((engine) => (engine ? [engine.child] : [])),
    ...(postgres && { home: postgres.home }),
  };
}

type Children = ReturnType<typeof createChildren>;

function createChildren(file: string) {
  const started: Child[] = [];
  const owned: Child[] = [];
  let stopping = false;
  const remember = (child: Child) => {
    started.push(child);
    const alive = started.map((each) => each.identity).filter(isRunning);
    writePrivateFile(file, JSON.stringify(alive));
  };
  return {
    remember,
    own: (child: Child) => {
      owned.push(child);
      remember(child);
    },
    firstDeath: (watched: readonly Child[]) =>
      new Promise<string>((resolve) => {
        for (const child of watched) {
          void child.exited.then((how) => {
            if (!stopping)
              resolve(`${child.identity.name} ended (${how}); its last words:\n${child.lastLines(5)}`);
          });
        }
      }),
    stopAll: async (report: (line: string) => void) => {
      stopping = true;
      for (const child of owned.toReversed()) {
        if (child.hasExited()) continue;
        if (!(await child.stop())) report(`${child.identity.name} did not stop in time and was killed`);
      }
      rmSync(file, { force: true });
    },
  };
}

const identitiesSchema = z.array(z.object({ name: z.string(), pid: z.int(), startedAt: z.string() }));

async function endLeftOvers(file: string, report: (line: string) => void): Promise<void> {
  if (!existsSync(file)) return;
  let identities: readonly ProcessIdentity[] = [];
  try {
    identities = identitiesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    report(`${file} cannot be read, so processes left over from an earlier start are not looked for`);
  }
  // The last started goes first: services before the engines they use.
  for (const identity of identities.toReversed()) {
    if (!isRunning(identity)) continue;
    report(`Stopping ${identity.name}, left over from an earlier start (process ${identity.pid})`);
    const signal = identity.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    await stopProcess(identity, { signal, graceMs: 15_000 });
  }
  rmSync(file, { force: true });
}

function createAnnounce(file: string): (addresses: Readonly<Record<string, string>>) => void {
  let known: Record<string, string> = {};
  return (addresses) => {
    known = { ...known, ...addresses };
    writePrivateFile(file, `${JSON.stringify(known, null, 2)}\n`);
  };
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= run());
}
