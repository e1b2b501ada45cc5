import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Caller } from '../../../services/management/test/start-service.js';
import type { LinkStore } from '../../../services/redirect/test/link-store.js';
import type { Crowd } from './events-visitors.js';

// A visit is told from others by its referring host, of which an answer names a hundred.
const VISITS_A_LINK = 50;
const LOOK_EVERY_MS = 40;
const DEADLINE_MS = 30_000;

type AwaitedVisit = { readonly host: string; readonly id: string; readonly visitedAt: number };

/**
 * Makes `visits` visits, one after another over `overMs`, and looks for each in its link's analytics. Returns after how
 * many milliseconds each was there, in the order of their appearance; the time between two looks is part of it.
 */
export async function measureFreshness(options: {
  readonly api: Caller;
  readonly crowd: Crowd;
  readonly links: LinkStore;
  readonly visits: number;
  readonly overMs: number;
}): Promise<readonly number[]> {
  const { api, crowd, links, visits, overMs } = options;
  const ids = new Map<number, string>();
  for (let link = 0; link * VISITS_A_LINK < visits; link++) {
    ids.set(link, await links.insert({ slug: `fresh${link}`, url: 'https://example.org/' }));
  }
  const pending = new Set<AwaitedVisit>();
  const freshMs: number[] = [];

  const visitAll = async (): Promise<void> => {
    for (let visit = 0; visit < visits; visit++) {
      const link = Math.floor(visit / VISITS_A_LINK);
      const host = `v${visit}.example`;
      await crowd.visit({ slug: `fresh${link}`, referer: `https://${host}/` });
      pending.add({ host, id: ids.get(link) ?? '', visitedAt: performance.now() });
      await sleep(overMs / visits);
    }
  };
  const look = async (): Promise<void> => {
    for (const id of new Set([...pending].map((visit) => visit.id))) {
      const { status, body } = await api.get(`/smartlink/analytics?id=${id}`);
      // Not in time, on a busy machine: the next look is soon.
      if (status === 503) continue;
      expect(status).toBe(200);
      const now = performance.now();
      for (const visit of pending) {
        if (visit.id !== id || body.data.referrers[visit.host] === undefined) continue;
        freshMs.push(now - visit.visitedAt);
        pending.delete(visit);
      }
    }
  };
  const deadline = performance.now() + overMs + DEADLINE_MS;
  const visiting = visitAll();
  while (freshMs.length < visits) {
    expect(performance.now(), 'visits that never came').toBeLessThan(deadline);
    await look();
    await sleep(LOOK_EVERY_MS);
  }
  await visiting;
  return freshMs;
}
