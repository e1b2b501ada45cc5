import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrateClickhouse } from '@smartlink/migrate/migrate';

const PROGRAM = fileURLToPath(new URL('../../../deploy/embedded/dist/clickhouse/main.js', import.meta.url));
const PASSWORD = 'test';

export type OwnClickhouse = {
  /** Changes with every start. */
  readonly clickhouseUrl: () => string;
  /** Kills the process with SIGKILL and waits until it is gone. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Kills it and removes its data. */
  readonly remove: () => Promise<void>;
};

/** Starts a ClickHouse for this test alone, migrated, that may be killed and started again on the same data. */
export async function startOwnClickhouse(): Promise<OwnClickhouse> {
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-events-'));
  let child: ChildProcess | undefined;
  let port = 0;

  const start = async () => {
    child = fork(PROGRAM, [], {
      env: { PATH: process.env['PATH'], TZ: 'UTC', UV_THREADPOOL_SIZE: '8' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const report = once(child, 'message');
    child.send({
      dataDir: join(folder, 'data'),
      password: PASSWORD,
      memoryBytesMax: 1_500_000_000,
      concurrentMax: 6,
    });
    const [answer] = (await report) as [{ port?: number; failure?: string }];
    if (answer.port === undefined) throw new Error(`ClickHouse did not start: ${answer.failure ?? ''}`);
    port = answer.port;
  };
  const kill = async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const clickhouseUrl = () => `http://smartlink:${PASSWORD}@127.0.0.1:${port}/smartlink`;

  await start();
  await migrateClickhouse({ clickhouseUrl: clickhouseUrl() });
  return {
    clickhouseUrl,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type SmallDisk = { readonly folder: string; readonly remove: () => void };

/** Returns a tmpfs of its own of that size, or null, with the reason printed, where it may not be mounted. */
export function mountSmallDisk(bytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/bin/mount')) {
    process.stdout.write('skipped: a small disk can be mounted on Linux as root only\n');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'smartlink-disk-'));
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mount.status !== 0) {
    rmSync(folder, { recursive: true });
    process.stdout.write(`skipped: a small disk cannot be mounted here: ${mount.stderr.trim()}\n`);
    return null;
  }
  return {
    folder,
    remove: () => {
      spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
