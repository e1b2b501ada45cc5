import type { DueWebhook } from './delivery-queries.js';

/** Attempts under way at once in a process. */
export const ATTEMPTS_MAX = 64;
/** Of these to one webhook; to one that is failing there is one. */
const PER_WEBHOOK_MAX = 2;
const PER_FAILING_WEBHOOK_MAX = 1;
/** Of these for one user, however many webhooks they have: seven users whose receivers all stall leave room. */
const PER_USER_MAX = 8;
/** Of these to all webhooks that are failing: whoever has not failed lately finds the other 48. */
const FAILING_MAX = 16;
/** Of a user's own share, so that their other webhooks have the rest. */
const FAILING_PER_USER_MAX = 4;
/** Webhooks whose last turn is remembered; one that was forgotten counts as one that has had none. */
const REMEMBERED_MAX = 10_000;

export type Turn = Pick<DueWebhook, 'webhookId' | 'userId' | 'isFailing'>;

/** So many attempts may begin to a webhook. */
export type Places = { readonly webhookId: string; readonly places: number };

/**
 * Returns what says whose turn it is, of a process. Room goes to users by how few attempts are under way for them, and
 * among those that have equally many to the webhook whose last turn is the longest ago: a long queue gives nobody more.
 */
export function createFairTurns() {
  const underWay = new Set<Turn>();
  const lastTurns = new Map<string, number>();
  let turns = 0;

  return {
    /** Notes an attempt that begins. Returns what notes its end. */
    begin({ webhookId, userId, isFailing }: Turn): () => void {
      const turn = { webhookId, userId, isFailing };
      underWay.add(turn);
      turns += 1;
      // Written at the end of the map: its first is the one whose turn is the longest ago.
      lastTurns.delete(webhookId);
      lastTurns.set(webhookId, turns);
      const [oldest] = lastTurns.keys();
      if (lastTurns.size > REMEMBERED_MAX && oldest !== undefined) lastTurns.delete(oldest);
      return () => {
        underWay.delete(turn);
      };
    },

    hasRoom: (): boolean => underWay.size < ATTEMPTS_MAX,

    /** Returns to which of the webhooks attempts may begin, and to each how many, in the room that there is. */
    choose(due: readonly DueWebhook[]): readonly Places[] {
      const places = new Map<string, number>();
      const taken = countUnderWay(underWay);
      for (const turn of inTurn(due, taken, lastTurns)) {
        if (taken.all >= ATTEMPTS_MAX) break;
        if (!hasRoomFor(turn, taken)) continue;
        take(taken, turn);
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
  for (const turn of underWay) take(taken, turn);
  return taken;
}

function take(taken: Taken, { webhookId, userId, isFailing }: Turn): void {
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

/** Returns each place that a webhook might have, in the order in which they are given out. */
function inTurn(
  due: readonly DueWebhook[],
  taken: Taken,
  lastTurns: ReadonlyMap<string, number>,
): readonly DueWebhook[] {
  const byTurn = due
    .filter((turn) => hasRoomFor(turn, taken))
    .sort((a, b) => (lastTurns.get(a.webhookId) ?? 0) - (lastTurns.get(b.webhookId) ?? 0));
  const working = byTurn.filter(({ isFailing }) => !isFailing);
  // Of one user's, those that work come before those that do not, since they end soon; and nobody's second before a first.
  const places = [...working, ...byTurn.filter(({ isFailing }) => isFailing), ...working];
  const counts = new Map(taken.byUser);
  const ranked = places.map((turn) => ({ turn, rank: addOne(counts, turn.userId) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ turn }) => turn);
}

/** Counts one more, and returns how many it are. */
function addOne(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
