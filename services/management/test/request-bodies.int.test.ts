import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { callRaw, listen } from './call-raw.js';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { TestService } from './start-service.js';

let service: TestService;
let port: number;
let apiKey: string;
let id: string;
let before: string;

beforeAll(async () => {
  const started = await startServiceWithUser();
  service = started.service;
  apiKey = started.user.apiKey;
  port = await listen(service.app);
  id = String((await started.api.post('/smartlink', urlSmartlink())).body.data.id);
  before = await storedContent();
});
afterEach(async () => {
  expect(await storedContent()).toBe(before);
});
afterAll(() => service.close());

const METHODS = ['POST', 'PATCH', 'DELETE', 'POST /status'] as const;
const MIB = 1024 * 1024;
/** 64 MiB of white space. */
const BOMB = gzipSync(Buffer.alloc(64 * MIB, 0x20));

/** Bytes that would be accepted by `method` but for what `extra` adds: members as JSON text. */
function valid(method: (typeof METHODS)[number], extra = ''): string {
  const own = {
    POST: JSON.stringify(urlSmartlink({ smartlinkName: 'Made by a bad body' })),
    PATCH: JSON.stringify({ id, configuration: { smartlinkName: 'Changed by a bad body' } }),
    DELETE: JSON.stringify({ smartlinkId: id }),
    'POST /status': JSON.stringify({ id, status: 'Paused' }),
  }[method];
  return extra === '' ? own : `${own.slice(0, -1)},${extra}}`;
}

/** The first words of a request: `POST /status` is POST /api/v1/smartlink/status. */
function target(method: string): string {
  const [verb, path = ''] = method.split(' ');
  return `${verb} /api/v1/smartlink${path}`;
}

async function send(method: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const bytes = Buffer.from(body as string);
  const all: Record<string, string> = {
    Host: 'x',
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
    Connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${target(method)} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const answer = await callRaw(port, Buffer.concat([Buffer.from(head), bytes]));
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.body?.success).toBe(false);
  return answer;
}

const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

