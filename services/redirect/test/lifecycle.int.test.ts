import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseResponse, request, sendRaw } from '@smartlink/test-support/raw-request';
import { until } from '@smartlink/test-support/until';
import { startRedirect } from './start-redirect.js';
import type { Redirect } from './start-redirect.js';
import { openTrial } from './trial.js';
import type { Trial } from './trial.js';

let trial: Trial;

beforeAll(async () => {
  trial = await openTrial();
  await trial.links.insert({ slug: 'Docs', url: 'https://example.org/' });
});

afterAll(() => trial.close());

const statusOf = async (redirect: Redirect) =>
  (await request(redirect.port, ['GET /Docs HTTP/1.1', 'Host: a', 'Connection: close'])).status;

test('a killed worker is started again while its sibling serves', async () => {
  const redirect = await startRedirect(trial.databases);
  try {
    await until(
      async () => (await redirect.metric('smartlink_redirect_workers{state="ready"}')) === 2,
      'both are ready',
    );
    const [first, second] = redirect.workers();
    process.kill(first ?? 0, 'SIGKILL');
    const from = performance.now();
    let served = 0;
    await until(async () => {
      // Connections that waited in the dead worker's queue are reset by the system; new ones go to the sibling.
      if ((await statusOf(redirect)) === 302) served += 1;
      return (
        (await redirect.metric('smartlink_redirect_worker_restarts_total')) === 1 &&
        (await redirect.metric('smartlink_redirect_workers{state="ready"}')) === 2
      );
    }, 'the worker is back');
    process.stdout.write(
      `worker killed: back and ready after ${(performance.now() - from).toFixed(0)} ms, ${served} visits served meanwhile\n`,
    );
    expect(redirect.workers()).toContain(second);
    expect(redirect.workers()).not.toContain(first);
    expect(served).toBeGreaterThan(0);
    expect(await redirect.metric('smartlink_redirect_worker_restarts_total')).toBe(1);
  } finally {
    await redirect.stop();
  }
});

test('SIGTERM under visits: every visit that was begun is answered, exit 0, nothing listens', async () => {
  const redirect = await startRedirect(trial.databases);
  const statuses = new Map<number, number>();
  let isStopped = false;
  const visitor = async (): Promise<void> => {
    while (!isStopped) {
      const status = await statusOf(redirect);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const visitors = Array.from({ length: 8 }, visitor);
  await until(() => (statuses.get(302) ?? 0) > 500, 'visits are under way');
  const workers = redirect.workers();
  const from = performance.now();
  const code = await redirect.stop();
  const tookMs = performance.now() - from;
  isStopped = true;
  await Promise.all(visitors);
  process.stdout.write(
    `SIGTERM under visits: exit ${String(code)} after ${tookMs.toFixed(0)} ms, ${statuses.get(302)} visits answered\n`,
  );
  expect(code).toBe(0);
  // 0: refused or reset, once the service is gone.
  expect([...statuses.keys()].filter((status) => status !== 302 && status !== 0)).toEqual([]);
  expect(await sendRaw(redirect.port, 'GET /Docs HTTP/1.1\r\nHost: a\r\n\r\n', { deadlineMs: 300 })).toBe('');
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(redirect.log.filter((line) => line['level'] === 'error' || line['level'] === 'fatal')).toEqual([]);
});

test('a request under way at SIGTERM is answered, and its connection then closed', async () => {
  const redirect = await startRedirect(trial.databases);
  let text = '';
  const head = `POST /Docs HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n`;
  const socket = connect(redirect.port, '127.0.0.1');
  socket.on('data', (chunk) => (text += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${head}passw`);
  await until(
    async () => (await redirect.metric('smartlink_redirect_requests_waiting')) === 1,
    'the request is under way',
  );
  const exited = redirect.stop();
  await until(() => redirect.log.some((line) => line.msg === 'shutdown begins'), 'the shutdown has begun');
  socket.write('ord=x');
  await closed;
  // The link is not protected: back to it.
  expect(parseResponse(text)).toMatchObject({
    status: 303,
    headers: { location: '/Docs', connection: 'close' },
  });
  expect(await exited).toBe(0);
});

test('a primary that is killed takes its workers along', async () => {
  const redirect = await startRedirect(trial.databases);
  const workers = redirect.workers();
  expect(workers).toHaveLength(2);
  await redirect.stop('SIGKILL');
  await until(() => workers.every((pid) => isGone(pid)), 'the workers have ended');
});

test('a taken port is one clear line that names the variable', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  try {
    for (const variable of ['REDIRECT_PORT', 'METRICS_PORT']) {
      await expect(startRedirect(trial.databases, { [variable]: String(port) })).rejects.toThrow(
        new RegExp(`${variable}: 127\\.0\\.0\\.1:${port} is taken`),
      );
    }
  } finally {
    taken.close();
  }
});

test('a second service on the port of the first is refused', async () => {
  const first = await startRedirect(trial.databases);
  try {
    await expect(startRedirect(trial.databases, { REDIRECT_PORT: String(first.port) })).rejects.toThrow(
      'is taken',
    );
  } finally {
    await first.stop();
  }
});

test('every bad variable is reported at once', async () => {
  await expect(
    startRedirect(trial.databases, {
      REDIS_URL: 'http://x',
      REDIRECT_STATUS: '200',
      TRUSTED_PROXIES: '10.0.0.0/99',
      COOKIE_SECRETS: 'short',
    }),
  ).rejects.toThrow(/REDIS_URL[\s\S]*COOKIE_SECRETS[\s\S]*REDIRECT_STATUS[\s\S]*TRUSTED_PROXIES/);
});

test('a spool folder that cannot be made ends the start with the reason', async () => {
  await expect(startRedirect(trial.databases, { SPOOL_DIR: '/dev/null/spool' })).rejects.toThrow(
    /\/dev\/null/,
  );
});

test('with neither Redis nor Postgres it starts, says it is not ready, and answers 503', async () => {
  const redirect = await startRedirect({
    ...trial.databases,
    redisUrl: 'redis://127.0.0.1:1',
    databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing',
  });
  try {
    expect(await statusOf(redirect)).toBe(503);
    expect((await fetch(`${redirect.url}/-/ready`)).status).toBe(503);
    expect(await (await fetch(`${redirect.url}/-/ready`)).text()).toBe('not ready\n');
    expect(await (await fetch(`${redirect.url}/-/live`)).text()).toBe('live\n');
    const reasons = await fetch(`http://127.0.0.1:${redirect.metricsPort}/-/ready`);
    expect([reasons.status, await reasons.text()]).toEqual([
      503,
      expect.stringContaining('neither Redis nor Postgres'),
    ]);
  } finally {
    expect(await redirect.stop()).toBe(0);
  }
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
