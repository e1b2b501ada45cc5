import { countWaitingTotals, moveCarriedTotals } from '@smartlink/import/store';
import { failureMessage } from '@smartlink/process/database';
import { print, sayWhenSlow, type Terminal } from '../cli/terminal.js';
import { plural } from '../cli/text.js';
import { withClickhouse } from '../engines/clickhouse.js';
import { type Session, withSession } from '../engines/session.js';

const CONNECT_LIMIT_MS = 5_000;

const move = (terminal: Terminal, session: Session): Promise<number> =>
  sayWhenSlow(
    terminal,
    'Bringing click totals to ClickHouse.',
    withClickhouse(session, (clickhouse) => moveCarriedTotals(session.db, clickhouse), CONNECT_LIMIT_MS),
  );

/**
 * Moves waiting totals and returns the number of smartlinks whose totals still wait: an unreachable ClickHouse delays no
 * import, and prints a line. Rejects when Postgres fails.
 */
export async function moveWaitingTotals(terminal: Terminal, session: Session): Promise<number> {
  if ((await countWaitingTotals(session.db)) === 0) return 0;
  try {
    await move(terminal, session);
    return 0;
  } catch (err) {
    terminal.stderr(`Click totals could not be moved: ${failureMessage(err)}\n`);
    return countWaitingTotals(session.db);
  }
}

// Lists and analytics lack the totals until then. A move takes some 50 ms, as a batch does.
const BATCHES_BETWEEN_MOVES = 4;

/** To be called after each batch: moves totals after every few, until ClickHouse has failed once. */
export function createTotalsMover(terminal: Terminal, session: Session): () => Promise<void> {
  let batches = 0;
  let isReachable = true;
  return async () => {
    batches += 1;
    if (!isReachable || batches % BATCHES_BETWEEN_MOVES !== 0) return;
    isReachable = (await moveWaitingTotals(terminal, session)) === 0;
  };
}

/** `import --finish`. Throws Problem when ClickHouse cannot be reached. */
export async function finishTotals(terminal: Terminal, json: true | undefined): Promise<void> {
  await withSession(terminal.env, async (session) => {
    const moved = (await countWaitingTotals(session.db)) === 0 ? 0 : await move(terminal, session);
    // Another import may have added some.
    const totalsWaiting = await countWaitingTotals(session.db);
    print(
      terminal,
      json,
      { moved, totalsWaiting },
      `Moved the click totals of ${plural(moved, 'smartlink')}.\n`,
    );
  });
}
