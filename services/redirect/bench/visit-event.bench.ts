import { randomBytes } from 'node:crypto';
import { createAgentClassifier } from '@smartlink/visit-routing/classify';
import { decide } from '@smartlink/visit-routing/decide';
import { bench, describe } from 'vitest';
import { encodeRow } from '../src/events/encode-row.js';
import { createUuidV7Writer } from '../src/events/uuid-v7.js';
import { prepareLink } from '../src/served-link.js';
import { describeVisit } from '../src/visit-event.js';
import type { VisitRequest } from '../src/visit-request.js';
import { openCountries } from '../src/visitor/country.js';
import { createVisitorIds } from '../src/visitor/visitor-id.js';

// The question: what does a visit's event cost, from the request to the row in the buffer, and who of the parts how
// much? The goal is 2 µs for a visitor who was here before.

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36';
const VISITORS = 2_000;
const EVENTS_PER_ROUND = 1_000;

const link = prepareLink(
  {
    version: 1,
    smartlinkId: '01930000-0000-7000-8000-000000000000',
    ownerId: '01930000-0000-7000-8000-000000000001',
    slug: 'springsale',
    status: 'Active',
    type: 'Url',
    url: 'https://example.org/sale',
  },
  302,
);
const salt = randomBytes(32);
const findCountry = openCountries(undefined);
const returning = { findCountry, readVisitorId: createVisitorIds(() => salt) };
const classify = createAgentClassifier(5_000);
const agent = classify(CHROME);
const visit = { query: '', isUnlocked: false, forwardsQuery: false, ...agent };
const decision = decide(link, visit);
const target = Buffer.alloc(1024 * 1024);
const writeId = createUuidV7Writer();

const addresses = Array.from({ length: VISITORS }, () => [...randomBytes(4)].join('.'));
const addresses6 = addresses.map((_, i) => `2a01:4f8:${i.toString(16)}:${i.toString(16)}:0:0:0:1`);
const request = (address: string): VisitRequest => ({
  isHead: false,
  slug: 'springsale',
  isScan: false,
  chosenPlatform: null,
  query: '',
  cookie: '',
  address,
  edgeCountry: '',
  headers: {
    userAgent: CHROME,
    secChUaPlatform: '"Windows"',
    acceptLanguage: 'en-US,en;q=0.9',
    referer: 'https://news.example.org/story',
    secPurpose: '',
    purpose: '',
    xMoz: '',
    secGpc: '',
    dnt: '',
  },
});
const requests = addresses.map(request);
const requests6 = addresses6.map(request);
let turn = 0;

function record(from: readonly VisitRequest[], visitors: typeof returning): void {
  let at = 0;
  for (let count = 0; count < EVENTS_PER_ROUND; count += 1) {
    const asked = from[(turn += 1) % VISITORS];
    if (asked === undefined) continue;
    const event = describeVisit(link, decision, {
      request: asked,
      agent,
      timeMs: 1_789_000_000_123,
      ownHost: '',
      visitors,
    });
    if (event !== null) at += encodeRow(target, at, event, writeId);
  }
}

describe('1,000 events, from the request to the row', () => {
  bench('visitors who were here before, IPv4', () => {
    record(requests, returning);
  });
  bench('visitors who were here before, IPv6', () => {
    record(requests6, returning);
  });
  bench('visitors nobody has seen', () => {
    record(requests, { findCountry, readVisitorId: createVisitorIds(() => salt) });
  });
  bench('without country and id, as before', () => {
    record(requests, { findCountry: () => 'XX', readVisitorId: () => 0n });
  });
});

describe('1,000 times of the parts', () => {
  bench('country, IPv4', () => {
    for (let i = 0; i < EVENTS_PER_ROUND; i += 1) findCountry(addresses[i] ?? '');
  });
  bench('country, IPv6', () => {
    for (let i = 0; i < EVENTS_PER_ROUND; i += 1) findCountry(addresses6[i] ?? '');
  });
  bench('visitor id, remembered', () => {
    for (let i = 0; i < EVENTS_PER_ROUND; i += 1) returning.readVisitorId(addresses[i] ?? '', CHROME, 0);
  });
});
