import { findOwnersSnapshot } from '@smartlink/link-resolver/snapshot-query';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { relink } from '@smartlink/smartlink/relink';
import { classifyAgent } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { applyPlatformHint } from '@smartlink/visit-routing/corrected-agent';
import { countVisit } from '@smartlink/visit-routing/count-visit';
import type { CountedRequest } from '@smartlink/visit-routing/count-visit';
import { compileLink, decide } from '@smartlink/visit-routing/decide';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import type { Principal } from '../accounts/accounts.js';
import { ApiError } from '../errors.js';
import { isSmartlinkId } from '../smartlink-id.js';
import type { ResolveQuery } from './resolve-query.js';
import type { Resolution, ResolvedVisit, Route } from './response-schemas.js';

/**
 * Returns the use case of the dry run: what the redirect service would do for a visitor, decided and counted by its own
 * code, in one statement and without an event. Rejects with NOT_FOUND like a fetch; a deleted smartlink is there.
 */
export function createVisitResolver({ pg, publicBaseUrl }: { pg: Queryable; publicBaseUrl: string }) {
  return async (principal: Principal, query: ResolveQuery): Promise<ResolvedVisit> => {
    const owned = { smartlinkId: query.id, ownerId: principal.userId };
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

// A first visit by the short address: nothing unlocked, no parameters, no code scanned.
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
  const count = countVisit(decision, REQUEST, agent);
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
    case 'unreadable':
      // What was checked when it was stored: nothing of ours can have written it.
      throw new Error('A stored smartlink leads nowhere');
  }
}
