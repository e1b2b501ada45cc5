import { expect } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { DROP_REASONS } from '../../../services/redirect/src/events/event-counters.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';

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

/** Waits until every one of `visits` events is settled, and returns the balance, which is then even. */
export async function waitUntilSettled(
  redirect: Redirect,
  visits: number,
  deadlineMs = 60_000,
): Promise<Balance> {
  const settled = await until(
    async () => {
      const balance = await readBalance(redirect);
      return balance.accepted >= visits && sumOf(balance) >= balance.accepted && balance.spooled === 0
        ? balance
        : null;
    },
    'every event is settled',
    deadlineMs,
  );
  expect(settled.accepted).toBe(visits);
  expect(sumOf(settled)).toBe(settled.accepted);
  return settled;
}

function sumOf({ delivered, spooled, dropped, torn, quarantined, discarded }: Balance): number {
  return delivered + spooled + dropped + torn + quarantined + discarded;
}
