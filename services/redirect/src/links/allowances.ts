import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '@smartlink/process/database';
import { type Closed, closedAt, type CompiledLink } from '@smartlink/visits/routing';
import { createRecentMap } from '../bounded-maps.js';

type LimitedLink = Pick<CompiledLink, 'smartlinkId' | 'version'>;

export type Allowances = {
  /** Why a link is not live now, as far as this process knows; null if it is. Sends no query. */
  readonly findClosed: (link: LimitedLink & Pick<CompiledLink, 'availability'>) => Closed | null;
  /** Takes a visit of a limited link; false if it is used up. Rejects if the Postgres primary does not answer. */
  readonly take: (link: LimitedLink) => Promise<boolean>;
};

// Between two statements for a link, as with misses: a few statements serve 1,000 visitors at once.
const STATEMENT_INTERVAL_MS = 20;
// More waiting visits are refused.
const WAITING_MAX = 10_000;
// About 200 bytes each; up to twice as many are kept. A link that is dropped costs one statement.
const USED_UP_MAX = 10_000;

const TAKE_VISITS = 'select take_visits($1, $2) as granted';

type WaitingVisit = {
  readonly version: number;
  readonly resolve: (isGranted: boolean) => void;
  readonly reject: (err: unknown) => void;
};

/**
 * Takes visits of limited links from the one counter, which is in the Postgres primary (`db`), and grants them in the order of
 * arrival. Visits taken by a statement whose answer is lost stay used. `now`: milliseconds since 1970.
 */
export function createAllowances({
  db,
  now,
}: {
  readonly db: Queryable;
  readonly now: () => number;
}): Allowances {
  /** Versions of links that were found used up; a later version may have another limit. */
  const usedUp = createRecentMap<number>(USED_UP_MAX);
  /** Visits that wait for the next statement, by link; links without a running statement have no entry. */
  const waiting = new Map<string, WaitingVisit[]>();
  let waitingCount = 0;

  const isUsedUp = ({ smartlinkId, version }: LimitedLink): boolean =>
    (usedUp.get(smartlinkId) ?? -1) >= version;

  async function serveAll(smartlinkId: string, first: WaitingVisit): Promise<void> {
    for (let visits = [first]; visits.length > 0; visits = nextVisits(smartlinkId)) {
      const interval = sleep(STATEMENT_INTERVAL_MS);
      await takeVisits(smartlinkId, visits);
      waitingCount -= visits.length;
      await interval;
    }
  }

  function nextVisits(smartlinkId: string): WaitingVisit[] {
    const visits = waiting.get(smartlinkId) ?? [];
    if (visits.length === 0) waiting.delete(smartlinkId);
    else waiting.set(smartlinkId, []);
    return visits;
  }

  /** Never rejects. */
  async function takeVisits(smartlinkId: string, visits: readonly WaitingVisit[]): Promise<void> {
    const open: WaitingVisit[] = [];
    for (const visit of visits) {
      if (isUsedUp({ smartlinkId, version: visit.version })) visit.resolve(false);
      else open.push(visit);
    }
    if (open.length === 0) return;
    try {
      const { rows } = await db.query(TAKE_VISITS, [smartlinkId, open.length]);
      const { granted } = rows[0] as { granted: number };
      // The statement began after the newest of these versions was published.
      if (granted < open.length) usedUp.set(smartlinkId, Math.max(...open.map(({ version }) => version)));
      for (const [index, visit] of open.entries()) visit.resolve(index < granted);
    } catch (err) {
      for (const visit of open) visit.reject(err);
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
        const visit = { version, resolve, reject };
        waitingCount += 1;
        const visits = waiting.get(smartlinkId);
        if (visits !== undefined) visits.push(visit);
        else {
          waiting.set(smartlinkId, []);
          void serveAll(smartlinkId, visit);
        }
      });
    },
  };
}
