import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SmartlinkType } from '@smartlink/smartlink/smartlink-type';
import { HOSTILE_ADDRESSES } from './hostile-addresses.js';
import { fieldsOf, fullDocument, TYPES, withValue } from './schema-documents.js';
import type { Path } from './schema-documents.js';
import { faultsOf, startServiceWithUser } from './start-service.js';
import type { Caller, TestService } from './start-service.js';
import { liftRateLimit, storedRows, untilPublished } from './stored-rows.js';

// Reliability goal S8: hostile addresses in every field that takes one, and real addresses, of which none is refused.

const REAL_ADDRESSES = path.resolve(import.meta.dirname, '../../../../shared/data/urls.txt');

// An ordinary run tries every third address with a type, another third with the next, and all of them in all.
const EVERY = process.env['SMARTLINK_TEST_SIZE'] === 'full' ? 1 : 3;

let service: TestService;
let api: Caller;

beforeAll(async () => {
  ({ service, api } = await startServiceWithUser());
  await liftRateLimit(service.app);
});
afterAll(() => service.close());

const urlFieldsOf = (type: SmartlinkType) =>
  fieldsOf(type)
    .filter(({ schema }) => schema.format === 'uri')
    .map((field) => field.path);

const addressesFor = (round: number) => HOSTILE_ADDRESSES.filter((_, index) => (index + round) % EVERY === 0);

const accepted: string[] = [];
let tried = 0;

/** Returns the fields in which `address` is no fault, when it stands in all of them at once. */
async function fieldsThatTake(address: string, fields: readonly Path[], type: SmartlinkType, id?: string) {
  let document = fullDocument(type);
  for (const field of fields) document = withValue(document, field, address);
  const res = await (id === undefined
    ? api.post('/smartlink', document)
    : api.patch('/smartlink', { ...document, id }));
  tried += fields.length;
  const faults = new Set(res.status === 400 ? faultsOf(res) : []);
  return fields
    .map((field) => field.join('.'))
    .filter((field) => !faults.has(field))
    .map((field) => `${field}: ${JSON.stringify(address)}`);
}

test.each(TYPES)(
  '%s takes no hostile address in any of its fields',
  async (type) => {
    const before = await storedRows(service.app);
    const found: string[] = [];
    for (const address of addressesFor(TYPES.indexOf(type)))
      found.push(...(await fieldsThatTake(address, urlFieldsOf(type), type)));
    accepted.push(...found);
    expect(found).toEqual([]);
    expect(await storedRows(service.app)).toBe(before);
  },
  60_000,
);

test('nor does a PATCH', async () => {
  const { id } = (await api.post('/smartlink', fullDocument('Landing'))).body.data as { id: string };
  await untilPublished(service.app);
  const before = await storedRows(service.app);
  const found: string[] = [];
  for (const address of addressesFor(0))
    found.push(...(await fieldsThatTake(address, urlFieldsOf('Landing'), 'Landing', id)));
  accepted.push(...found);
  expect(found).toEqual([]);
  expect(await storedRows(service.app)).toBe(before);
}, 120_000);

test('there is a field in every type, and the figure is told', () => {
  const fields = TYPES.flatMap((type) => urlFieldsOf(type).map((field) => `${type} ${field.join('.')}`));
  process.stdout.write(
    `S8: ${HOSTILE_ADDRESSES.length} hostile addresses × ${fields.length} fields of ${TYPES.length} types, and a PATCH: ${tried}, ${accepted.length} accepted\n`,
  );
  expect(fields.length).toBeGreaterThanOrEqual(25);
});

test('every real address is taken, and stored as a browser writes it', async () => {
  if (!existsSync(REAL_ADDRESSES)) {
    process.stdout.write(`S8: real addresses skipped, ${path.basename(REAL_ADDRESSES)} is not there\n`);
    return;
  }
  const addresses = readFileSync(REAL_ADDRESSES, 'utf8').split('\n').filter(Boolean);
  const items = addresses.map((imageLink) => ({ name: 'Real', price: 1, imageLink }));
  const categories = Array.from({ length: Math.ceil(items.length / 500) }, (_, i) => ({
    name: 'Real',
    items: items.slice(i * 500, (i + 1) * 500),
  }));
  const res = await api.post('/smartlink', {
    configuration: { smartlinkName: 'Real', smartlinkType: 'QrMenu' },
    qrMenu: { categories },
  });
  const refused = res.status === 201 ? [] : faultsOf(res);
  process.stdout.write(`S8: ${addresses.length} real addresses, ${refused.length} refused\n`);
  expect(addresses.length).toBeGreaterThan(1_000);
  expect(refused).toEqual([]);
  const stored = (res.body.data.qrMenu.categories as typeof categories).flatMap((category) =>
    category.items.map(({ imageLink }) => imageLink),
  );
  expect(stored).toEqual(addresses.map((address) => new URL(address).href));
});
