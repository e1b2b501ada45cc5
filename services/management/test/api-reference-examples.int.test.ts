import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { readReference } from './api-reference-document.js';
import type { ApiReference, Operation } from './api-reference-document.js';
import { addEvents, startServiceWithUser } from './start-service.js';
import type { Caller, TestService, TestUser } from './start-service.js';

const TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'];
/** Stands for a smartlink in every example. */
const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';

let service: TestService;
let user: TestUser;
let api: Caller;
let reference: ApiReference;
/** The ids of the smartlinks that the create examples made, by type. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  ({ service, user, api } = await startServiceWithUser());
  reference = await readReference(service.app);
});
afterAll(() => service.close());

type Answer = Awaited<ReturnType<Caller['call']>>;

const requestExamples = (operationId: string) =>
  Object.entries(
    reference.find(operationId).operation.requestBody?.content['application/json']?.examples ?? {},
  ).map(([name, { value }]) => ({ name, value }));

/** Sends a request of an operation with a documented body or query, about smartlink `id`. */
function send(operation: Operation, id: string, body?: unknown, query = ''): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body).replaceAll(EXAMPLE_ID, id);
  const url = `${operation.path.replace('/api/v1', '')}${query.replaceAll(EXAMPLE_ID, id)}`;
  return api.call(operation.method, url, payload);
}

/** Expects an answer that the document describes: status, body and headers. */
function expectDocumented(operation: Operation, answer: Answer, status: number): void {
  const name = operation.operation.operationId;
  expect([name, answer.status, answer.text]).toEqual([name, status, answer.text]);
  expect(reference.faultsOfAnswer(operation, status, answer.body)).toEqual([]);
  expectHeaders(operation, answer, status);
}

function expectHeaders(operation: Operation, answer: Answer, status: number): void {
  const { response } = reference.responseOf(operation, status)!;
  const sent = Object.keys(answer.headers).filter((header) => !NOT_OF_THE_API.has(header));
  expect(reference.headersOf(response, 'all')).toEqual(expect.arrayContaining(sent));
  expect(sent).toEqual(expect.arrayContaining(reference.headersOf(response, 'always')));
}

// What is of HTTP and browsers.
const NOT_OF_THE_API = new Set([
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'vary'],
  ...['x-content-type-options', 'content-security-policy', 'keep-alive'],
]);

/** What the examples of a bulk call change. */
const BULK_SMARTLINK = { configuration: { smartlinkName: 'Page', smartlinkType: 'Landing' }, landing: {} };

