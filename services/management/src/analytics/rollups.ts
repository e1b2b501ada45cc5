import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { Logger } from '@smartlink/process/logger';
import { rollUp } from '@smartlink/visit-analytics/roll-up';
import { withRollupLock } from '@smartlink/visit-analytics/rollup-lock';
import type { RollupStep } from '@smartlink/visit-analytics/rollup-progress';
import { STATEMENT_MS_MAX } from '@smartlink/visit-analytics/rollup-settings';

export type RollupObserver = {
  /** Another process may have done it: `skipped`. */
  readonly onTurn: (outcome: 'done' | 'skipped' | 'failed', durationMs: number) => void;
  readonly onStep: (step: RollupStep) => void;
};

export type Rollups = {
  /** Leaves the statement under way to the server; what it was for is done again at the next turn. */
  readonly stop: () => Promise<void>;
};

/** Rolls up now and then, unless another process is at it. What fails is logged once and tried at the next turn. */
export function startRollups(deps: {
  clickhouseUrl: string;
  databaseUrl: string;
  intervalMs: number;
  /** 0 is for ever. */
  keptMonths: number;
  log: Logger;
  observer: RollupObserver;
}): Rollups {
  const { log, observer, intervalMs } = deps;
  // Of its own, for its statements take longer than any request may wait.
  const clickhouse = createClient({
    url: deps.clickhouseUrl,
    application: 'smartlink-rollup',
    request_timeout: STATEMENT_MS_MAX,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  let isStopped = false;
  let isLogged = false;
  let turn: Promise<void> = Promise.resolve();
  let timer = setTimeout(takeTurn, intervalMs);

  function takeTurn(): void {
    turn = run().then(() => {
      if (!isStopped) timer = setTimeout(takeTurn, intervalMs);
    });
  }

  async function run(): Promise<void> {
    const startedAt = performance.now();
    try {
      const done = await withRollupLock(deps.databaseUrl, async (holdsLock) => {
        await rollUp(clickhouse, {
          keptMonths: deps.keptMonths,
          mayGoOn: async () => !isStopped && (await holdsLock()),
          report,
        });
        return true;
      });
      observer.onTurn(done === null ? 'skipped' : 'done', performance.now() - startedAt);
      isLogged = false;
    } catch (err) {
      observer.onTurn('failed', performance.now() - startedAt);
      if (!isLogged && !isStopped) log.warn({ err }, 'visits could not be rolled up');
      isLogged = true;
    }
  }

  function report(step: RollupStep): void {
    observer.onStep(step);
    log.info(step, 'visits were rolled up');
  }

  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await clickhouse.close();
      await turn;
    },
  };
}
