import type { VisitEvent } from '@smartlink/visits/event';
import {
  type Agent,
  classifyAgent,
  type CompiledLink,
  compileLink,
  decide,
  type Decision,
  readLanguage,
  readReferrerHost,
} from '@smartlink/visits/routing';
import { remember } from '../../dist/bounded-maps.js';
import { describeVisit, type VisitorDeps } from '../../dist/visit/answer-visit.js';
import type { VisitRequest } from '../../dist/visit/visit-request.js';
import { toClientAddress } from '../../dist/visitor/client-address.js';
import { openCountries } from '../../dist/visitor/country.js';
import { createVisitorIds, createVisitorSalts } from '../../dist/visitor/visitor-id.js';

/** An answered visit that is not yet described and recorded. */
export type AnsweredVisit = {
  readonly link: CompiledLink;
  readonly decision: Decision;
  readonly request: VisitRequest;
  readonly agent: Agent;
};

const OWN_HOST = 'sl.example.com';
/** Fewer than the 10,000 whose country and id are cached. */
const VISITORS = 4_096;
const LINKS = 1_000;

const USER_AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const LANGUAGES = ['az-AZ,az;q=0.9,en;q=0.8', 'de-DE,de;q=0.9', 'en-US,en;q=0.5', 'fr', 'tr-TR,tr;q=0.9', ''];
const QUERIES = ['', '', '', 'utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale-2026', 'ref=1'];

/** A visit of each visitor, to links of one owner, with a mix of browsers, languages, referrers and campaigns. */
export function makeAnsweredVisits(): readonly AnsweredVisit[] {
  const links = Array.from({ length: LINKS }, (_, i) => makeLink(i));
  const classify = remember(classifyAgent, { entriesMax: USER_AGENTS.length, lengthMax: 512 });
  return Array.from({ length: VISITORS }, (_, i) => {
    const request = makeRequest(i);
    const agent = classify(request.headers.userAgent);
    const link = links[(i * 331) % LINKS];
    if (link === undefined) throw new Error('There are no links');
    const decision = decide(link, {
      query: request.query,
      isUnlocked: false,
      forwardsQuery: true,
      platform: agent.platform,
      mayBeIpad: false,
      isPreview: false,
    });
    return { link, decision, request, agent };
  });
}

/** Makes the event of a visit at a time, with countries and visitor ids as the service has them. */
export function createDescriber(): (visit: AnsweredVisit, timeMs: number) => VisitEvent {
  const { saltOf } = createVisitorSalts({
    now: Date.now,
    agree: (_day, offered) => Promise.resolve(offered),
  });
  const visitors: VisitorDeps = {
    findCountry: openCountries(undefined),
    readVisitorId: createVisitorIds(saltOf),
    readLanguage: remember(readLanguage, { entriesMax: 4_000, lengthMax: 256 }),
    readReferrerHost: remember(readReferrerHost, { entriesMax: 4_000, lengthMax: 256 }),
  };
  return ({ link, decision, request, agent }, timeMs) => {
    const event = describeVisit(link, decision, { request, agent, timeMs, ownHost: OWN_HOST, visitors });
    if (event === null) throw new Error('A visit of the bench was not recorded');
    return event;
  };
}

function makeLink(number: number): CompiledLink {
  const tail = String(number).padStart(12, '0');
  return compileLink({
    version: 1,
    smartlinkId: `01930000-0000-7000-8000-${tail}`,
    ownerId: '01930000-0000-7000-9000-000000000001',
    slug: `slug${number}`,
    status: 'Active',
    type: 'Url',
    url: `https://example.org/${number}?a=1#top`,
  });
}

function makeRequest(number: number): VisitRequest {
  return {
    isHead: false,
    slug: `slug${(number * 331) % LINKS}`,
    isScan: number % 4 === 0,
    chosenPlatform: null,
    query: pick(QUERIES, number),
    cookie: '',
    address: toClientAddress(addressOf(number)),
    edgeCountry: '',
    tally: { outcome: null },
    headers: {
      userAgent: pick(USER_AGENTS, number * 3 + (number >> 5)),
      secChUaPlatform: '',
      acceptLanguage: pick(LANGUAGES, number >> 1),
      referer: number % 2 === 0 ? '' : `https://www.site${number % 100}.example.org/story/${number}`,
      secPurpose: '',
      purpose: '',
      xMoz: '',
      secGpc: '',
      dnt: '',
    },
  };
}

/** Three of ten are IPv6; each is of another network. */
function addressOf(number: number): string {
  if (number % 10 < 3)
    return `2a01:${(0x400 + (number >> 4)).toString(16)}:${(number & 15).toString(16)}:0:0:0:0:1`;
  return `${11 + (number % 110)}.${(number >> 3) % 256}.${(number * 13) % 256}.9`;
}

const pick = (values: readonly string[], number: number): string => values[number % values.length] ?? '';
