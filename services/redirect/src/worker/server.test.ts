import { expect, test } from 'vitest';
import {
  createHead,
  type Header,
  headerValue,
  noContent,
  redirectReply,
  type Reply,
  textReply,
} from '../http/reply.js';
import { type BodySource, readBody } from './read-body.js';
import { createReplyWriter } from './server.js';

function readTrial(announcedBytes = 0, deadlineMs?: number) {
  let give: (chunk: ArrayBuffer, isLast: boolean) => void = () => undefined;
  const source: BodySource = {
    res: {
      onData: (handler) => {
        give = handler;
      },
    },
    onAbort: null,
  };
  const body = readBody(source, announcedBytes, deadlineMs);
  const send = (text: string, isLast: boolean) => {
    // The library takes its memory back as soon as the handler returns.
    const chunk = new TextEncoder().encode(text);
    give(chunk.buffer, isLast);
    chunk.fill(0);
  };
  return { source, body, send };
}

const statusOf = async (body: Promise<unknown>) => {
  const settled = await body;
  return (settled as { head: { status: string } }).head.status;
};

test('a body that comes in pieces is one text', async () => {
  const { body, send } = readTrial();
  send('password=', false);
  send('ə', true);
  expect(await body).toBe('password=ə');
});

test('a body that is too large is refused, announced or not', async () => {
  expect(await statusOf(readTrial(4_097).body)).toBe('413 Content Too Large');
  const { body, send } = readTrial();
  send('x'.repeat(4_096), false);
  send('x', true);
  expect(await statusOf(body)).toBe('413 Content Too Large');
});

test('an unfinished body is not waited for', async () => {
  const slow = readTrial(0, 1);
  slow.send('password', false);
  expect(await statusOf(slow.body)).toBe('408 Request Timeout');
  const aborted = readTrial();
  aborted.source.onAbort?.();
  expect(await statusOf(aborted.body)).toBe('408 Request Timeout');
});

const EVERY: Header = ['Strict-Transport-Security', headerValue('max-age=1')];

function writeTrial(everyHeader: readonly Header[] = []) {
  const written: string[] = [];
  const faults: unknown[] = [];
  let room = Infinity;
  let onWritable: (writtenBytes: number) => boolean = () => true;
  const target = {
    writeStatus: (status: Uint8Array) => written.push(Buffer.from(status).toString('latin1')),
    writeHeader: (name: string, value: string) => written.push(`${name}: ${value}`),
    end: (body: Uint8Array | undefined, closes: boolean) =>
      written.push(`end ${body === undefined ? 'nothing' : Buffer.from(body).toString()} ${closes}`),
    endWithoutBody: () => written.push('end without body'),
    tryEnd: (rest: Uint8Array, wholeBytes: number): [boolean, boolean] => {
      const taken = Math.min(rest.length, room);
      written.push(`try ${rest.length} of ${wholeBytes}`);
      return [taken === rest.length, taken === rest.length];
    },
    onWritable: (handler: (writtenBytes: number) => boolean) => {
      onWritable = handler;
    },
    onAborted: () => written.push('listens for aborts'),
    getWriteOffset: () => 7,
    close: () => written.push('close'),
  };
  const write = createReplyWriter(everyHeader, (err) => faults.push(err));
  const send = (reply: Reply, how: { isHead?: boolean; closesConnection?: boolean } = {}) => {
    write(target, reply, { isHead: false, closesConnection: false, ...how });
    return written.splice(0);
  };
  return {
    send,
    faults,
    target,
    setRoom: (bytes: number) => {
      room = bytes;
    },
    makeWritable: (writtenBytes: number) => [onWritable(writtenBytes), ...written.splice(0)],
  };
}

test('an answer is its head in one piece, with the common headers, then its own headers, then its body', () => {
  const { send } = writeTrial([EVERY]);
  const redirect = redirectReply(302, 'https://example.org/', [['X-Own', headerValue('1')]]);
  const head = [
    '302 Found',
    'Cache-Control: private, no-store',
    'Referrer-Policy: strict-origin-when-cross-origin',
    'X-Robots-Tag: noindex',
    'Strict-Transport-Security: max-age=1',
  ].join('\r\n');
  const expected = [head, 'Location: https://example.org/', 'X-Own: 1', 'end nothing false'];
  expect(send(redirect)).toEqual(expected);
  // The head was made by the first.
  expect(send(redirect)).toEqual(expected);
});

test('HEAD gets the length and no body, also for answers with only a length', () => {
  const { send } = writeTrial();
  const text = textReply(200, 'twelve bytes');
  expect(send(text, { isHead: true }).slice(1)).toEqual(['Content-Length: 12', 'end without body']);
  expect(send({ ...text, lengthOnly: 5 }).slice(1)).toEqual(['Content-Length: 5', 'end without body']);
});

test('a 204 has no length, unless it closes the connection', () => {
  const { send } = writeTrial();
  const head = '204 No Content\r\nCache-Control: private, no-store';
  expect(send(noContent())).toEqual([head, 'end without body']);
  expect(send(noContent(), { closesConnection: true })).toEqual([head, 'end nothing true']);
});

test('an answer closes the connection when the server or the answer requires it', () => {
  const { send } = writeTrial();
  const text = textReply(200, 'x');
  expect(send(text, { closesConnection: true }).at(-1)).toBe('end x true');
  expect(send({ ...text, closesConnection: true }).at(-1)).toBe('end x true');
  expect(send(text, { isHead: true, closesConnection: true })).toContain('Connection: close');
});

test('an answer that breaks while it is written is a fault, and its connection is closed', () => {
  const { send, faults, target } = writeTrial();
  const broken: Reply = {
    head: createHead(200, []),
    get headers(): never {
      throw new Error('broken answer');
    },
    body: Buffer.alloc(0),
  };
  expect(send(broken)).toEqual(['200 OK', 'close']);
  expect(faults).toEqual([new Error('broken answer')]);
  target.close = () => {
    throw new Error('gone already');
  };
  expect(() => send(broken)).not.toThrow();
  expect(faults).toHaveLength(3);
});

test('a large body is written as it is read, from the current offset', () => {
  const { send, setRoom, makeWritable } = writeTrial();
  const large = textReply(200, 'x'.repeat(20_000));
  expect(send(large).slice(1)).toEqual(['try 20000 of 20000']);
  setRoom(8_000);
  expect(send(large).slice(1)).toEqual(['try 20000 of 20000', 'listens for aborts']);
  expect(makeWritable(7 + 8_000)).toEqual([false, 'try 12000 of 20000']);
  setRoom(Infinity);
  expect(makeWritable(7 + 16_000)).toEqual([true, 'try 4000 of 20000']);
  expect(send(large, { closesConnection: true }).at(-1)).toMatch(/^end x+ true$/);
});
