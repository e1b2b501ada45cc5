import { chooseLanguage, type Language } from '@smartlink/pages/site';
import { UNKNOWN_COUNTRY } from '@smartlink/smartlink/model';
import { readEdgeCountry } from '@smartlink/visits/countries';
import type { VisitEvent } from '@smartlink/visits/event';
import {
  applyChosenPlatform,
  applyPlatformHint,
  chooseRoute,
  classifyVisit,
  decide,
  NO_FORMS,
  readCampaign,
  readerOf,
  refusesRecognition,
  sourceOf,
  type Agent,
  type CompiledLink,
  type CompiledRouting,
  type Decision,
  type Route,
} from '@smartlink/visits/routing';
import type { EventRecorder } from '../events/event-recorder.js';
import { type Answer, redirectReply } from '../http/reply.js';
import type { Hosts } from '../http/served-host.js';
import type { LinkReplyName, SystemReplies } from '../http/system-replies.js';
import type { Allowances } from '../links/allowances.js';
import { findByAddress, type LinkCache } from '../links/link-cache.js';
import type { ServedLink } from '../links/served-link.js';
import type { VisitResult } from '../metrics/metric-definitions.js';
import { recordResult, type VisitCounters } from '../metrics/worker-metrics.js';
import type { FoundFile, LinkFiles } from '../rendering/file-cache.js';
import {
  IPAD_OR_MAC_PAGE,
  IPAD_OR_MAC_PAGE_OF_SCAN,
  type LinkFile,
  OWN_PAGE,
  PASSWORD_PAGE,
  RAW_TEXT,
  SHARE_PAGE,
} from '../rendering/file-kinds.js';
import type { UnlockCookies } from '../unlock/unlock-cookie.js';
import type { FindCountry } from '../visitor/country.js';
import type { ReadVisitorId } from '../visitor/visitor-id.js';
import { visitAddress, type VisitRequest } from './visit-request.js';

export type AnswerVisitDeps = {
  readonly links: Pick<LinkCache, 'find'>;
  readonly files: Pick<LinkFiles, 'find'>;
  readonly replies: SystemReplies;
  readonly classifyAgent: (userAgent: string) => Agent;
  /** For bots at links with rules. */
  readonly classifyAsPerson: (userAgent: string) => Agent;
  readonly cookies: Pick<UnlockCookies, 'isUnlocked'>;
  readonly allowances: Allowances;
  readonly recorder: Pick<EventRecorder, 'record'>;
  readonly counters: VisitCounters;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random number from 0 to 1. */
  readonly draw: () => number;
  readonly defaultLanguage: Language;
  readonly hosts: Pick<Hosts, 'isOwn'>;
  readonly visitors: VisitorDeps;
  /** Internal faults; the visitor gets a 503. */
  readonly onFault: (err: unknown) => void;
};

/**
 * Answers GET and HEAD of a slug's address: at once when link and page are known, so that a hot visit makes no promise;
 * else as a promise. Never throws or rejects.
 */
export function createAnswerVisit(
  deps: AnswerVisitDeps,
): (request: VisitRequest) => Answer | Promise<Answer> {
  const { counters } = deps;
  const { system, answerDecision } = createAnswers(deps);

  return (request) => {
    const found = findByAddress(deps.links, request.slug, request.isScan, request.host.number);
    if (!(found instanceof Promise)) return answer(request, found);
    return found.then(
      (link) => answer(request, link),
      () => unavailable(request),
    );
  };

  function answer(request: VisitRequest, link: ServedLink | null): Answer | Promise<Answer> {
    try {
      if (link === null) {
        recordResult(counters, request.tally, 'not_found');
        return request.host.notFound ?? system('notFound', request);
      }
      // Only App links ask for the device; at any other the choice is ignored.
      if (request.chosenPlatform !== null && link.stores === null) {
        recordResult(counters, request.tally, 'redirect');
        return redirectReply(302, visitAddress(request));
      }
      const visit = decideVisit(deps, request, link);
      const found = answerDecision(visit);
      if (link.availability?.isLimited === true && isCounted(visit)) {
        return takeAndReply(visit, link.availability.exhausted, found);
      }
      if (!(found instanceof Promise)) return recordAndReply(visit, found);
      return found.then((file) => recordAndReply(visit, file)).catch((err: unknown) => fail(request, err));
    } catch (err) {
      return fail(request, err);
    }
  }

  /** Takes a visit of a limited link and answers with `found`, or that it is used up. A page that cannot be made takes none. */
  async function takeAndReply(
    visit: Visit,
    exhausted: Decision,
    found: FoundFile | Promise<FoundFile>,
  ): Promise<Answer> {
    const { request, link } = visit;
    try {
      const file = await found;
      if (file === null || file === 'busy') return await recordAndReply(visit, file);
      const isGranted = await deps.allowances.take(link).catch(() => null);
      if (isGranted === null) return unavailable(request);
      if (isGranted) return await recordAndReply(visit, file);
      const closed = { ...visit, decision: exhausted };
      return await recordAndReply(closed, await answerDecision(closed));
    } catch (err) {
      return fail(request, err);
    }
  }

  /** Counts and records a visit and returns its answer. Requests that fail are not recorded. */
  function recordAndReply(
    { request, link, agent, decision, route }: Visit,
    found: FoundFile,
  ): Answer | Promise<Answer> {
    if (found === null) throw noPage(link, decision);
    if (found === 'busy') return unavailable(request);
    recordResult(counters, request.tally, RESULTS[decision.kind]);
    const { now, hosts, visitors } = deps;
    const event = describeVisit(link, decision, { request, agent, route, timeMs: now(), hosts, visitors });
    const written = event === null ? undefined : deps.recorder.record(event, link.linkPart);
    return written === undefined ? found : written.then(() => found);
  }

  function fail(request: VisitRequest, err: unknown): Answer {
    recordResult(counters, request.tally, 'error');
    deps.onFault(err);
    return system('unavailable', request);
  }

  function unavailable(request: VisitRequest): Answer {
    recordResult(counters, request.tally, 'unavailable');
    return system('unavailable', request);
  }
}

