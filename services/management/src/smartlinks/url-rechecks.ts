import type { Pool } from 'pg';
import type { Logger } from '@smartlink/process/logger';
import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import type { SafetyVerdict, UrlSafety } from '../url-safety/url-safety.js';
import type { Outbox } from './outbox.js';
import { recheckBatch } from './recheck-batch.js';
import type { JudgedCounts } from './recheck-batch.js';

// Nobody waits for the answer, but the end of the process does.
const QUESTION_MS_MAX = 5_000;
// While the provider is down its queue is looked at less often: each look writes a batch of rows, to no avail.
const PAUSE_WHILE_DOWN_TURNS = 10;

export type RecheckObserver = {
  /** How many smartlinks came to what. */
  readonly onJudged: (counts: JudgedCounts) => void;
};

export type UrlRechecks = {
  /**
   * Judges what is due until nothing is, or the provider is down. Returns whether it is up. Rejects when Postgres fails.
   */
  readonly runOnce: () => Promise<boolean>;
  /** Begins to do so every `intervalMs`. What fails is logged once an outage. */
  readonly start: () => void;
  /** Ends after the question under way; what was taken and not judged is due again. */
  readonly stop: () => Promise<void>;
};

/**
 * Returns what shows stored URLs to the safety provider again, those of links that visitors can reach, and pauses links
 * with unsafe ones. Any number of processes may run one; each link is judged by one of them.
 */
export function createUrlRechecks(deps: {
  readonly pg: Pool;
  readonly outbox: Outbox;
  readonly urlSafety: UrlSafety;
  readonly intervalMs: number;
  readonly log: Logger;
  readonly observer: RecheckObserver;
}): UrlRechecks {
  const { log, intervalMs } = deps;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isLogged = false;

  async function ask(urls: readonly DocumentUrl[]): Promise<SafetyVerdict> {
    try {
      return await deps.urlSafety.check(urls, { limitMs: QUESTION_MS_MAX, failClosed: false });
    } catch (err) {
      onFailure(err);
      return { unsafe: [], isChecked: false, isProviderDown: true };
    }
  }

  function onFailure(err: unknown): void {
    if (!isLogged && !isStopped) log.warn({ err }, 'stored URLs could not be checked');
    isLogged = true;
  }

  async function runOnce(): Promise<boolean> {
    for (;;) {
      const { counts, isProviderDown } = await recheckBatch({ ...deps, ask, isStopped: () => isStopped });
      const { safe, unsafe, unchecked, left } = counts;
      if (safe + unsafe + unchecked + left === 0) return true;
      deps.observer.onJudged(counts);
      if (unsafe > 0) log.info({ links: unsafe }, 'smartlinks were paused for unsafe URLs');
      // What it cannot judge while it is not down is put off by itself: the others go on.
      if (isProviderDown) return false;
      if (safe + unsafe > 0) isLogged = false;
      if (isStopped) return true;
    }
  }

  function schedule(delayMs: number): void {
    timer = setTimeout(() => {
      turn = runOnce()
        .catch((err: unknown) => {
          onFailure(err);
          return true;
        })
        .then((isUp) => {
          if (!isStopped) schedule(isUp ? intervalMs : intervalMs * PAUSE_WHILE_DOWN_TURNS);
        });
    }, delayMs);
  }

  return {
    runOnce,
    start: () => {
      schedule(intervalMs);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
