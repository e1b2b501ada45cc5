import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../../errors.js';
import { requireSafeUrls } from '../../url-safety/url-safety.js';
import type { UrlSafety } from '../../url-safety/url-safety.js';
import type { PasswordHasher } from '../password-hasher.js';

/** What an operation brings that takes its time. */
export type ToSettle = { readonly urls: readonly DocumentUrl[]; readonly password: string | undefined };

export type Settled = {
  /** undefined: it brings no password, or is refused. */
  readonly passwordHash: string | undefined;
  /** A safety provider has judged its URLs. */
  readonly urlsChecked: boolean;
  /** Why it cannot be done: its URLs are unsafe, or whoever was asked does not answer. */
  readonly refusal: ApiError | null;
};

/** Has an operation's URLs judged and its password hashed; `index` is its place in the call. */
export type Settle = (index: number, wanted: ToSettle) => Promise<Settled>;

/** Returns what settles the operations of one call; no password is hashed twice. */
export function createSettler(deps: {
  readonly urlSafety: UrlSafety;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
}): Settle {
  const hashes = new Map<number, Promise<string>>();
  return async (index, { urls, password }) => {
    try {
      const urlsChecked = await requireSafeUrls(deps.urlSafety, urls);
      if (password === undefined) return { passwordHash: undefined, urlsChecked, refusal: null };
      const hashed = hashes.get(index) ?? deps.hasher.hash(password);
      hashes.set(index, hashed);
      return { passwordHash: await hashed, urlsChecked, refusal: null };
    } catch (err) {
      if (!(err instanceof ApiError)) throw err;
      return { passwordHash: undefined, urlsChecked: false, refusal: err };
    }
  };
}