/** The answers to decisions, and the pages without a link. */
function createAnswers({ replies, files, defaultLanguage }: AnswerVisitDeps) {
  function system(name: LinkReplyName, { headers }: VisitRequest) {
    return replies[name][chooseLanguage(headers.acceptLanguage, defaultLanguage)];
  }

  /** Throws or rejects when a page cannot be made. */
  function answerDecision({ decision, link, request }: Visit): FoundFile | Promise<FoundFile> {
    switch (decision.kind) {
      case 'redirect':
        // Made with the link; the visitor's own parameters make another address, checked again.
        if (decision === link.plain && link.plainReply !== null) return link.plainReply;
        return link.replies?.get(decision) ?? redirectReply(link.redirectHead, decision.location);
      case 'paused':
      case 'gone':
        return system(decision.kind, request);
      case 'scheduled':
        return system(decision.kind, request);
      case 'expired':
      case 'exhausted': {
        const own = decision.location === null ? null : link.closedReply;
        return own ?? request.host.expired ?? system(decision.kind, request);
      }
      case 'prefetch':
      case 'unsupported':
        return system('unavailable', request);
      default: {
        const language = chooseLanguage(request.headers.acceptLanguage, defaultLanguage);
        return files.find(link, fileOf(decision.kind, link, request), language, request.host);
      }
    }
  }

  return { system, answerDecision };
}

function noPage({ slug, version }: ServedLink, { kind }: Decision): Error {
  return new Error(`Link ${slug} version ${version} has no page for decision ${kind}`);
}

function decideVisit(deps: AnswerVisitDeps, request: VisitRequest, link: ServedLink): Visit {
  const { headers, chosenPlatform } = request;
  const hinted = applyPlatformHint(deps.classifyAgent(headers.userAgent), headers.secChUaPlatform);
  const agent = applyChosenPlatform(hinted, chosenPlatform);
  const route = link.routing === null ? null : routeVisit(deps, link.routing, request, agent);
  const decision = decide(link, {
    query: request.query,
    isUnlocked: link.password === null ? false : deps.cookies.isUnlocked(request.cookie, link),
    forwardsQuery: link.forwardsQuery,
    platform: chosenPlatform ?? agent.platform,
    mayBeIpad: agent.mayBeIpad,
    isPreview: agent.isPreview,
    route,
    closed: deps.allowances.findClosed(link),
    reader: link.availability?.isLimited === true ? readerOf(request, agent) : 'person',
  });
  return { request, link, agent, decision, route };
}

/** Rules read a bot's device as a person's, so that it is led where people are. */
function routeVisit(
  deps: AnswerVisitDeps,
  routing: CompiledRouting,
  request: VisitRequest,
  agent: Agent,
): Route | null {
  const { headers, address } = request;
  const { visitors } = deps;
  const timeMs = deps.now();
  const shown = agent.isBot
    ? applyPlatformHint(deps.classifyAsPerson(headers.userAgent), headers.secChUaPlatform)
    : agent;
  const mayRecognise = routing.hasVariants && address.text !== '' && !refusesRecognition(headers);
  return chooseRoute(routing, {
    country: readCountry(request, visitors.findCountry),
    language: visitors.readLanguage(headers.acceptLanguage),
    device: shown.device,
    os: shown.os,
    browser: shown.browser,
    source: sourceOf(request),
    referrerHost: readReferrer(request, visitors, deps.hosts),
    query: request.query,
    forms: NO_FORMS,
    timeMs,
    isBot: agent.isBot,
    id: mayRecognise ? visitors.readVisitorId(address, headers.userAgent, timeMs) : 0n,
    draw: deps.draw,
  });
}

