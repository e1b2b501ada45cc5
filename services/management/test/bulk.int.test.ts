import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trialSize } from '@smartlink/test-support/trial-size';
import {
  bulkCaller,
  type BulkOperation,
  type BulkResult,
  callSingly,
  operationsFor,
  type Tenant,
  withoutNew,
} from './bulk-calls.js';
import { TYPES, fullDocument, withValue } from './schema-documents.js';
import { item, menu, smartlink } from './smartlink-bodies.js';
import { caller, faultsOf, urlSmartlink, useService } from './start-service.js';

const LISTS = trialSize(4, 100);

const { service, api } = useService({ takesNewMembers: true });

let tenants = 0;
/** Makes a tenant with these smartlinks. */
async function createTenant(
  kind: 'single' | 'bulk',
  documents: readonly object[],
  plan?: string,
): Promise<Tenant> {
  const { apiKey } = await service.createUser(plan);
  const tenant = { api: caller(service.app, apiKey), ids: [], ending: `of${kind}${(tenants += 1)}` };
  const creates = operationsFor(
    tenant,
    documents.map((create) => ({ create })),
  );
  const ids: string[] = [];
  for (const create of creates) ids.push((await callSingly(tenant.api, create)).data!.id);
  return { ...tenant, ids };
}

/** Sends operations in single calls and in bulk calls, to two tenants with the same smartlinks. */
async function doBoth(operations: readonly BulkOperation[], documents: readonly object[], plan?: string) {
  const single = await createTenant('single', documents, plan);
  const bulk = await createTenant('bulk', documents, plan);
  const expected: BulkResult[] = [];
  for (const operation of operationsFor(single, operations))
    expected.push(await callSingly(single.api, operation));
  const sent = operationsFor(bulk, operations);
  const found: BulkResult[] = [];
  for (let i = 0; i < sent.length; i += 100) {
    found.push(...(await bulkCaller(bulk.api)(sent.slice(i, i + 100))).results);
  }
  return { single, bulk, expected, found };
}

/** All that a user can see of theirs, newest first. */
async function everythingOf({ api: own }: Tenant): Promise<unknown> {
  return withoutNew((await own.get('/smartlink?status=all')).body.data);
}

const SLUG = (name: string) => `${name}<of>`;
const named = (smartlinkUrl: string) => urlSmartlink({ smartlinkUrl: SLUG(smartlinkUrl) });
const patch = (index: number, rest: object = {}, more: object = {}): BulkOperation => ({
  patch: { id: `<${index}>`, ...rest },
  ...more,
});
const rename = (index: number, name: string) => patch(index, { configuration: { smartlinkUrl: SLUG(name) } });
const remove = (index: number): BulkOperation => ({ delete: { smartlinkId: `<${index}>` } });

const setStatus = (index: number, status: unknown): BulkOperation => ({
  status: { id: `<${index}>`, status },
});

const CREATES: readonly unknown[] = [
  ...TYPES.flatMap((type) => {
    const full = fullDocument(type);
    return [full, smartlink(type), withValue(full, ['openGraph', 'imageUrl'], 'javascript:alert(1)')];
  }),
  { ...fullDocument('Landing'), id: 'mine', status: 'Paused', userId: 'x', unknown: { a: [] } },
  ...[null, 5, 'x', [], {}],
  ...['a-b', 'Dashboard', '', null, 7].map((smartlinkUrl) => urlSmartlink({ smartlinkUrl })),
  urlSmartlink({}, { protected: true }),
  urlSmartlink({}, { protected: true, password: 'correct horse' }),
  urlSmartlink({}, { password: 'battery staple' }),
  menu({ categories: [{ name: 'Hot', items: [item({ price: -1 }), item({ variants: [{}] })] }] }),
  ...['one', 'ONE', 'first'].map(named),
];

