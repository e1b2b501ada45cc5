import fc from 'fast-check';
import { beforeAll, test } from 'vitest';
import { makeEventRow } from '@smartlink/test-support/event-row';
import { type ApiReference, readReference } from './api-reference-document.js';
import type { KnownRefusals } from './fuzz-expectations.js';
import { fuzz, type FuzzOptions, type SentCase, TIMEOUT_MS } from './fuzz-run.js';
import { createFuzzTenant, type FuzzTenant } from './fuzz-tenant.js';
import { addEvents, useService } from './start-service.js';

let reference: ApiReference;
let tenant: FuzzTenant;

const { service } = useService();
beforeAll(async () => {
  reference = await readReference(service.app);
  tenant = await createFuzzTenant(service);
  const days = ['2026-03-09', '2026-03-10', '2026-04-01'];
  const rows = [...tenant.types.keys()].flatMap((id) =>
    days.map((day) => makeEventRow(tenant.userId, id, { ts: `${day} 23:30:00.000` })),
  );
  await addEvents(service.app, rows);
});

const reads = (operationId: string, known: Partial<KnownRefusals> = {}): FuzzOptions => ({
  app: service.app,
  reference,
  ...tenant,
  operationId,
  hints: { id: tenant.idHint },
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
  return query.every(([name, text]) => name !== 'id' || tenant.isOwn(text));
};

test('GET /smartlink lists and fetches by its schema', { timeout: TIMEOUT_MS }, async () => {
  const cursor = fc
    .tuple(
      fc.constantFrom(0, 1_700_000_000_000, 999_999_999_999_999),
      fc.constantFrom(...tenant.types.keys()),
    )
    .map(([time, id]) => Buffer.from(`${time}.${id}`).toString('base64url'));
  await fuzz({
    ...reads('readSmartlinks', {
      ofHostile: ['Must be given once', 'Must not contain NUL', 'Must be a cursor from an earlier answer'],
    }),
    hints: { id: tenant.idHint, cursor },
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
      ofValid: ['Must not be after to', 'The range has more than 10000 entries'],
      ofHostile: [
        'Must be given once',
        'Must be a date as YYYY-MM-DD, from 1970 to 2199',
        'Must be an IANA time zone',
      ],
    }),
    // Mostly a range, of which there are few among random days.
    hints: {
      id: tenant.idHint,
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
      id: tenant.idHint,
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
      id: tenant.idHint,
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
