import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { EXAMPLE_KEY_ID } from '../src/accounts/key-operations.js';
import { EXAMPLE_PERSON_ID } from '../src/accounts/member-operations.js';
import { EXAMPLE_FOLDER_ID } from '../src/collections/folders.js';
import { EXAMPLE_OTHER_TAG_ID, EXAMPLE_TAG_ID } from '../src/collections/tags.js';
import { EXAMPLE_TEMPLATE_ID } from '../src/collections/utm-templates.js';
import { EXAMPLE_DOMAIN_ID } from '../src/domains/operations.js';
import { EXAMPLE_IMPORT_ID } from '../src/imports/operations.js';
import { EXAMPLE_MEDIA_ID } from '../src/media/operations.js';
import { EXAMPLE_USER_ID } from '../src/operation.js';
import { EXAMPLE_DELIVERY_ID, EXAMPLE_WEBHOOK_ID } from '../src/webhooks/schemas.js';
import { type ApiReference, isForPersons, type Operation, readReference } from './api-reference-document.js';
import { withoutNew } from './bulk-calls.js';
import { addDomain } from './domain-calls.js';
import { uploadPicture } from './pictures.js';
import {
  addEvents,
  caller,
  type Caller,
  createPerson,
  createSmartlink,
  signIn,
  urlSmartlink,
  useService,
} from './start-service.js';

// The reference page fills its form with the first.
const TYPES = ['Url', 'App', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu'];
/** Stands for a smartlink in every example. */
const EXAMPLE_ID = '019aa5c4-c000-7000-8000-000000000001';
/** A webhook on a port of this machine on which no process listens. */
const HOOK = { url: 'http://127.0.0.1:9/', eventTypes: ['smartlink.unsafe'] };

let reference: ApiReference;
/** A user with webhooks, which get no message of the other's smartlinks. */
let hooks: Caller;
/** An Owner of the account of `api`, and an operator. */
let owner: Caller;
/** Real ids by those in the examples; the smartlinks are of the create examples, by type. */
const ids: Record<string, string> = {};

const { service, user, api } = useService({
  takesNewMembers: true,
  // No name server listens at that port.
  env: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', DOMAIN_DNS_SERVERS: '127.0.0.1:9' },
  urlSafety: { check: () => Promise.resolve({ unsafe: [], isChecked: true }) },
});
beforeAll(async () => {
  reference = await readReference(service.app);
  hooks = caller(service.app, (await service.createUser()).apiKey);
  const person = await createPerson(service.app, { roles: { [user.userId]: 'Owner' }, isOperator: true });
  owner = (await signIn(service.app, person, user.userId)).api;
});

type Answer = Awaited<ReturnType<Caller['call']>>;

const requestExamples = (operationId: string) =>
  Object.entries(
    reference.find(operationId).operation.requestBody?.content['application/json']?.examples ?? {},
  ).map(([name, { value }]) => ({ name, value }));

/** Sends a request of an operation with a documented body or query, about the smartlink of a type. */
function send(operation: Operation, type: string, body?: unknown, query = ''): Promise<Answer> {
  const replaced: Record<string, string | undefined> = { ...ids, [EXAMPLE_ID]: ids[type] };
  const withIds = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => replaced[id] ?? id);
  const url = withIds(`${operation.path.replace('/api/v1', '')}${query}`);
  const byKey = operation.operation.tags.includes('Webhooks') ? hooks : api;
  const by = isForPersons(operation) ? owner : byKey;
  return by.call(operation.method, url, body === undefined ? body : withIds(JSON.stringify(body)));
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
  ...['x-content-type-options', 'transfer-encoding', 'content-security-policy', 'keep-alive'],
  ...['cross-origin-resource-policy', 'strict-transport-security'],
]);

/** What an answer says that does not change from one request to the next; of a bulk call the outcomes. */
function comparable({ data, message }: { data: unknown; message: string }): unknown {
  const outcomes = (results: { status: number; error?: object }[]) =>
    results.map(({ status, error }) => ({ status, error }));
  return { message, data: withoutNew(Array.isArray(data) ? outcomes(data) : data) };
}