// Of the smartlinks 0 to 6, one of each type, 7, a protected Url with an address, and 8, a deleted one.
const PATCHES: readonly BulkOperation[] = [
  ...TYPES.flatMap((type, index) => [
    patch(index),
    patch(index, { configuration: { smartlinkName: 'Second' } }),
    patch(index, { configuration: { smartlinkName: null }, openGraph: { title: null } }),
    patch(index, { configuration: { smartlinkType: TYPES[(index + 1) % 7] } }),
    patch(index, fullDocument(type)),
    patch(index, { status: 'Deleted', userId: 'x', openGraph: null }),
  ]),
  patch(2, { configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'now a text' } }),
  patch(2, { txtBin: { title: 'still' } }),
  patch(2, { configuration: { smartlinkType: 'Landing' }, landingButtons: [] }),
  ...['renamed', 'RENAMED', 'again', 'renamed', 'first'].map((name) => rename(1, name)),
  ...['again', 'first', 'dashboard'].map((name) => rename(3, name)),
  patch(3, { configuration: { smartlinkUrl: null } }),
  patch(3, { configuration: { smartlinkUrl: 'a-b' } }),
  patch(7, { shortener: { protected: true } }),
  patch(7, { shortener: { password: null } }),
  patch(7, { shortener: { protected: false, password: null } }),
  patch(7, { shortener: { protected: true } }),
  patch(7, { shortener: { protected: true, password: 'another one' } }),
  patch(7, { shortener: { url: 'http://localhost/' } }),
  patch(7, {}, { ifMatch: '"0"' }),
  patch(7, { openGraph: { title: 'Any' } }, { ifMatch: '"0", *' }),
  patch(7, { configuration: 5 }, { ifMatch: '"0"' }),
  patch(8, { configuration: { smartlinkName: 'Deleted' } }),
  ...[null, 5, [], {}, { id: '' }, { id: 7 }, { id: 'nonsense' }, { id: randomUUID() }].map((body) => ({
    patch: body,
  })),
];

const STATES: readonly BulkOperation[] = [
  ...TYPES.map((_type, index) => setStatus(index, 'Paused')),
  setStatus(0, 'Paused'),
  patch(0, { configuration: { smartlinkName: 'Paused' } }),
  setStatus(0, 'Active'),
  setStatus(0, 'Paused'),
  patch(1, { utm: { source: 'mail' } }),
  ...[1, 1, 2, 7, 8].map((index) => setStatus(index, 'Active')),
  ...[undefined, 'Deleted', 'active'].map((status) => setStatus(3, status)),
  ...[null, 5, {}, { status: 'Paused' }, { id: '', status: 'Paused' }].map((status) => ({ status })),
  { status: { id: randomUUID(), status: 'Active' } },
];

const DELETIONS: readonly BulkOperation[] = [
  ...[null, 5, {}, { id: '<0>' }, { smartlinkId: '' }, { smartlinkId: [] }].map((body) => ({ delete: body })),
  { delete: { smartlinkId: randomUUID() } },
  ...[0, 0, 8, 1].map(remove),
  patch(0, { configuration: { smartlinkName: 'Gone' } }),
  { create: named('again') },
  { create: named('first') },
  remove(7),
  { create: named('first') },
];

const SETUP = [
  ...TYPES.map((type) => fullDocument(type)),
  urlSmartlink({ smartlinkUrl: SLUG('first') }, { protected: true, password: 'open sesame' }),
  urlSmartlink({ smartlinkUrl: SLUG('gone') }),
];

test('every operation is answered as its single call is, good or bad, of all types, and leaves the same', async () => {
  const operations = [
    remove(8),
    ...CREATES.map((create) => ({ create })),
    ...PATCHES,
    ...STATES,
    ...DELETIONS,
  ];
  const { single, bulk, expected, found } = await doBoth(operations, SETUP);
  expect(new Set(expected.map(({ status }) => status))).toEqual(new Set([200, 201, 400, 404, 409, 412]));
  const pairs = operations.map((operation, i) => [operation, withoutNew(found[i])]);
  expect(pairs).toEqual(operations.map((operation, i) => [operation, withoutNew(expected[i])]));
  expect(await everythingOf(bulk)).toEqual(await everythingOf(single));
});

test(
  'any list of operations leaves what its single calls in the same order leave',
  { timeout: 30_000 + LISTS * 5_000 },
  async () => {
    const names = fc.constantFrom('one', 'two', 'three', 'TWO');
    const indexes = fc.nat({ max: 4 });
    const change = fc.oneof(
      fc.constantFrom('A', 'B').map((smartlinkName) => ({ configuration: { smartlinkName } })),
      names.map((name) => ({ configuration: { smartlinkUrl: SLUG(name) } })),
      fc.constantFrom({ configuration: { smartlinkType: 'TxtBin' }, txtBin: { text: 'x' } }, {}),
      fc.constantFrom({ configuration: { smartlinkType: 'Url' } }, { shortener: { url: 'x' } }),
      fc.constant({ shortener: { protected: true, password: 'open sesame' } }),
    );
    const operation: fc.Arbitrary<BulkOperation> = fc.oneof(
      names.map((name) => ({ create: named(name) })),
      fc.constant({ create: urlSmartlink() }),
      { weight: 3, arbitrary: fc.tuple(indexes, change).map(([index, rest]) => patch(index, rest)) },
      fc
        .tuple(indexes, fc.constantFrom('Active', 'Paused'))
        .map(([index, status]) => setStatus(index, status)),
      indexes.map(remove),
    );
    const setup = [
      ...['zero', 'one', 'two', 'four'].map(named),
      smartlink('TxtBin', { txtBin: { text: 'five' } }),
    ];
    // Ten smartlinks at most, of which five are there.
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 2, maxLength: 16 }),
      async (operations) => {
        const { single, bulk, expected, found } = await doBoth(operations, setup, 'Professional');
        expect(withoutNew(found)).toEqual(withoutNew(expected));
        expect(await everythingOf(bulk)).toEqual(await everythingOf(single));
      },
    );
    await fc.assert(property, { seed: 20_260_310, numRuns: LISTS });
  },
);

