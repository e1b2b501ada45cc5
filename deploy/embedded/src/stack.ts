import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type StackFile, stackFilePath } from '@smartlink/process/database';
import {
  type Child,
  type EngineOptions,
  findRunning,
  isRunning,
  type ProcessIdentity,
  stopProcess,
} from './child.js';
import { startClickhouse } from './clickhouse/start-clickhouse.js';
import {
  type DataFolder,
  loadSecrets,
  openDataFolder,
  type Secrets,
  writePrivateFile,
} from './data-folder.js';
import { startPostgres } from './postgres.js';
import { requireRedis, startRedis } from './redis.js';

export type StackAddresses = Pick<StackFile, 'databaseUrl' | 'redisUrl' | 'clickhouseUrl'>;

export type Stack = Awaited<ReturnType<typeof startStack>>;

export type StackOptions = {
  /** From claimDataFolder. Unlocked by `stop`, or when the start fails. */
  readonly dataFolder: DataFolder;
  /** Addresses of running engines; the others are embedded. */
  readonly external: { readonly [Name in keyof StackAddresses]?: string | undefined };
  readonly report: EngineOptions['report'];
  readonly durable?: EngineOptions['durable'];
  /** Cancels the start between two steps. */
  readonly signal?: AbortSignal;
};

const LEFT_OVER_GRACE_MS = 15_000;

/**
 * Creates and locks the data folder and ends processes that a killed launcher left on it. Throws StackError, in one
 * line, when the folder cannot be used or is locked. The caller unlocks it or passes it to startStack.
 */
export async function claimDataFolder(path: string, report: (line: string) => void): Promise<DataFolder> {
  const dataFolder = openDataFolder(path);
  await endLeftOvers(dataFolder.file('processes.json'), report);
  rmSync(stackFilePath(dataFolder.path), { force: true });
  return dataFolder;
}

/**
 * Starts the engines that `external` does not name. After a failure it stops those already started; StackError has one
 * line for the person at the terminal.
 */
export async function startStack(options: StackOptions) {
  const { dataFolder, report } = options;
  const processesFile = dataFolder.file('processes.json');
  const stackFile = stackFilePath(dataFolder.path);
  const remembered: Child[] = [];
  const engines: Child[] = [];
  let stopping: Promise<void> | undefined;

  const remember = (child: Child) => {
    remembered.push(child);
    const alive = remembered.map((each) => each.identity).filter(isRunning);
    writePrivateFile(processesFile, JSON.stringify(alive));
  };
  const stopEngines = async () => {
    rmSync(stackFile, { force: true });
    for (const engine of engines.toReversed()) await stopChild(engine, report);
    rmSync(processesFile, { force: true });
    dataFolder.unlock();
  };
  const stop = () => (stopping ??= stopEngines());
  try {
    const secrets = loadSecrets(dataFolder.file('secrets.json'));
    const { home, ...addresses } = await startEngines(options, secrets, (child) => {
      engines.push(child);
      remember(child);
    });
    /** Adds addresses to `stack.json`, by which commands find a running stack. */
    const announce = (more: Partial<StackFile>) => {
      writePrivateFile(stackFile, `${JSON.stringify({ ...addresses, ...more }, null, 2)}\n`);
    };
    announce({});
    return {
      ...addresses,
      dataFolder,
      secrets,
      /** The data folder, and a second folder if Postgres cannot use the first. */
      dataDirs: [dataFolder.path, ...(home.startsWith(dataFolder.path) ? [] : [home])],
      /** Records a process of the caller, so that the next start ends it if it is left over. */
      remember,
      announce,
      /** Resolves with a message when an engine ends unexpectedly. */
      failed: new Promise<string>((resolve) => {
        for (const child of engines.filter((each) => !each.hasExited())) {
          void child.exited.then((how) => {
            const message = `${child.identity.name} ended (${how}); its log ends with:\n${child.lastLines(5)}`;
            if (stopping === undefined) resolve(message);
          });
        }
      }),
      /** Stops ClickHouse, Redis and Postgres, in this order, and unlocks the data folder. Idempotent. */
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function startEngines(options: StackOptions, secrets: Secrets, onStart: (child: Child) => void) {
  const { dataFolder, external, report, durable = true, signal } = options;
  const settings = (name: 'postgres' | 'redis' | 'clickhouse'): EngineOptions => ({
    dataDir: dataFolder.path,
    dataId: secrets.dataId,
    logFile: join(dataFolder.folder('logs'), `${name}.log`),
    password: secrets[`${name}Password`],
    durable,
    report,
    onStart,
  });
  const ready = (name: string, variable: string, url: string | undefined) => {
    report(url === undefined ? `${name} is ready` : `${name}: using ${variable}`);
    signal?.throwIfAborted();
  };
  const { databaseUrl, home } =
    external.databaseUrl === undefined
      ? await startPostgres(settings('postgres'))
      : { databaseUrl: external.databaseUrl, home: dataFolder.path };
  ready('Postgres', 'DATABASE_URL', external.databaseUrl);
  if (external.redisUrl !== undefined) await requireRedis(external.redisUrl);
  const redisUrl = external.redisUrl ?? (await startRedis(settings('redis'))).redisUrl;
  ready('Redis', 'REDIS_URL', external.redisUrl);
  const clickhouseUrl =
    external.clickhouseUrl ?? (await startClickhouse(settings('clickhouse'))).clickhouseUrl;
  ready('ClickHouse', 'CLICKHOUSE_URL', external.clickhouseUrl);
  return { databaseUrl, redisUrl, clickhouseUrl, home };
}

/** Stops a process, and reports if it had to be killed. */
export async function stopChild(child: Child, report: (line: string) => void): Promise<void> {
  if (child.hasExited() || (await child.stop())) return;
  report(`${child.identity.name} did not stop in time and was killed`);
}

const identitiesSchema = z.array(z.object({ name: z.string(), pid: z.int(), startedAt: z.string() }));

async function endLeftOvers(file: string, report: (line: string) => void): Promise<void> {
  if (!existsSync(file)) return;
  let recorded: readonly ProcessIdentity[] = [];
  try {
    recorded = identitiesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    report(`${file} is not readable: processes of an earlier start may still run`);
  }
  // Services before the engines they use.
  for (const identity of recorded.toReversed()) {
    await Promise.all(
      findRunning(identity).map(async (running) => {
        report(`Stopping ${running.name} of an earlier start (process ${running.pid})`);
        await stopProcess(running, running.name === 'postgres' ? 'SIGINT' : 'SIGTERM', LEFT_OVER_GRACE_MS);
      }),
    );
  }
  rmSync(file, { force: true });
}
