import type { ClickHouseClient } from '@clickhouse/client';
import type { Client } from 'pg';
import { moveCarriedTotals } from '@smartlink/import/store';
import { findTotals, readRollupState } from '@smartlink/visits/analytics';
import {
  countRememberedVisits,
  forgetVisits,
  FORGOTTEN_HOURS,
  type RememberedVisits,
} from '@smartlink/visits/rollup';
import { addAuditEntry } from '../accounts/audit.js';
import {
  confirm,
  print,
  Problem,
  sayWhenSlow,
  SLOW_DELETE,
  type Terminal,
  withProgress,
} from '../cli/terminal.js';
import { plural } from '../cli/text.js';
import { SLOW_ANSWER_LIMIT_MS, withClickhouse, withoutRollups } from '../engines/clickhouse.js';
import { withSession } from '../engines/session.js';
import { describeDays, findScope, type NamedScope, type ScopeOptions } from '../visits/scope.js';

export type PurgeOptions = ScopeOptions & {
  allBefore?: string;
  dryRun?: true;
  yes?: true;
  json?: true;
};

/** Deletes visits: the events of whole days, their rolled-up cells, and their part of the known totals. */
export async function purgeEvents(terminal: Terminal, options: PurgeOptions): Promise<void> {
  const scopeOptions = readOptions(options);
  await withSession(terminal.env, (session) =>
    withClickhouse(session, async (clickhouse) => {
      const { db } = session;
      const scope = await findScope(db, scopeOptions);
      // Totals that an import has left behind would come after the purge.
      await moveCarriedTotals(db, clickhouse);
      const counted = await sayWhenSlow(
        terminal,
        'Waiting for ClickHouse, which counts the visits.',
        countRememberedVisits(clickhouse, scope, SLOW_ANSWER_LIMIT_MS),
      );
      const whose = `${scope.name}, ${describeDays(scope)}`;
      const counts = `${plural(counted.events, 'event')} and ${plural(counted.cells, 'rolled-up day')}`;
      const what = `${counts} of ${whose}`;
      const isNothing = counted.events === 0 && counted.cells === 0;
      const deletes = options.dryRun !== true && !isNothing;
      if (deletes) {
        if (options.yes !== true) await confirm(terminal, 'Deleting visits', `Delete ${what} for good?`);
        await withoutRollups(terminal, session, () => purge(terminal, db, clickhouse, scope, counted));
      }
      const later = `Visits of before that are still on their way are deleted as they arrive, for ${FORGOTTEN_HOURS} hours.`;
      const would = isNothing ? `There is nothing to delete of ${whose}.` : `Would delete ${what}.`;
      print(
        terminal,
        options.json,
        { events: counted.events, rolledUpDays: counted.cells, deleted: deletes },
        deletes ? `Deleted ${what}.\n${later}\n` : `${would}\n`,
      );
    }),
  );
}

function readOptions(options: PurgeOptions): ScopeOptions {
  const { smartlink, account, from, to, allBefore } = options;
  if (allBefore === undefined) {
    if (smartlink === undefined && account === undefined) {
      throw new Problem('Whose visits? Give --smartlink, --account or --all-before.');
    }
    return options;
  }
  if (smartlink !== undefined || account !== undefined || from !== undefined || to !== undefined) {
    throw new Problem('--all-before means all users and every earlier day: give nothing else beside it.');
  }
  return { before: allBefore };
}

async function purge(
  terminal: Terminal,
  db: Client,
  clickhouse: ClickHouseClient,
  scope: NamedScope,
  counted: RememberedVisits,
): Promise<void> {
  // First: a purge that fails half-way was requested too.
  await addAuditEntry(
    db,
    'events.purge',
    scope.ownerId,
    { days: describeDays(scope), events: counted.events, rolledUpDays: counted.cells },
    scope.smartlinkId,
  );
  await withProgress(terminal, { doing: 'Deleting', total: counted.events }, (add) => {
    const report = ({ events }: { readonly events: number }) => {
      add(events);
    };
    return sayWhenSlow(terminal, SLOW_DELETE, forgetVisits(clickhouse, scope, { report }));
  });
  const state = await readRollupState(clickhouse, SLOW_ANSWER_LIMIT_MS);
  for (const owner of counted.ownerIds) {
    const totals = await findTotals(clickhouse, state, { ownerId: owner, ids: null }, SLOW_ANSWER_LIMIT_MS);
    const rows = [...totals].map(([id, figures]) => ({ id, ...figures }));
    await db.query(SET_KNOWN_TOTALS, [owner, JSON.stringify(rows)]);
  }
}

// A smartlink that is not among the totals has no visits any more.
const SET_KNOWN_TOTALS = `
update smartlink_totals
set clicks = coalesce(totals.clicks, 0), scans = coalesce(totals.scans, 0),
    fallbacks = coalesce(totals.fallbacks, 0), updated_at = now(),
    last_visit_at = case when totals.id is not null then smartlink_totals.last_visit_at end
from smartlinks
left join jsonb_to_recordset($2) as totals (id uuid, clicks bigint, scans bigint, fallbacks bigint)
  on totals.id = smartlinks.id
where smartlinks.user_id = $1 and smartlink_totals.smartlink_id = smartlinks.id`;