test.each([
  ['operations', {}, 'Required'],
  ['operations', { operations: {} }, 'Must be an array'],
  ['operations', { operations: [] }, 'Must have at least 1 element'],
  ['operations', { operations: Array.from({ length: 101 }, () => 5) }, 'Must have at most 100 elements'],
  ['dryRun', { dryRun: 'yes', operations: [remove(0)] }, 'Must be true or false'],
  ['operations.1', { operations: [remove(0), 5] }, 'Must be an object'],
  ['operations.0', { operations: [{}] }, 'Must have exactly one of create, patch, status, delete'],
  [
    'operations.0',
    { operations: [{ create: {}, delete: {} }] },
    'Must have exactly one of create, patch, status, delete',
  ],
  ['operations.0.ifMatch', { operations: [{ patch: {}, ifMatch: 1 }] }, 'Must be a string'],
])('a call with bad %s is refused as a whole: %j', async (path, body, message) => {
  const res = await api.post('/smartlink/bulk', body);
  expect([res.status, res.body.error]).toEqual([
    400,
    { code: 'VALIDATION_FAILED', message: 'Request validation failed', details: [{ path, message }] },
  ]);
});

test('a call of the wrong form has every fault at once, and does nothing of the rest', async () => {
  const { body } = await api.get('/smartlink');
  const res = await bulkCaller(api)([{ create: urlSmartlink() }, {}, 5], { dryRun: 0 });
  expect(faultsOf(res)).toEqual(['dryRun', 'operations.1', 'operations.2']);
  expect((await api.get('/smartlink')).body.data).toEqual(body.data);
  for (const root of ['null', '[]', '"x"', '1']) {
    expect(faultsOf(await api.post('/smartlink/bulk', root))).toEqual(['']);
  }
});

test('a hundred operations with 800 faults each list 1,000 together, and each its first', async () => {
  const items = Array.from({ length: 400 }, () => ({}));
  const wrong = { create: menu({ categories: [{ name: 'All', items }] }) };
  const { results } = await bulkCaller(api)(Array.from({ length: 100 }, () => wrong));
  const counts = results.map(({ error }) => error!.details!.length);
  expect([counts[0], counts[1], new Set(counts.slice(2))]).toEqual([800, 200, new Set([1])]);
});

test('a hundred operations of a kind are done; their order is that of the answers and of the list', async () => {
  const own = caller(service.app, (await service.createUser()).apiKey);
  const bulk = bulkCaller(own);
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const created = await bulk(numbers.map((i) => ({ create: urlSmartlink({ smartlinkName: `Link ${i}` }) })));
  expect(created.body.message).toBe('Bulk done: 100 succeeded, 0 failed');
  const ids = created.results.map(({ data }) => data!.id);
  const listed = (await own.get('/smartlink')).body.data as { id: string; configuration: object }[];
  expect(listed.map(({ id }) => id)).toEqual(ids.toReversed());
  const patched = await bulk(
    ids.map((id, i) => ({ patch: { id, openGraph: { title: `${i}` } }, ifMatch: created.results[i]!.etag })),
  );
  expect(new Set(patched.statuses)).toEqual(new Set([200]));
  const stale = await bulk(ids.map((id, i) => ({ patch: { id }, ifMatch: created.results[i]!.etag })));
  expect(new Set(stale.statuses)).toEqual(new Set([412]));
  const removed = await bulk([...ids.slice(1), ids[1]].map((smartlinkId) => ({ delete: { smartlinkId } })));
  expect([removed.statuses.at(-2), removed.statuses.at(-1)]).toEqual([200, 404]);
  expect(removed.body.message).toBe('Bulk done: 99 succeeded, 1 failed');
  expect((await own.get('/smartlink')).body.data).toHaveLength(1);
});
