import { isbot } from 'isbot';

export type PlannedVisit = {
  /** Index of the address whose link is visited. */
  readonly address: number;
  readonly userAgent: string;
  readonly source: 'click' | 'scan';
  /** Visits by bots are excluded. */
  readonly isCounted: boolean;
};

export type VisitPlan = {
  readonly addresses: readonly string[];
  readonly visits: readonly PlannedVisit[];
  /** User-Agents that no HTTP client can send as a header value. */
  readonly unsendable: number;
};

// Every fifth visit is a scan, to test both figures.
const SCAN_EVERY = 5;

/** Visits each address and uses each sendable User-Agent at least once. */
export function planVisits(addresses: readonly string[], userAgents: readonly string[]): VisitPlan {
  const sendable = userAgents.filter(isSendable);
  const count = Math.max(addresses.length, sendable.length);
  const visits = Array.from({ length: count }, (_, index): PlannedVisit => {
    const userAgent = sendable[index % sendable.length] ?? '';
    return {
      address: index % addresses.length,
      userAgent,
      source: index % SCAN_EVERY === 0 ? 'scan' : 'click',
      isCounted: !isbot(userAgent),
    };
  });
  return { addresses, visits, unsendable: userAgents.length - sendable.length };
}

// A header value is visible latin1 with spaces and tabs inside (RFC 9110, 5.5).
function isSendable(userAgent: string): boolean {
  return /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/.test(userAgent);
}
