import type { FastifyInstance } from 'fastify';
import { findOwnersSnapshot } from '@smartlink/links/publish';
import type { Queryable } from '@smartlink/process/database';
import { relink } from '@smartlink/smartlink/model';
import {
  type Agent,
  applyChosenPlatform,
  applyPlatformHint,
  chooseRoute,
  classifyAgent,
  classifyAsPerson,
  classifyVisit,
  type Closed,
  closedAt,
  type CompiledLink,
  compileLink,
  type CountedRequest,
  decide,
  type Decision,
  explainRoute,
  NO_FORMS,
  readerOf,
  readLanguage,
  readReferrerHost,
  type Route as ChosenRoute,
  type RoutedVisitor,
  sourceOf,
} from '@smartlink/visits/routing';
import { type Principal, principalOf } from '../accounts/accounts.js';
import { success } from '../envelope.js';
import { ApiError } from '../errors.js';
import { isSmartlinkId, parseQuery } from '../requests.js';
import {
  type Resolution,
  type ResolvedVisit,
  resolveOperation,
  type ResolveQuery,
  resolveQuerySchema,
  type Route,
} from './operation.js';

/** GET /smartlink/resolve. */
export function resolveRoutes(
  app: FastifyInstance,
  options: { publicBaseUrl: string },
  done: () => void,
): void {
  const { publicBaseUrl } = options;
  const deps = { pg: app.pg, publicBaseUrl };
  const operation = () => resolveOperation(publicBaseUrl);

  app.get(
    '/smartlink/resolve',
    { config: { operation, access: { scope: 'links:read', role: 'Viewer' } } },
    async (request) => {
      const query = parseQuery(resolveQuerySchema, request);
      return success('Visit resolved', await resolveVisit(deps, principalOf(request), query));
    },
  );
  done();
}

/**
 * Decides a visit with the redirect service's own code, without an event; of a limited link a second statement reads what is
 * used. Rejects with NOT_FOUND
 * like a fetch; deleted smartlinks are found.
 */
async function resolveVisit(
  { pg, publicBaseUrl }: { pg: Queryable; publicBaseUrl: string },
  { userId }: Principal,
  query: ResolveQuery,
): Promise<ResolvedVisit> {
  const owned = { smartlinkId: query.id, ownerId: userId };
  const found = isSmartlinkId(query.id) ? await findOwnersSnapshot(pg, owned) : null;
  if (found === null) throw new ApiError('NOT_FOUND');
  const { domain } = found;
  const link = compileLink(found.snapshot);
  const agent = applyPlatformHint(classifyAgent(query.userAgent), query.secChUaPlatform);
  const { isBot, isPreview, mayBeIpad, platform, device, os, browser } = agent;
  const visit = toVisit(query);
  const { availability } = link;
  const isUsedUp = availability?.isLimited === true && (await isAllowanceUsedUp(pg, link.smartlinkId));
  const reason = availability === null ? null : closedAt(availability, visit.timeMs, isUsedUp);
  const closed =
    reason === null || reason.kind === 'scheduled'
      ? reason
      : { ...reason, location: reason.location ?? domain?.expiredUrl ?? null };
  return {
    smartlinkId: link.smartlinkId,
    relink: relink(publicBaseUrl, link.slug, domain?.host ?? null),
    visitor: {
      ...{ isBot, isPreview, mayBeIpad, platform, device, os, browser, country: query.country },
      ...{ language: visit.language, referrer: visit.referrerHost || 'direct', source: visit.source },
    },
    ...resolve(link, agent, { ...visit, closed }),
  };
}

const IS_USED_UP = `select used >= max as "isUsedUp" from link_allowances where smartlink_id = $1`;

async function isAllowanceUsedUp(db: Queryable, smartlinkId: string): Promise<boolean> {
  const { rows } = await db.query(IS_USED_UP, [smartlinkId]);
  return (rows[0] as { isUsedUp: boolean } | undefined)?.isUsedUp ?? false;
}

/** The facts of the visit but for those of its agent. */
type Visit = Omit<RoutedVisitor, 'device' | 'os' | 'browser' | 'isBot'> & {
  /** Why the link is not live then; null if it is. */
  readonly closed: Closed | null;
  readonly userAgent: string;
  readonly hint: string;
};

