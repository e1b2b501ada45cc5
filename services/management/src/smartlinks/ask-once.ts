import type { DocumentUrl } from '@smartlink/smartlink/url-members';
import { ApiError } from '../errors.js';
import type { SafetyVerdict, UrlSafety } from '../url-safety/url-safety.js';

/** A safety provider that is asked about each URL once, and about those of many operations in one call. */
export type AskedOnce = {
  /** Asks about those of several operations' URLs that nobody has asked about yet. */
  readonly ask: (operations: readonly (readonly DocumentUrl[])[]) => Promise<void>;
  /** Returns what was said of an operation's URLs, or why it could not be; null while one of them was not asked about. */
  readonly recall: (urls: readonly DocumentUrl[]) => SafetyVerdict | ApiError | null;
};

type Said = { readonly isUnsafe: boolean; readonly isChecked: boolean } | ApiError;

// What stands for the URLs of an operation that has none: a provider has its say on those too.
const NONE = '';

/** Returns the provider for one request, which remembers what it was told. */
export function askOnce(safety: UrlSafety): AskedOnce {
  const said = new Map<string, Said>();

  async function note(keys: readonly string[], urls: readonly DocumentUrl[]): Promise<void> {
    try {
      const { unsafe, isChecked } = await safety.check(urls);
      const unsafeUrls = new Set(unsafe.map(({ url }) => url));
      for (const key of keys) said.set(key, { isUnsafe: unsafeUrls.has(key), isChecked });
    } catch (err) {
      // It cannot be asked, and the operator wants that to be a refusal.
      if (!(err instanceof ApiError)) throw err;
      for (const key of keys) said.set(key, err);
    }
  }

  async function ask(operations: readonly (readonly DocumentUrl[])[]): Promise<void> {
    const unknown = new Map<string, DocumentUrl>();
    for (const urls of operations) {
      for (const each of urls) if (!said.has(each.url)) unknown.set(each.url, each);
    }
    if (!said.has(NONE) && operations.some((urls) => urls.length === 0)) await note([NONE], []);
    if (unknown.size > 0) await note([...unknown.keys()], [...unknown.values()]);
  }

  return {
    ask,
    recall(urls) {
      const verdicts = urls.map((each) => ({ each, told: said.get(each.url) }));
      const all = urls.length === 0 ? [said.get(NONE)] : verdicts.map(({ told }) => told);
      if (all.includes(undefined)) return null;
      const unsafe = verdicts.flatMap(({ each, told }) => (isUnsafe(told) ? [each] : []));
      const failure = all.find((told) => told instanceof ApiError);
      if (unsafe.length === 0 && failure !== undefined) return failure;
      return { unsafe, isChecked: all.every(isChecked) };
    },
  };
}

const isUnsafe = (told: Said | undefined): boolean =>
  told !== undefined && !(told instanceof ApiError) && told.isUnsafe;
const isChecked = (told: Said | undefined): boolean =>
  told !== undefined && !(told instanceof ApiError) && told.isChecked;
