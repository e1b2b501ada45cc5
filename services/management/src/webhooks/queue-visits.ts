import type { ClickHouseClient } from '@clickhouse/client';
import { INSERT_SECONDS_MAX } from '@smartlink/visit-analytics/rollup-progress';
import type { Pool } from 'pg';
import { withTransaction } from '../transaction.js';
import { readArrivalClock, readArrivals } from './read-arrivals.js';
import type { ArrivedVisit } from './read-arrivals.js';
import { addVisitMessages, advanceVisits, claimDueVisits } from './visit-queries.js';
import type { VisitsDue } from './visit-queries.js';

/** Visits are read this long after they arrived: that is noted while they are inserted, and they show once they are. */
export const ARRIVAL_LAG_MS = INSERT_SECONDS_MAX * 1_000;
const VISITS_PER_MESSAGE = 500;
const MESSAGES_PER_STEP = 20;
// What a receiver has not taken yet waits in ClickHouse, where it is anyway.
const WAITING_MAX = 100;
const STATEMENT_MS_MAX = 5_000;

export type VisitQueueDeps = {
  readonly pg: Pool;
  readonly clickhouse: ClickHouseClient;
  /** Between two looks at the visits of a webhook. */
  readonly intervalMs: number;
  readonly lagMs: number;
  readonly onQueued: (visits: number) => void;
};

/**
 * Returns what queues messages with the visits of webhooks that are due, until none is or `isStopped`. A message and the
 * place that it ends at are one transaction, so each arrival is queued once, whoever does it and whatever breaks off.
 * Rejects when a database fails; those that were not come to are due still, the one at hand in `intervalMs`.
 */
export function createVisitQueue(deps: VisitQueueDeps) {
  return async (isStopped: () => boolean = () => false): Promise<void> => {
    while (!isStopped()) {
      const due = await claimDueVisits(deps.pg, deps.intervalMs);
      if (due === null) return;
      if (due.waiting < WAITING_MAX) await queueStep(deps, due);
    }
  };
}

async function queueStep(deps: VisitQueueDeps, due: VisitsDue): Promise<void> {
  const { pg, clickhouse, lagMs, onQueued } = deps;
  const { ownerId, from } = due;
  const untilMs = (await readArrivalClock(clickhouse, STATEMENT_MS_MAX)) - lagMs;
  if (untilMs <= from.timeMs) return;
  const limit = VISITS_PER_MESSAGE * MESSAGES_PER_STEP;
  const request = { ownerId, from, untilMs, limit };
  const { visits, next, isAll } = await readArrivals(clickhouse, request, STATEMENT_MS_MAX);
  const messages = toMessages(visits);
  const isQueued = await withTransaction(pg, async (client) => {
    if (!(await advanceVisits(client, due, next, isAll))) return false;
    if (messages.length > 0) await addVisitMessages(client, due.webhookId, messages);
    return true;
  });
  if (isQueued) onQueued(visits.length);
}

/** Returns the `data` of as many messages as these visits need, each visit once. */
function toMessages(visits: readonly ArrivedVisit[]): { readonly visits: readonly object[] }[] {
  const byId = new Map(visits.map((visit) => [visit.eventId, visit]));
  const views = [...byId.values()].map(toView);
  const messages: { readonly visits: readonly object[] }[] = [];
  for (let i = 0; i < views.length; i += VISITS_PER_MESSAGE) {
    messages.push({ visits: views.slice(i, i + VISITS_PER_MESSAGE) });
  }
  return messages;
}

function toView(visit: ArrivedVisit): object {
  const { eventId, smartlinkId, country, device, browser, operatingSystem } = visit;
  return {
    eventId,
    smartlinkId,
    timestamp: new Date(visit.timeMs).toISOString(),
    action: actionOf(visit),
    country,
    device,
    browser,
    operatingSystem,
    // As in analytics.
    referrer: visit.referrer === '' ? 'direct' : visit.referrer,
  };
}

function actionOf({ outcome, source }: ArrivedVisit): 'click' | 'qr_scan' | 'fallback' {
  if (outcome === 'fallback') return 'fallback';
  return source === 'scan' ? 'qr_scan' : 'click';
}
