import type { Site } from '@smartlink/pages/site';
import type { VisitEvent } from '@smartlink/visits/event';
import { classifyAgent, classifyAsPerson, readLanguage, readReferrerHost } from '@smartlink/visits/routing';
import { type Answer, negotiate, type Reply } from '../../src/http/reply.js';
import { createHosts } from '../../src/http/served-host.js';
import { createSystemReplies } from '../../src/http/system-replies.js';
import { createAllowances } from '../../src/links/allowances.js';
import { prepareLink, type ServedLink } from '../../src/links/served-link.js';
import { createVisitCounters } from '../../src/metrics/worker-metrics.js';
import { createLinkFiles } from '../../src/rendering/file-cache.js';
import { renderFile } from '../../src/rendering/render-job.js';
import { type AnswerVisitDeps, createAnswerVisit } from '../../src/visit/answer-visit.js';
import type { VisitRequest } from '../../src/visit/visit-request.js';
import { toClientAddress } from '../../src/visitor/client-address.js';

export const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
export const TXT_BIN = { type: 'TxtBin', page: { txtBin: { text: 'a <b>' } } };
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';

const SITE: Site = {
  publicBaseUrl: 'https://sl.example.com',
  abuseContactUrl: null,
  scriptPath: '/-/assets/p.js',
  shareImagePath: (kind) => `/-/assets/og-${kind}.png`,
};
export const HOSTS = createHosts({
  PUBLIC_BASE_URL: 'https://sl.example.com',
  REDIRECT_PORT: 80,
  STRICT_HOSTS: false,
});
const REPLIES = createSystemReplies(SITE);

export const linkWith = (more: Partial<Record<string, unknown>> = {}, status = 302): ServedLink =>
  prepareLink(
    {
      version: 1,
      smartlinkId: 'smartlink',
      ownerId: 'owner',
      slug: 'Docs',
      status: 'Active',
      type: 'Url',
      url: 'https://example.org/',
      ...more,
    },
    { status, forwardsQuery: true },
    '',
  );

export const requestWith = (
  more: Partial<VisitRequest> = {},
  headers: Partial<VisitRequest['headers']> = {},
): VisitRequest => ({
  isHead: false,
  host: HOSTS.own,
  slug: 'docs',
  isScan: false,
  chosenPlatform: null,
  query: '',
  cookie: '',
  address: toClientAddress('81.17.90.1'),
  edgeCountry: '',
  tally: { outcome: null },
  ...more,
  headers: {
    userAgent: IPHONE,
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
});

const NO_DATABASE = { query: () => Promise.reject(new Error('There is no database')) };

/** Visits to a link, with the events that they leave. */
export function createTrial(
  link: ServedLink | null | Promise<ServedLink | null>,
  isUnlocked = false,
  more: Partial<AnswerVisitDeps> = {},
) {
  const events: VisitEvent[] = [];
  const asked: string[] = [];
  const counters = createVisitCounters();
  const faults: unknown[] = [];
  const files = createLinkFiles({
    render: (request) => Promise.resolve(renderFile(request, SITE)),
    defaultLanguage: 'en',
    bytesMax: 1e7,
    now: () => 0,
  });
  const answerVisit = createAnswerVisit({
    files,
    defaultLanguage: 'en',
    links: {
      find: (slugKey) => {
        asked.push(slugKey);
        return link;
      },
    },
    allowances: createAllowances({ db: NO_DATABASE, now: () => 1_700_000_000_000 }),
    classifyAgent,
    classifyAsPerson,
    draw: () => 0,
    cookies: { isUnlocked: () => isUnlocked },
    recorder: {
      record: (event) => {
        events.push(event);
        return undefined;
      },
    },
    replies: REPLIES,
    counters,
    now: () => 1_700_000_000_000,
    hosts: HOSTS,
    visitors: { findCountry: () => 'AZ', readVisitorId: () => 7n, readLanguage, readReferrerHost },
    onFault: (err) => faults.push(err),
    ...more,
  });
  return { answerVisit, events, asked, counters, faults };
}

/** What a visitor without any encoding gets. */
export const replyOf = async (answer: Answer | Promise<Answer>): Promise<Reply> =>
  negotiate(await answer, { acceptEncoding: '', ifNoneMatch: '' });
export const statusOf = async (answer: Answer | Promise<Answer>) => (await replyOf(answer)).head.status;
