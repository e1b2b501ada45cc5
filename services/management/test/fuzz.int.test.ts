import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import { type SmartlinkType, URL_MEMBERS } from '@smartlink/smartlink/model';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { type ApiReference, readReference } from './api-reference-document.js';
import type { KnownRefusals } from './fuzz-expectations.js';
import { valueAt } from './fuzz-json.js';
import { faultsOfKept, withoutOtherTypes } from './fuzz-kept.js';
import { OPERATOR_OPERATIONS, operatedBy } from './fuzz-operators.js';
import { AVAILABILITY_TIMES, routing, ROUTING_RULES } from './fuzz-routing.js';
import { fuzz, type FuzzOptions, type SentCase, TIMEOUT_MS } from './fuzz-run.js';
import { createFuzzTenant, type FuzzTenant } from './fuzz-tenant.js';
import { addEvents, caller, type Caller, useService } from './start-service.js';

let reference: ApiReference;
/** The user of the reads, whose smartlinks have visits. */
let reader: FuzzTenant;
/** The webhooks by the ids that stand for them in cases. */
let hookIds: Readonly<Record<string, string>>;

const { service, user, api } = useService({ takesNewMembers: true });
beforeAll(async () => {
  reference = await readReference(service.app);
  reader = await createFuzzTenant(service);
  const days = ['2026-03-09', '2026-03-10', '2026-04-01'];
  const rows = [...reader.types.keys()].flatMap((id) =>
    days.map((day) => makeEventRow(reader.userId, id, { ts: `${day} 23:30:00.000` })),
  );
  await addEvents(service.app, rows);
  const stranger = caller(service.app, (await service.createUser()).apiKey);
  hookIds = { [OWN]: await createWebhook(api), [FOREIGN]: await createWebhook(stranger) };
  await service.app.pg.query(
    `insert into webhook_deliveries (webhook_id, event_type, data, status, next_attempt_at)
     select $1, 'smartlink.created', '{}', 'Delivered', null from generate_series(1, 150)`,
    [hookIds[OWN]],
  );
});

// Parsing rules of a body, which its schema does not cover.
const UNREADABLE = [
  ...['Must be well-formed Unicode', 'Keys must be well-formed Unicode'],
  ...['Must not have the key __proto__', 'Must not have the key constructor'],
  ...['Must not have the same key twice in one object', 'Must not be nested deeper than 16 levels'],
];
// Rules of a document that no JSON Schema says.
const DOCUMENT_RULES = [
  ...['Invalid URL format', 'Must not be empty', 'Must not contain NUL'],
  ...['Must not contain control characters', 'Must not contain line breaks or control characters'],
  ...ROUTING_RULES,
];

const LASTING_REDIRECTS = ['Must be 302 or 307 for this smartlink', 'Must be 0 for this smartlink'];

// Ids of objects, of which the user has none.
const UNKNOWN_IDS = ['No such folder', 'No such UTM template', 'No such domain'];

const writes = (known: KnownRefusals) => ({ app: service.app, reference, known });

const address = fc.oneof(
  fc.constantFrom(
    'https://example.org/',
    'http://a.example.org:8080/b?c=d|e#f',
    'https://müller.example/ä b%',
  ),
  fc.webPath().map((path) => `https://example.org${path}`),
);
/** Addresses in every member that holds one; buttons have others too. */
const addresses = {
  ...Object.fromEntries([...URL_MEMBERS].map((name) => [name, address])),
  link: fc.oneof(address, fc.constantFrom('tel:+994501234567', 'mailto:a@example.org')),
};
const slug = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[A-Za-z0-9]{8,64}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-c]{1,2}$/) },
  { weight: 1, arbitrary: fc.constantFrom('pp', 'ToS') },
);

const domain = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant('go.example.org'));

/** Faults of what was answered of a write, by a fetch. */
async function faultsOfFetch({ api }: FuzzTenant, data: { readonly id: string }): Promise<string[]> {
  const { body } = await api.get(`/smartlink?id=${data.id}`);
  return JSON.stringify(body.data) === JSON.stringify(data) ? [] : ['A fetch returns another'];
}

