import { expect, test } from 'vitest';
import type { VisitRequest } from '../../src/visit/visit-request.js';
import { toClientAddress } from '../../src/visitor/client-address.js';
import {
  createTrial,
  IPHONE,
  linkWith,
  LINUX,
  replyOf,
  requestWith,
  statusOf,
  TXT_BIN,
} from './visit-trial.js';

const PHONES = 'https://example.org/phones';
const ROUTING = {
  rules: [
    { id: 'phones', url: PHONES, when: { devices: ['mobile'], systems: ['iOS'] } },
    { id: 'scans', url: 'https://example.org/scans', when: { sources: ['scan'] } },
    { id: 'news', url: 'https://example.org/news', when: { referrers: ['news.example'], languages: ['de'] } },
    { id: 'here', url: 'https://example.org/here', when: { referrers: ['sl.example.com'] } },
  ],
  variants: [
    { id: 'a', weight: 1, url: 'https://example.org/a' },
    { id: 'b', weight: 1 },
  ],
};

test.each<[name: string, request: VisitRequest, location: string, rule: string, variant: string]>([
  ['a phone', requestWith(), PHONES, 'phones', ''],
  ['a phone with parameters', requestWith({ query: 'a=b' }), `${PHONES}?a=b`, 'phones', ''],
  ['a scan', requestWith({ isScan: true }, { userAgent: LINUX }), 'https://example.org/scans', 'scans', ''],
  [
    'a marked scan',
    requestWith({ query: 'qr=1' }, { userAgent: LINUX }),
    'https://example.org/scans',
    'scans',
    '',
  ],
  [
    'a reader of news',
    requestWith({}, { userAgent: LINUX, referer: 'https://m.news.example/a', acceptLanguage: 'de-AT,en' }),
    'https://example.org/news',
    'news',
    '',
  ],
  // Our own host is no referrer.
  [
    'a visitor of our own form',
    requestWith({}, { userAgent: LINUX, referer: 'https://sl.example.com/docs' }),
    'https://example.org/a',
    '',
    'a',
  ],
])('%s is led by the rule that fits, which is recorded', async (_name, request, location, rule, variant) => {
  const trial = createTrial(linkWith({ routing: ROUTING }), false, { draw: () => 0 });
  // Without a visitor id it draws.
  const reply = await replyOf(trial.answerVisit({ ...request, address: toClientAddress('') }));
  expect(reply.location).toBe(location);
  expect(trial.events).toMatchObject([{ rule, variant, outcome: 'target' }]);
});

test('a bot is led where a person with its User-Agent is, and is recorded as a bot', async () => {
  const crawler = IPHONE.replace('Mobile/', 'Mobile (compatible; Googlebot/2.1) ');
  for (const userAgent of [crawler, `${LINUX} Googlebot/2.1`]) {
    const trial = createTrial(linkWith({ routing: ROUTING }), false, { draw: () => 0.99 });
    const reply = await replyOf(trial.answerVisit(requestWith({}, { userAgent })));
    expect(reply.location).toBe(userAgent === crawler ? PHONES : 'https://example.org/a');
    expect(trial.events).toMatchObject([{ exclusion: 'bot', device: 'other', os: 'other' }]);
  }
});

test('a visitor keeps its variant for a day, unless it asks not to be recognised or its address is unknown', () => {
  const routing = { variants: ROUTING.variants };
  const idsOf = (request: VisitRequest): string[] => {
    let number = 0;
    const trial = createTrial(linkWith({ routing }), false, { draw: () => (number = (number + 0.5) % 1) });
    for (let i = 0; i < 4; i += 1) void trial.answerVisit(request);
    return trial.events.map(({ variant }) => variant);
  };
  expect(new Set(idsOf(requestWith())).size).toBe(1);
  for (const request of [
    requestWith({}, { secGpc: '1' }),
    requestWith({}, { dnt: '1' }),
    requestWith({ address: toClientAddress('') }),
  ]) {
    expect(idsOf(request)).toEqual(['b', 'a', 'b', 'a']);
  }
});

test('a variant without an address is the link’s own answer, and is recorded', async () => {
  const routing = {
    variants: [
      { id: 'page', weight: 1 },
      { id: 'away', weight: 1, url: PHONES },
    ],
  };
  const trial = createTrial(linkWith({ ...TXT_BIN, routing }), false, { draw: () => 0 });
  const request = requestWith({ address: toClientAddress('') });
  expect(await statusOf(trial.answerVisit(request))).toBe('200 OK');
  expect(trial.events).toMatchObject([{ outcome: 'page', rule: '', variant: 'page' }]);
});

test('visits by one rule share one answer, made when the link was looked up', () => {
  const trial = createTrial(linkWith({ routing: ROUTING }));
  expect(trial.answerVisit(requestWith())).toBe(trial.answerVisit(requestWith()));
});

test('no rule is recorded of a password form', async () => {
  const trial = createTrial(linkWith({ routing: ROUTING, password: { hash: 'x', version: 1 } }));
  await trial.answerVisit(requestWith());
  expect(trial.events).toMatchObject([{ exclusion: 'form', rule: '', variant: '' }]);
});