/** Uploads a file whose check is the documented one. */
async function uploadExample(): Promise<string> {
  const rows = Array.from({ length: 120 }, (_, i) => (i === 16 ? 'menu,' : `,https://example.org/${i}`));
  const file = ['slug,url', ...rows, ''].join('\n');
  const upload = await owner.call('POST', '/imports', file, { 'content-type': 'text/csv' });
  expectDocumented(reference.find('createImport'), upload, 201);
  const { id, ...checked } = upload.body.data as { id: string };
  const documented = reference.responseOf(reference.find('createImport'), 201)!.response;
  expect(documented.content!['application/json']!.examples['checked']!.value).toMatchObject({
    data: checked,
  });
  return id;
}

async function uploadExamplePicture(): Promise<string> {
  const picture = await uploadPicture(api);
  expectDocumented(reference.find('uploadMedia'), picture, 201);
  return String(picture.body.data.id);
}

/** Makes what the examples of bodies are about; each example may delete it. */
async function prepare(): Promise<void> {
  const landing = requestExamples('createSmartlink').find(({ name }) => name === 'Landing')!.value;
  ids['Landing'] = (await createSmartlink(api, landing as object)).id;
  for (const [path, id] of [
    ['/tags', EXAMPLE_TAG_ID],
    ['/tags', EXAMPLE_OTHER_TAG_ID],
    ['/folders', EXAMPLE_FOLDER_ID],
    ['/utm-templates', EXAMPLE_TEMPLATE_ID],
  ] as const)
    ids[id] = String((await api.post(path, { name: randomUUID(), utm: { source: 'mail' } })).body.data.id);
  await service.app.pg.query(`delete from api_keys where name <> 'test'`);
  const { personId } = await createPerson(service.app, { roles: { [user.userId]: 'Editor' } });
  ids[EXAMPLE_PERSON_ID] = personId;
  ids[EXAMPLE_USER_ID] = (await service.createUser()).userId;
  ids[EXAMPLE_KEY_ID] = String((await owner.post('/keys', { name: 'Example' })).body.data.id);
  ids[EXAMPLE_IMPORT_ID] ??= await uploadExample();
  ids[EXAMPLE_MEDIA_ID] ??= await uploadExamplePicture();
  await service.app.pg.query('delete from domains');
  ids[EXAMPLE_DOMAIN_ID] = (await addDomain(api)).id;
  const webhook = (await hooks.post('/webhooks', HOOK)).body.data as { id: string };
  ids[EXAMPLE_WEBHOOK_ID] = webhook.id;
  ids[EXAMPLE_DELIVERY_ID] = String((await hooks.post('/webhooks/test', { id: webhook.id })).body.data.id);
}

test('every example of a body is taken, and its answer is as documented', async () => {
  expect(requestExamples('createSmartlink').map(({ name }) => name)).toEqual(TYPES);
  let examples = 0;
  for (const operation of reference.operations) {
    const { operationId } = operation.operation;
    const status = operationId.startsWith('create') ? 201 : 200;
    for (const { name, value } of requestExamples(operationId)) {
      await prepare();
      const answer = await send(operation, 'Landing', value);
      expectDocumented(operation, answer, status);
      const { content } = reference.responseOf(operation, status)!.response;
      const documented = content!['application/json']!.examples[name]?.value;
      if (documented !== undefined) {
        const expected = comparable(documented as Parameters<typeof comparable>[0]);
        expect([operationId, name, comparable(answer.body)]).toEqual([operationId, name, expected]);
      }
      if (operationId === 'createSmartlink') ids[name] = answer.body.data.id as string;
      const { data } = (await hooks.get('/webhooks')).body as { data: { id: string }[] };
      for (const { id } of data) await hooks.delete('/webhooks', { webhookId: id });
      examples += 1;
    }
  }
  expect(examples).toBeGreaterThan(20);
  await prepare();
  await addEvents(service.app, [
    makeEventRow(user.userId, ids['Url']!, { source: 'scan', country: 'AZ' }),
    makeEventRow(user.userId, ids['Url']!, { outcome: 'excluded', exclusion: 'bot' }),
  ]);
}, 180_000);

const ANALYTICS = '&from=2026-03-01&to=2026-05-31&tz=Asia/Baku&interval=month&fill=zero&format=json';
const ANDROID = '&userAgent=Mozilla/5.0 (Linux; Android 10; K)&secChUaPlatform="Android"&country=az';
const MAC =
  '&userAgent=Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';

