import { bench, describe } from 'vitest';
import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { encodeRow } from '../src/events/encode-row.js';
import { createUuidV7Writer } from '../src/events/uuid-v7.js';

// Question: what does it cost a visit to turn its event into bytes, beside the plain way of doing it?

const EVENTS_PER_ROUND = 1_000;

const plain: VisitEvent = {
  timeMs: 1_789_000_000_123,
  ownerId: '01890000-1111-7222-8333-0123456789ab',
  smartlinkId: 'ffeeddcc-bbaa-4988-9766-554433221100',
  slug: 'springsale',
  source: 'click',
  outcome: 'target',
  exclusion: '',
  country: 'DE',
  device: 'mobile',
  os: 'Android',
  browser: 'Chrome Mobile',
  language: 'de-DE',
  referrerHost: 'www.instagram.com',
  utmSource: 'newsletter',
  utmMedium: 'email',
  utmCampaign: 'spring-sale-2026',
  utmTerm: '',
  utmContent: '',
  visitorId: 0xfedc_ba98_7654_3210n,
};
const foreign: VisitEvent = {
  ...plain,
  slug: 'frühling',
  utmCampaign: 'Frühjahrs-Schlußverkauf 😀',
  utmTerm: 'größe',
};

const target = Buffer.alloc(1024 * 1024);
const writeId = createUuidV7Writer();

function encodeMany(event: VisitEvent): void {
  let at = 0;
  for (let count = 0; count < EVENTS_PER_ROUND; count++) at += encodeRow(target, at, event, writeId);
}

function stringifyMany(event: VisitEvent): void {
  let at = 0;
  for (let count = 0; count < EVENTS_PER_ROUND; count++) {
    const json = JSON.stringify({ ...event, eventId: count, visitorId: event.visitorId.toString() });
    at += target.write(json, at);
  }
}

describe('1,000 events, plain ASCII', () => {
  bench('encodeRow', () => {
    encodeMany(plain);
  });
  bench('JSON.stringify into the same buffer', () => {
    stringifyMany(plain);
  });
});

describe('1,000 events, other alphabets', () => {
  bench('encodeRow', () => {
    encodeMany(foreign);
  });
  bench('JSON.stringify into the same buffer', () => {
    stringifyMany(foreign);
  });
});
