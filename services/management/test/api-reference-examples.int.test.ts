import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { type ApiReference, type Operation, readReference } from './api-reference-document.js';
import { addEvents, type Caller, urlSmartlink, useService } from './start-service.js';

const TYPES = ['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'];
/** Stands for a smartlink in every example. */
const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';

let reference: ApiReference;
/** The ids of the smartlinks that the create examples made, by type. */
const ids: Record<string, string> = {};

const { service, user, api } = useService();
beforeAll(async () => {
  reference = await readReference(service.app);
});

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
    // For the analytics of a later test.
    await addEvents(service.app, [
      makeEventRow(user.userId, ids['Url']!, { source: 'scan', country: 'AZ' }),
      makeEventRow(user.userId, ids['Url']!, { outcome: 'excluded', exclusion: 'bot' }),
    ]);
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

  test.each<[operationId: string, type: string, query: string, mediaType?: string]>([
    ['validateKey', 'Url', ''],
    ['readSummary', 'Url', ''],
    ...['', '?limit=2&status=all&type=Url&q=hand', '?limit=2'].map((query): [string, string, string] => [
      'readSmartlinks',
      'Url',
      query,
    ]),
    ...TYPES.map((type): [string, string, string] => ['readSmartlinks', type, `?id=${EXAMPLE_ID}`]),
    ...['Url', 'App'].flatMap((type) =>
      [
        '',
        '&interval=hour',
        '&from=2026-03-01&to=2026-05-31&tz=Asia/Baku&interval=month&fill=zero&format=json',
      ].map((query): [string, string, string] => ['readAnalytics', type, `?id=${EXAMPLE_ID}${query}`]),
    ),
    ['readAnalytics', 'Url', `?id=${EXAMPLE_ID}&format=csv`, 'text/csv'],
    ['drawQrCode', 'Url', `?id=${EXAMPLE_ID}&format=svg`, 'image/svg+xml'],
    ['drawQrCode', 'Url', `?id=${EXAMPLE_ID}&format=png`, 'image/png'],
  ])('%s of a %s with %j', async (operationId, type, query, mediaType = 'application/json') => {
    const operation = reference.find(operationId);
    const answer = await send(operation, ids[type]!, undefined, query);
    expect([answer.status, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, mediaType]);
    const { content } = reference.responseOf(operation, 200)!.response;
    expect(content).toHaveProperty([mediaType]);
    if (mediaType === 'application/json') expectDocumented(operation, answer, 200);
    else expectHeaders(operation, answer, 200);
    if (mediaType !== 'text/csv') return;
    const documented = content![mediaType]!.examples['days']!.value as string;
    expect(answer.text.split('\r\n')[0]).toBe(documented.split('\r\n')[0]);
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
    for (const [name, query] of Object.entries(queries)) {
      const answer = await send(operation, ids['App']!, undefined, `?id=${EXAMPLE_ID}${encodeURI(query)}`);
      expectDocumented(operation, answer, 200);
      const { data, message } = examples[name]!.value as { data: object; message: string };
      const { smartlinkId, relink } = answer.body.data as Record<string, string>;
      expect([answer.body.message, answer.body.data]).toEqual([message, { ...data, smartlinkId, relink }]);
      expect(smartlinkId).toBe(ids['App']);
    }
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

const GUIDE = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** Every request of the guide: a line with its method and path, and the body below it. */
const REQUESTS = [...GUIDE.matchAll(/^`(POST|PATCH|DELETE) (\/\S+)`\n\n```json\n([^`]+)```$/gm)].map(
  ([, method = '', path = '', body = '']) => ({
    method,
    path,
    body,
  }),
);

test.each(REQUESTS)('$method $path of the guide is accepted as it stands', async (request) => {
  expect(REQUESTS.length).toBe([...GUIDE.matchAll(/```json/g)].length);
  const { body: created } = await api.post('/smartlink', urlSmartlink());
  const body = request.body.replaceAll('{id}', created.data.id as string);
  const res = await api.call(request.method, request.path, body);
  expect([res.status, res.body.error]).toEqual([
    request.path === '/smartlink' && request.method === 'POST' ? 201 : 200,
    undefined,
  ]);
  if (request.path === '/smartlink/bulk') {
    const results = res.body.data as { status: number }[];
    expect(results.map(({ status }) => status)).toEqual([201, 200, 200]);
  }
});
