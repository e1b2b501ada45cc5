import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import { type ApiReference, readReference } from './api-reference-document.js';
import { valueAt } from './fuzz-json.js';
import { fuzz, type FuzzOptions, TIMEOUT_MS } from './fuzz-run.js';
import { caller, type Caller, useService } from './start-service.js';

// Cases name webhooks by these, so that the same seed makes the same cases in every run.
const OWN = '00000000-0000-7000-8000-0000000000a1';
const FOREIGN = '00000000-0000-7000-8000-0000000000a2';
const UNKNOWN = '00000000-0000-7000-8000-0000000000a3';

let reference: ApiReference;
let ids: Readonly<Record<string, string>>;

const { service, user, api } = useService();
beforeAll(async () => {
  reference = await readReference(service.app);
  const stranger = caller(service.app, (await service.createUser()).apiKey);
  ids = { [OWN]: await createWebhook(api), [FOREIGN]: await createWebhook(stranger) };
  await service.app.pg.query(
    `insert into webhook_deliveries (webhook_id, event_type, data, status, next_attempt_at)
     select $1, 'smartlink.created', '{}', 'Delivered', null from generate_series(1, 150)`,
    [ids[OWN]],
  );
});

async function createWebhook(by: Caller): Promise<string> {
  const body = { url: 'https://hooks.example.org/', eventTypes: ['smartlink.unsafe'] };
  return String((await by.post('/webhooks', body)).body.data.id);
}

// What is said of bodies and texts that no JSON Schema says.
const UNREADABLE = [
  ...['Must be well-formed Unicode', 'Keys must be well-formed Unicode', 'Must be given once'],
  ...['Must not have the key __proto__', 'Must not have the key constructor', 'Invalid URL format'],
  ...['Must not have the same key twice in one object', 'Must not be nested deeper than 16 levels'],
  ...['Must not contain line breaks or control characters', 'Must be a cursor from an earlier answer'],
];

const options = (operationId: string): FuzzOptions => ({
  ...{ app: service.app, reference, operationId, apiKey: user.apiKey },
  hints: {
    id: fc.oneof({ weight: 6, arbitrary: fc.constant(OWN) }, fc.constantFrom(FOREIGN, UNKNOWN, 'x')),
    url: fc.webPath().map((path) => `https://hooks.example.org${path}`),
    cursor: fc.constant(Buffer.from(`1700000000000.${OWN}`).toString('base64url')),
  },
  known: { ofValid: [], ofHostile: UNREADABLE, codes: [] },
  withIds: (text) => text.replaceAll(OWN, ids[OWN]!).replaceAll(FOREIGN, ids[FOREIGN]!),
  checkRows: async () => {
    const { rows } = await service.app.pg.query(`select count(*)::integer as count from webhooks`);
    return (rows[0] as { count: number }).count === 2 ? [] : ['Rows: there are other webhooks than before'];
  },
});

test('POST /webhooks answers by its schema and keeps what it took', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...options('createWebhook'),
    onSuccess: async (sent, answer) => {
      const { secret, ...created } = (answer.body as { data: { id: string; secret: string } }).data;
      const listed = (await api.get('/webhooks')).body.data as { id: string }[];
      const kept = listed.find(({ id }) => id === created.id);
      await api.delete('/webhooks', { webhookId: created.id });
      const isKept = JSON.stringify(kept) === JSON.stringify(created) && secret.startsWith('whsec_');
      const types = valueAt(sent.value, ['eventTypes']) as string[];
      const isWhole = types.every((type) => JSON.stringify(kept).includes(type));
      return isKept && isWhole ? [] : ['The list has another'];
    },
  });
});

test.each(['updateWebhook', 'rotateWebhookSecret'])(
  '%s answers by its schema, for the user’s own webhook alone',
  { timeout: TIMEOUT_MS },
  async (operationId) => {
    await fuzz({
      ...options(operationId),
      isThere: ({ value }) => valueAt(value, ['id']) === ids[OWN],
    });
  },
);

test('GET /webhooks/deliveries answers by its schema', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...options('listWebhookDeliveries'),
    isThere: ({ query }) => query.some(([name, text]) => name === 'id' && text === ids[OWN]),
  });
});

test.each(['deleteWebhook', 'testWebhook', 'redeliverWebhook'])(
  '%s answers by its schema, and finds nothing of another user',
  { timeout: TIMEOUT_MS },
  async (operationId) => {
    const foreign = fc.constantFrom(FOREIGN, UNKNOWN, 'x');
    await fuzz({
      ...options(operationId),
      hints: { id: foreign, webhookId: foreign, deliveryId: foreign },
      isThere: () => false,
    });
  },
);
