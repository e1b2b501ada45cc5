import { expect, test } from 'vitest';
import { readSearchAnswer } from './safe-browsing-answer.js';
import { createPrefixCache } from './safe-browsing.js';

const HASH = Buffer.alloc(32, 0xab);
const OTHER = Buffer.alloc(32, 0xcd);

const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
const varint = (number: number, ...value: number[]): Buffer => Buffer.from([number * 8, ...value]);
const fullHash = (hash: Buffer, ...details: Buffer[]): Buffer =>
  field(1, Buffer.concat([field(1, hash), ...details.map((detail) => field(2, detail))]));

const proto = (...parts: Buffer[]) =>
  readSearchAnswer({ contentType: 'application/x-protobuf', body: Buffer.concat(parts) });
const json = (body: unknown) =>
  readSearchAnswer({
    contentType: 'application/json; charset=UTF-8',
    body: Buffer.from(JSON.stringify(body)),
  });

test('a protobuf answer names hashes and how long they hold', () => {
  const answer = proto(
    fullHash(HASH, varint(1, 2)),
    fullHash(OTHER, varint(1, 1)),
    field(2, Buffer.concat([varint(1, 0xac, 0x02), varint(2, 5)])),
  );
  expect(answer).toEqual({ unsafe: [HASH.toString('latin1'), OTHER.toString('latin1')], cacheMs: 300_000 });
});

test('a JSON answer has the same meaning', () => {
  const details = [{ threatType: 'SOCIAL_ENGINEERING' }];
  const answer = json({
    fullHashes: [{ fullHash: HASH.toString('base64'), fullHashDetails: details }],
    cacheDuration: '300s',
  });
  expect(answer).toEqual({ unsafe: [HASH.toString('latin1')], cacheMs: 300_000 });
});

const SOME_TIME = field(2, varint(1, 60));

test('nothing found is an answer with its time alone', () => {
  const nothing = { unsafe: [], cacheMs: 60_000 };
  expect([proto(SOME_TIME), json({ cacheDuration: '60s' })]).toEqual([nothing, nothing]);
});

test('details of unknown types, canaries and those for frames alone are no reason', () => {
  const packed = (attribute: number) => Buffer.concat([varint(1, 1), field(2, Buffer.from([attribute]))]);
  expect(
    proto(
      fullHash(HASH),
      fullHash(HASH, varint(1, 9)),
      fullHash(HASH, varint(1, 0)),
      fullHash(HASH, packed(1)),
      SOME_TIME,
    ).unsafe,
  ).toEqual([]);
  const details = [{ threatType: 'NEW_TYPE' }, { threatType: 'MALWARE', attributes: ['FRAME_ONLY'] }];
  expect(
    json({
      fullHashes: [{ fullHash: HASH.toString('base64'), fullHashDetails: details }],
      cacheDuration: '1s',
    }).unsafe,
  ).toEqual([]);
});

test('no answer is believed for more than a day', () => {
  expect(json({ cacheDuration: '999999999s' }).cacheMs).toBe(86_400_000);
});

test.each([
  ['text', 'text/html', Buffer.from('<html>Sorry</html>')],
  ['half a message', 'application/x-protobuf', Buffer.from([10, 200, 1, 1])],
  ['a hash of three bytes', 'application/x-protobuf', fullHash(Buffer.alloc(3), varint(1, 1))],
  ['an endless number', 'application/x-protobuf', Buffer.alloc(20, 0xff)],
  ['JSON of another shape', 'application/json', Buffer.from('{"fullHashes":7}')],
  ['JSON cut off', 'application/json', Buffer.from('{"fullHashes":[')],
  ['null', 'application/json', Buffer.from('null')],
  ['nothing at all', 'application/x-protobuf', Buffer.alloc(0)],
  ['an answer without its time', 'application/x-protobuf', fullHash(HASH, varint(1, 1))],
  ['JSON about something else', 'application/json', Buffer.from('{"status":"ok"}')],
])('%s is no answer', (_name, contentType, body) => {
  expect(() => readSearchAnswer({ contentType, body })).toThrow(/the answer is not/);
});

test('a prefix is known until its time is over, and the one used least recently makes room', () => {
  // Not 0, which lru-cache takes for no start.
  let time = 1;
  const cache = createPrefixCache(2, { now: () => time });
  cache.set('aaaa', ['x'], 100);
  cache.set('bbbb', [], 100);
  expect([cache.get('aaaa'), cache.get('bbbb'), cache.get('cccc')]).toEqual([['x'], [], undefined]);
  cache.set('cccc', [], 100);
  expect([cache.get('aaaa'), cache.get('cccc')]).toEqual([undefined, []]);
  time += 101;
  expect(cache.get('cccc')).toBeUndefined();
  cache.set('dddd', ['x'], 0);
  expect(cache.get('dddd')).toBeUndefined();
});
