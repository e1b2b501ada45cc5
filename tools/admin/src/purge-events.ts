import type { ClickHouseClient } from '@clickhouse/client';
import { countRememberedVisits, forgetVisits } from '@smartlink/visit-analytics/forget-visits';
import type { RememberedVisits } from '@smartlink/visit-analytics/forget-visits';
import { FORGOTTEN_HOURS } from '@smartlink/visit-analytics/forgotten-visits';
import { readRollupState } from '@smartlink/visit-analytics/rollup-state';
import { findTotals } from '@smartlink/visit-analytics/totals';
import { addAuditEntry } from './audit-queries.js';
import { answerWithin, withClickhouse } from './clickhouse.js';
import { confirm } from './confirm.js';
import { moveCarriedTotals } from './import-carried-totals.js';
import { plural } from './plural.js';
import { Problem } from './problem.js';
import { showProgress } from './progress.js';
import { SLOW_DELETE, sayWhenSlow } from './say-when-slow.js';
import { withSession } from './session.js';
import type { Session } from './session.js';
import { setKnownTotals } from './smartlink-queries.js';
import type { Terminal } from './terminal.js';
import { describeDays, findScope } from './visit-scope.js';
import type { NamedScope, ScopeOptions } from './visit-scope.js';
import { withoutRollups } from './without-rollups.js';

const TOTALS_LIMIT_MS = 60_000;
// Everybody's events of years are read.
const COUNT_LIMIT_MS = 60_000;

export type PurgeOptions = ScopeOptions & {
  allBefore?: string;
  dryRun?: true;
  yes?: true;
  json?: true;
};

/**
 * Deletes visits: the events of whole days, what was rolled up of them, and what the known totals hold of them. Throws
 * Problem when nobody is named, when nobody confirms it, and when a database is not there.
 */
export async function purgeEvents(terminal: Terminal, options: PurgeOptions): Promise<void> {
  const scopeOptions = readOptions(options);
  await withSession(terminal.env, (session) =>
    withClickhouse(session, async (clickhouse) => {
      const scope = await findScope(session.db, scopeOptions);
      // What an import has left behind would come after the purge.
      await moveCarriedTotals(session.db, clickhouse);
      const counted = await sayWhenSlow(
        terminal,
        'Waiting for ClickHouse, which counts the visits.',
        answerWithin(COUNT_LIMIT_MS, countRememberedVisits(clickhouse, scope, COUNT_LIMIT_MS)),
      );
      const what = `${plural(counted.events, 'event')} and ${plural(counted.cells, 'rolled-up day')} of ${scope.name}, ${describeDays(scope)}`;
      const isNothing = counted.events === 0 && counted.cells === 0;
      if (options.dryRun === true || isNothing) {
        const line = isNothing
          ? `There is nothing to delete of ${scope.name}, ${describeDays(scope)}.`
          : `Would delete ${what}.`;
        tell(terminal, options, { ...counted, isDeleted: false }, line);
        return;
      }
      if (options.yes !== true) {
        await confirm(terminal, { what: 'Deleting visits', question: `Delete ${what} for good?` });
      }
      await withoutRollups(terminal, session, () => purge(terminal, session, clickhouse, scope, counted));
      tell(terminal, options, { ...counted, isDeleted: true }, `Deleted ${what}.`);
      if (options.json !== true) {
        terminal.stdout(
          `Visits of before that are still on their way are deleted as they arrive, for ${FORGOTTEN_HOURS} hours.\n`,
        );
      }
    }),
  );
}

function readOptions(options: PurgeOptions): ScopeOptions {
  const { smartlink, user, from, to, allBefore } = options;
  if (allBefore === undefined) {
    if (smartlink === undefined && user === undefined) {
      throw new Problem('Whose visits? Give --smartlink, --user or --all-before.');
    }
    return options;
  }
  if (smartlink !== undefined || user !== undefined || from !== undefined || to !== undefined) {
    throw new Problem('--all-before means everybody and every earlier day: give nothing else beside it.');
  }
  return { before: allBefore };
}

async function purge(
  terminal: Terminal,
  { db }: Session,
  clickhouse: ClickHouseClient,
  scope: NamedScope,
  counted: RememberedVisits,
): Promise<void> {
  const { ownerId, smartlinkId } = scope;
  // First: what is half done was asked for as well.
  await addAuditEntry(
    db,
    'events.purge',
    ownerId,
    { days: describeDays(scope), events: counted.events, rolledUpDays: counted.cells },
    smartlinkId,
  );
  const progress = showProgress(terminal, 'Deleting', counted.events);
  const report = ({ events }: { readonly events: number }) => {
    progress.add(events);
  };
  try {
    await sayWhenSlow(terminal, SLOW_DELETE, forgetVisits(clickhouse, scope, { report }));
  } finally {
    progress.stop();
  }
  const state = await readRollupState(clickhouse, TOTALS_LIMIT_MS);
  for (const owner of counted.ownerIds) {
    const totals = await findTotals(clickhouse, state, { ownerId: owner, ids: null }, TOTALS_LIMIT_MS);
    await setKnownTotals(db, owner, totals);
  }
}

function tell(
  terminal: Terminal,
  options: PurgeOptions,
  { events, cells, isDeleted }: RememberedVisits & { readonly isDeleted: boolean },
  line: string,
): void {
  terminal.stdout(
    options.json === true
      ? `${JSON.stringify({ events, rolledUpDays: cells, deleted: isDeleted })}\n`
      : `${line}\n`,
  );
}
