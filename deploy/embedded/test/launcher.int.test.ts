import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, onTestFailed } from 'vitest';
import { z } from 'zod';
import { isRunning } from '../src/child.js';
import { readRunningStack } from '../src/data-folder.js';
import { freePort } from '../src/ports.js';
import { demoLinks, seed } from '../src/seed.js';

// The whole of `npm start`, built, as a process of its own.
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const PROGRAM = join(ROOT, 'deploy/embedded/dist/main.js');
const ADMIN = join(ROOT, 'tools/admin/dist/main.js');
const START_LIMIT_MS = 60_000;

type Launcher = {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<number | null>;
};

let dataDir: string;
const launchers: Launcher[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'smartlink-launch-'));
});

afterEach(async () => {
  for (const launcher of launchers.splice(0)) {
    launcher.process.kill('SIGTERM');
    await launcher.ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);

function start(env: NodeJS.ProcessEnv = {}, args: readonly string[] = []): Launcher {
  const ports = { MANAGEMENT_PORT: '0', REDIRECT_PORT: '0', METRICS_PORT: '0', MANAGEMENT_METRICS_PORT: '0' };
  const embedded = { DATABASE_URL: '', REDIS_URL: '', CLICKHOUSE_URL: '', PUBLIC_BASE_URL: '' };
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: {
      ...process.env,
      ...ports,
      ...embedded,
      SMARTLINK_DATA_DIR: dataDir,
      REDIRECT_PROCESSES: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const launcher = { process: child, output: () => text, ended };
  launchers.push(launcher);
  return launcher;
}

async function startReady(env?: NodeJS.ProcessEnv, args?: readonly string[]): Promise<Launcher> {
  const launcher = start(env, args);
  const readyOrEnded = () =>
    launcher.output().includes('Stop with Ctrl-C.') || launcher.process.exitCode !== null;
  await expect.poll(readyOrEnded, { timeout: START_LIMIT_MS, interval: 100 }).toBe(true);
  expect(launcher.output()).toContain('Smartlink is ready.');
  return launcher;
}

const processesSchema = z.array(z.object({ name: z.string(), pid: z.int(), startedAt: z.string() }));
const processes = () =>
  processesSchema.parse(JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')));
const visit = (url: string) =>
  fetch(url, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });

it(
  'starts without demo links, accepts the printed command, takes over from a killed launcher with demo links, and leaves no process on Ctrl-C or when a service dies',
  async () => {
    const ports = { REDIRECT_PORT: String(await freePort()) };
    const first = await startReady(ports, ['--no-demo']);
    const stack = readRunningStack(dataDir);
    const listed = await fetch(`${stack.managementUrl}/api/v1/smartlink`, {
      headers: { authorization: `Bearer ${stack.demoKey}` },
    });
    expect(z.object({ data: z.array(z.unknown()) }).parse(await listed.json()).data).toEqual([]);
    expect(first.output()).not.toContain('/demolanding');
    expect(first.output()).not.toContain('demo links');

    const curl = first
      .output()
      .split('\n')
      .find((line) => line.startsWith('curl '));
    const answer = spawnSync('sh', ['-c', curl ?? ''], { encoding: 'utf8' }).stdout;
    const created = z.object({ data: z.object({ relink: z.string() }) }).parse(JSON.parse(answer));
    await expect.poll(async () => (await visit(created.data.relink)).status, { timeout: 30_000 }).toBe(302);

    expect(first.output()).toContain(stack.demoKey);
    const setup = /^ {2}Set up +http:\/\/127\.0\.0\.1:\d+\/welcome#[\w-]{43} {2}\(once, 24 hours\)$/m;
    expect(first.output()).toMatch(setup);
    expect(statSync(join(dataDir, 'demo-key')).mode & 0o777).toBe(0o600);
    const left = processes();
    expect(left.map((each) => each.name)).toEqual([
      'postgres',
      'redis',
      'clickhouse',
      'management',
      'redirect',
    ]);

    // Stopped by a signal, and then killed with its redirect service, whose worker keeps the port until it runs again.
    const [management, redirect] = left.slice(-2);
    const redirectPid = redirect?.pid ?? 0;
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(redirectPid)], { encoding: 'utf8' });
    const worker = Number(stdout);
    onTestFailed(() => {
      process.kill(worker, 'SIGKILL');
    });
    for (const pid of [redirectPid, worker]) process.kill(pid, 'SIGSTOP');
    first.process.kill('SIGTERM');
    await expect.poll(() => management && isRunning(management), { timeout: 15_000 }).toBe(false);
    first.process.kill('SIGKILL');
    process.kill(redirectPid, 'SIGKILL');
    expect(await first.ended).toBe(null);

    // In the middle of the next start, Ctrl-C.
    const interrupted = start(ports);
    const outputs = expect.poll(() => interrupted.output(), { timeout: START_LIMIT_MS, interval: 20 });
    await outputs.toContain(`Stopping redirect of an earlier start (process ${worker})`);
    process.kill(worker, 'SIGCONT');
    await outputs.toContain('Postgres is ready');
    const begun = processes();
    interrupted.process.kill('SIGINT');
    expect(await interrupted.ended).toBe(0);
    expect([...left, ...begun].filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);

    const again = await startReady(ports);
    expect(readRunningStack(dataDir).demoKey).toBe(stack.demoKey);
    expect(again.output()).toMatch(/\d demo links created/);
    const hello = await visit(`${stack.publicBaseUrl}/demolink`);
    expect([hello.status, hello.headers.get('location')]).toEqual([302, 'https://example.com/']);

    // The link of the Owner, whose page the service also has.
    const [, site = '', token = ''] = /^ {2}Sign in +(http:\S+)\/welcome#(\S+)/m.exec(again.output()) ?? [];
    expect(again.output()).toContain(`  Dashboard        ${site}/dashboard/\n`);
    const redeem = () =>
      fetch(`${site}/auth/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site },
        body: JSON.stringify({ token }),
      });
    const signedIn = await redeem();
    expect([signedIn.status, await signedIn.json()]).toMatchObject([
      200,
      { data: { account: { role: 'Owner' } } },
    ]);
    expect((await redeem()).status).toBe(410);
    const page = await fetch(`${site}/dashboard/`, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);

    // As the next start does after the key was revoked.
    const { managementUrl, databaseUrl, redisUrl } = readRunningStack(dataDir);
    const revoked = spawnSync(process.execPath, [ADMIN, 'keys', 'revoke', stack.demoKey], {
      env: { DATABASE_URL: databaseUrl },
    });
    expect(revoked.status).toBe(0);
    const env = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    const links = demoLinks(stack.publicBaseUrl);
    const seedAgain = () =>
      seed({ root: ROOT, env, keyFile: join(dataDir, 'demo-key'), managementUrl, links });
    await expect.poll(async () => (await seedAgain()).apiKey, { timeout: 30_000 }).not.toBe(stack.demoKey);
    const { demoKey } = readRunningStack(dataDir);
    expect(demoKey).not.toBe(stack.demoKey);
    expect(await seedAgain()).toEqual({ apiKey: demoKey, linksCreated: 0, hasNewKey: false });

    // Meant for the redirect service: it must not end the launcher.
    again.process.kill('SIGUSR2');
    // The death of a service ends the whole stack.
    const restarted = processes();
    process.kill(restarted.find((each) => each.name === 'management')?.pid ?? 0, 'SIGKILL');
    expect(await again.ended).toBe(1);
    expect(again.output()).toContain('management ended (SIGKILL); it');
    expect(again.output()).not.toContain('info: ');
    expect(restarted.filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'stack.json'))).toBe(false);
  },
  4 * START_LIMIT_MS,
);

it('refuses an unknown argument', async () => {
  const refused = start({}, ['--nodemo']);
  expect(await refused.ended).toBe(1);
  expect(refused.output()).toContain("Unknown option '--nodemo'");
});

it('names the variable of a port that is taken, before anything is started', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const launcher = start({ REDIRECT_PORT: String(port) });
  expect(await launcher.ended).toBe(1);
  expect(launcher.output()).toMatch(new RegExp(`^Port ${port} is taken .* REDIRECT_PORT`, 'm'));
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  await new Promise((resolve) => server.close(resolve));
});
