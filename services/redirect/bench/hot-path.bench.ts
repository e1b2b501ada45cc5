import { randomBytes } from 'node:crypto';
import { classifyAgent, createAgentClassifier } from '@smartlink/visit-routing/classify';
import { bench, describe } from 'vitest';
import { createAnswerVisit } from '../src/answer-visit.js';
import { createVisitCounters } from '../src/counters.js';
import { createLinkCache } from '../src/link-cache.js';
import { prepareLink } from '../src/served-link.js';
import { createSystemReplies } from '../src/system-replies.js';
import type { VisitRequest } from '../src/visit-request.js';
import { openCountries } from '../src/visitor/country.js';
import { createVisitorIds } from '../src/visitor/visitor-id.js';

// The question: what does a visit to a link that is known here cost, without the sockets? Run it with
// `npx vitest bench services/redirect/bench`.

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36';
const LINKS = 10_000;

const cache = createLinkCache({
  now: () => 0,
  entriesMax: 2 * LINKS,
  bytesMax: 1e9,
  prepare: (snapshot) => prepareLink(snapshot, 302),
  resolve: (slugKey) =>
    Promise.resolve({
      source: 'redis',
      snapshot: {
        version: 1,
        smartlinkId: '01930000-0000-7000-8000-000000000000',
        ownerId: '01930000-0000-7000-8000-000000000001',
        slug: slugKey,
        status: 'Active',
        type: 'Url',
        url: `https://example.org/${slugKey}?a=1#top`,
      },
    }),
});
const slugs = Array.from({ length: LINKS }, (_, i) => `slug${i}`);
for (const slug of slugs) await cache.find(slug);

const salt = randomBytes(32);
const classify = createAgentClassifier(5_000);
const answerVisit = createAnswerVisit({
  findLink: cache.find,
  classifyAgent: classify,
  isUnlocked: () => false,
  recordEvent: () => undefined,
  replies: createSystemReplies({
    publicBaseUrl: 'https://sl.example.com',
    abuseContactUrl: null,
    scriptPath: '',
    shareImagePath: () => '',
  }),
  findFile: () => null,
  defaultLanguage: 'en',
  counters: createVisitCounters(),
  now: () => 0,
  redirectStatus: 302,
  forwardsQuery: true,
  ownHost: 'sl.example.com',
  visitors: { findCountry: openCountries(undefined), readVisitorId: createVisitorIds(() => salt) },
  onFault: () => undefined,
});

const visit = (slug: string, query: string): VisitRequest => ({
  isHead: false,
  slug,
  isScan: false,
  chosenPlatform: null,
  query,
  cookie: '',
  address: '78.46.1.1',
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
let turn = 0;
const nextSlug = (): string => slugs[(turn += 1) % LINKS] ?? '';

describe('a visit to a known link', () => {
  bench('without parameters', () => {
    void answerVisit(visit(nextSlug(), ''));
  });
  bench('with two parameters', () => {
    void answerVisit(visit(nextSlug(), 'utm_source=news&ref=1'));
  });
});

describe('a User-Agent', () => {
  bench('seen before', () => {
    classify(CHROME);
  });
  bench('never seen', () => {
    classifyAgent(`${CHROME} ${(turn += 1)}`);
  });
});
