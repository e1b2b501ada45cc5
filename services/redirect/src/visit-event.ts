import type { VisitEvent } from '@smartlink/visit-events/visit-event';
import { readCampaign, refusesRecognition } from '@smartlink/visit-routing/classify';
import type { Agent } from '@smartlink/visit-routing/classify';
import { UNKNOWN_COUNTRY } from '@smartlink/visit-routing/country-codes';
import { countVisit } from '@smartlink/visit-routing/count-visit';
import type { CompiledLink, Decision } from '@smartlink/visit-routing/decide';
import type { VisitRequest } from './visit-request.js';
import { readEdgeCountry } from './visitor/country.js';
import type { FindCountry } from './visitor/country.js';
import type { ReadVisitorId } from './visitor/visitor-id.js';

/** What tells who a visitor is. */
export type VisitorDeps = {
  readonly findCountry: FindCountry;
  readonly readVisitorId: ReadVisitorId;
  /** As readLanguage and readReferrerHost of visit-routing. */
  readonly readLanguage: (acceptLanguage: string) => string;
  readonly readReferrerHost: (referer: string) => string;
};

/**
 * Returns the event of a visit to `link`, or null where there is nothing to record: the link's owner is erased, or
 * countVisit says so. `ownHost`: our own public host, which is no referrer (the unlock form leads from it to itself).
 */
export function describeVisit(
  link: CompiledLink,
  decision: Decision,
  visit: { request: VisitRequest; agent: Agent; timeMs: number; ownHost: string; visitors: VisitorDeps },
): VisitEvent | null {
  if (!link.hasOwner) return null;
  const { request, agent, visitors } = visit;
  const { headers } = request;
  const count = countVisit(decision, request, agent);
  if (count === null) return null;
  const referrerHost = headers.referer === '' ? '' : visitors.readReferrerHost(headers.referer);
  const campaign = readCampaign(request.query);
  const isRecognised = count.exclusion === '' && request.address.text !== '' && !refusesRecognition(headers);
  return {
    timeMs: visit.timeMs,
    ownerId: link.ownerId,
    smartlinkId: link.smartlinkId,
    slug: link.slug,
    source: count.source,
    outcome: count.outcome,
    exclusion: count.exclusion,
    country: readCountry(request, visitors.findCountry),
    device: agent.device,
    os: agent.os,
    browser: agent.browser,
    language: visitors.readLanguage(headers.acceptLanguage),
    referrerHost: referrerHost === visit.ownHost ? '' : referrerHost,
    utmSource: campaign.utmSource,
    utmMedium: campaign.utmMedium,
    utmCampaign: campaign.utmCampaign,
    utmTerm: campaign.utmTerm,
    utmContent: campaign.utmContent,
    visitorId: isRecognised ? visitors.readVisitorId(request.address, headers.userAgent, visit.timeMs) : 0n,
  };
}

/** The edge in front of us first, where it is trusted and knows. */
function readCountry({ edgeCountry, address }: VisitRequest, findCountry: FindCountry): string {
  const named = edgeCountry === '' ? UNKNOWN_COUNTRY : readEdgeCountry(edgeCountry);
  return named === UNKNOWN_COUNTRY ? findCountry(address) : named;
}
