import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import {
  listeningPort,
  metricsPort,
  type ManagementProcess,
  processEnv,
  startProcess,
} from './start-process.js';
import { redisOf, urlSmartlink, useService } from './start-service.js';

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

test('SIGTERM ends it with 0, after the request under way was answered; idle connections do not hold it', async () => {
  const management = start();
  const port = await listeningPort(management);
  // Without Redis the request would pass uncounted.
  await until(async () => {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort(management)}/-/metrics`);
    return (await metrics.text()).includes('\nsmartlink_redis_connected 1\n');
  }, 'the process has found Redis');
  const idle = connect({ host: '127.0.0.1', port });
  await once(idle, 'connect');
  const create = await beginCreate(port, user.apiKey);
  // Routed and waiting for its body: the limiter has counted it.
  await until(
    async () => (await redisOf(service.app).keys(`${service.databases.redisKeyPrefix}rate:*`)).length > 0,
    'the request is counted',
  );
  management.child.kill('SIGTERM');
  await until(() => management.output().includes('shutdown begins'), 'the shutdown has begun');
  create.socket.write(create.body.slice(5));
  expect(await management.ended).toBe(0);
  await create.closed;
  expect(create.answer()).toMatch(/^HTTP\/1\.1 201 /);
  idle.destroy();
  // What it published was also taken out of the outbox; what it published once more is the other process's to take out.
  await until(async () => {
    const { rows } = await service.app.pg.query('select 1 from publish_outbox');
    return rows.length === 0;
  }, 'the outbox is empty');
});

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

test('without Postgres it says where it looked, and ends with 1 once it has waited', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const management = startProcess(
    { ...processEnv(service.databases), DATABASE_URL: `postgres://app:not-this-one@127.0.0.1:${port}/x` },
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
  expect(management.output()).not.toContain('not-this-one');
});

test('a misspelt variable and a wrong password are reported by the names of the variable and the user', async () => {
  const url = Object.assign(new URL(service.databases.databaseUrl), { password: 'not-this-one' });
  const management = startProcess(
    { ...processEnv(service.databases), DATABASE_URL: url.href, MANAGEMENT_PROT: '1' },
    ['--wait-seconds', '0'],
  );
  started.push(management);
  expect(await management.ended).toBe(1);
  expect(management.output()).toContain(
    'MANAGEMENT_PROT is set and nothing reads it: is MANAGEMENT_PORT meant?',
  );
  expect(management.output()).toContain(`rejects the password of user ${url.username}`);
  expect(management.output()).not.toContain('not-this-one');
});
