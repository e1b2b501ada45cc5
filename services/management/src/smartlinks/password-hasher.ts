import { hashPassword, verifyPassword } from '@smartlink/smartlink/password-hash';
import { ApiError } from '../errors.js';

export type PasswordHasher = {
  /** Returns the PHC string of a secret. Rejects with SERVICE_UNAVAILABLE when too many already wait. */
  readonly hash: (secret: string) => Promise<string>;
  /** As `hash`, for one of many secrets of a request: these wait for each other, and leave others room. */
  readonly hashOfMany: (secret: string) => Promise<string>;
  /** Returns whether `secret` is the one behind `phc`. Rejects as `hash` does. */
  readonly verify: (phc: string, secret: string) => Promise<boolean>;
};

/** Those who run and wait of one kind. */
type Lane = { running: number; readonly waiting: (() => void)[] };

/**
 * Returns a hasher that runs at most `runningMax` hashes at once and lets `waitingMax` more of each kind wait: argon2
 * fills libuv's four threads, which file and DNS work needs too. Where both kinds wait they share what runs: a hundred
 * passwords of a bulk call are 1.5 s on two threads, which nobody else has to wait for.
 */
export function createPasswordHasher(options: { runningMax: number; waitingMax: number }): PasswordHasher {
  const single: Lane = { running: 0, waiting: [] };
  const many: Lane = { running: 0, waiting: [] };

  async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (single.running + many.running < options.runningMax) lane.running += 1;
    else await waitIn(lane);
    try {
      return await work();
    } finally {
      lane.running -= 1;
      handOver();
    }
  }

  // Whoever hands over has counted the next one as running before anybody else can come.
  function waitIn(lane: Lane): Promise<void> {
    if (lane.waiting.length < options.waitingMax) return new Promise((resolve) => lane.waiting.push(resolve));
    throw new ApiError('SERVICE_UNAVAILABLE', {
      headers: { 'retry-after': '1' },
      cause: new Error('too many passwords wait to be hashed'),
    });
  }

  function handOver(): void {
    const lanes = [single, many].filter(({ waiting }) => waiting.length > 0);
    const [next] = lanes.sort((one, other) => one.running - other.running);
    if (next === undefined) return;
    next.running += 1;
    next.waiting.shift()?.();
  }

  return {
    hash: (secret) => inTurn(single, () => hashPassword(secret)),
    hashOfMany: (secret) => inTurn(many, () => hashPassword(secret)),
    verify: (phc, secret) => inTurn(single, () => verifyPassword(phc, secret)),
  };
}
