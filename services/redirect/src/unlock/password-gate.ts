export type PasswordGate = {
  /** Returns whether the password is right, or `busy` at once when too many wait. Rejects when the check itself broke. */
  readonly check: (phc: string, password: string) => Promise<boolean | 'busy'>;
};

/**
 * Checks one password at a time, `waitingMax` more may wait: a hash holds 19 MiB and a core for 30 ms, and who waits longer
 * than a second or so is better told to come again.
 */
export function createPasswordGate(options: {
  verify: (phc: string, password: string) => Promise<boolean>;
  waitingMax: number;
}): PasswordGate {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async check(phc, password) {
      if (waiting > options.waitingMax) return 'busy';
      waiting += 1;
      const turn = last.then(() => options.verify(phc, password));
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
  };
}