function readReferrer(
  { headers: { referer } }: VisitRequest,
  visitors: Pick<VisitorDeps, 'readReferrerHost'>,
  hosts: Pick<Hosts, 'isOwn'>,
): string {
  const host = referer === '' ? '' : visitors.readReferrerHost(referer);
  return hosts.isOwn(host) ? '' : host;
}

/** Answers that come before the rules. */
const COME_BEFORE_RULES: ReadonlySet<Decision['kind']> = new Set([
  ...(['scheduled', 'expired', 'exhausted'] as const),
  ...(['share', 'locked', 'prefetch'] as const),
]);

type FileDecision = Extract<Decision['kind'], 'page' | 'chooser' | 'ipad-or-mac' | 'share' | 'locked'>;

/** The file that answers a decision. */
function fileOf(kind: FileDecision, link: ServedLink, { query, isScan }: VisitRequest): LinkFile {
  switch (kind) {
    case 'page':
      return link.hasRawText && RAW_MARK.test(query) ? RAW_TEXT : OWN_PAGE;
    case 'chooser':
      return OWN_PAGE;
    case 'ipad-or-mac':
      return isScan ? IPAD_OR_MAC_PAGE_OF_SCAN : IPAD_OR_MAC_PAGE;
    case 'share':
      return SHARE_PAGE;
    case 'locked':
      return PASSWORD_PAGE;
  }
}

const RESULTS: Readonly<Record<Decision['kind'], VisitResult>> = {
  redirect: 'redirect',
  page: 'page',
  chooser: 'store_chooser',
  'ipad-or-mac': 'ipad_or_mac',
  share: 'link_preview',
  locked: 'unlock_form',
  paused: 'paused',
  gone: 'gone',
  scheduled: 'scheduled',
  expired: 'expired',
  exhausted: 'exhausted',
  prefetch: 'prefetch',
  unsupported: 'unavailable',
};

const isCounted = ({ decision, request, agent }: Visit): boolean =>
  classifyVisit(decision, request, agent)?.exclusion === '';

type Visit = {
  readonly request: VisitRequest;
  readonly link: ServedLink;
  readonly agent: Agent;
  readonly decision: Decision;
  readonly route: Route | null;
};

const RAW_MARK = /(?:^|&)raw=1(?:&|$)/;

export type VisitorDeps = {
  readonly findCountry: FindCountry;
  readonly readVisitorId: ReadVisitorId;
  /** Memoised readLanguage and readReferrerHost of visits/routing. */
  readonly readLanguage: (acceptLanguage: string) => string;
  readonly readReferrerHost: (referer: string) => string;
};

/**
 * The event of a visit to `link`, or null if none is recorded: the link's owner is erased, or classifyVisit returns
 * null. Own hosts do not count as referrers: the unlock form posts to them.
 */
export function describeVisit(
  link: CompiledLink,
  decision: Decision,
  visit: {
    request: VisitRequest;
    agent: Agent;
    route: Route | null;
    timeMs: number;
    hosts: Pick<Hosts, 'isOwn'>;
    visitors: VisitorDeps;
  },
): VisitEvent | null {
  if (!link.hasOwner) return null;
  const { request, agent, visitors } = visit;
  const { headers } = request;
  const count = classifyVisit(decision, request, agent);
  if (count === null) return null;
  const campaign = readCampaign(request.query);
  const route = COME_BEFORE_RULES.has(decision.kind) ? null : visit.route;
  const isRecognised = count.exclusion === '' && request.address.text !== '' && !refusesRecognition(headers);
  return {
    timeMs: visit.timeMs,
    ownerId: link.ownerId,
    smartlinkId: link.smartlinkId,
    slug: link.slug,
    domain: request.host.name,
    source: count.source,
    outcome: count.outcome,
    exclusion: count.exclusion,
    country: readCountry(request, visitors.findCountry),
    device: agent.device,
    os: agent.os,
    browser: agent.browser,
    language: visitors.readLanguage(headers.acceptLanguage),
    referrerHost: readReferrer(request, visitors, visit.hosts),
    utmSource: campaign.utmSource,
    utmMedium: campaign.utmMedium,
    utmCampaign: campaign.utmCampaign,
    utmTerm: campaign.utmTerm,
    utmContent: campaign.utmContent,
    rule: route === null ? '' : route.rule,
    variant: route === null ? '' : route.variant,
    button: '',
    visitorId: isRecognised ? visitors.readVisitorId(request.address, headers.userAgent, visit.timeMs) : 0n,
  };
}

/** A trusted edge that knows the country comes first. */
function readCountry({ edgeCountry, address }: VisitRequest, findCountry: FindCountry): string {
  const named = edgeCountry === '' ? UNKNOWN_COUNTRY : readEdgeCountry(edgeCountry);
  return named === UNKNOWN_COUNTRY ? findCountry(address) : named;
}
