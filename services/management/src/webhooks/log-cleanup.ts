import type { Pool } from 'pg';
import { VISITS_EVENT } from './event-types.js';
import { dropBeyond, findCrowded, removeBeyond, removeOld } from './log-queries.js';

/** So far the log of a webhook goes back. */
const LOG_DAYS = 7;
/** So many of a webhook's ended deliveries are kept, and so many of those with visits, which are large. */
const LOG_ROWS_MAX = 1_000;
const LOG_VISIT_ROWS_MAX = 100;
/** So many may wait for a webhook. */
const PENDING_MAX = 10_000;
const TOO_MANY = `More than ${PENDING_MAX} messages were waiting: the oldest are given up`;
const REMOVED_AT_ONCE = 5_000;

/** Returns what keeps logs within their bounds, one call at a time. Any number of processes may do so. */
export function createLogCleanup({ pg }: { pg: Pool }) {
  // Only a log that has grown may have become too long. What a killed process had noted is noted at the next delivery.
  let grown = new Set<string>();
  return {
    noteGrown(webhookId: string): void {
      grown.add(webhookId);
    },
    /** Returns how many deliveries were given up. */
    async run(): Promise<number> {
      let dropped = 0;
      for (const webhookId of await findCrowded(pg, PENDING_MAX)) {
        dropped += await dropBeyond(pg, webhookId, PENDING_MAX, TOO_MANY);
        grown.add(webhookId);
      }
      const webhookIds = grown;
      grown = new Set();
      for (const webhookId of webhookIds) {
        await removeBeyond(pg, webhookId, LOG_VISIT_ROWS_MAX, VISITS_EVENT);
        await removeBeyond(pg, webhookId, LOG_ROWS_MAX);
      }
      await removeOld(pg, LOG_DAYS, REMOVED_AT_ONCE);
      return dropped;
    },
  };
}