describe('every example of a request is taken, and its answer is as documented', () => {
  test('a create of each of the seven types', async () => {
    const operation = reference.find('createSmartlink');
    const examples = requestExamples('createSmartlink');
    expect(examples.map(({ name }) => name)).toEqual(TYPES);
    const documented = reference.responseOf(operation, 201)!.response.content!['application/json']!.examples;
    for (const { name, value } of examples) {
      const answer = await send(operation, '', value);
      expectDocumented(operation, answer, 201);
      expect(answer.headers).toMatchObject({
        location: answer.body.data.relink,
        etag: expect.any(String) as string,
      });
      ids[name] = answer.body.data.id as string;
      // The documented answer is this one, but for what is new each time.
      const { data, message } = documented[name]!.value as { data: Record<string, object>; message: string };
      expect(message).toBe(answer.body.message);
      expect(Object.keys(answer.body.data as object).sort()).toEqual(Object.keys(data).sort());
      for (const member of Object.keys(data)) {
        if (['id', 'userId', 'relink', 'createdAt', 'updatedAt'].includes(member)) continue;
        const { smartlinkUrl: _one, ...expected } = data[member] as { smartlinkUrl?: string };
        const { smartlinkUrl: _other, ...found } = answer.body.data[member] as { smartlinkUrl?: string };
        expect([member, typeof data[member] === 'object' ? found : answer.body.data[member]]).toEqual([
          member,
          typeof data[member] === 'object' ? expected : data[member],
        ]);
      }
    }
  });

  test('each PATCH', async () => {
    const operation = reference.find('updateSmartlink');
    const examples = requestExamples('updateSmartlink');
    expect(examples.map(({ name }) => name)).toEqual(['rename', 'replaceButtons', 'clearFields']);
    const changed: Record<string, { landing: object; landingButtons: object[]; relink: string }> = {};
    for (const { name, value } of examples) {
      const answer = await send(operation, ids['Landing']!, value);
      expectDocumented(operation, answer, 200);
      changed[name] = answer.body.data;
    }
    expect(changed['rename']?.relink).toMatch(/\/Spring2026$/);
    expect(changed['replaceButtons']?.landingButtons).toHaveLength(1);
    expect(changed['clearFields']?.landingButtons).toEqual([]);
    expect(changed['clearFields']?.landing).not.toHaveProperty('themeColor');
    expect(changed['clearFields']?.landing).toHaveProperty('title');
  });

  test('a bulk call, with each documented result', async () => {
    const operation = reference.find('bulkSmartlinks');
    const { examples } = reference.responseOf(operation, 200)!.response.content!['application/json']!;
    for (const { name, value } of requestExamples('bulkSmartlinks')) {
      const { body } = await api.post('/smartlink', BULK_SMARTLINK);
      const answer = await send(operation, body.data.id as string, value);
      expectDocumented(operation, answer, 200);
      const results = answer.body.data as { status: number; error?: object; data?: { id: string } | null }[];
      // Later tests count what there is.
      if (name === 'mixed') await api.delete('/smartlink', { smartlinkId: results[0]!.data!.id });
      else await api.delete('/smartlink', { smartlinkId: body.data.id as string });
      if (name === 'dryRun') {
        // The address of one of them is taken: by the create examples of a test before.
        expect(results.map(({ status }) => status)).toEqual([201, 409, 201, 201, 201, 201, 201]);
        continue;
      }
      const documented = examples[name]!.value as {
        message: string;
        data: { status: number; error?: object }[];
      };
      expect(answer.body.message).toBe(documented.message);
      const told = (result: { status: number; error?: object }) => [
        result.status,
        Object.keys(result),
        result.error,
      ];
      expect(results.map(told)).toEqual(documented.data.map(told));
    }
    expect(Object.keys(examples)).toEqual(['mixed', 'refused']);
  });

  test('pause and activate', async () => {
    const operation = reference.find('setSmartlinkStatus');
    for (const { name, value } of requestExamples('setSmartlinkStatus')) {
      const answer = await send(operation, ids['Landing']!, value);
      expectDocumented(operation, answer, 200);
      expect(answer.body.data.status).toBe(name === 'pause' ? 'Paused' : 'Active');
    }
  });

  test('a list, whole and in pages, and a fetch of each type', async () => {
    const operation = reference.find('readSmartlinks');
    expectDocumented(operation, await send(operation, ''), 200);
    const page = await send(operation, '', undefined, '?limit=2&status=all&type=Url&q=hand');
    expectDocumented(operation, page, 200);
    const first = await send(operation, '', undefined, '?limit=2');
    expect(first.headers).toHaveProperty('x-next-cursor');
    expect(first.headers).toHaveProperty('link');
    expectDocumented(operation, first, 200);
    for (const type of TYPES) {
      const answer = await send(operation, ids[type]!, undefined, `?id=${EXAMPLE_ID}`);
      expectDocumented(operation, answer, 200);
      expect(answer.body.data.type).toBe(type);
    }
  });

  test('analytics of a smartlink that was visited, as JSON and as CSV, and of one that was not', async () => {
    const operation = reference.find('readAnalytics');
    await addEvents(service.app, [
      makeEventRow(user.userId, ids['Url']!, {
        ts: '2026-03-10 12:00:00.000',
        source: 'scan',
        country: 'AZ',
      }),
      makeEventRow(user.userId, ids['Url']!, { ts: '2026-03-10 13:00:00.000', referrer_host: 'example.net' }),
      makeEventRow(user.userId, ids['Url']!, { outcome: 'excluded', exclusion: 'bot' }),
    ]);
    for (const type of ['Url', 'App']) {
      for (const query of ['', '&interval=hour', '&interval=month&fill=zero&from=2026-03-01&to=2026-05-31']) {
        const answer = await send(operation, ids[type]!, undefined, `?id=${EXAMPLE_ID}${query}`);
        expectDocumented(operation, answer, 200);
      }
    }
    const all = '&from=2026-03-01&to=2026-03-31&tz=Asia/Baku&interval=week&fill=zero&format=json';
    const parameters = (operation.operation.parameters ?? []).map(({ name }) => name);
    expect([...new URLSearchParams(`id=${all}`).keys()]).toEqual(parameters);
    expectDocumented(
      operation,
      await send(operation, ids['Url']!, undefined, `?id=${EXAMPLE_ID}${all}`),
      200,
    );
    const csv = await send(operation, ids['Url']!, undefined, `?id=${EXAMPLE_ID}&format=csv`);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    expectHeaders(operation, csv, 200);
    expect(csv.headers).toHaveProperty('content-disposition');
    const { content } = reference.responseOf(operation, 200)!.response;
    const documented = content!['text/csv']!.examples['days']!.value as string;
    expect(csv.text.split('\r\n')[0]).toBe(documented.split('\r\n')[0]);
  });

  test('the summary, with visits and without', async () => {
    const operation = reference.find('readSummary');
    const answer = await send(operation, '');
    expectDocumented(operation, answer, 200);
    expect(answer.body.data.smartlinks).toHaveLength(7);
  });

  test('a QR code in each documented form', async () => {
    const operation = reference.find('drawQrCode');
    const { content } = reference.responseOf(operation, 200)!.response;
    for (const [mediaType, format] of [
      ['image/svg+xml', 'svg'],
      ['image/png', 'png'],
    ]) {
      const answer = await send(operation, ids['Url']!, undefined, `?id=${EXAMPLE_ID}&format=${format!}`);
      expect(answer.status).toBe(200);
      expectHeaders(operation, answer, 200);
      expect(String(answer.headers['content-type']).split(';')[0]).toBe(mediaType);
      expect(content).toHaveProperty([mediaType!]);
    }
  });

  test('a visit that is tried, for each documented answer', async () => {
    const operation = reference.find('resolveVisit');
    const { examples } = reference.responseOf(operation, 200)!.response.content!['application/json']!;
    const queries: Record<string, string> = {
      android:
        '&userAgent=Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 ' +
        'Mobile Safari/537.36&secChUaPlatform="Android"&country=az',
      ipadOrMac:
        '&userAgent=Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
        'Version/18.5 Safari/605.1.15',
    };
    expect(Object.keys(queries)).toEqual(Object.keys(examples));
    const parameters = (operation.operation.parameters ?? []).map(({ name }) => name);
    expect([...new URLSearchParams(`id=${queries['android']!}`).keys()]).toEqual(parameters);
    for (const [name, query] of Object.entries(queries)) {
      const answer = await send(operation, ids['App']!, undefined, `?id=${EXAMPLE_ID}${encodeURI(query)}`);
      expectDocumented(operation, answer, 200);
      const { data, message } = examples[name]!.value as { data: object; message: string };
      const { smartlinkId, relink } = answer.body.data as Record<string, string>;
      expect([answer.body.message, answer.body.data]).toEqual([message, { ...data, smartlinkId, relink }]);
      expect(smartlinkId).toBe(ids['App']);
    }
  });

  test('the check of a key', async () => {
    const operation = reference.find('validateKey');
    expectDocumented(operation, await send(operation, ''), 200);
  });

  test('a delete, last', async () => {
    const operation = reference.find('deleteSmartlink');
    for (const { value } of requestExamples('deleteSmartlink')) {
      expectDocumented(operation, await send(operation, ids['TxtBin']!, value), 200);
    }
  });
});

test('the schema of an answer refuses what the service does not say', async () => {
  const operation = reference.find('readSmartlinks');
  const { body } = await send(operation, ids['Url']!, undefined, `?id=${EXAMPLE_ID}`);
  const faults = (data: object) => reference.faultsOfAnswer(operation, 200, { ...body, data });
  const good = body.data as { shortener: object; configuration: object; analytics: object };
  expect(faults(good)).toEqual([]);
  for (const bad of [
    { ...good, secret: 1 },
    { ...good, shortener: { ...good.shortener, password: 'x' } },
    { ...good, status: 'Gone' },
    { ...good, type: 'Landing' },
    { ...good, createdAt: '2026-03-10' },
    { ...good, analytics: {} },
    { ...good, configuration: { ...good.configuration, smartlinkUrl: undefined } },
  ]) {
    expect(faults(JSON.parse(JSON.stringify(bad)) as object)).not.toEqual([]);
  }
});
