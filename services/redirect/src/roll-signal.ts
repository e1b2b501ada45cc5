// Not SIGHUP, which a terminal sends that goes away: then the service shall end, and not begin anew.
const ROLL_SIGNAL = 'SIGUSR2';

export type RollSignal = {
  /** Calls `request` for every signal from now on, and at once if there was one before. */
  readonly handTo: (request: () => void) => void;
};

/**
 * Takes the signal that asks for a rolling restart; without a handler it would end the process. Until it is handed on it
 * is noted only, and in a worker that is for ever: a signal to the whole group of processes is for the primary.
 */
export function takeRollSignal(signals: Pick<NodeJS.Process, 'on'> = process): RollSignal {
  let isAsked = false;
  let handOn = (): void => {
    isAsked = true;
  };
  signals.on(ROLL_SIGNAL, () => {
    handOn();
  });
  return {
    handTo(request) {
      handOn = request;
      if (isAsked) request();
    },
  };
}
