import { classifyAgent, readLanguage, readReferrerHost } from '@smartlink/visit-routing/classify';
import type { VisitHeaders } from '@smartlink/visit-routing/classify';
import { compileLink, decide } from '@smartlink/visit-routing/decide';
import { expect, test } from 'vitest';
import { toClientAddress } from './client-address.js';
import { describeVisit } from './visit-event.js';
import type { VisitRequest } from './visit-request.js';

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const LINK = compileLink({
  version: 1,
  smartlinkId: 'smartlink',
  ownerId: 'owner',
  slug: 'docs',
  status: 'Active',
  type: 'Url',
  url: 'https://example.org/',
});

function eventOf(request: Partial<VisitRequest>, headers: Partial<VisitHeaders> = {}) {
  const userAgent = headers.userAgent ?? CHROME;
  const agent = classifyAgent(userAgent);
  const asked = { query: '', isUnlocked: false, forwardsQuery: false, ...agent };
  const whole: VisitRequest = {
    isHead: false,
    slug: 'docs',
    isScan: false,
    chosenPlatform: null,
    query: '',
    cookie: '',
    address: toClientAddress('203.0.113.9'),
    tally: { outcome: null },
    edgeCountry: '',
    ...request,
    headers: {
      userAgent,
      secChUaPlatform: '',
      acceptLanguage: '',
      referer: '',
      secPurpose: '',
      purpose: '',
      xMoz: '',
      secGpc: '',
      dnt: '',
      ...headers,
    },
  };
  const visitors = { findCountry: () => 'DE', readVisitorId: () => 7n, readLanguage, readReferrerHost };
  return describeVisit(LINK, decide(LINK, asked), {
    request: whole,
    agent,
    timeMs: 0,
    ownHost: '',
    visitors,
  });
}

test('an event says which device, system, browser and country it is', () => {
  expect(eventOf({})).toMatchObject({
    device: 'mobile',
    os: 'Android',
    browser: 'Chrome',
    country: 'DE',
    visitorId: 7n,
  });
});

test.each<[who: string, request: Partial<VisitRequest>, headers: Partial<VisitHeaders>]>([
  ['who sends Sec-GPC: 1', {}, { secGpc: '1' }],
  ['who sends DNT: 1', {}, { dnt: '1' }],
  ['a bot', {}, { userAgent: 'Googlebot/2.1' }],
  ['HEAD', { isHead: true }, {}],
  ['a prefetch', {}, { secPurpose: 'prefetch' }],
  ['whose address is not known', { address: toClientAddress('') }, {}],
])('%s has no visitor id', (_who, request, headers) => {
  expect(eventOf(request, headers)?.visitorId).toBe(0n);
});

test.each([
  ['AZ', 'AZ'],
  ['XX', 'DE'],
  ['T1', 'DE'],
  ['az', 'DE'],
  ['<script>', 'DE'],
  ['', 'DE'],
])('the edge’s country %j makes %s of a visitor whose address is German', (edgeCountry, country) => {
  expect(eventOf({ edgeCountry })?.country).toBe(country);
});
