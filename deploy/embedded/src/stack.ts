import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type StackFile, stackFilePath } from '@smartlink/process/stack-file';
import { type Child, isRunning, type ProcessIdentity, stopProcess } from './child.js';
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

export type Stack = StackAddresses & {
  readonly dataFolder: DataFolder;
  readonly secrets: Secrets;
  /** The data folder, and a second folder if Postgres cannot use the first. */
  readonly dataDirs: readonly string[];
  /** Records a process of the caller, so that the next start ends it if it is left over. */
  readonly remember: (child: Child) => void;
  /** Adds addresses to `stack.json`, by which commands find a running stack. */
  readonly announce: (addresses: Partial<StackFile>) => void;
  /** Resolves with a message when an engine ends unexpectedly. */
  readonly failed: Promise<string>;
  /** Stops ClickHouse, Redis and Postgres, in this order, and unlocks the data folder. Idempotent. */
  readonly stop: () => Promise<void>;
};

export type StackOptions = {
  /** From claimDataFolder. Unlocked by `stop`, or when the start fails. */
  readonly dataFolder: DataFolder;
  /** Addresses of running engines; the others are embedded. */
  readonly external: { readonly [Name in keyof StackAddresses]?: string | undefined };
  readonly report: (line: string) => void;
  /** False for disposable data, as in tests: nothing waits for the disk. */
  readonly durable?: boolean;
  /** Cancels the start between two steps. */
  readonly signal?: AbortSignal;
};

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
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dataFolder } = options;
  const children = createChildren(dataFolder.file('processes.json'));
  const stackFile = stackFilePath(dataFolder.path);
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      rmSync(stackFile, { force: true });
      await children.stopAll(options.report);
      dataFolder.unlock();
    })());
  try {
    const secrets = loadSecrets(dataFolder.file('secrets.json'));
    const { home, ...addresses } = await startEngines(options, secrets, children);
    const announce = (more: Partial<StackFile>) => {
      writePrivateFile(stackFile, `${JSON.stringify({ ...addresses, ...more }, null, 2)}\n`);
    };
    announce({});
    return {
      ...addresses,
      dataFolder,
      secrets,
      dataDirs: [dataFolder.path, ...(home?.startsWith(dataFolder.path) === false ? [home] : [])],
      remember: children.remember,
      announce,
      failed: children.firstDeath(),
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
): Promise<StackAddresses & { readonly home?: string }> {
  const { dataFolder, external, report, durable = true, signal } = options;
  const common = (name: string) => ({
    dataDir: dataFolder.path,
    dataId: secrets.dataId,
    logFile: join(dataFolder.folder('logs'), `${name}.log`),
    durable,
    report,
    onStart: children.own,
  });
  const ready = (name: string, externalUrl: string | undefined, variable: string) => {
    report(externalUrl === undefined ? `${name} is ready` : `${name}: using ${variable}`);
    signal?.throwIfAborted();
  };
  const postgres =
    external.databaseUrl === undefined
      ? await startPostgres({ ...common('postgres'), password: secrets.postgresPassword })
      : { databaseUrl: external.databaseUrl };
  ready('Postgres', external.databaseUrl, 'DATABASE_URL');
  if (external.redisUrl !== undefined) await requireRedis(external.redisUrl);
  const redisUrl =
    external.redisUrl ?? (await startRedis({ ...common('redis'), password: secrets.redisPassword })).redisUrl;
  ready('Redis', external.redisUrl, 'REDIS_URL');
  const clickhouseUrl =
    external.clickhouseUrl ??
    (await startClickhouse({ ...common('clickhouse'), password: secrets.clickhousePassword })).clickhouseUrl;
  ready('ClickHouse', external.clickhouseUrl, 'CLICKHOUSE_URL');
  return {
    databaseUrl: postgres.databaseUrl,
    redisUrl,
    clickhouseUrl,
    ...('home' in postgres && { home: postgres.home }),
  };
}

type Children = ReturnType<typeof createChildren>;

/** Processes on a data folder; `file` lists those running. */
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
    /** Also stopped by stopAll. */
    own: (child: Child) => {
      owned.push(child);
      remember(child);
    },
    firstDeath: () =>
      new Promise<string>((resolve) => {
        for (const child of owned.filter((each) => !each.hasExited())) {
          void child.exited.then((how) => {
            if (!stopping)
              resolve(`${child.identity.name} ended (${how}); its log ends with:\n${child.lastLines(5)}`);
          });
        }
      }),
    stopAll: async (report: (line: string) => void) => {
      stopping = true;
      for (const child of owned.toReversed()) {
        if (child.hasExited() || (await child.stop())) continue;
        report(`${child.identity.name} did not stop in time and was killed`);
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
    report(`${file} is not readable: processes of an earlier start may still run`);
  }
  // Services before the engines they use.
  for (const identity of identities.toReversed()) {
    if (!isRunning(identity)) continue;
    report(`Stopping ${identity.name} of an earlier start (process ${identity.pid})`);
    const signal = identity.name === 'postgres' ? 'SIGINT' : 'SIGTERM';
    await stopProcess(identity, { signal, graceMs: 15_000 });
  }
  rmSync(file, { force: true });
}
