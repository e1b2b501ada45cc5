import { LRUCache } from 'lru-cache';
import { ApiError } from '../errors.js';

/** A minute and client. */
const UNKNOWN_KEYS_MAX = 60;
const WINDOW_MS = 60_000;
// While look-ups in progress might use up the limit.
const WAIT_FOR_OTHERS_MS = 1_000;
// Some 3 MB; beyond that the client that has guessed least recently starts again.
const CLIENTS_MAX = 10_000;

/** The guesses of a client in a window that begins with its first. */
type Guesses = { unknown: number; inProgress: number; readonly until: number };

type Guess =
  | { readonly kind: 'allowed'; readonly end: (result: 'valid' | 'unknown' | 'failed') => void }
  | { readonly kind: 'refused'; readonly waitMs: number };

/**
 * Limits look-ups of API keys, or of other tokens, that this process does not know, to 60 unknown ones a minute and client. Look-ups in progress
 * count until they end, so that concurrent requests do not exceed the limit. Addresses are kept in memory only. `now` is
 * in ms.
 */
export function createKeyGuesses(now: () => number) {
  const clients = new LRUCache<string, Guesses>({ max: CLIENTS_MAX });

  function guessesOf(client: string): Guesses {
    const known = clients.get(client);
    if (known && known.until > now()) return known;
    const guesses = { unknown: 0, inProgress: 0, until: now() + WINDOW_MS };
    clients.set(client, guesses);
    return guesses;
  }

  return {
    /** The caller looks the key up only if allowed, and then calls `end` once. */
    begin(client: string): Guess {
      const guesses = guessesOf(client);
      if (guesses.unknown >= UNKNOWN_KEYS_MAX) return { kind: 'refused', waitMs: guesses.until - now() };
      if (guesses.unknown + guesses.inProgress >= UNKNOWN_KEYS_MAX)
        return { kind: 'refused', waitMs: WAIT_FOR_OTHERS_MS };
      guesses.inProgress += 1;
      return {
        kind: 'allowed',
        end(result) {
          guesses.inProgress -= 1;
          if (result === 'unknown') guesses.unknown += 1;
        },
      };
    },
  };
}

export function tooManyGuesses(message: string, waitMs: number): ApiError {
  const seconds = String(Math.ceil(waitMs / 1_000));
  return new ApiError('RATE_LIMITED', {
    message,
    headers: {
      'retry-after': seconds,
      'ratelimit-limit': String(UNKNOWN_KEYS_MAX),
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    },
  });
}
