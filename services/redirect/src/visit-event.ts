import type { ExclusionReason, VisitEvent, VisitOutcome } from '@smartlink/visit-events/visit-event';
import { isPrefetch, readCampaign, readLanguage, readReferrerHost } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import type { VisitRequest } from './visit-request.js';

/**
 * Returns the event of a visit to `link`, or null where there is nothing to record: the link's owner is erased, or
 * the fault was ours. `ownHost`: our own public host, which is no referrer (the unlock form leads from it to itself).
 */
export function describeVisit(
  link: CompiledLink,
  decision: Decision,
  visit: { request: VisitRequest; agent: Agent; timeMs: number; ownHost: string },
): VisitEvent | null {
  if (link.smartlinkId === '' || decision.kind === 'unreadable') return null;
  const { request, agent } = visit;
  const { headers } = request;
  const exclusion = findExclusion(decision, request, agent);
  const referrerHost = readReferrerHost(headers.referer);
  const campaign = readCampaign(request.query);
  return {
    timeMs: visit.timeMs,
    ownerId: link.ownerId,
    smartlinkId: link.smartlinkId,
    slug: link.slug,
    source: request.isScan || isMarkedScan(request.query) ? 'scan' : 'click',
    outcome: exclusion === '' ? outcomeOf(decision) : 'excluded',
    exclusion,
    country: 'XX',
    device: agent.device,
    os: agent.os,
    browser: agent.browser,
    language: readLanguage(headers.acceptLanguage),
    referrerHost: referrerHost === visit.ownHost ? '' : referrerHost,
    utmSource: campaign.utmSource,
    utmMedium: campaign.utmMedium,
    utmCampaign: campaign.utmCampaign,
    utmTerm: campaign.utmTerm,
    utmContent: campaign.utmContent,
    visitorId: 0n,
  };
}

/** Returns why a visit does not count, '' when it does: who asked comes before what there was to see. */
function findExclusion(decision: Decision, request: VisitRequest, agent: Agent): ExclusionReason | '' {
  if (agent.isBot) return 'bot';
  if (request.isHead) return 'head';
  if (isPrefetch(request.headers)) return 'prefetch';
  if (decision.kind === 'gone') return 'deleted';
  if (decision.kind === 'paused') return 'paused';
  if (decision.kind === 'locked') return 'form';
  return '';
}

function outcomeOf(decision: Decision): VisitOutcome {
  if (decision.kind === 'redirect') return decision.outcome;
  // Who is shown the list of stores had no store of their own.
  return decision.kind === 'chooser' ? 'fallback' : 'page';
}

const SCAN_MARK = /(?:^|&)qr=1(?:&|$)/;

function isMarkedScan(query: string): boolean {
  return query !== '' && SCAN_MARK.test(query);
}
