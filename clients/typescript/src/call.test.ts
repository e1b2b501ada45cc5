import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  createSmartlinkClient,
  isSmartlinkError,
  type SmartlinkClient,
  type SmartlinkError,
} from './client.js';

// Over real connections; waits are recorded and skipped.
const API_KEY = 'slk_live_the-key-that-nobody-may-see';

type Sent = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Reply = (res: ServerResponse, req: IncomingMessage) => void;

const sent: Sent[] = [];
const waits: number[] = [];
/** Answers of the server, in order; the last one is repeated. */
let replies: Reply[] = [];
const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const { method = '', url = '', headers } = req;
    sent.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    (replies.length > 1 ? replies.shift()! : replies[0]!)(res, req);
  });
});
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  sent.length = 0;
  waits.length = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const client = (options: Partial<ClientOptions> = {}): SmartlinkClient =>
  createSmartlinkClient({
    ...((options.session === true ? options : { apiKey: API_KEY, ...options }) as ClientOptions),
    baseUrl: options.baseUrl ?? baseUrl,
    environment: {
      random: () => 0,
      wait: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      ...options.environment,
    },
  });

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (res) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
const ok = answer(200, { success: true, message: 'ok', data: null, timestamp: '' });
const fail = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer(status, { success: false, error: { code, message: 'No' }, timestamp: '' }, headers);
const breakOff: Reply = (res) => res.destroy();
const limited = fail(429, 'RATE_LIMITED', { 'retry-after': '60' });
const neverAnswer: Reply = () => undefined;
const stallInBody: Reply = (res) => res.write('{"success":');

async function failureOf(call: Promise<unknown>): Promise<SmartlinkError> {
  const err = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!isSmartlinkError(err)) throw err as Error;
  expect(inspect(err, { depth: 9 }) + JSON.stringify(err)).not.toContain(API_KEY);
  return err;
}

const BODY = {
  configuration: { smartlinkName: 'Docs', smartlinkType: 'Url' },
  shortener: { url: 'https://example.org/' },
} as const;

describe('a request', () => {
  test('has the key, media types and an encoded query', async () => {
    replies = [ok, answer(200, { success: true, message: 'ok', data: [], timestamp: '' })];
    await client().smartlinks.setStatus('a b', 'Paused');
    await client({ baseUrl: `${baseUrl}/prefix/` }).smartlinks.list({ q: 'ä&=#', cursor: undefined });
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/smartlink/status',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: '{"id":"a b","status":"Paused"}',
    });
    expect(sent[1]).toMatchObject({
      method: 'GET',
      url: '/prefix/api/v1/smartlink?q=%C3%A4%26%3D%23',
    });
    expect(sent[1]!.headers).not.toHaveProperty('content-type');
  });

  test('with the session of the browser sends its cookies and no key, and tells when it has ended', async () => {
    let signedOut = 0;
    const credentials: (string | undefined)[] = [];
    const bySession = client({
      session: true,
      onSignedOut: () => (signedOut += 1),
      fetch: (url, init) => {
        credentials.push(init?.credentials);
        return fetch(url, init);
      },
    });
    replies = [ok, fail(401, 'UNAUTHORIZED')];
    await bySession.validate();
    expect([credentials, signedOut]).toEqual([['same-origin'], 0]);
    expect(sent[0]!.headers).not.toHaveProperty('authorization');
    await failureOf(bySession.account.get());
    expect(signedOut).toBe(1);
    // A wrong password is no end of the session.
    replies = [fail(401, 'UNAUTHORIZED'), fail(410, 'GONE')];
    await failureOf(bySession.session.confirm('wrong'));
    expect(await failureOf(bySession.session.checkLink('used'))).toMatchObject({ kind: 'api', code: 'GONE' });
    expect(signedOut).toBe(1);
  });

  test('does not follow a redirect, so that the key goes nowhere else', async () => {
    replies = [answer(302, '', { location: `${baseUrl}/elsewhere` })];
    const err = await failureOf(client().validate());
    expect(err).toMatchObject({ kind: 'answer', fault: 'redirect', status: 302 });
    expect(sent).toHaveLength(1);
  });

  test.each([
    ['api', 400, 'VALIDATION_FAILED', 'details'],
    ['answer', 400, 'TEAPOT', 'unknownCode'],
  ])('hides a key that the server repeats in an error of kind %s', async (kind, status, code, said) => {
    const echo = `you sent ${API_KEY}${API_KEY}`;
    const error = { code, message: echo, details: [{ path: echo, message: echo, sent: echo }] };
    replies = [answer(status, { success: false, error, timestamp: '' }, { 'x-request-id': API_KEY })];
    const err = await failureOf(client().smartlinks.create(BODY));
    expect(err).toMatchObject({ kind, requestId: '[API key]' });
    expect(inspect(err)).toContain(said);
    expect(err.message).toContain('you sent [API key][API key]');
    const hidden = 'you sent [API key][API key]';
    if (err.kind === 'api') expect(err.details).toEqual([{ path: hidden, message: hidden }]);
  });

  test('is refused before it is sent if a header cannot hold its value', async () => {
    for (const bad of ['', ' ', 'a\r\nb', 'ä']) {
      await expect(client().smartlinks.update('x', {}, { ifMatch: bad })).rejects.toThrow(TypeError);
      await expect(client().smartlinks.create(BODY, { idempotencyKey: bad })).rejects.toThrow(TypeError);
    }
    expect(sent).toEqual([]);
  });
});

