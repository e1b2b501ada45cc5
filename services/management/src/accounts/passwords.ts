import { createHmac } from 'node:crypto';
import type { RedisConnection } from '@smartlink/links/redis';
import { clientNetwork } from '@smartlink/process/client-address';
import { createLocalTries, createTries } from '@smartlink/process/tries';
import { countCodePoints } from '@smartlink/smartlink/model';
import { ApiError, fault } from '../errors.js';
import { COMMON_PASSWORDS } from './common-passwords.js';

const LENGTH_MIN = 10;
const LENGTH_MAX = 128;

/** One password whatever the keyboard's composition of letters. */
export const normalizePassword = (password: string): string => password.normalize('NFC');

/** Throws VALIDATION_FAILED at `path` for a password that is too short, too long or easily guessed. */
export function requireGoodPassword(password: string, email: string, path: string): void {
  const length = countCodePoints(password);
  if (length < LENGTH_MIN || length > LENGTH_MAX) {
    throw fault(path, `Must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
  }
  const text = password.toLowerCase();
  if (COMMON_PASSWORDS.has(text)) throw fault(path, 'Must not be a common password');
  if (text === email.toLowerCase()) throw fault(path, 'Must not be the e-mail address');
}

// As hashPassword makes it, of a random text: the e-mail of no person costs the same as that of one.
export const HASH_OF_NOTHING =
  '$argon2id$v=19$m=19456,t=2,p=1$9rNCo5+SfHsBa7O36r3eVQ$Ui6KCz8dwo0f/62mkw/msvsHABrWrO6a7j0WpIVxiS8';

// 5 MB and 1 MB at most.
const LOCAL_PAIRS_MAX = 10_000;
const LOCAL_NETWORKS_MAX = 1_000;

export type PasswordCheck = ReturnType<typeof createPasswordCheck>;

/**
 * Checks passwords of people. Only failed tries count: 5 a minute and 20 an hour of a client and an e-mail, 30 a minute of a
 * client's network. Neither e-mails nor addresses are stored, only their HMAC under `secret`.
 */
export function createPasswordCheck(deps: {
  redis: RedisConnection;
  keyPrefix: string;
  secret: string;
  hasher: { readonly verifyOfPerson: (phc: string, secret: string) => Promise<boolean> };
}) {
  const { redis, keyPrefix, secret, hasher } = deps;
  const tries = createTries(redis, Date.now);
  const pairs = createLocalTries({ perMinute: 5, perHour: 20 }, LOCAL_PAIRS_MAX);
  const networks = createLocalTries({ perMinute: 30, perHour: 30 * 60 }, LOCAL_NETWORKS_MAX);
  const hashOf = (...parts: readonly string[]) =>
    createHmac('sha256', secret)
      .update(`sign-in\n${parts.join('\n')}`)
      .digest('base64url')
      .slice(0, 22);

  /** Whether it is the password of the person; `phc` is null for no person, and for one without a password. */
  return async (
    password: string,
    phc: string | null,
    { email, address }: { readonly email: string; readonly address: string },
  ): Promise<boolean> => {
    const pair = hashOf(clientNetwork(address, 56), email.toLowerCase());
    const network = hashOf(clientNetwork(address, 48));
    const taken = await tries.take([
      { local: pairs, key: `${keyPrefix}sign-in:1:${pair}` },
      { local: networks, key: `${keyPrefix}sign-in-network:1:${network}` },
    ]);
    if (taken.refusedBy !== null) {
      const seconds = String(Math.ceil(taken.ms / 1_000));
      throw new ApiError('RATE_LIMITED', { message: 'Too many tries', headers: { 'retry-after': seconds } });
    }
    let isFailure = false;
    try {
      const isRight = await hasher.verifyOfPerson(phc ?? HASH_OF_NOTHING, normalizePassword(password));
      isFailure = !isRight || phc === null;
      return !isFailure;
    } finally {
      if (!isFailure) await taken.giveBack();
    }
  };
}
