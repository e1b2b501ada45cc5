import type { Logger } from '@smartlink/process/lifecycle';

/**
 * Replaces the workers one at a time, each by one that can serve before the old one goes. The first failure ends the
 * roll: that worker and those after it stay.
 */
export function createRollingRestart(options: {
  /** `replace` resolves with null, or the reason why the old worker stays. */
  readonly places: readonly { readonly replace: () => Promise<string | null> }[];
  /** Called before the first worker is replaced; its rejection ends the roll. */
  readonly prepare: () => Promise<void>;
  /** Called when every worker is replaced. */
  readonly finish: () => void;
  /** Whether workers may be replaced: after all have listened once, and until they are stopped. */
  readonly isAllowed: () => boolean;
  readonly log: Logger;
  readonly now: () => number;
}) {
  const { places, prepare, finish, isAllowed, log, now } = options;
  const counters = { completed: 0, failed: 0 };
  let isUnderWay = false;
  let isRequested = false;

  function begin(): void {
    isUnderWay = true;
    isRequested = false;
    void roll()
      .catch((err: unknown) => {
        log.error({ err }, 'rolling restart aborted');
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
    // The service is stopping, which is no failure.
    if (!isAllowed()) return;
    if (failure === null) finish();
    const durationMs = Math.round(now() - startedAt);
    counters[failure === null ? 'completed' : 'failed'] += 1;
    if (failure === null) log.info({ durationMs }, 'rolling restart is complete');
    else log.error({ ...failure, durationMs }, 'rolling restart failed, remaining workers keep running');
  }

  async function replaceAll(): Promise<{ worker: number; reason: string } | null> {
    for (const [worker, place] of places.entries()) {
      const startedAt = now();
      const reason = await place.replace();
      if (!isAllowed()) return null;
      if (reason !== null) return { worker, reason };
      log.info({ worker, durationMs: Math.round(now() - startedAt) }, 'worker replaced');
    }
    return null;
  }

  return {
    counters,
    /** Starts a roll, or after the current one a single further roll. */
    request: () => {
      if (!isAllowed()) return;
      if (!isUnderWay) {
        begin();
      } else if (!isRequested) {
        isRequested = true;
        log.info('rolling restart queued behind the current one');
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

// Not SIGHUP, which a closing terminal sends: then the service must end.
const ROLL_SIGNAL = 'SIGUSR2';

export type RollSignal = ReturnType<typeof takeRollSignal>;

/**
 * Handles the signal for a rolling restart, which would otherwise end the process. Until `handTo` it is only noted; in a
 * worker forever, since a signal to the process group is meant for the primary.
 */
export function takeRollSignal(signals: Pick<NodeJS.Process, 'on'> = process) {
  let isAsked = false;
  let handOn = (): void => {
    isAsked = true;
  };
  signals.on(ROLL_SIGNAL, () => {
    handOn();
  });
  return {
    /** Calls `request` for every signal, and at once if there was one before. */
    handTo(request: () => void) {
      handOn = request;
      if (isAsked) request();
    },
  };
}
