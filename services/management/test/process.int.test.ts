import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import {
  listeningPort,
  metricsPort,
  type ManagementProcess,
  processEnv,
  startProcess,
} from './start-process.js';
import { redisOf, urlSmartlink, useService } from './start-service.js';
import { untilPublished } from './stored-state.js';

const started: ManagementProcess[] = [];

const { service, user } = useService();
afterEach(async () => {
  for (const management of started.splice(0)) {
    if (management.child.exitCode === null) management.child.kill('SIGKILL');
    await management.ended;
  }
});

function start(overrides: Record<string, string> = {}): ManagementProcess {
  const management = startProcess({ ...processEnv(service.databases), ...overrides });
  started.push(management);
  return management;
}

/** Sends the head of a create and leaves its body open. */
async function beginCreate(
  port: number,
  apiKey: string,
): Promise<{ socket: Socket; answer: () => string; closed: Promise<unknown>; body: string }> {
  const body = JSON.stringify(urlSmartlink());
  const socket = connect({ host: '127.0.0.1', port });
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/smartlink HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 5)}`,
  );
  return { socket, answer: () => answer, closed, body };
}

test('a taken port is one line that names the variable, and exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const management = start({ MANAGEMENT_PORT: String(port), LOG_LEVEL: 'silent' });
  expect(await management.ended).toBe(1);
  expect(management.output()).toMatch(/^Port \d+ on 127\.0\.0\.1 is taken: .*MANAGEMENT_PORT\.\n$/);
  other.close();
});

test('all unusable variables are reported at once, without values, with exit code 1', async () => {
  const management = startProcess({ DATABASE_URL: 'mysql://u:secret@h/d', MANAGEMENT_PORT: '70000' });
  expect(await management.ended).toBe(1);
  const output = management.output();
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'CLICKHOUSE_URL', 'MANAGEMENT_PORT'])
    expect(output).toContain(name);
  expect(output).not.toContain('secret');
});

test('it starts without Redis and ClickHouse, and answers; SIGINT ends it as SIGTERM does', async () => {
  const management = start({ REDIS_URL: 'redis://127.0.0.1:1', CLICKHOUSE_URL: 'http://127.0.0.1:1/x' });
  const port = await listeningPort(management);
  const res = await fetch(`http://127.0.0.1:${port}/api/v1/smartlink`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(urlSmartlink()),
  });
  expect(res.status).toBe(201);
  management.child.kill('SIGINT');
  expect(await management.ended).toBe(0);
});

test('without Postgres it reports where it looked and a misspelt variable, and exits with 1 after its wait', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const management = startProcess(
    {
      ...processEnv(service.databases),
      DATABASE_URL: `postgres://app:not-this-one@127.0.0.1:${port}/x`,
      MANAGEMENT_PROT: '1',
    },
    ['--wait-seconds', '3'],
  );
  started.push(management);
  expect(await management.ended).toBe(1);
  // The first failure, while it waits, and the last.
  const said = `Postgres at 127.0.0.1:${port} refuses the connection: it is not running, or listens elsewhere`;
  expect(management.output()).toMatch(new RegExp(`${said}; trying again for [1-3] s`));
  expect(management.output()).toMatch(
    /The management service cannot start\.\n {2}Postgres at .*elsewhere\n$/,
  );
  const hint = 'MANAGEMENT_PROT is set and nothing reads it: is MANAGEMENT_PORT meant?';
  expect(management.output()).toContain(hint);
  expect(management.output()).not.toContain('not-this-one');
});

// Connections that say nothing, and those that say little.

const IDLE_CONNECTIONS = trialSize(200, 10_000);
// Beside the connections a process has its own files: the engines', the modules'.
const FILES_SPARE = 500;

