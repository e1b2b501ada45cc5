import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { readCampaign, readLanguage, readReferrerHost } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { countVisit } from '@smartlink/visit-routing/count-visit';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import type { VisitRequest } from './visit-request.js';

/**
 * Returns the event of a visit to `link`, or null where there is nothing to record: the link's owner is erased, or
 * countVisit says so. `ownHost`: our own public host, which is no referrer (the unlock form leads from it to itself).
 */
export function describeVisit(
  link: CompiledLink,
  decision: Decision,
  visit: { request: VisitRequest; agent: Agent; timeMs: number; ownHost: string },
): VisitEvent | null {
  if (link.smartlinkId === '') return null;
  const { request, agent } = visit;
  const { headers } = request;
  const count = countVisit(decision, request, agent);
  if (count === null) return null;
  const referrerHost = readReferrerHost(headers.referer);
  const campaign = readCampaign(request.query);
  return {
    timeMs: visit.timeMs,
    ownerId: link.ownerId,
    smartlinkId: link.smartlinkId,
    slug: link.slug,
    source: count.source,
    outcome: count.outcome,
    exclusion: count.exclusion,
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
