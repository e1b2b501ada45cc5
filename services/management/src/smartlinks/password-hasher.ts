import { hashPassword, verifyPassword } from '@smartlink/smartlink/password-hash';
import { ApiError } from '../errors.js';

export type PasswordHasher = {
  /** Returns the PHC string of a secret. Rejects with SERVICE_UNAVAILABLE when too many already wait. */
  readonly hash: (secret: string) => Promise<string>;
  /** Returns whether `secret` is the one behind `phc`. Rejects as `hash` does. */
  readonly verify: (phc: string, secret: string) => Promise<boolean>;
};

/**
 * Returns a hasher that runs at most `runningMax` hashes at once and lets `waitingMax` more wait: argon2 fills
 * libuv's four threads, which file and DNS work needs too.
 */
export function createPasswordHasher(options: { runningMax: number; waitingMax: number }): PasswordHasher {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= options.runningMax) {
      if (waiting.length >= options.waitingMax) {
        throw new ApiError('SERVICE_UNAVAILABLE', {
          headers: { 'retry-after': '1' },
          cause: new Error('too many passwords wait to be hashed'),
        });
      }
      // Whoever leaves hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: (secret) => inTurn(() => hashPassword(secret)),
    verify: (phc, secret) => inTurn(() => verifyPassword(phc, secret)),
  };
}