describe.each(METHODS)('%s', (method) => {
  const roots: [string, string][] = [
    ['null', 'null'],
    ['[]', '[]'],
    ['"x"', '"x"'],
    ['1', '1'],
    ['true', 'true'],
  ];
  test.each(roots)('of %s is no object', async (_name, body) => {
    const answer = await send(method, body);
    expect(answer.status).toBe(400);
    expect(answer.body?.error).toEqual({
      code: 'VALIDATION_FAILED',
      message: 'Request validation failed',
      details: [{ path: '', message: 'Must be an object' }],
    });
  });

  const bodies: [string, () => string | Buffer, string][] = [
    ['cut off', () => valid(method).slice(0, -1), 'Must be valid JSON'],
    ['only white space', () => ' \n', 'Must be valid JSON'],
    ['two values', () => `${valid(method)}{}`, 'Must be valid JSON'],
    ['a trailing comma', () => valid(method).replace(/}$/, ',}'), 'Must be valid JSON'],
    ['NaN', () => valid(method, '"x":NaN'), 'Must be valid JSON'],
    ['a comment', () => `/**/${valid(method)}`, 'Must be valid JSON'],
    ['a raw NUL', () => valid(method, '"x":"\0"'), 'Must be valid JSON'],
    ['a byte-order mark', () => `\ufeff${valid(method)}`, 'Must be valid JSON'],
    ['UTF-16', () => Buffer.from(valid(method), 'utf16le'), 'Must be valid JSON'],
    ['invalid UTF-8', () => Buffer.from(valid(method, '"x":"\xff"'), 'latin1'), 'Must be valid UTF-8'],
    [
      'an encoded surrogate',
      () => Buffer.from(valid(method, '"x":"\xed\xa0\x80"'), 'latin1'),
      'Must be valid UTF-8',
    ],
    ['a lone surrogate', () => valid(method, '"x":{"y":"\\ud800"}'), 'Must be well-formed Unicode'],
    ['a duplicate key', () => valid(method, '"x":1,"x":2'), 'Must not have the same key twice in one object'],
    [
      'a duplicate key, escaped',
      () => valid(method, '"x":{"a":1,"\\u0061":2}'),
      'Must not have the same key twice in one object',
    ],
    ['__proto__', () => valid(method, '"__proto__":{"isAdmin":true}'), 'Must not have the key __proto__'],
    [
      '__proto__, escaped',
      () => valid(method, '"x":[{"\\u005f_proto__":1}]'),
      'Must not have the key __proto__',
    ],
    [
      'constructor',
      () => valid(method, '"constructor":{"prototype":{}}'),
      'Must not have the key constructor',
    ],
    ['17 levels', () => valid(method, `"x":${deep(16)}`), 'Must not be nested deeper than 16 levels'],
    ['10,000 levels', () => valid(method, `"x":${deep(10_000)}`), 'Must not be nested deeper than 16 levels'],
    ['a MiB of brackets', () => '['.repeat(MIB), 'Must be valid JSON'],
    ['half a MiB of levels', () => deep(MIB / 2 - 1), 'Must not be nested deeper than 16 levels'],
  ];
  test.each(bodies)('of %s is bad JSON', async (_name, body, message) => {
    const answer = await send(method, body());
    expect(answer.status).toBe(400);
    expect(answer.body?.error).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ message }] });
  });

  test.each([
    ['none', ''],
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['UTF-16', 'application/json; charset=utf-16'],
    ['an empty charset', 'application/json; charset='],
    ['a cousin', 'application/problem+json'],
    ['a longer name', 'application/jsonx'],
    ['two', 'application/json, text/plain'],
    ['garbage', ';;;'],
    ['a slash', '/'],
  ])('with the media type %s is 415', async (_name, type) => {
    const answer = await send(method, valid(method), { 'Content-Type': type });
    expect(answer.status).toBe(415);
    expect(answer.body?.error?.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('compressed is 415, however much is in it', async () => {
    for (const encoding of ['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip']) {
      expect((await send(method, BOMB, { 'Content-Encoding': encoding })).status).toBe(415);
    }
    expect((await send(method, BOMB)).status).toBe(400);
  });

  test('of a MiB and a byte is 413, with its length or in chunks', async () => {
    const body = valid(method, `"x":"${'x'.repeat(MIB)}"`).slice(0, MIB + 1);
    const counted = await send(method, body);
    expect([counted.status, counted.body?.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = await send(method, `${(MIB + 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`, {
      'Content-Length': '',
      'Transfer-Encoding': 'chunked',
    });
    expect([chunked.status, chunked.body?.error?.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('without a body is 400', async () => {
    for (const headers of [{}, { 'Content-Type': '' }, { 'Content-Type': '', 'Content-Length': '' }]) {
      const answer = await send(method, '', headers);
      expect([answer.status, answer.body?.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
  });

  test('with fewer bytes counted than sent is refused', async () => {
    const answer = await send(method, valid(method), { 'Content-Length': '10' });
    expect(answer.status).toBe(400);
  });

  test.each(['-1', '1e3', '0x10', '9'.repeat(30)])('with Content-Length %s is refused', async (length) => {
    const answer = await send(method, valid(method), { 'Content-Length': length });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test('that breaks off in the middle stores nothing, and is no fault of ours', async () => {
    const from = service.logLines.length;
    const body = valid(method);
    const arrived = once(service.app.server, 'request');
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(
      `${target(method)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length + 5}\r\n\r\n${body}`,
    );
    await arrived;
    socket.destroy();
    await until(
      () => service.logLines.slice(from).some((line) => line.includes('the client went away')),
      'the service has noticed',
    );
    expect(service.logLines.slice(from).filter((line) => !line.startsWith('{"level":"info"'))).toEqual([]);
  });
});

test('no body was told in a log line', () => {
  expect(service.logLines.filter((line) => line.includes('by a bad body'))).toEqual([]);
});

async function storedContent(): Promise<string> {
  const { rows } = await service.app.pg.query(
    `select (select json_agg(smartlinks)::text from smartlinks) || (select count(*)::text from slugs) ||
            (select count(*)::text from audit_entries) as content`,
  );
  return (rows[0] as { content: string }).content;
}
