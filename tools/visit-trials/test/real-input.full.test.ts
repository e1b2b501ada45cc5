import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '@smartlink/embedded/ports';
import { readProcessStart } from '@smartlink/process/lifecycle';
import { trialSize } from '@smartlink/test-support/trial-size';

// The whole product as a stranger runs it: bootstrap, engines, migrations, services, seed, and the way back.
const ROOT = path.resolve(import.meta.dirname, '../../..');
const REAL_DATA = path.resolve(ROOT, '../shared/data');
// Every address is created, and every User-Agent classified, in tests of their own; here they go all the way.
const EVERY = trialSize(16, 1);
const dataDir = mkdtempSync(path.join(tmpdir(), 'smartlink-start-'));
const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
const env = {
  ...process.env,
  SMARTLINK_DATA_DIR: dataDir,
  MANAGEMENT_PORT: String(ports[0]),
  REDIRECT_PORT: String(ports[1]),
  METRICS_PORT: String(ports[2]),
  MANAGEMENT_METRICS_PORT: String(ports[3]),
  REDIRECT_PROCESSES: '2',
};
let launcher: ChildProcess | undefined;

afterAll(async () => {
  if (launcher?.exitCode === null) {
    launcher.kill('SIGKILL');
    await once(launcher, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

test('npm start ends with a ready message, a visit is followed into analytics, and real input is counted exactly once', async () => {
  await startAndWaitUntilReady();
  const visit = run('send-visit');
  expect(visit.output).toContain('One visit, counted once');
  expect(visit.status).toBe(0);

  if (existsSync(REAL_DATA)) {
    const demo = run('demo-real', '--data', dataToVisit());
    process.stdout.write(demo.output.replaceAll(/^(Creating|Visiting|Comparing).*\n?/gm, ''));
    expect(demo.output).toContain('Every counted visit was counted exactly once.');
    expect(demo.status).toBe(0);
  } else {
    process.stdout.write(`demo:real skipped: ${REAL_DATA} is not there\n`);
  }
}, 180_000);

test('SIGTERM stops everything in order, and nothing is left running or listening', async () => {
  const processes = readProcesses();
  expect(processes.map(({ name }) => name).toSorted()).toEqual([
    'clickhouse',
    'management',
    'postgres',
    'redirect',
    'redis',
  ]);
  await stop('SIGTERM');
  expect(processes.filter(isRunning)).toEqual([]);
  expect(await Promise.all(ports.map(isListening))).toEqual([false, false, false]);
}, 120_000);

test('a second start keeps the data and the demo key', async () => {
  const key = readFileSync(path.join(dataDir, 'demo-key'), 'utf8');
  const output = await startAndWaitUntilReady();
  expect(output).toContain(key.trim());
  const response = await fetch(`http://127.0.0.1:${ports[1]}/demolink`, { redirect: 'manual' });
  expect(response.status).toBe(302);
}, 120_000);

test('Ctrl-C stops everything too', async () => {
  const processes = readProcesses();
  expect(processes.filter(isRunning)).toEqual(processes);
  await stop('SIGINT');
  expect(processes.filter(isRunning)).toEqual([]);
}, 120_000);

async function startAndWaitUntilReady(): Promise<string> {
  const child = spawn(process.execPath, ['bootstrap.mjs', 'start'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launcher = child;
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Stop with Ctrl-C')) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', (code) => {
      reject(new Error(`npm start ended with ${code}:\n${output}`));
    });
  });
  return output;
}

async function stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  if (!launcher) throw new Error('nothing was started');
  const exit = once(launcher, 'exit') as Promise<[number | null, string | null]>;
  launcher.kill(signal);
  const [code] = await exit;
  expect(code).toBe(0);
}

/** Returns the folder of the real lists; in an ordinary run one with every so many of their lines. */
function dataToVisit(): string {
  if (EVERY === 1) return REAL_DATA;
  const folder = path.join(dataDir, 'sample');
  mkdirSync(folder);
  for (const name of ['urls.txt', 'user-agents.tsv']) {
    const lines = readFileSync(path.join(REAL_DATA, name), 'utf8').split('\n');
    writeFileSync(path.join(folder, name), lines.filter((_, index) => index % EVERY === 0).join('\n'));
  }
  return folder;
}

function run(command: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bootstrap.mjs', command, ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: 150_000,
  });
  return { status, output: stdout + stderr };
}

type Started = { readonly name: string; readonly pid: number; readonly startedAt: string };

function readProcesses(): Started[] {
  return JSON.parse(readFileSync(path.join(dataDir, 'processes.json'), 'utf8')) as Started[];
}

/** Whether it runs still: one that has ended and that nobody has collected yet does not, though its number is taken. */
function isRunning({ pid, startedAt }: Started): boolean {
  const start = readProcessStart(pid);
  return start !== null && `${start.bootId} ${start.ticks}` === startedAt;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
