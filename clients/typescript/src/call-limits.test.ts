import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSmartlinkClient, isSmartlinkError } from './client.js';
import type { ClientOptions, SmartlinkError } from './client.js';

// What bounds a call: time, the caller's signal and the size of an answer. Over real connections.
const API_KEY = 'slk_live_the-key-that-nobody-may-see';

type Reply = (res: ServerResponse) => void;

let requests = 0;
let replies: Reply[] = [];
const server = createServer((_req, res) => {
  requests += 1;
  (replies.length > 1 ? replies.shift()! : replies[0]!)(res);
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const client = (options: Partial<ClientOptions> = {}) =>
  createSmartlinkClient({
    baseUrl,
    apiKey: API_KEY,
    environment: { random: () => 0, wait: () => Promise.resolve() },
    ...options,
  });

const ok: Reply = (res) => res.end('{"success":true,"message":"","data":null,"timestamp":""}');
const limited: Reply = (res) =>
  res
    .writeHead(429, { 'retry-after': '60' })
    .end('{"success":false,"error":{"code":"RATE_LIMITED","message":""},"timestamp":""}');
const neverAnswer: Reply = () => undefined;
const stallInBody: Reply = (res) => res.write('{"success":');

async function failureOf(call: Promise<unknown>): Promise<SmartlinkError> {
  const err = await call.then(
    () => new Error('it was no failure'),
    (reason: unknown) => reason,
  );
  if (!isSmartlinkError(err)) throw err as Error;
  return err;
}

describe('an answer that does not come', () => {
  test.each([
    ['never', neverAnswer],
    ['in half', stallInBody],
  ])('%s: is a timeout, and a read is tried again', async (_how, reply) => {
    replies = [reply];
    const err = await failureOf(client({ timeoutMs: 40, retries: 1 }).validate());
    expect(err).toMatchObject({ kind: 'timeout', operation: 'validateKey', attempts: 2 });
    replies = [reply, ok];
    // A busy machine may be too late with a good answer too.
    await client({ timeoutMs: 40, retries: 10 }).validate();
  });

  test('is given up at the deadline, whatever a request may take', async () => {
    replies = [neverAnswer];
    const err = await failureOf(client({ timeoutMs: 60_000, deadlineMs: 40 }).validate());
    expect(err).toMatchObject({ kind: 'timeout', attempts: 1 });
  });

  test('for want of a server is a network failure that says why', async () => {
    const gone = createServer();
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));
    const err = await failureOf(client({ baseUrl: `http://127.0.0.1:${port}`, retries: 1 }).validate());
    expect(err).toMatchObject({ kind: 'network', attempts: 2, name: 'SmartlinkError' });
    expect(err.message).toContain('ECONNREFUSED');
  });

  test('and whose failure has the key in it is told without the key', async () => {
    const broken: typeof fetch = (_url, init) =>
      Promise.reject(
        new TypeError(`bad header ${JSON.stringify(init?.headers)}`, { cause: new Error(API_KEY) }),
      );
    const err = await failureOf(client({ fetch: broken, retries: 0 }).validate());
    expect(err.message).toContain('[API key]');
    expect(err.cause).toBeUndefined();
  });
});

describe("the caller's signal", () => {
  test('that has aborted sends nothing', async () => {
    const before = requests;
    const reason = new Error('changed my mind');
    const err = await failureOf(client().validate({ signal: AbortSignal.abort(reason) }));
    expect(err).toMatchObject({ kind: 'aborted', attempts: 0, reason });
    expect(requests).toBe(before);
  });

  test('ends a request under way, and one whose body is under way', async () => {
    for (const reply of [neverAnswer, stallInBody]) {
      const controller = new AbortController();
      replies = [
        (res) => {
          reply(res);
          controller.abort();
        },
      ];
      const err = await failureOf(client().validate({ signal: controller.signal }));
      expect(err).toMatchObject({ kind: 'aborted', attempts: 1 });
    }
  });

  test('ends a request of a fetch that does not heed it', async () => {
    const controller = new AbortController();
    const deaf: typeof fetch = () => {
      queueMicrotask(() => {
        controller.abort();
      });
      return new Promise(() => undefined);
    };
    const err = await failureOf(client({ fetch: deaf }).validate({ signal: controller.signal }));
    expect(err.kind).toBe('aborted');
  });

  test('ends a wait', async () => {
    const controller = new AbortController();
    replies = [limited];
    const waiting = createSmartlinkClient({
      baseUrl,
      apiKey: API_KEY,
      environment: {
        // Asked for once the answer is there, just before the wait.
        random: () => {
          setImmediate(() => {
            controller.abort();
          });
          return 0;
        },
      },
    });
    const err = await failureOf(waiting.validate({ signal: controller.signal }));
    expect(err).toMatchObject({ kind: 'aborted', attempts: 1 });
  });
});

test('an answer without an end is given up at its bound, and the rest is not fetched', async () => {
  let isClosed = false;
  const pour: Reply = (res) => {
    res.on('close', () => (isClosed = true));
    const more = (): void => {
      while (!isClosed && res.write('x'.repeat(64 * 1024)));
    };
    res.on('drain', more);
    more();
  };
  replies = [pour];
  const err = await failureOf(client({ answerBytesMax: 1024 * 1024 }).validate());
  expect(err).toMatchObject({ kind: 'answer', fault: 'tooLarge', status: 200, attempts: 1 });
});