function toVisit({ userAgent, secChUaPlatform, country, ...query }: ResolveQuery): Omit<Visit, 'closed'> {
  const text = query.query.replace(/^\?/, '');
  return {
    userAgent,
    hint: secChUaPlatform,
    country,
    language: readLanguage(query.language),
    source: sourceOf({ isScan: query.source === 'scan', query: text }),
    referrerHost: readReferrerHost(
      query.referrer.includes('//') ? query.referrer : `https://${query.referrer}`,
    ),
    query: text,
    forms: NO_FORMS,
    timeMs: query.at?.getTime() ?? Date.now(),
    id: 0n,
    // Who would be drawn is not known; the shares are.
    draw: () => 0,
  };
}

function resolve(link: CompiledLink, agent: Agent, visit: Visit): Resolution {
  const resolution = resolveAs(link, agent, visit);
  if (resolution.decision !== 'ipadOrMac') return resolution;
  return {
    ...resolution,
    ifIpad: toRoute(resolveAs(link, applyChosenPlatform(agent, 'ipad'), visit)),
    ifMac: toRoute(resolveAs(link, applyChosenPlatform(agent, 'mac'), visit)),
  };
}

const toRoute = ({ decision, location, rule, counted }: Resolution): Route => ({
  decision,
  location,
  rule,
  counted,
});

function resolveAs(link: CompiledLink, agent: Agent, visit: Visit): Resolution {
  if (link.routing === null) return routeOf(link, agent, visit, null);
  const shown = agent.isBot ? applyPlatformHint(classifyAsPerson(visit.userAgent), visit.hint) : agent;
  const { device, os, browser } = shown;
  const visitor: RoutedVisitor = { ...visit, device, os, browser, isBot: agent.isBot };
  const { rule, passed, split } = explainRoute(link.routing, visitor);
  const found = routeOf(link, agent, visit, chooseRoute(link.routing, visitor));
  const isDrawn =
    split !== null && visit.closed === null && !agent.isBot && found.decision !== 'passwordForm';
  const variants = split?.variants.map(({ weight, route: { variant, redirect } }) => ({
    id: variant,
    share: weight / split.weight,
    location: redirect?.location ?? null,
  }));
  return {
    ...(isDrawn ? SPLIT : found),
    routing: {
      rule,
      passed: passed.map(({ id, unfit }) => ({ id, unfit: [...unfit] })),
      ...(variants === undefined ? {} : { variants }),
    },
  };
}

const SPLIT = { decision: 'split', location: null, rule: 'routing', counted: null } as const;

// A first visit: not unlocked.
function routeOf(link: CompiledLink, agent: Agent, visit: Visit, route: ChosenRoute | null): Route {
  const { platform, mayBeIpad, isPreview } = agent;
  const request: CountedRequest = {
    isHead: false,
    isScan: visit.source === 'scan',
    query: visit.query,
    headers: { secPurpose: '', purpose: '', xMoz: '' },
  };
  const decision = decide(link, {
    ...{ query: visit.query, isUnlocked: false, forwardsQuery: false },
    ...{ platform, mayBeIpad, isPreview, route, closed: visit.closed },
    reader: link.availability?.isLimited === true ? readerOf(request, agent) : 'person',
  });
  const count = classifyVisit(decision, request, agent);
  return {
    ...describeDecision(decision, agent),
    counted:
      count === null
        ? null
        : {
            source: count.source,
            outcome: count.outcome,
            excluded: count.exclusion === '' ? null : count.exclusion,
          },
  };
}

function describeDecision(decision: Decision, { isPreview }: Agent): Omit<Route, 'counted'> {
  const here = (name: Route['decision'], rule: Route['rule']) => ({ decision: name, location: null, rule });
  switch (decision.kind) {
    case 'redirect':
      return { decision: 'redirect', location: decision.location, rule: decision.rule };
    case 'page':
      return here('page', 'type');
    case 'chooser':
      return here('storeList', 'noStore');
    case 'ipad-or-mac':
      return here('ipadOrMac', 'ipadSaysMac');
    case 'share':
      return here('openGraph', isPreview ? 'linkPreview' : 'maxVisits');
    case 'locked':
      return here('passwordForm', 'password');
    case 'paused':
      return here('paused', 'status');
    case 'gone':
      return here('deleted', 'status');
    case 'scheduled':
      return here('scheduled', 'startsAt');
    case 'expired':
      return { ...here('expired', 'expiresAt'), location: decision.location };
    case 'exhausted':
      return { ...here('exhausted', 'maxVisits'), location: decision.location };
    // A prefetch has headers that no query of this call sets.
    case 'prefetch':
    case 'unsupported':
      throw new Error('BUG: a stored smartlink has no destination');
  }
}
