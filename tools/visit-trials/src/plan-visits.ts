import { isbot } from 'isbot';

export type PlannedVisit = {
  /** Index of the address whose link is visited. */
  readonly address: number;
  readonly userAgent: string;
  /** The figure of analytics that counts the visit. */
  readonly kind: 'clicks' | 'scans' | 'bots';
  readonly isScan: boolean;
};

// Every fifth visit is a scan, to test both figures.
const SCAN_EVERY = 5;

/** Visits each address and uses each User-Agent at least once, except those that are not valid header values. */
export function planVisits(addressCount: number, userAgents: readonly string[]) {
  // Visible latin1 with spaces and tabs inside (RFC 9110, 5.5).
  const sendable = userAgents.filter((userAgent) =>
    /^[\x21-\x7e\xa0-\xff]([\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/.test(userAgent),
  );
  const count = Math.max(addressCount, sendable.length);
  const visits = Array.from({ length: count }, (_, index): PlannedVisit => {
    const userAgent = sendable[index % sendable.length] ?? '';
    const isScan = index % SCAN_EVERY === 0;
    const counted = isScan ? 'scans' : 'clicks';
    return { address: index % addressCount, userAgent, kind: isbot(userAgent) ? 'bots' : counted, isScan };
  });
  return { visits, unsendable: userAgents.length - sendable.length };
}
