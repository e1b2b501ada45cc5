import { rmSync } from 'node:fs';
import type { Child } from '@smartlink/embedded/child';
import type { DataFolder } from '@smartlink/embedded/data-folder';
import { startClickhouse } from '@smartlink/embedded/start-clickhouse';
import { startPostgres } from '@smartlink/embedded/start-postgres';
import { startRedis } from '@smartlink/embedded/start-redis';
import { loadSecrets } from '@smartlink/embedded/secrets';
import { openGate } from './gate.js';

export type EngineName = 'postgres' | 'redis' | 'clickhouse';

export type Engine = {
  readonly url: string;
  /** Ends the process and resolves when it has ended. Services find nobody at its address then. */
  readonly stop: () => Promise<void>;
  /** Starts it again with what it had stored, at the same address, and resolves when it answers. Needs gates. */
  readonly start: () => Promise<void>;
};

export type Engines = Readonly<Record<EngineName, Engine>> & {
  /** Stops all of them and gives their ports back. Safe to call again. */
  readonly close: () => Promise<void>;
};

type Started = {
  readonly child: Child;
  readonly url: string;
  /** Where its data is, if not in the data folder. */
  readonly home?: string;
};

/**
 * Starts the engines of a stack of our own; with gates, each behind one that keeps its address while it is stopped and
 * started. A gate takes time of our own process, so there are none where nothing is stopped. The caller closes them. Rejects with StackError when one does not start; those that did are stopped then.
 */
export async function startEngines(options: {
  dataFolder: DataFolder;
  hasGates: boolean;
  report: (line: string) => void;
  signal: AbortSignal;
}): Promise<Engines> {
  const { dataFolder, hasGates, report, signal } = options;
  const secrets = loadSecrets(dataFolder.file('secrets.json'));
  const common = (name: EngineName) => ({
    dataDir: dataFolder.path,
    dataId: secrets.dataId,
    durable: true,
    report,
    onStart: () => undefined,
    logFile: `${dataFolder.folder('logs')}/${name}.log`,
  });
  const opened: Controlled[] = [];
  const close = async () => {
    // At once: what they hold is thrown away, and none waits for another.
    await Promise.all(opened.splice(0).map((engine) => engine.close()));
  };
  const open = async (run: () => Promise<Started>) => {
    signal.throwIfAborted();
    const engine = await (hasGates ? controlBehindGate(run) : control(run));
    opened.push(engine);
    return engine;
  };
  try {
    const postgres = await open(async () => {
      const settings = { ...common('postgres'), password: secrets.postgresPassword };
      const { child, databaseUrl, home } = await startPostgres(settings);
      return { child, url: databaseUrl, home };
    });
    const redis = await open(async () => {
      const { child, redisUrl } = await startRedis({ ...common('redis'), password: secrets.redisPassword });
      return { child, url: redisUrl };
    });
    const clickhouse = await open(async () => {
      const settings = { ...common('clickhouse'), password: secrets.clickhousePassword };
      const { child, clickhouseUrl } = await startClickhouse(settings);
      return { child, url: clickhouseUrl };
    });
    return { postgres, redis, clickhouse, close };
  } catch (err) {
    await close();
    throw err;
  }
}

type Controlled = Engine & { readonly close: () => Promise<void> };

async function control(run: () => Promise<Started>): Promise<Controlled> {
  const { child, url, home } = await run();
  const stop = async () => {
    await child.stop();
  };
  return {
    url,
    stop,
    start: () => Promise.reject(new Error('only engines behind gates can be started again')),
    close: async () => {
      await stop();
      removeHome(home);
    },
  };
}

async function controlBehindGate(run: () => Promise<Started>): Promise<Controlled> {
  let running: Started | null = await run();
  const { home } = running;
  const gate = await openGate(new URL(running.url));
  const url = new URL(running.url);
  url.port = String(gate.port);
  const stop = async () => {
    gate.shut();
    await running?.child.stop();
    running = null;
  };
  return {
    url: url.href,
    stop,
    start: async () => {
      if (running !== null) return;
      running = await run();
      await gate.leadTo(new URL(running.url));
    },
    close: async () => {
      await stop();
      removeHome(home);
    },
  };
}

function removeHome(home: string | undefined): void {
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
}
