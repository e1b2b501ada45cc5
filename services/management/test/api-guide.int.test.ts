import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServiceWithUser, urlSmartlink } from './start-service.js';
import type { Caller, TestService } from './start-service.js';

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
});
afterAll(() => service.close());

const GUIDE = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');

/** Every request of the guide: a line with its method and path, and the body below it. */
const REQUESTS = [...GUIDE.matchAll(/^`(POST|PATCH|DELETE) (\/\S+)`\n\n```json\n([^`]+)```$/gm)].map(
  ([, method = '', path = '', body = '']) => ({
    method,
    path,
    body,
    type: /"smartlinkType": "(\w+)"/.exec(body)?.[1] ?? '',
  }),
);

test('the guide has requests for all seven types, a patch, a pause, a deletion and a bulk call', () => {
  expect(REQUESTS.length).toBe([...GUIDE.matchAll(/```json/g)].length);
  const types = REQUESTS.flatMap(({ path, type }) => (path === '/smartlink' && type !== '' ? type : []));
  expect(types).toEqual(['App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu']);
});

test.each(REQUESTS)('$method $path $type of the guide is accepted as it stands', async (request) => {
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
