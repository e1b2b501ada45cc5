import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';
import { unsafeDetails } from '../url-safety/url-safety.js';
import type { UrlSafety } from '../url-safety/url-safety.js';
import { askOnce } from './ask-once.js';

/** Most times that a request tries to write what changes meanwhile. */
export const ATTEMPTS_MAX = 5;

/** What a change brings that takes its time. */
export type ToSettle = { readonly urls: readonly DocumentUrl[]; readonly password: string | undefined };

export type Settled = {
  /** undefined: it brings no password, or is refused. */
  readonly passwordHash: string | undefined;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** Why it cannot be done: its URLs are unsafe, or whoever was asked does not answer. */
  readonly refusal: ApiError | null;
};

/**
 * What of one request takes its time: a safety provider is asked, passwords are hashed. Nothing of that is done while a
 * transaction is open, which holds one of a few connections and locks: there it is only remembered.
 */
export type SlowWork = {
  /** Does what nobody has done yet of it, about no URL and no password twice. Not to be called within a transaction. */
  readonly settle: (wanted: readonly ToSettle[]) => Promise<void>;
  /** Returns what came of it; null when some of it was not done yet. Asks nobody. */
  readonly recall: (wanted: ToSettle) => Settled | null;
};

// As many as the hasher runs at once: more of one request would only fill the queue where others wait.
const HASHED_AT_ONCE = 2;

/** Returns the slow work of one request. */
export function createSlowWork(deps: {
  readonly urlSafety: UrlSafety;
  readonly hash: (password: string) => Promise<string>;
}): SlowWork {
  const safety = askOnce(deps.urlSafety);
  const hashes = new Map<string, string | ApiError>();

  function recall({ urls, password }: ToSettle): Settled | null {
    const verdict = safety.recall(urls);
    if (verdict === null) return null;
    if (verdict instanceof ApiError) return refused(verdict);
    const { unsafe, isChecked: urlsChecked } = verdict;
    if (unsafe.length > 0) return refused(new ApiError('UNSAFE_URL', { details: unsafeDetails(unsafe) }));
    if (password === undefined) return { passwordHash: undefined, urlsChecked, refusal: null };
    const passwordHash = hashes.get(password);
    if (passwordHash === undefined) return null;
    if (passwordHash instanceof ApiError) return refused(passwordHash);
    return { passwordHash, urlsChecked, refusal: null };
  }

  async function hash(password: string): Promise<void> {
    try {
      hashes.set(password, await deps.hash(password));
    } catch (err) {
      if (!(err instanceof ApiError)) throw err;
      hashes.set(password, err);
    }
  }

  return {
    recall,
    async settle(wanted) {
      await safety.ask(wanted.map(({ urls }) => urls));
      // What is refused for its URLs needs no hash.
      const missing = wanted.filter((each) => recall(each) === null);
      const passwords = new Set(missing.flatMap(({ password }) => password ?? []));
      const queue = passwords.values();
      const work = async (): Promise<void> => {
        for (const password of queue) await hash(password);
      };
      await Promise.all(Array.from({ length: HASHED_AT_ONCE }, work));
    },
  };
}

function refused(refusal: ApiError): Settled {
  return { passwordHash: undefined, urlsChecked: false, refusal };
}

/** Returns what stands for `wanted` until it is settled. It must never be stored. */
export function notSettledYet({ password }: ToSettle): Settled {
  return {
    passwordHash: password === undefined ? undefined : 'not hashed yet',
    urlsChecked: false,
    refusal: null,
  };
}

/** Returns the refusal of a request that somebody was quicker than each time. */
export function changedTooOften(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'The smartlink changed too often meanwhile',
    headers: { 'retry-after': '1' },
  });
}