describe('beside silent connections', () => {
  let management: ManagementProcess;
  let port: number;
  beforeAll(async () => {
    management = startProcess({ ...processEnv(service.databases), LOG_LEVEL: 'info' });
    port = await listeningPort(management);
  });
  afterAll(async () => {
    management.child.kill('SIGKILL');
    await management.ended;
  });

  /** How many files this process and those it starts may open (Linux; elsewhere the usual 1,024 is assumed). */
  function filesMax(): number {
    try {
      const limits = readFileSync('/proc/self/limits', 'utf8');
      return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    } catch {
      return 1_024;
    }
  }

  /** Opens connections until the test of this context is over. */
  async function open({ onTestFinished }: TestContext, count: number): Promise<readonly Socket[]> {
    const batch = 500;
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    for (let opened = 0; opened < count; opened += batch) {
      await Promise.all(
        Array.from({ length: Math.min(batch, count - opened) }, async () => {
          const socket = connect({ host: '127.0.0.1', port });
          socket.on('error', () => undefined);
          sockets.push(socket);
          await once(socket, 'connect');
        }),
      );
    }
    return sockets;
  }

  /** Expects 100 requests in turn to be answered. */
  async function expectServed(): Promise<void> {
    const headers = { authorization: `Bearer ${user.apiKey}` };
    for (let i = 0; i < 100; i += 1) {
      const res = await fetch(`http://127.0.0.1:${port}/api/v1/validate`, { headers });
      expect([res.status, (await res.text()).length > 0]).toEqual([200, true]);
    }
  }

  // Beside each other: the second one waits for most of its time.
  test.concurrent('hundreds of connections that send nothing do not keep others from being served', async (context) => {
    const count = Math.min(IDLE_CONNECTIONS, filesMax() - FILES_SPARE);
    await open(context, count);
    await expectServed();
    expect(count).toBeGreaterThanOrEqual(200);
  }, 120_000);

  const POST = `POST /api/v1/smartlink HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\n`;

  /** What a connection sends at once, and again every second: bytes that never end the request buy no time. */
  const SLOW: readonly (readonly [name: string, first: string, drip: string])[] = [
    ['nothing', '', ''],
    ['half a request line', 'GET /api/v1/val', 'a'],
    ['half of its headers', 'GET /api/v1/validate HTTP/1.1\r\nHost: x\r\nX-Slow: ', 'a'],
    ['a byte of its body', `${POST}Content-Length: 100\r\n\r\n{`, ' '],
    ['a chunk of its body', `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, '1\r\n \r\n'],
  ];

  test.concurrent('connections that never end their request are closed within 15 s, in the envelope once they have begun one', async (context) => {
    const sockets = await open(context, SLOW.length);
    const closed = SLOW.map(async ([name, first, drip], i) => {
      const socket = sockets[i]!;
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.write(first.replace('KEY', user.apiKey));
      const dripping = setInterval(() => {
        if (drip !== '') socket.write(drip);
      }, 1_000);
      try {
        await until(() => socket.destroyed || socket.readableEnded, `${name} is closed`, 15_000);
      } finally {
        clearInterval(dripping);
      }
      if (first !== '') expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"success":false/);
    });
    await Promise.all(closed);
  }, 120_000);

  // The last, because it ends the process.
  test('SIGTERM ends it with 0, after the request under way was answered; idle connections do not hold it', async () => {
    // Without Redis the request would pass uncounted.
    await until(async () => {
      const metrics = await fetch(`http://127.0.0.1:${metricsPort(management)}/-/metrics`);
      return (await metrics.text()).includes('\nsmartlink_redis_connected 1\n');
    }, 'the process has found Redis');
    const idle = connect({ host: '127.0.0.1', port });
    await once(idle, 'connect');
    const { userId, apiKey } = await service.createUser();
    const create = await beginCreate(port, apiKey);
    // Routed and waiting for its body: the limiter has counted it.
    await until(
      async () =>
        (await redisOf(service.app).exists(`${service.databases.redisKeyPrefix}usage:${userId}`)) === 1,
      'the request is counted',
    );
    management.child.kill('SIGTERM');
    await until(() => management.output().includes('shutdown begins'), 'the shutdown has begun');
    create.socket.write(create.body.slice(5));
    expect(await management.ended).toBe(0);
    await create.closed;
    expect(create.answer()).toMatch(/^HTTP\/1\.1 201 /);
    idle.destroy();
    // What it published was also taken out of the outbox; repeated changes are taken out by the other process.
    await untilPublished(service.app);
  });
});

describe('several processes', () => {
  test('share the port, are counted together, are restarted one by one, and stop with SIGTERM', async () => {
    const management = start({ MANAGEMENT_PROCESSES: '2' });
    const port = await listeningPort(management);
    const api = `http://127.0.0.1:${port}`;
    const metrics = `http://127.0.0.1:${metricsPort(management)}`;
    const pids = () =>
      execFileSync('ps', ['-o', 'pid=', '--ppid', String(management.child.pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
        .map(Number);
    const answered = async () =>
      Number(
        /^smartlink_api_responses_total\{class="4xx"\} (\d+)$/m.exec(
          await (await fetch(`${metrics}/-/metrics`)).text(),
        )?.[1],
      );
    await until(async () => (await answered()) === 0, 'both processes answer');
    const text = await until(async () => {
      const scraped = await (await fetch(`${metrics}/-/metrics`)).text();
      return scraped.includes('\nsmartlink_redis_connected 1\n') && scraped;
    }, 'both processes have found Redis');
    // Gauges of what all processes share are not added up.
    expect(text).toMatch(/^smartlink_build_info\{.*\} 1$/m);
    const requests = 20;
    for (let i = 0; i < requests; i += 1) {
      expect((await fetch(`${api}/nothing`, { headers: { connection: 'close' } })).status).toBe(404);
    }
    // An answer is counted once it is sent.
    await until(async () => (await answered()) === requests, 'all answers are counted');
    const [first] = pids();
    process.kill(first ?? 0, 'SIGSTOP');
    try {
      // No connection waits for a process that is busy or about to end.
      for (let i = 0; i < requests; i += 1) {
        const { status } = await fetch(`${api}/nothing`, {
          headers: { connection: 'close' },
          signal: AbortSignal.timeout(10_000),
        });
        expect(status).toBe(404);
      }
    } finally {
      process.kill(first ?? 0, 'SIGKILL');
    }
    await until(() => !pids().includes(first ?? 0) && pids().length === 2, 'another process takes its place');
    await until(async () => (await fetch(`${metrics}/-/ready`)).status === 200, 'it is ready');
    management.child.kill('SIGTERM');
    expect(await management.ended).toBe(0);
  });

  test('end with 1 when the first of them cannot start', async () => {
    const management = start({
      ...{ MANAGEMENT_PROCESSES: '2', SAFETY_PROVIDER: 'blocklist', SAFETY_BLOCKLIST_FILES: '/nothing' },
    });
    expect(await management.ended).toBe(1);
  });
});
