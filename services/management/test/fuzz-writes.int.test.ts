import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import { type SmartlinkType, URL_MEMBERS } from '@smartlink/smartlink/model';
import { type ApiReference, readReference } from './api-reference-document.js';
import type { KnownRefusals } from './fuzz-expectations.js';
import { valueAt } from './fuzz-json.js';
import { faultsOfKept, withoutOtherTypes } from './fuzz-kept.js';
import { TIMEOUT_MS, fuzz } from './fuzz-run.js';
import { createFuzzTenant, type FuzzTenant } from './fuzz-tenant.js';
import { useService } from './start-service.js';

let reference: ApiReference;

const { service } = useService();
beforeAll(async () => {
  reference = await readReference(service.app);
});

// How a body may be read, which is no matter of its schema.
const UNREADABLE = [
  'Must be well-formed Unicode',
  'Keys must be well-formed Unicode',
  'Must not have the key __proto__',
  'Must not have the key constructor',
  'Must not have the same key twice in one object',
  'Must not be nested deeper than 16 levels',
];
// Rules of a document that no JSON Schema says.
const DOCUMENT_RULES = [
  'Invalid URL format',
  'Must not be empty',
  'Must not contain NUL',
  'Must not contain control characters',
  'Must not contain line breaks or control characters',
];

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
        ofValid: ['This smartlink URL is reserved', 'Required when protected is true'],
        ofHostile: [...UNREADABLE, ...DOCUMENT_RULES],
        codes: ['SMARTLINK_URL_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
      }),
      ...tenant,
      operationId: 'createSmartlink',
      hints: {
        ...addresses,
        smartlinkUrl: fc.option(slug),
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
        ...['This smartlink URL is reserved', 'Required when protected is true'],
        'A smartlink keeps at most 20 former addresses',
      ],
      ofHostile: [...UNREADABLE, ...DOCUMENT_RULES],
      ofAbsent: ['Required'],
      codes: ['SMARTLINK_URL_TAKEN', 'PRECONDITION_FAILED'],
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
        smartlinkUrl: slug,
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
