import type { Pool } from 'pg';
import { VISITS_EVENT } from './event-types.js';
import { dropBeyond, findCrowded, findNext, removeBeyond, removeOld } from './log-queries.js';

/** So far the log of a webhook goes back. */
const LOG_DAYS = 7;
/** So many of a webhook's ended deliveries are kept, and so many of those with visits, which are large. */
const LOG_ROWS_MAX = 1_000;
const LOG_VISIT_ROWS_MAX = 100;
/** So many may wait for a webhook. */
const PENDING_MAX = 10_000;
const TOO_MANY = `More than ${PENDING_MAX} messages were waiting: the oldest are given up`;
const REMOVED_AT_ONCE = 5_000;
/** So many webhooks are looked at in a run, beside those whose logs are known to have grown. */
const SWEPT_AT_ONCE = 100;

/** Returns what keeps logs within their bounds, one call at a time. Any number of processes may do so. */
export function createLogCleanup({ pg }: { pg: Pool }) {
  // What an attempt has just been made for is looked at in the next run. Logs grow by other ways too, as when all that waits
  // is given up, and a process that is killed forgets: so each run also looks at the next of all webhooks.
  let grown = new Set<string>();
  let sweptUntil: string | null = null;

  async function shorten(webhookId: string): Promise<void> {
    while ((await removeBeyond(pg, webhookId, LOG_VISIT_ROWS_MAX, REMOVED_AT_ONCE, VISITS_EVENT)) > 0);
    while ((await removeBeyond(pg, webhookId, LOG_ROWS_MAX, REMOVED_AT_ONCE)) > 0);
  }

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
      const swept = await findNext(pg, sweptUntil, SWEPT_AT_ONCE);
      sweptUntil = swept.at(SWEPT_AT_ONCE - 1) ?? null;
      const webhookIds = new Set([...grown, ...swept]);
      grown = new Set();
      for (const webhookId of webhookIds) await shorten(webhookId);
      await removeOld(pg, LOG_DAYS, REMOVED_AT_ONCE);
      return dropped;
    },
  };
}
