import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { until } from '@smartlink/test-support/until';
import { listeningPort, type ManagementProcess, processEnv, startProcess } from './start-process.js';
import { useService } from './start-service.js';

// Connections that say nothing, and those that say little, of the real process.

const IDLE_CONNECTIONS = trialSize(200, 10_000);
// Beside the connections a process has its own files: the engines', the modules'.
const FILES_SPARE = 500;

let management: ManagementProcess;
let port: number;

const { service, user } = useService();
beforeAll(async () => {
  management = startProcess({ ...processEnv(service.databases), LOG_LEVEL: 'info' });
  port = await listeningPort(management);
});
afterAll(async () => {
  management.child.kill('SIGTERM');
  expect(await management.ended).toBe(0);
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
