import { withClickhouse } from './clickhouse.js';
import { countWaitingTotals, moveCarriedTotals } from './import-carried-totals.js';
import { plural } from './plural.js';
import { sayWhenSlow } from './say-when-slow.js';
import { describe, withSession } from './session.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

const CLICKHOUSE_LIMIT_MS = 5_000;

/**
 * Moves the click totals that imports have left in Postgres into ClickHouse, and returns of how many smartlinks they wait
 * still. Those that another import leaves there meanwhile are its own to move. That ClickHouse is not there must hold up no
 * import: it is said on standard error. Rejects when Postgres fails.
 */
export async function moveWaitingTotals(terminal: Terminal, session: Session): Promise<number> {
  if ((await countWaitingTotals(session.db)) === 0) return 0;
  try {
    await sayWhenSlow(terminal, 'Bringing click totals to ClickHouse.', move(session));
    return 0;
  } catch (err) {
    terminal.stderr(`Click totals could not be moved: ${describe(err)}\n`);
    return countWaitingTotals(session.db);
  }
}

// Lists and analytics lack them until then. A move takes some 50 ms, as a batch does.
const BATCHES_BETWEEN_MOVES = 4;

/** Returns what is to be called after each batch: it moves totals after every few, until ClickHouse has not answered once. */
export function createTotalsMover(terminal: Terminal, session: Session): () => Promise<void> {
  let batches = 0;
  let isThere = true;
  return async () => {
    batches += 1;
    if (!isThere || batches % BATCHES_BETWEEN_MOVES !== 0) return;
    isThere = (await moveWaitingTotals(terminal, session)) === 0;
  };
}

/**
 * Does what `import --finish` says. What waits after it another import has left there meanwhile. Throws Problem when
 * ClickHouse is not there.
 */
export async function finishTotals(terminal: Terminal, options: { readonly json?: true }): Promise<void> {
  await withSession(terminal.env, async (session) => {
    const waiting = await countWaitingTotals(session.db);
    const moved =
      waiting === 0 ? 0 : await sayWhenSlow(terminal, 'Bringing click totals to ClickHouse.', move(session));
    const left = await countWaitingTotals(session.db);
    if (options.json === true) terminal.stdout(`${JSON.stringify({ moved, totalsWaiting: left })}\n`);
    else terminal.stdout(`Moved the click totals of ${plural(moved, 'smartlink')}.\n`);
  });
}

const move = (session: Session): Promise<number> =>
  withClickhouse(session, (clickhouse) => moveCarriedTotals(session.db, clickhouse), CLICKHOUSE_LIMIT_MS);
