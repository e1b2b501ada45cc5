import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import type { VisitScope } from '@smartlink/visit-analytics/forget-visits';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import { Problem } from './problem.js';
import { createSeenVisits } from './seen-visits.js';
import type { ShownVisit } from './visit-line.js';

const QUERY_LIMIT_MS = 10_000;

// While all is well a visit is in the table within two seconds. What was held up for longer is found by a look that
// reaches further back, which costs more and so is rarer.
const LOOK_BACK_MS = 15_000;
const FAR_LOOK_BACK_MS = 900_000;
const LOOKS_PER_FAR_LOOK = 10;

// More a second than anybody reads: then the newest are shown.
const VISITS_PER_LOOK_MAX = 10_000;
const SEEN_MAX = 50_000;

export type TailOptions = {
  /** Returns a client; asked for another one after each failure: the address may be a new one. */
  readonly connect: () => ClickHouseClient;
  readonly scope: Pick<VisitScope, 'ownerId' | 'smartlinkId'>;
  /** Waits between two looks. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
  /** Ends the tail. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told of each visit once, in the order of their time within a look; false ends the tail. */
  readonly show: (visits: readonly ShownVisit[]) => Promise<boolean>;
  /** ClickHouse does not answer; told once, until it has answered again. */
  readonly onOutage: (err: unknown) => void;
};

/**
 * Shows the visits that come from now on until `signal` ends it. While ClickHouse does not answer it waits, and then
 * shows what came meanwhile. Rejects when ClickHouse refuses the first question.
 */
export async function tailVisits(options: TailOptions): Promise<void> {
  const { connect, scope, pause, signal, now, show, onOutage } = options;
  const startMs = now();
  const seen = createSeenVisits(SEEN_MAX);
  let clickhouse: ClickHouseClient | null = null;
  const outage = { isOn: false, sinceMs: startMs, lookBackUntilMs: 0 };
  for (let look = 0; !signal.aborted; look += 1) {
    const askedAtMs = now();
    const isCatchingUp = outage.isOn || askedAtMs < outage.lookBackUntilMs;
    const isFar = isCatchingUp || look % LOOKS_PER_FAR_LOOK === 0;
    const backMs = isFar ? FAR_LOOK_BACK_MS : LOOK_BACK_MS;
    const sinceMs = Math.min(askedAtMs, isCatchingUp ? outage.sinceMs : askedAtMs) - backMs;
    try {
      clickhouse ??= connect();
      const visits = await findVisits(clickhouse, scope, Math.max(sinceMs, startMs, seen.floorMs()));
      // Visits of an outage are shipped after it.
      if (outage.isOn) outage.lookBackUntilMs = askedAtMs + FAR_LOOK_BACK_MS;
      else if (!isCatchingUp) outage.sinceMs = askedAtMs;
      outage.isOn = false;
      if (!(await show(visits.toReversed().filter((visit) => seen.add(visit))))) break;
    } catch (err) {
      await clickhouse?.close();
      clickhouse = null;
      if (look === 0 && (err instanceof ClickHouseError || err instanceof Problem)) throw err;
      if (!outage.isOn) onOutage(err);
      outage.isOn = true;
    }
    await pause(signal);
  }
  await clickhouse?.close();
}

/** Returns the newest visits since a time, newest first. */
async function findVisits(
  clickhouse: ClickHouseClient,
  { ownerId, smartlinkId }: TailOptions['scope'],
  sinceMs: number,
): Promise<readonly ShownVisit[]> {
  const query = `
select event_id as eventId, toUnixTimestamp64Milli(ts) as timeMs, smartlink_id as smartlinkId, slug, source, outcome,
       exclusion, country, device, os, browser, referrer_host as referrerHost
from events final
where ts >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
  and ${ownerId === null ? 'true' : 'owner_id = {ownerId:UUID}'}
  and ${smartlinkId === null ? 'true' : 'smartlink_id = {smartlinkId:UUID}'}
order by ts desc, event_id desc
limit ${VISITS_PER_LOOK_MAX}`;
  const params = {
    sinceMs,
    ...(ownerId === null ? {} : { ownerId }),
    ...(smartlinkId === null ? {} : { smartlinkId }),
  };
  return selectRows<ShownVisit>(clickhouse, query, params, QUERY_LIMIT_MS);
}