test(
  'POST /smartlink takes what fits its schema, keeps it and gives it back',
  { timeout: TIMEOUT_MS },
  async () => {
    const tenant = await createFuzzTenant(service);
    const ids = new Set<unknown>();
    await fuzz({
      ...writes({
        ofValid: [
          ...UNKNOWN_IDS,
          ...LASTING_REDIRECTS,
          ...['This smartlink URL is reserved', 'Required when protected is true'],
        ],
        ofHostile: [...UNREADABLE, ...DOCUMENT_RULES],
        codes: ['SMARTLINK_URL_TAKEN', 'NAME_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
      }),
      ...tenant,
      operationId: 'createSmartlink',
      hints: {
        ...addresses,
        ...AVAILABILITY_TIMES,
        routing: fc.option(routing),
        smartlinkUrl: fc.option(slug),
        domain,
        'Idempotency-Key': fc.oneof(
          { weight: 9, arbitrary: fc.uuid() },
          fc.constantFrom('a', '~'.repeat(255)),
        ),
      },
      onSuccess: async (sent, answer) => {
        const { data } = answer.body as { data: { id: string } };
        // A second one with the same key is the first answer again.
        if (ids.has(data.id)) return [];
        ids.add(data.id);
        tenant.noteCreated();
        tenant.noteVersion(answer);
        return [
          ...(await faultsOfFetch(tenant, data)),
          ...(sent.flavour === 'valid' ? faultsOfKept(sent.value, data) : []),
        ];
      },
    });
  },
);

test(
  'PATCH /smartlink takes what fits its schema, keeps it and gives it back',
  { timeout: TIMEOUT_MS },
  async () => {
    const tenant = await createFuzzTenant(service);
    const known: KnownRefusals = {
      ofValid: [
        ...[...UNKNOWN_IDS, 'This smartlink URL is reserved', 'Required when protected is true'],
        ...LASTING_REDIRECTS,
        'Must not be combined with tags',
        'A smartlink keeps at most 20 former addresses',
      ],
      ofHostile: [...UNREADABLE, ...DOCUMENT_RULES],
      ofAbsent: ['Required'],
      codes: ['SMARTLINK_URL_TAKEN', 'NAME_TAKEN', 'PRECONDITION_FAILED'],
    };
    /** The type that a patch leaves its smartlink with. */
    const typeAfter = (body: unknown): string => {
      const wanted = valueAt(body, ['configuration', 'smartlinkType']);
      return typeof wanted === 'string' ? wanted : (tenant.types.get(String(valueAt(body, ['id']))) ?? '');
    };
    await fuzz({
      ...writes(known),
      ...tenant,
      operationId: 'updateSmartlink',
      hints: {
        id: tenant.idHint,
        ...addresses,
        ...AVAILABILITY_TIMES,
        routing: fc.option(routing),
        smartlinkUrl: slug,
        domain,
        'If-Match': fc.constantFrom('*', '*', '*', '*', '"0"', '"0", *'),
      },
      isThere: ({ value }) => tenant.isLive(valueAt(value, ['id'])),
      prune: (body) => withoutOtherTypes(body, typeAfter(body)),
      onSuccess: async (sent, answer) => {
        const { data } = answer.body as { data: { id: string; type: SmartlinkType } };
        tenant.noteVersion(answer);
        tenant.types.set(data.id, data.type);
        const kept = withoutOtherTypes(sent.value, data.type);
        return [
          ...(await faultsOfFetch(tenant, data)),
          ...(sent.flavour === 'valid' ? faultsOfKept(kept, data) : []),
        ];
      },
    });
  },
);

test(
  'POST /smartlink/status answers by its schema and sets the status',
  { timeout: TIMEOUT_MS },
  async () => {
    const tenant = await createFuzzTenant(service);
    await fuzz({
      ...writes({ ofValid: [], ofHostile: UNREADABLE, codes: [] }),
      ...tenant,
      operationId: 'setSmartlinkStatus',
      hints: { id: tenant.idHint },
      isThere: ({ value }) => tenant.isLive(valueAt(value, ['id'])),
      onSuccess: (sent, answer) => {
        tenant.noteVersion(answer);
        const { data } = answer.body as { data: { status: unknown } };
        return Promise.resolve(
          data.status === valueAt(sent.value, ['status']) ? [] : ['It has another status'],
        );
      },
    });
  },
);

test('DELETE /smartlink answers by its schema and deletes', { timeout: TIMEOUT_MS }, async () => {
  const tenant = await createFuzzTenant(service);
  await fuzz({
    ...writes({ ofValid: [], ofHostile: UNREADABLE, codes: [] }),
    ...tenant,
    operationId: 'deleteSmartlink',
    hints: { smartlinkId: tenant.idHint },
    isThere: ({ value }) => tenant.isLive(valueAt(value, ['smartlinkId'])),
    onSuccess: async (sent) => {
      const id = String(valueAt(sent.value, ['smartlinkId']));
      const fetched = await tenant.api.get(`/smartlink?id=${id}`);
      await tenant.replaceDeleted(id);
      return fetched.body.data.status === 'Deleted' ? [] : ['It is not deleted'];
    },
  });
});

const reads = (operationId: string, known: Partial<KnownRefusals> = {}): FuzzOptions => ({
  app: service.app,
  reference,
  ...reader,
  operationId,
  hints: { id: reader.idHint },
  known: { ofValid: [], ofHostile: [], codes: [], ...known },
});

/** Dates between two, and now and then any. */
function days(first: string, last: string): fc.Arbitrary<string> {
  const between = (min: string, max: string) =>
    fc.date({ min: new Date(min), max: new Date(max), noInvalidDate: true });
  return fc
    .oneof({ weight: 6, arbitrary: between(first, last) }, between('1970-01-01', '2199-12-31'))
    .map((date) => date.toISOString().slice(0, 10));
}

/** Whether a query names no smartlink, or one of the user's own, deleted ones too. */
const isThere = ({ query }: SentCase): boolean => {
  const { id, externalId } = Object.fromEntries(query) as Readonly<Record<string, string | undefined>>;
  return id === undefined ? externalId === undefined : reader.isOwn(id);
};

test('GET /smartlink lists and fetches by its schema', { timeout: TIMEOUT_MS }, async () => {
  const cursor = fc
    .tuple(
      fc.constantFrom(0, 1_700_000_000_000, 999_999_999_999_999),
      fc.constantFrom(...reader.types.keys()),
    )
    .map(([time, id]) => Buffer.from(`${time}.${id}`).toString('base64url'));
  await fuzz({
    ...reads('readSmartlinks', {
      // A cursor belongs to one order.
      ofValid: ['Must be a cursor from an earlier answer', 'Must not be empty'],
      ofHostile: ['Must be given once', 'Must not contain NUL'],
    }),
    hints: { id: reader.idHint, cursor },
    isThere,
  });
});

test('GET /smartlink/analytics answers by its schema', { timeout: TIMEOUT_MS }, async () => {
  const tz = fc.constantFrom(
    'UTC',
    'Asia/Baku',
    'America/St_Johns',
    'Pacific/Apia',
    'Etc/GMT+12',
    'Antarctica/Troll',
  );
  await fuzz({
    ...reads('readAnalytics', {
      ofValid: [
        'Must not be after to',
        'The range has more than 10000 entries',
        'Must be one of target, page, fallback',
        'Must be one of click, scan',
        'Must not be empty',
      ],
      ofHostile: [
        'Must be given once',
        'Must not contain NUL',
        'Must be a date as YYYY-MM-DD, from 1970 to 2199',
        'Must be an IANA time zone',
      ],
    }),
    // Mostly a range, of which there are few among random days.
    hints: {
      id: reader.idHint,
      tz,
      from: days('2025-06-01', '2026-03-10'),
      to: days('2026-03-09', '2026-12-31'),
    },
    isThere,
  });
});

test('GET /smartlink/qr answers by its schema', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...reads('drawQrCode', {
      ofValid: [
        'Must be darker than background, with a contrast of at least 3:1',
        'Must be Q or H with a logo, which hides modules',
        'A PNG cannot hold the logo, which is never fetched: use format=svg',
        'The smartlink has no logoLink',
        /^Must be at least \d+: the code has that many modules$/,
      ],
      ofHostile: ['Must be given once'],
    }),
    // Most random colours are no good pair.
    hints: {
      id: reader.idHint,
      color: fc.constantFrom('#000', '#000f', '#123456', '#0A0a0AC0', '#ff0'),
      background: fc.constantFrom('#fff', '#FFFF', '#ffeedd', '#fff0', '#eee'),
      logo: fc.constantFrom('false', 'false', 'false', 'true'),
    },
    isThere,
  });
});