test.each<[operationId: string, type: string, queries: string[], mediaType?: string]>([
  ['validateKey', 'Url', ['']],
  ['readAccount', 'Url', ['']],
  ['listMembers', 'Url', ['']],
  ['listChanges', 'Url', ['?limit=1', '?action=key.create&to=2199-01-01']],
  ['listKeys', 'Url', ['', '?limit=1']],
  ['readCurrentKey', 'Url', ['']],
  ['listPeople', 'Url', ['?limit=1', '?q=ann']],
  ['listAccounts', 'Url', ['?limit=1', '?q=ann']],
  ['listPlans', 'Url', ['']],
  ['readHealth', 'Url', ['']],
  ['listUnsafeSmartlinks', 'Url', ['', '?state=unchecked&limit=1']],
  ['readSummary', 'Url', ['']],
  ['readImports', 'Url', ['', `?id=${EXAMPLE_IMPORT_ID}`]],
  ['exportSmartlinks', 'Url', ['']],
  ['exportSmartlinks', 'Url', ['?format=csv'], 'text/csv'],
  ['readImportReport', 'Url', [`?id=${EXAMPLE_IMPORT_ID}`], 'text/csv'],
  ['listMedia', 'Url', ['', '?limit=1']],
  ['listTags', 'Url', ['', '?q=spring&limit=1']],
  ['listFolders', 'Url', ['?limit=1']],
  ['listUtmTemplates', 'Url', ['?limit=1']],
  ['listDomains', 'Url', ['?limit=1']],
  ['listWebhooks', 'Url', ['']],
  ['listWebhookDeliveries', 'Url', [`?id=${EXAMPLE_WEBHOOK_ID}&limit=1`]],
  ['readSmartlinks', 'Url', ['', '?limit=2&status=all&type=Url&q=hand', '?limit=2']],
  ...TYPES.map((type): [string, string, string[]] => ['readSmartlinks', type, [`?id=${EXAMPLE_ID}`]]),
  ...['Url', 'App'].map((type): [string, string, string[]] => [
    'readAnalytics',
    type,
    ['', '&interval=hour', ANALYTICS].map((rest) => `?id=${EXAMPLE_ID}${rest}`),
  ]),
  ['readAnalytics', 'Url', [`?id=${EXAMPLE_ID}&format=csv`], 'text/csv'],
  ['drawQrCode', 'Url', [`?id=${EXAMPLE_ID}&format=svg`], 'image/svg+xml'],
  ['drawQrCode', 'Url', [`?id=${EXAMPLE_ID}&format=png`], 'image/png'],
  ['resolveVisit', 'App', [ANDROID, MAC].map((rest) => `?id=${EXAMPLE_ID}${encodeURI(rest)}`)],
])(
  '%s of a %s with each of %j is as documented',
  async (operationId, type, queries, mediaType = 'application/json') => {
    const operation = reference.find(operationId);
    for (const query of queries) {
      const answer = await send(operation, type, undefined, query);
      expect([answer.status, String(answer.headers['content-type']).split(';')[0]]).toEqual([200, mediaType]);
      const { content } = reference.responseOf(operation, 200)!.response;
      expect(content).toHaveProperty([mediaType]);
      if (mediaType === 'application/json') expectDocumented(operation, answer, 200);
      else expectHeaders(operation, answer, 200);
      if (mediaType !== 'text/csv') return;
      const documented = Object.values(content![mediaType]!.examples)[0]!.value as string;
      expect(answer.text.split('\r\n')[0]).toBe(documented.split('\r\n')[0]);
    }
  },
);

test('the schema of an answer refuses what the service does not say', async () => {
  const operation = reference.find('readSmartlinks');
  const { body } = await send(operation, 'Url', undefined, `?id=${EXAMPLE_ID}`);
  const faults = (data: object) => reference.faultsOfAnswer(operation, 200, { ...body, data });
  const good = body.data as { shortener: object; configuration: object; analytics: object };
  expect(faults(good)).toEqual([]);
  for (const bad of [
    { ...good, secret: 1 },
    { ...good, shortener: { ...good.shortener, password: 'x' } },
    { ...good, status: 'Gone' },
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
    ['/smartlink', '/tags', '/folders', '/utm-templates'].includes(request.path) && request.method === 'POST'
      ? 201
      : 200,
    undefined,
  ]);
  if (request.path === '/smartlink/bulk') {
    const results = res.body.data as { status: number }[];
    expect(results.map(({ status }) => status)).toEqual([201, 200, 200]);
  }
});
