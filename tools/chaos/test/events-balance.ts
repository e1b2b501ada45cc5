import { expect } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { DROP_REASONS } from '../../../services/redirect/src/events/event-counters.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';

// Pauses between tries grow to 5 s while ClickHouse is away.
const SETTLED_AFTER_MS_MAX = 60_000;

export type Balance = {
  readonly accepted: number;
  readonly delivered: number;
  readonly spooled: number;
  readonly dropped: number;
  readonly torn: number;
  readonly quarantined: number;
  readonly discarded: number;
};

/** Returns where the service's own metrics say that events are. */
export async function readBalance({ metric }: Redirect): Promise<Balance> {
  const shipper = (event: string) => metric(`smartlink_redirect_shipper_total{event="${event}"}`);
  const drops = DROP_REASONS.map((reason) =>
    metric(`smartlink_redirect_events_total{fate="dropped_${reason}"}`),
  );
  return {
    accepted: await metric('smartlink_redirect_events_total{fate="accepted"}'),
    delivered: await shipper('delivered_events'),
    spooled: await metric('smartlink_redirect_spool{measure="events"}'),
    dropped: (await Promise.all(drops)).reduce((sum, count) => sum + count, 0),
    torn: await shipper('torn_events'),
    quarantined: await shipper('quarantined_events'),
    discarded: await shipper('discarded_events'),
  };
}

/** Waits until every one of `visits` events is settled, and returns the balance. Throws with it when it is not even. */
export async function waitUntilSettled(redirect: Redirect, visits: number): Promise<Balance> {
  let balance = await readBalance(redirect);
  await until(
    async () => {
      balance = await readBalance(redirect);
      return balance.accepted >= visits && balance.spooled === 0 && sumOf(balance) >= balance.accepted;
    },
    'every event is settled',
    SETTLED_AFTER_MS_MAX,
  ).catch(() => undefined);
  expect(balance).toMatchObject({ accepted: visits, spooled: 0 });
  expect(sumOf(balance), JSON.stringify(balance)).toBe(balance.accepted);
  return balance;
}

function sumOf({ delivered, spooled, dropped, torn, quarantined, discarded }: Balance): number {
  return delivered + spooled + dropped + torn + quarantined + discarded;
}
