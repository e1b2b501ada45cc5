import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@smartlink/process/database';
import { type Closed, closedAt, type CompiledLink } from '@smartlink/visits/routing';
import { createRecentMap } from '../bounded-maps.js';

/** A link as far as its allowance is concerned. */
type LimitedLink = Pick<CompiledLink, 'smartlinkId' | 'version'>;

export type Allowances = {
  /** Why a link is not live now; null if it is. Without a question to Postgres. */
  readonly findClosed: (link: LimitedLink & Pick<CompiledLink, 'availability'>) => Closed | null;
  /** Takes a visit of a limited link; false: it is used up. Rejects if the Postgres primary does not answer. */
  readonly take: (link: LimitedLink) => Promise<boolean>;
};

// One statement per link in this time, as with misses: 1,000 visitors at once are served by a few.
const STATEMENT_INTERVAL_MS = 20;
// Beyond any visits that a process can hold up; more are refused.
const WAITING_MAX = 10_000;
// Some 200 bytes each. A forgotten one costs a statement.
const USED_UP_MAX = 10_000;

const TAKE_VISITS = 'select take_visits($1, $2) as granted';

type Turn = {
  readonly version: number;
  readonly resolve: (isGranted: boolean) => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Takes visits of limited links from the one counter, which is in the primary of Postgres (`db`). The first granted in the
 * order of arrival are served; what a statement took is lost if its answer is. `now`: milliseconds since 1970.
 */
export function createAllowances({
  db,
  now,
}: {
  readonly db: Queryable;
  readonly now: () => number;
}): Allowances {
  /** Versions of links found used up: a later one may have another limit. */
  const usedUp = createRecentMap<number>(USED_UP_MAX);
  /** Visits that wait for the next statement, of links that have one under way. */
  const waiting = new Map<string, Turn[]>();
  let waitingCount = 0;

  const isUsedUp = ({ smartlinkId, version }: LimitedLink): boolean =>
    (usedUp.get(smartlinkId) ?? -1) >= version;

  async function takeInTurn(smartlinkId: string, first: Turn): Promise<void> {
    for (let turns = [first]; turns.length > 0; turns = next(smartlinkId)) {
      const interval = sleep(STATEMENT_INTERVAL_MS);
      await takeFor(smartlinkId, turns);
      waitingCount -= turns.length;
      await interval;
    }
  }

  function next(smartlinkId: string): Turn[] {
    const turns = waiting.get(smartlinkId) ?? [];
    if (turns.length === 0) waiting.delete(smartlinkId);
    else waiting.set(smartlinkId, []);
    return turns;
  }

  /** Never rejects. */
  async function takeFor(smartlinkId: string, turns: readonly Turn[]): Promise<void> {
    const open: Turn[] = [];
    for (const turn of turns) {
      if (isUsedUp({ smartlinkId, version: turn.version })) turn.resolve(false);
      else open.push(turn);
    }
    if (open.length === 0) return;
    try {
      const { rows } = await db.query(TAKE_VISITS, [smartlinkId, open.length]);
      const { granted } = rows[0] as { granted: number };
      // The statement began after the newest of these versions was published.
      if (granted < open.length) usedUp.set(smartlinkId, Math.max(...open.map(({ version }) => version)));
      for (const [index, turn] of open.entries()) turn.resolve(index < granted);
    } catch (err) {
      for (const turn of open) turn.reject(err);
    }
  }

  return {
    findClosed: (link) =>
      link.availability === null ? null : closedAt(link.availability, now(), isUsedUp(link)),
    take(link) {
      if (isUsedUp(link)) return Promise.resolve(false);
      if (waitingCount >= WAITING_MAX) return Promise.reject(new Error('Too many visits wait'));
      return new Promise((resolve, reject) => {
        const { smartlinkId, version } = link;
        const turn = { version, resolve, reject };
        waitingCount += 1;
        const turns = waiting.get(smartlinkId);
        if (turns !== undefined) turns.push(turn);
        else {
          waiting.set(smartlinkId, []);
          void takeInTurn(smartlinkId, turn);
        }
      });
    },
  };
}
