import type { Logger } from '@smartlink/process/logger';
import type { WorkerPlace } from './worker-place.js';

export type RollingRestart = {
  /** Begins a roll. During another it is noted and done after that one, once, however often it was asked for. */
  readonly request: () => void;
  readonly counters: Readonly<{ completed: number; failed: number }>;
};

/**
 * Replaces the workers one at a time, each by one that can serve before the old one goes. The first that cannot be
 * replaced ends the roll: the old worker stays, and so do those after it.
 */
export function createRollingRestart(options: {
  readonly places: readonly Pick<WorkerPlace, 'replace'>[];
  /** Called before the first worker is replaced; what it rejects with ends the roll. */
  readonly prepare: () => Promise<void>;
  /** Called when every worker is replaced. */
  readonly finish: () => void;
  /** Whether workers may be replaced: not before all have listened once, nor while they are stopped. */
  readonly isAllowed: () => boolean;
  readonly log: Logger;
  readonly now: () => number;
}): RollingRestart {
  const { places, prepare, finish, isAllowed, log, now } = options;
  const counters = { completed: 0, failed: 0 };
  let isUnderWay = false;
  let isRequested = false;

  function begin(): void {
    isUnderWay = true;
    isRequested = false;
    void roll()
      .catch((err: unknown) => {
        log.error({ err }, 'rolling restart broke off');
      })
      .then(() => {
        isUnderWay = false;
        if (isRequested && isAllowed()) begin();
      });
  }

  async function roll(): Promise<void> {
    const startedAt = now();
    log.info({ workers: places.length }, 'rolling restart begins');
    const failure = (await prepareOrSay(prepare)) ?? (await replaceAll());
    // It ends with the service, which is no failure.
    if (!isAllowed()) return;
    if (failure === null) finish();
    const durationMs = Math.round(now() - startedAt);
    counters[failure === null ? 'completed' : 'failed'] += 1;
    if (failure === null) log.info({ durationMs }, 'rolling restart is complete');
    else log.error({ ...failure, durationMs }, 'rolling restart failed, the workers not yet replaced go on');
  }

  async function replaceAll(): Promise<{ worker: number; reason: string } | null> {
    for (const [worker, place] of places.entries()) {
      const startedAt = now();
      const reason = await place.replace();
      if (!isAllowed()) return null;
      if (reason !== null) return { worker, reason };
      log.info({ worker, durationMs: Math.round(now() - startedAt) }, 'a worker is replaced');
    }
    return null;
  }

  return {
    counters,
    request() {
      if (!isAllowed()) return;
      if (!isUnderWay) {
        begin();
      } else if (!isRequested) {
        isRequested = true;
        log.info('rolling restart is asked for during another and follows it');
      }
    },
  };
}

async function prepareOrSay(prepare: () => Promise<void>): Promise<{ reason: string } | null> {
  try {
    await prepare();
    return null;
  } catch (err) {
    return { reason: err instanceof Error ? err.message : String(err) };
  }
}
