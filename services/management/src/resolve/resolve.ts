import type { FastifyInstance } from 'fastify';
import { findOwnersSnapshot } from '@smartlink/links/publish';
import type { Queryable } from '@smartlink/process/database';
import { relink } from '@smartlink/smartlink/model';
import {
  type Agent,
  applyPlatformHint,
  classifyAgent,
  classifyVisit,
  type CompiledLink,
  compileLink,
  type CountedRequest,
  decide,
  type Decision,
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
 * Decides a visit with the redirect service's own code, in one statement and without an event. Rejects with NOT_FOUND
 * like a fetch; deleted smartlinks are found.
 */
async function resolveVisit(
  { pg, publicBaseUrl }: { pg: Queryable; publicBaseUrl: string },
  { userId }: Principal,
  query: ResolveQuery,
): Promise<ResolvedVisit> {
  const owned = { smartlinkId: query.id, ownerId: userId };
  const snapshot = isSmartlinkId(query.id) ? await findOwnersSnapshot(pg, owned) : null;
  if (snapshot === null) throw new ApiError('NOT_FOUND');
  const link = compileLink(snapshot);
  const agent = applyPlatformHint(classifyAgent(query.userAgent), query.secChUaPlatform);
  const { isBot, isPreview, mayBeIpad, platform, device, os, browser } = agent;
  return {
    smartlinkId: link.smartlinkId,
    relink: relink(publicBaseUrl, link.slug),
    visitor: { isBot, isPreview, mayBeIpad, platform, device, os, browser, country: query.country },
    ...resolve(link, agent),
  };
}

function resolve(link: CompiledLink, agent: Agent): Resolution {
  const resolution = routeOf(link, agent);
  if (resolution.decision !== 'ipadOrMac') return resolution;
  return {
    ...resolution,
    ifIpad: routeOf(link, { ...agent, platform: 'ipad', mayBeIpad: false }),
    ifMac: routeOf(link, { ...agent, platform: 'mac', mayBeIpad: false }),
  };
}

// A first visit by the short address: not unlocked, no parameters, not a scan.
const REQUEST: CountedRequest = {
  isHead: false,
  isScan: false,
  query: '',
  headers: { secPurpose: '', purpose: '', xMoz: '' },
};

function routeOf(link: CompiledLink, agent: Agent): Route {
  const { platform, mayBeIpad, isPreview } = agent;
  const visit = { query: REQUEST.query, isUnlocked: false, forwardsQuery: false };
  const decision = decide(link, { ...visit, platform, mayBeIpad, isPreview });
  const count = classifyVisit(decision, REQUEST, agent);
  return {
    ...describeDecision(decision),
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

function describeDecision(decision: Decision): Omit<Route, 'counted'> {
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
      return here('openGraph', 'linkPreview');
    case 'locked':
      return here('passwordForm', 'password');
    case 'paused':
      return here('paused', 'status');
    case 'gone':
      return here('deleted', 'status');
    case 'unsupported':
      throw new Error('BUG: a stored smartlink has no destination');
  }
}
