import type { ClickHouseClient } from '@clickhouse/client';
import { rollUp } from '@smartlink/visit-analytics/roll-up';
import { spread } from '@smartlink/bench/figures';
import type { Spread } from '@smartlink/bench/figures';
import { withProgress } from '@smartlink/bench/progress';
import { timed } from '@smartlink/bench/timed';
import { readEngineCounters } from '../engine-counters.js';

export type RollupFigures = {
  readonly events: number;
  /** Of the first rollup, that of every day. */
  readonly elapsedMs: number;
  /** Of one with nothing to do. */
  readonly idleMs: Spread;
  readonly idleRowsRead: number;
};

const IDLE_ROLL_UPS = 10;
const FIRST_LIMIT_MS = 15 * 60_000;

/**
 * Rolls up all days of `events` as the service does by itself, and then ten times more, when there is nothing left to
 * do. No service may be running. Rejects when the first one takes over 15 minutes.
 */
export async function measureRollup(
  clickhouse: ClickHouseClient,
  events: number,
  signal: AbortSignal,
): Promise<RollupFigures> {
  return withProgress('first rollup', events, async ({ reach }) => {
    let done = 0;
    const endsAt = performance.now() + FIRST_LIMIT_MS;
    const isStopped = () => signal.aborted || performance.now() > endsAt;
    const run = async () => {
      await rollUp(clickhouse, {
        keptMonths: 0,
        mayGoOn: () => Promise.resolve(!isStopped()),
        report: (step) => {
          if (step.kind !== 'days') return;
          done += step.events;
          reach(done);
        },
      });
      signal.throwIfAborted();
      if (isStopped()) throw new Error(`After 15 minutes ${done} of ${events} events were rolled up`);
    };
    const elapsedMs = await timed(run);
    // The day that is under way is not among them.
    const rolledUp = done;
    const before = await readEngineCounters(clickhouse);
    const idle: number[] = [];
    for (let i = 0; i < IDLE_ROLL_UPS; i += 1) idle.push(await timed(run));
    const after = await readEngineCounters(clickhouse);
    if (done !== rolledUp) throw new Error('A rollup with nothing to do has rolled up days');
    reach(events);
    return {
      events: rolledUp,
      elapsedMs,
      idleMs: spread(idle),
      idleRowsRead: (after.rowsRead - before.rowsRead) / IDLE_ROLL_UPS,
    };
  });
}
