import type { ClickHouseClient } from '@clickhouse/client';
import type { Queryable } from '@smartlink/link-resolver/snapshot-query';
import { findForgotten, isOneOf } from '@smartlink/visit-analytics/forgotten-visits';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { answerWithin } from './clickhouse.js';
import { findOwners } from './smartlink-queries.js';

const STATE_LIMIT_MS = 60_000;

export type Visit = { readonly ownerId: string; readonly smartlinkId: string; readonly timeMs: number };

/** `final`: what its day counts stays as it is; `gone`: its smartlink is; `purged`: deleted in the last days. */
export type Verdict = 'welcome' | 'final' | 'gone' | 'purged';

export type VisitJudge = {
  /** Returns a verdict for each, in their order; some thousands at most. Rejects when Postgres fails. */
  readonly judge: (visits: readonly Visit[]) => Promise<readonly Verdict[]>;
  /** Returns the days (YYYY-MM-DD, UTC) on which the purged ones were purged. */
  readonly purgedOn: () => readonly string[];
};

/** Returns what tells which visits may be inserted again, as of now. Rejects when ClickHouse fails. */
export async function openVisitJudge(db: Queryable, clickhouse: ClickHouseClient): Promise<VisitJudge> {
  const [{ rawFrom }, forgotten] = await answerWithin(
    STATE_LIMIT_MS,
    Promise.all([readRollupState(clickhouse, STATE_LIMIT_MS), findForgotten(clickhouse, STATE_LIMIT_MS)]),
  );
  const finalUntilMs = Date.parse(`${rawFrom}T00:00:00Z`);
  const purgedOn = new Set<string>();
  const judgeOne = (visit: Visit, owners: ReadonlyMap<string, string>): Verdict => {
    if (owners.get(visit.smartlinkId) !== visit.ownerId) return 'gone';
    const purge = forgotten.findLast((one) => isOneOf(one, visit));
    if (purge !== undefined) {
      purgedOn.add(new Date(purge.forgottenAtMs).toISOString().slice(0, 10));
      return 'purged';
    }
    return visit.timeMs < finalUntilMs ? 'final' : 'welcome';
  };
  return {
    judge: async (visits) => {
      const owners = await findOwners(db, [...new Set(visits.map((visit) => visit.smartlinkId))]);
      return visits.map((visit) => judgeOne(visit, owners));
    },
    purgedOn: () => [...purgedOn].toSorted(),
  };
}
