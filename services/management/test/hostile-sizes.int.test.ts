import { monitorEventLoopDelay } from 'node:perf_hooks';
import { beforeAll, expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import { fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import { faultsOf, urlSmartlink, useService } from './start-service.js';
import { storedRows, untilPublished } from './stored-state.js';
import { worstBodies } from './worst-bodies.js';

// What is too large is refused, and the largest allowed body delays no other request.

const MIB = 1024 * 1024;
const ANSWER_BYTES_MAX = MIB / 4;
// The goal is 200 ms on a machine that does nothing else.
const BLOCKED_MS_MAX = 2_000;

const CALLS = [
  ['PATCH', '/smartlink'],
  ['POST', '/smartlink/status'],
  ['DELETE', '/smartlink'],
] as const;

/** A create, and in a full run all other calls, else another one for each body. */
const callsFor = (index: number) => [
  ['POST', '/smartlink'] as const,
  ...trialSize<readonly (typeof CALLS)[number][]>([CALLS[index % CALLS.length]!], CALLS),
];

let id: string;

const { service, api } = useService();
beforeAll(async () => {
  id = String((await api.post('/smartlink', urlSmartlink())).body.data.id);
});

test('a body of exactly a mebibyte is read, and one of a byte more is not', async () => {
  const body = (bytes: number) => {
    const text = JSON.stringify(urlSmartlink({}, {}, { x: '' }));
    return text.replace('"x":""', `"x":"${'x'.repeat(bytes - text.length)}"`);
  };
  expect(Buffer.byteLength(body(MIB))).toBe(MIB);
  expect((await api.post('/smartlink', body(MIB))).status).toBe(201);
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  const res = await api.post('/smartlink', body(MIB + 1));
  expect([res.status, res.body.error]).toEqual([
    413,
    { code: 'PAYLOAD_TOO_LARGE', message: 'Request body is too large' },
  ]);
  expect(await storedRows(service.app)).toBe(before);
});

const arrays = TYPES.flatMap((type) =>
  fieldsOf(type)
    .filter(({ schema }) => schema.type === 'array')
    .map(({ path, schema }) => [`${type} ${path.join('.')}`, type, path, schema.maxItems ?? 0] as const),
);

test.each(arrays)('%s holds as many elements as it may and not one more', async (_name, type, path, max) => {
  const document = fullDocument(type);
  let element: unknown = document;
  for (const step of [...path, 0]) element = (element as Record<string | number, unknown>)[step];
  const withElements = (count: number) =>
    withValue(
      document,
      path,
      Array.from({ length: count }, () => element),
    );
  expect(max).toBeGreaterThanOrEqual(20);
  expect((await api.post('/smartlink', withElements(max))).status).toBe(201);
  const res = await api.post('/smartlink', withElements(max + 1));
  expect([res.status, faultsOf(res)]).toEqual([400, [path.join('.')]]);
});

test('the worst mebibytes are answered in a few words, and other requests are not held up', async () => {
  await untilPublished(service.app);
  const { app } = service;
  const found: string[] = [];
  for (const [index, [name, body]] of Object.entries(worstBodies(id)).entries()) {
    for (const [method, path] of callsFor(index)) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const from = process.cpuUsage();
      const res = await api.call(method, path, body);
      const { user, system } = process.cpuUsage(from);
      // One more turn, so that the last delay is counted.
      await new Promise((resolve) => setImmediate(resolve));
      delay.disable();
      // No longer than the processor worked for all of it: the rest was other processes' turn.
      const blockedMs = Math.min(delay.max / 1e6, (user + system) / 1e3);
      if (blockedMs > BLOCKED_MS_MAX) found.push(`${name}: ${Math.round(blockedMs)} ms blocked`);
      if (res.status >= 500) found.push(`${name}: ${res.status}`);
      // A document that is stored is answered with.
      const isLong = res.status >= 400 && res.text.length > ANSWER_BYTES_MAX;
      if (isLong) found.push(`${name}: ${res.text.length} bytes`);
    }
  }
  expect(found).toEqual([]);
  expect((await app.inject('/-/live')).statusCode).toBe(200);
}, 300_000);
