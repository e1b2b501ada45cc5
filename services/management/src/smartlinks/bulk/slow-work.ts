import type { DocumentUrl } from '@smartlink/smartlink/model';
import { ApiError } from '../../errors.js';
import { unsafeDetails, type UrlSafety } from '../../url-safety/url-safety.js';

/** URLs to check and a password to hash for one operation. */
export type SlowInputs = { readonly urls: readonly DocumentUrl[]; readonly password: string | undefined };

type SlowResults = {
  /** undefined without a password, or if the operation is refused. */
  readonly passwordHash: string | undefined;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** Its URLs are unsafe, or the provider or the hasher is unavailable. */
  readonly refusal: ApiError | null;
};

/**
 * The slow side effects of one call: safety checks and password hashing. They are done before a transaction is opened,
 * which holds one of a few connections and locks; inside it only their results are read.
 */
export type SlowWork = {
  /** Does what is still missing, no URL and no password twice. Not to be called within a transaction. */
  readonly run: (operations: readonly SlowInputs[]) => Promise<void>;
  /** null if some of it has not been done. */
  readonly resultsOf: (operation: SlowInputs) => SlowResults | null;
};

type Verdict = { readonly isUnsafe: boolean; readonly isChecked: boolean };

// Key of the verdict on operations without URLs: the provider decides whether they count as checked.
const NO_URL = '';
// The concurrency of the hasher: more would only lengthen the queue for other requests.
const HASHED_AT_ONCE = 2;

export function createSlowWork(deps: {
  readonly urlSafety: UrlSafety;
  readonly hash: (password: string) => Promise<string>;
}): SlowWork {
  const verdicts = new Map<string, Verdict | ApiError>();
  const hashes = new Map<string, string | ApiError>();

  async function judge(keys: readonly string[], urls: readonly DocumentUrl[]): Promise<void> {
    const verdict = await valueOrRefusal(deps.urlSafety.check(urls));
    if (verdict instanceof ApiError) {
      for (const key of keys) verdicts.set(key, verdict);
      return;
    }
    const unsafe = new Set(verdict.unsafe.map(({ url }) => url));
    for (const key of keys) verdicts.set(key, { isUnsafe: unsafe.has(key), isChecked: verdict.isChecked });
  }

  /** One question for the unknown URLs of all operations. */
  async function judgeAll(operations: readonly SlowInputs[]): Promise<void> {
    const unknown = new Map<string, DocumentUrl>();
    for (const { urls } of operations) {
      for (const each of urls) if (!verdicts.has(each.url)) unknown.set(each.url, each);
    }
    if (!verdicts.has(NO_URL) && operations.some(({ urls }) => urls.length === 0)) await judge([NO_URL], []);
    if (unknown.size > 0) await judge([...unknown.keys()], [...unknown.values()]);
  }

  function resultsOf({ urls, password }: SlowInputs): SlowResults | null {
    const found = urls.map((each) => ({ each, verdict: verdicts.get(each.url) }));
    const all = urls.length === 0 ? [verdicts.get(NO_URL)] : found.map(({ verdict }) => verdict);
    const known = all.filter((verdict) => verdict !== undefined);
    if (known.length < all.length) return null;
    const unsafe = found.filter(({ verdict }) => isJudged(verdict) && verdict.isUnsafe);
    if (unsafe.length > 0) {
      return refused(new ApiError('UNSAFE_URL', { details: unsafeDetails(unsafe.map(({ each }) => each)) }));
    }
    const failure = known.find((verdict) => verdict instanceof ApiError);
    if (failure !== undefined) return refused(failure);
    const urlsChecked = known.every((verdict) => isJudged(verdict) && verdict.isChecked);
    const passwordHash = password === undefined ? undefined : hashes.get(password);
    if (password !== undefined && passwordHash === undefined) return null;
    if (passwordHash instanceof ApiError) return refused(passwordHash);
    return { passwordHash, urlsChecked, refusal: null };
  }

  return {
    resultsOf,
    async run(operations) {
      await judgeAll(operations);
      // An operation that is refused for its URLs needs no hash.
      const missing = operations.filter((each) => resultsOf(each) === null);
      const queue = new Set(missing.flatMap(({ password }) => password ?? [])).values();
      const hashQueued = async (): Promise<void> => {
        for (const password of queue) hashes.set(password, await valueOrRefusal(deps.hash(password)));
      };
      await Promise.all(Array.from({ length: HASHED_AT_ONCE }, hashQueued));
    },
  };
}

const isJudged = (verdict: Verdict | ApiError | undefined): verdict is Verdict =>
  verdict !== undefined && !(verdict instanceof ApiError);

async function valueOrRefusal<T>(work: Promise<T>): Promise<T | ApiError> {
  try {
    return await work;
  } catch (err) {
    if (err instanceof ApiError) return err;
    throw err;
  }
}

function refused(refusal: ApiError): SlowResults {
  return { passwordHash: undefined, urlsChecked: false, refusal };
}

/** Placeholder for results that are missing. It must never be stored. */
export function missingResults({ password }: SlowInputs): SlowResults {
  return {
    passwordHash: password === undefined ? undefined : 'not hashed yet',
    urlsChecked: false,
    refusal: null,
  };
}
