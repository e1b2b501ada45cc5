import fp from 'fastify-plugin';
import { hashPassword, verifyPassword } from '@smartlink/smartlink/credentials';
import { ApiError } from '../../errors.js';

export type PasswordHasher = {
  /** A PHC string. Rejects with SERVICE_UNAVAILABLE if too many are waiting. */
  readonly hash: (secret: string) => Promise<string>;
  /** As `hash`, for requests with many secrets: these wait for each other and leave room for single ones. */
  readonly hashOfMany: (secret: string) => Promise<string>;
  /** Rejects as `hash` does. */
  readonly verify: (phc: string, secret: string) => Promise<boolean>;
  /** As `hash`, for passwords of people: a flood of sign-ins keeps no link from its password. */
  readonly hashOfPerson: (secret: string) => Promise<string>;
  readonly verifyOfPerson: (phc: string, secret: string) => Promise<boolean>;
};

declare module 'fastify' {
  interface FastifyInstance {
    passwordHasher: PasswordHasher;
  }
}

// Two of libuv's four threads; at some 30 ms a hash the last of the waiting ones is served within a second.
const RUNNING_MAX = 2;
const WAITING_MAX = 50;

/** `app.passwordHasher`, of smartlinks and people. */
export const passwordHasher = fp(
  (app, _options, done) => {
    app.decorate(
      'passwordHasher',
      createPasswordHasher({ runningMax: RUNNING_MAX, waitingMax: WAITING_MAX }),
    );
    done();
  },
  { name: 'password-hasher' },
);

type Lane = { running: number; readonly waiting: (() => void)[] };

/**
 * Runs at most `runningMax` hashes at once and lets `waitingMax` more of each kind wait: argon2 would fill libuv's four
 * threads, which files and DNS need too. If both kinds wait, they share the threads: a hundred passwords of a bulk call
 * take 1.5 s on two threads, and single ones need not wait for them.
 */
export function createPasswordHasher(options: { runningMax: number; waitingMax: number }): PasswordHasher {
  const single: Lane = { running: 0, waiting: [] };
  const many: Lane = { running: 0, waiting: [] };
  const people: Lane = { running: 0, waiting: [] };

  async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (single.running + many.running + people.running < options.runningMax) lane.running += 1;
    else await waitIn(lane);
    try {
      return await work();
    } finally {
      lane.running -= 1;
      handOver();
    }
  }

  // handOver has already counted this one as running.
  function waitIn(lane: Lane): Promise<void> {
    if (lane.waiting.length < options.waitingMax) return new Promise((resolve) => lane.waiting.push(resolve));
    throw new ApiError('SERVICE_UNAVAILABLE', {
      headers: { 'retry-after': '1' },
      cause: new Error('too many passwords wait to be hashed'),
    });
  }

  function handOver(): void {
    const lanes = [single, people, many].filter(({ waiting }) => waiting.length > 0);
    const [next] = lanes.sort((one, other) => one.running - other.running);
    if (next === undefined) return;
    next.running += 1;
    next.waiting.shift()?.();
  }

  return {
    hash: (secret) => inTurn(single, () => hashPassword(secret)),
    hashOfMany: (secret) => inTurn(many, () => hashPassword(secret)),
    verify: (phc, secret) => inTurn(single, () => verifyPassword(phc, secret)),
    hashOfPerson: (secret) => inTurn(people, () => hashPassword(secret)),
    verifyOfPerson: (phc, secret) => inTurn(people, () => verifyPassword(phc, secret)),
  };
}
