import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { until } from '@smartlink/test-support/until';
import { DROP_REASONS } from '../../../services/redirect/src/metrics/event-counters.js';
import { LINUX } from '../../../services/redirect/test/serve.js';
import type { Redirect } from '../../../services/redirect/test/start-redirect.js';

const DEADLINE_MS = 30_000;

type Visit = { readonly slug: string; readonly query?: string; readonly referer?: string };

/** Visitors of the service on `port`, whose visits are numbered from `first` on. The caller closes it. */
export function createCrowd(port: number, first = 0) {
  const agent = new Agent({ keepAlive: true });
  const redirected = new Map<number, number>();
  let next = first;
  let failed = 0;

  /** Visits once and resolves with the milliseconds it took; a visit that is not redirected counts as failed. */
  const visit = async ({ slug, query = '', referer }: Visit): Promise<number> => {
    const number = next++;
    const startedAt = performance.now();
    const status = await new Promise<number>((resolve) => {
      const headers = { 'user-agent': LINUX, ...(referer === undefined ? {} : { referer }) };
      const path = `/${slug}?utm_content=${number}${query}`;
      const req = get({ agent, host: '127.0.0.1', port, path, headers, timeout: DEADLINE_MS }, (res) => {
        if (res.statusCode === 302) redirected.set(number, performance.now());
        res.resume().on('end', () => {
          resolve(res.statusCode ?? 0);
        });
      });
      req.on('timeout', () => req.destroy());
      req.on('error', () => {
        resolve(0);
      });
    });
    if (status !== 302) failed += 1;
    return performance.now() - startedAt;
  };

  return {
    visit,
    /** When each visit was redirected, in ms of performance.now, by its number, which it has as utm_content. */
    redirected: redirected as ReadonlyMap<number, number>,
    failed: () => failed,
    /**
     * Visits on and on over `connections` connections, each with `pauseMs` between an answer and the next visit, until
     * `work` has ended. Resolves with the milliseconds of each visit.
     */
    async visitMeanwhile(
      { connections, pauseMs, ...what }: Visit & { connections: number; pauseMs: number },
      work: () => Promise<unknown>,
    ): Promise<readonly number[]> {
      const state = { isOver: false };
      const latenciesMs: number[] = [];
      const visitor = async (): Promise<void> => {
        while (!state.isOver) {
          latenciesMs.push(await visit(what));
          if (pauseMs > 0) await sleep(pauseMs);
        }
      };
      const visitors = Array.from({ length: connections }, visitor);
      try {
        await work();
      } finally {
        state.isOver = true;
        await Promise.all(visitors);
      }
      return latenciesMs;
    },
    close: () => {
      agent.destroy();
    },
  };
}

export type Crowd = ReturnType<typeof createCrowd>;

// Pauses between tries grow to 5 s while ClickHouse is away.
const SETTLED_AFTER_MS_MAX = 60_000;

/** Where events are, by the service's own metrics. */
async function readBalance({ metric }: Redirect) {
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

/** Waits until each of `visits` events is settled, and returns the balance. Throws with it when it is not even. */
export async function waitUntilSettled(redirect: Redirect, visits: number) {
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

function sumOf({ accepted: _, ...settled }: Awaited<ReturnType<typeof readBalance>>): number {
  return Object.values(settled).reduce((sum, count) => sum + count, 0);
}