test('GET /smartlink/resolve answers by its schema', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...reads('resolveVisit', {
      ofValid: ['Must be an ISO 3166-1 alpha-2 country code'],
      ofHostile: ['Must be given once'],
    }),
    hints: {
      id: reader.idHint,
      country: fc.constantFrom('AZ', 'tr', 'Us', 'XX', 'xx'),
      secChUaPlatform: fc.constantFrom('', '"Android"', '"macOS"', '"Linux"', 'Android'),
      userAgent: fc.constantFrom(
        '',
        'WhatsApp/2.23.20.0',
        'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
      ),
    },
    isThere,
  });
});

// Cases name webhooks by these, so that the same seed makes the same cases in every run.
const OWN = '00000000-0000-7000-8000-0000000000a1';
const FOREIGN = '00000000-0000-7000-8000-0000000000a2';
const UNKNOWN = '00000000-0000-7000-8000-0000000000a3';

const PARAMETER_RULES = ['Must be given once', 'Must be a cursor from an earlier answer'];

async function createWebhook(by: Caller): Promise<string> {
  const body = { url: 'https://hooks.example.org/', eventTypes: ['smartlink.unsafe'] };
  return String((await by.post('/webhooks', body)).body.data.id);
}

const hooks = (operationId: string): FuzzOptions => ({
  ...{ app: service.app, reference, operationId, apiKey: user.apiKey },
  hints: {
    id: fc.oneof({ weight: 6, arbitrary: fc.constant(OWN) }, fc.constantFrom(FOREIGN, UNKNOWN, 'x')),
    url: fc.webPath().map((path) => `https://hooks.example.org${path}`),
    cursor: fc.constant(Buffer.from(`1700000000000.${OWN}`).toString('base64url')),
  },
  known: { ofValid: [], ofHostile: [...UNREADABLE, ...DOCUMENT_RULES, ...PARAMETER_RULES], codes: [] },
  withIds: (text) => text.replaceAll(OWN, hookIds[OWN]!).replaceAll(FOREIGN, hookIds[FOREIGN]!),
  checkRows: async () => {
    const { rows } = await service.app.pg.query(`select count(*)::integer as count from webhooks`);
    return (rows[0] as { count: number }).count === 2 ? [] : ['Rows: there are other webhooks than before'];
  },
});

test('POST /webhooks answers by its schema and keeps what it took', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...hooks('createWebhook'),
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
      ...hooks(operationId),
      isThere: ({ value }) => valueAt(value, ['id']) === hookIds[OWN],
    });
  },
);

test('GET /webhooks/deliveries answers by its schema', { timeout: TIMEOUT_MS }, async () => {
  await fuzz({
    ...hooks('listWebhookDeliveries'),
    isThere: ({ query }) => query.some(([name, text]) => name === 'id' && text === hookIds[OWN]),
  });
});

test.each(OPERATOR_OPERATIONS)(
  '%s answers operators by its schema',
  { timeout: TIMEOUT_MS },
  async (operationId) => {
    const ofHostile = [...UNREADABLE, ...DOCUMENT_RULES, ...PARAMETER_RULES];
    await fuzz(await operatedBy(service, reference, operationId, ofHostile));
  },
);