describe('retries', () => {
  test('a 429 is repeated after Retry-After, for every operation', async () => {
    const calls = [
      () => client().validate(),
      () => client().smartlinks.create(BODY),
      () => client().smartlinks.update('x', {}),
      () => client().smartlinks.remove('x'),
      () => client().smartlinks.setStatus('x', 'Active'),
    ];
    for (const call of calls) {
      replies = [fail(429, 'RATE_LIMITED', { 'retry-after': '7' }), ok];
      await call();
    }
    expect(waits).toEqual(calls.map(() => 7_000));
  });

  test('a read is repeated after broken connections and 5xx, also of a proxy, with growing waits', async () => {
    replies = [breakOff, fail(500, 'INTERNAL_ERROR'), answer(502, '<html>'), ok];
    await client({ environment: { random: () => 1 } }).validate();
    expect(waits).toEqual([250, 500, 1_000]);
    expect(sent).toHaveLength(4);
  });

  test('a create is repeated with the same Idempotency-Key; another call has another', async () => {
    for (const idempotencyKey of [undefined, undefined, 'mine']) {
      replies = [breakOff, fail(503, 'SERVICE_UNAVAILABLE'), ok];
      await client().smartlinks.create(BODY, { idempotencyKey });
    }
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3], keys[3], keys[3], 'mine', 'mine', 'mine']);
    expect(keys[3]).not.toBe(keys[0]);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(BODY)]));
  });

  test('an update, a delete and a status are not repeated if they may have been carried out', async () => {
    for (const reply of [
      breakOff,
      fail(500, 'INTERNAL_ERROR'),
      fail(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '1' }),
    ]) {
      replies = [reply];
      sent.length = 0;
      await failureOf(client().smartlinks.update('x', {}));
      await failureOf(client().smartlinks.update('x', {}, { ifMatch: '*' }));
      await failureOf(client().smartlinks.remove('x'));
      await failureOf(client().smartlinks.setStatus('x', 'Active'));
      expect(sent).toHaveLength(4);
    }
  });

  test('an update of one version is repeated: it cannot be carried out twice', async () => {
    replies = [breakOff, ok];
    await client().smartlinks.update('x', {}, { ifMatch: '"7"' });
    expect(sent.map(({ headers }) => headers['if-match'])).toEqual(['"7"', '"7"']);
  });

  test('a refused request is not repeated', async () => {
    for (const [status, code] of [
      [400, 'VALIDATION_FAILED'],
      [401, 'UNAUTHORIZED'],
      [404, 'NOT_FOUND'],
      [409, 'SMARTLINK_URL_TAKEN'],
    ] as const) {
      replies = [fail(status, code)];
      sent.length = 0;
      expect(await failureOf(client().smartlinks.create(BODY))).toMatchObject({
        kind: 'api',
        code,
        status,
        attempts: 1,
      });
      expect(sent).toHaveLength(1);
    }
  });

  test('are limited by the client or the call; the last failure is thrown', async () => {
    replies = [fail(500, 'INTERNAL_ERROR')];
    for (const [options, requests] of [
      [{}, 4],
      [{ retries: 0 }, 1],
      [{ retries: 10 }, 11],
    ] as const) {
      sent.length = 0;
      const err = await failureOf(client().validate(options));
      expect(err).toMatchObject({ kind: 'api', code: 'INTERNAL_ERROR', attempts: requests });
      expect(sent).toHaveLength(requests);
    }
    await expect(client().validate({ retries: 11 })).rejects.toThrow(TypeError);
  });

  test('a wait that would end after the deadline is skipped', async () => {
    replies = [limited];
    const err = await failureOf(client({ deadlineMs: 59_000 }).validate());
    expect(err).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000, attempts: 1 });
    expect(waits).toEqual([]);
  });
});

describe('a missing answer', () => {
  test.each([
    ['at all', neverAnswer],
    ['in its body', stallInBody],
  ])('%s is a timeout, and a read is repeated', async (_how, reply) => {
    replies = [reply];
    const err = await failureOf(client({ timeoutMs: 40, retries: 1 }).validate());
    expect(err).toMatchObject({ kind: 'timeout', operation: 'validateKey', attempts: 2 });
    replies = [reply, ok];
    // On a busy machine a good answer may be late too.
    await client({ timeoutMs: 40, retries: 10 }).validate();
  });

  test('is given up at the deadline, even before the timeout of the request', async () => {
    replies = [neverAnswer];
    const err = await failureOf(client({ timeoutMs: 60_000, deadlineMs: 40 }).validate());
    expect(err).toMatchObject({ kind: 'timeout', attempts: 1 });
  });

  test('is a network failure with its cause if there is no server', async () => {
    const gone = createServer();
    await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
    const { port } = gone.address() as AddressInfo;
    await new Promise((done) => gone.close(done));
    const err = await failureOf(client({ baseUrl: `http://127.0.0.1:${port}`, retries: 1 }).validate());
    expect(err).toMatchObject({ kind: 'network', attempts: 2, name: 'SmartlinkError' });
    expect(err.message).toContain('ECONNREFUSED');
  });

  test('is a failure without the key, even if its cause contains it', async () => {
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
  test('sends nothing if it is aborted before', async () => {
    const reason = new Error('changed my mind');
    const err = await failureOf(client().validate({ signal: AbortSignal.abort(reason) }));
    expect(err).toMatchObject({ kind: 'aborted', attempts: 0, reason });
    expect(sent).toEqual([]);
  });

  test('ends a request and the reading of a body', async () => {
    for (const reply of [neverAnswer, stallInBody]) {
      const controller = new AbortController();
      replies = [
        (res, req) => {
          reply(res, req);
          controller.abort();
        },
      ];
      const err = await failureOf(client().validate({ signal: controller.signal }));
      expect(err).toMatchObject({ kind: 'aborted', attempts: 1 });
    }
  });

  test('ends a request whose fetch ignores it', async () => {
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
        // Called once the answer has come, just before the wait.
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

test('an endless answer is given up at its limit', async () => {
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
