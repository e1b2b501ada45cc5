import { LRUCache } from 'lru-cache';
import type { DueWebhook } from './delivery-queries.js';

/** Attempts under way at once in a process. */
export const ATTEMPTS_MAX = 64;
/** Concurrent attempts to one webhook; a failing webhook gets one. */
const PER_WEBHOOK_MAX = 2;
const PER_FAILING_WEBHOOK_MAX = 1;
/** Concurrent attempts for one user over all their webhooks: seven users with stalled receivers leave room. */
const PER_USER_MAX = 8;
/** Concurrent attempts to failing webhooks; the other 48 are reserved for working ones. */
const FAILING_MAX = 16;
/** Concurrent attempts to one user's failing webhooks; the rest of the user's share goes to the others. */
const FAILING_PER_USER_MAX = 4;
/** Webhooks whose last turn is remembered; a forgotten one counts as never served. */
const REMEMBERED_MAX = 10_000;

export type Turn = Pick<DueWebhook, 'webhookId' | 'userId' | 'isFailing'>;

/** Number of attempts that may start for a webhook. */
type Places = { readonly webhookId: string; readonly places: number };

/**
 * A per-process fair scheduler for webhook deliveries. Users with the fewest attempts under way come first, and among
 * equals the webhook whose last turn is the longest ago: a long queue gives no user more.
 */
export function createFairTurns() {
  const underWay = new Set<Turn>();
  const lastTurns = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  let turns = 0;

  return {
    /** Records the start of an attempt. The function returned records its end. */
    begin({ webhookId, userId, isFailing }: Turn): () => void {
      const turn = { webhookId, userId, isFailing };
      underWay.add(turn);
      turns += 1;
      lastTurns.set(webhookId, turns);
      return () => {
        underWay.delete(turn);
      };
    },

    hasRoom: (): boolean => underWay.size < ATTEMPTS_MAX,

    /** The webhooks to start attempts for, and how many each, within the limits. */
    choose(due: readonly DueWebhook[]): readonly Places[] {
      const places = new Map<string, number>();
      const taken = countUnderWay(underWay);
      for (const turn of inTurn(due, taken, lastTurns)) {
        if (taken.all >= ATTEMPTS_MAX) break;
        if (!hasRoomFor(turn, taken)) continue;
        countTurn(taken, turn);
        places.set(turn.webhookId, (places.get(turn.webhookId) ?? 0) + 1);
      }
      return [...places].map(([webhookId, count]) => ({ webhookId, places: count }));
    },
  };
}

export type FairTurns = ReturnType<typeof createFairTurns>;

type Taken = {
  all: number;
  failing: number;
  readonly byWebhook: Map<string, number>;
  readonly byUser: Map<string, number>;
  readonly failingByUser: Map<string, number>;
};

function countUnderWay(underWay: Iterable<Turn>): Taken {
  const taken: Taken = {
    ...{ all: 0, failing: 0 },
    ...{ byWebhook: new Map(), byUser: new Map(), failingByUser: new Map() },
  };
  for (const turn of underWay) countTurn(taken, turn);
  return taken;
}

function countTurn(taken: Taken, { webhookId, userId, isFailing }: Turn): void {
  taken.all += 1;
  addOne(taken.byWebhook, webhookId);
  addOne(taken.byUser, userId);
  if (!isFailing) return;
  taken.failing += 1;
  addOne(taken.failingByUser, userId);
}

function hasRoomFor({ webhookId, userId, isFailing }: Turn, taken: Taken): boolean {
  const ofWebhook = taken.byWebhook.get(webhookId) ?? 0;
  if ((taken.byUser.get(userId) ?? 0) >= PER_USER_MAX) return false;
  if (!isFailing) return ofWebhook < PER_WEBHOOK_MAX;
  const ofUser = taken.failingByUser.get(userId) ?? 0;
  return ofWebhook < PER_FAILING_WEBHOOK_MAX && ofUser < FAILING_PER_USER_MAX && taken.failing < FAILING_MAX;
}

/** Each attempt a webhook might get, in the order in which they are granted. */
function inTurn(
  due: readonly DueWebhook[],
  taken: Taken,
  lastTurns: LRUCache<string, number>,
): readonly DueWebhook[] {
  const byTurn = due
    .filter((turn) => hasRoomFor(turn, taken))
    .sort((a, b) => (lastTurns.peek(a.webhookId) ?? 0) - (lastTurns.peek(b.webhookId) ?? 0));
  const working = byTurn.filter(({ isFailing }) => !isFailing);
  // A user's working webhooks come before failing ones, since they finish soon; second attempts come last.
  const places = [...working, ...byTurn.filter(({ isFailing }) => isFailing), ...working];
  const counts = new Map(taken.byUser);
  const ranked = places.map((turn) => ({ turn, rank: addOne(counts, turn.userId) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ turn }) => turn);
}

/** Increments and returns the count. */
function addOne(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
