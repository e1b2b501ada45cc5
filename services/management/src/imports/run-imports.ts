import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Pool } from 'pg';
import {
  type Batch,
  type Candidate,
  countWaitingTotals,
  ImportConflict,
  moveCarriedTotals,
  storeWithin,
} from '@smartlink/import/store';
import { withTransaction } from '@smartlink/process/database';
import { type Job, type Logger, startJob } from '@smartlink/process/lifecycle';
import { hasNewMembers } from '@smartlink/smartlink/model';
import {
  type ClaimedUpload,
  claimUpload,
  continueUpload,
  failUpload,
  forgetExpected,
  nextBatch,
  postponeUpload,
  takeRows,
} from './queries.js';

const EVERY_MS = 1_000;
const TOTALS_EVERY_MS = 5_000;
const TOTALS_INSERT_MS_MAX = 4_000;
// After it another process repeats the batch of a killed one; of two at work on a batch, one stores it.
const LEASE_SECONDS = 5;
const POSTPONED_SECONDS = 5;
const ATTEMPTS_MAX = 20;
// A few milliseconds of the event loop, and some 30 of Postgres.
const BATCH = { rowsMax: 100, bytesMax: 256 * 1024 };

type RunDeps = {
  readonly pg: Pool;
  /** Whether redirect processes know the members that a smartlink may have. */
  readonly takesNewMembers: () => boolean;
  readonly log: Logger;
};

/**
 * Starts the job that stores the rows of started imports, a batch of one account after a batch of another. Any number of
 * processes may run one. A batch, its progress and the removal of its rows are one transaction, so a process that is killed
 * loses and doubles none.
 */
export function startImports(deps: RunDeps): Job {
  return startJob({
    everyMs: EVERY_MS,
    jitter: 0.2,
    async run(signal) {
      for (;;) {
        const startedAt = performance.now();
        if (!(await runBatch(deps))) return;
        // As long as the batch took, Postgres is left to requests.
        await sleep(performance.now() - startedAt, undefined, { signal });
      }
    },
    failure: 'imports cannot be continued',
    log: deps.log,
  });
}

/** Starts the job that moves click totals of imported smartlinks to ClickHouse. */
export function startTotalsMoves({
  pg,
  clickhouse,
  log,
}: {
  pg: Pool;
  clickhouse: ClickHouseClient;
  log: Logger;
}): Job {
  return startJob({
    everyMs: TOTALS_EVERY_MS,
    jitter: 0.5,
    async run() {
      if ((await countWaitingTotals(pg)) === 0) return;
      const client = await pg.connect();
      let isBroken = true;
      try {
        await moveCarriedTotals(client, clickhouse, TOTALS_INSERT_MS_MAX);
        isBroken = false;
      } finally {
        client.release(isBroken);
      }
    },
    failure: 'click totals of imports cannot be moved',
    log,
  });
}

/** Stores the next batch of the import that is due first. False: none is due. */
async function runBatch(deps: RunDeps): Promise<boolean> {
  const { pg, log } = deps;
  const claimed = await claimUpload(pg, LEASE_SECONDS);
  if (claimed === null) return false;
  const { id } = claimed.progress;
  if (claimed.attempts > ATTEMPTS_MAX) {
    await failUpload(pg, id);
    log.error({ importId: id }, 'import failed');
    return true;
  }
  try {
    await storeNext(deps, claimed);
  } catch (err) {
    // Another process has stored the batch, or the account is gone.
    if (err instanceof ImportConflict) return true;
    await postponeUpload(pg, id, POSTPONED_SECONDS).catch(() => undefined);
    throw err;
  }
  return true;
}

async function storeNext(
  { pg, takesNewMembers }: RunDeps,
  { userId, assignSlugs, personId, progress }: ClaimedUpload,
): Promise<void> {
  const { id } = progress;
  const batch = await nextBatch(pg, id, BATCH);
  if (!takesNewMembers() && batch.candidates.some(({ smartlink }) => hasNewMembers(smartlink))) {
    await postponeUpload(pg, id, POSTPONED_SECONDS);
    return;
  }
  const upTo = progress.rowsDone + batch.candidates.length + batch.refusals.length;
  await withTransaction(pg, async (client) => {
    if (upTo > progress.rowsDone) {
      await forgetExpected(client, id, { after: progress.rowsDone, upTo });
      const actor = personId === null ? 'system' : `session ${personId}`;
      const target = { userId, assignSlugs, actor, placed: new Map() };
      await storeWithin(client, target, progress, createdBy(batch, personId));
      await takeRows(client, id, upTo);
    }
    await continueUpload(client, id);
  });
}

const createdBy = ({ candidates, refusals }: Batch, personId: string | null): Batch => ({
  candidates: candidates.map((candidate): Candidate => ({
    ...candidate,
    smartlink: { ...candidate.smartlink, createdBy: personId },
  })),
  refusals,
});
