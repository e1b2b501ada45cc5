import { describe, expect, test } from 'vitest';
import { type Form, IN_ENVELOPE, readAnswer, redactMembers, type Refusal } from './read-answer.js';

const NOW = Date.UTC(2026, 2, 10);
const TEXT: Form<string> = { read: 'text', mediaType: 'text/csv' };
const json = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' }, ...init });
const success = (data: unknown) => ({ success: true, message: 'ok', data, timestamp: '' });
const failure = (code: string, details?: unknown) => ({
  success: false,
  error: { code, message: 'No', details },
  timestamp: '',
});
const read = (response: Response, form: Form<unknown> = IN_ENVELOPE) =>
  readAnswer(response, form, 1_000, NOW);

describe('a success', () => {
  test('is the data of the envelope, with values of headers', async () => {
    const headers = {
      'x-request-id': 'r1',
      etag: '"7"',
      'x-next-cursor': 'c',
      'x-total-count': '7',
      'ratelimit-limit': '600',
      'ratelimit-remaining': '599',
      'ratelimit-reset': '60',
    };
    expect(await read(json(success([1]), { headers }))).toEqual({
      data: [1],
      requestId: 'r1',
      etag: '"7"',
      nextCursor: 'c',
      totalCount: '7',
      rateLimit: { limit: 600, remaining: 599, resetSeconds: 60 },
      ignored: [],
    });
    const bare = {
      requestId: null,
      etag: '',
      nextCursor: null,
      totalCount: null,
      rateLimit: null,
      ignored: [],
    };
    expect(await read(json(success(null)))).toEqual({ data: null, ...bare });
  });

  test('without an envelope is read in the form of the operation', async () => {
    const csv = new Response('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    expect(await read(csv, TEXT)).toMatchObject({ data: 'a,b' });
    const bytes = new Response(new Uint8Array([1, 2]), { headers: { 'content-type': 'image/png' } });
    expect(await read(bytes, { read: 'bytes', mediaType: 'image/png' })).toMatchObject({
      data: new Uint8Array([1, 2]),
    });
    const plain = await read(json({ openapi: '3' }), { read: 'json', mediaType: 'application/json' });
    expect(plain).toMatchObject({ data: { openapi: '3' } });
  });
});

test('a failure has its code, and details only if the code has them', async () => {
  const details = [{ path: 'a', message: 'b' }];
  const init = { status: 400, headers: { 'x-request-id': 'r2', 'retry-after': '3' } };
  const known = { kind: 'api', code: 'VALIDATION_FAILED', status: 400, requestId: 'r2', retryAfterMs: 3_000 };
  expect(await read(json(failure('VALIDATION_FAILED', details), init))).toEqual({
    message: 'VALIDATION_FAILED: No (a: b)',
    members: { ...known, details, ignored: [] },
  });
  expect(await read(json(failure('NOT_FOUND', details), { status: 404 }))).toMatchObject({
    members: { code: 'NOT_FOUND', details: undefined },
  });
});

test('the paths of ignored input are told with a success and with a failure', async () => {
  const ignored = ['status', '?slug'];
  expect(await read(json({ ...success(null), ignored }))).toMatchObject({ ignored });
  const refusal = await read(json({ ...failure('NOT_FOUND'), ignored }, { status: 404 }));
  expect(refusal).toMatchObject({ members: { ignored } });
  expect(redactMembers((refusal as Refusal).members, (text) => text.replace('slug', '…'))).toMatchObject({
    ignored: ['status', '?…'],
  });
  for (const bad of ['x', null, {}, [1, null]]) {
    expect(await read(json({ ...success(null), ignored: bad }))).toMatchObject({ ignored: [] });
  }
});

test('malformed details are left out', async () => {
  for (const bad of [undefined, null, 'x', {}, [null, 1, { path: 'a' }, { path: 1, message: 2 }]]) {
    const refusal = await read(json(failure('VALIDATION_FAILED', bad), { status: 400 }));
    expect(refusal).toMatchObject({ members: { details: [] } });
  }
  const many = Array.from({ length: 5 }, (_none, i) => ({ path: String(i), message: 'm' }));
  expect(await read(json(failure('VALIDATION_FAILED', many), { status: 400 }))).toMatchObject({
    message: 'VALIDATION_FAILED: No (0: m; 1: m; 2: m; and 2 more)',
  });
});

const stream = (chunk: Uint8Array) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(chunk);
    },
  });

test.each([
  ['notJson', new Response('<html>', { status: 200 })],
  ['notJson', new Response('<html>', { status: 502 })],
  ['notJson', new Response('{"success":true,"data":')],
  ['notJson', new Response('')],
  ['notJson', new Response(null, { status: 204 })],
  ['notJson', new Response(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))],
  ['notEnvelope', json(null)],
  ['notEnvelope', json([])],
  ['notEnvelope', json({ success: true })],
  ['notEnvelope', json({ success: 'true', data: 1 })],
  ['notEnvelope', json({ data: 1 })],
  // Status and body must agree.
  ['notEnvelope', json(success(1), { status: 400 })],
  ['notEnvelope', json(failure('NOT_FOUND'))],
  ['notEnvelope', json({ success: false, error: null }, { status: 400 })],
  ['notEnvelope', json({ success: false, error: { code: 1, message: 'x' } }, { status: 400 })],
  ['notEnvelope', json({ success: false, error: { code: 'NOT_FOUND' } }, { status: 404 })],
  ['unknownCode', json(failure('TEAPOT'), { status: 418 })],
  ['unknownCode', json(failure('toString'), { status: 400 })],
  ['redirect', new Response(null, { status: 302, headers: { location: 'https://evil.example/' } })],
  ['redirect', Response.redirect('https://evil.example/', 308)],
  ['tooLarge', new Response('x'.repeat(1_001))],
  ['tooLarge', new Response('x'.repeat(1_001), { status: 500 })],
  ['tooLarge', new Response(stream(new Uint8Array(64)))],
])('%s is the fault of an answer that the API cannot give', async (fault, response) => {
  const { status } = response;
  expect(await read(response)).toMatchObject({ members: { kind: 'answer', fault, status } });
});

test('without an envelope another media type is refused', async () => {
  const html = new Response('<html>', { headers: { 'content-type': 'text/html' } });
  expect(await read(html, TEXT)).toMatchObject({ members: { fault: 'mediaType' } });
  expect(await read(json(failure('NOT_FOUND'), { status: 404 }), TEXT)).toMatchObject({
    members: { kind: 'api', code: 'NOT_FOUND' },
  });
});
