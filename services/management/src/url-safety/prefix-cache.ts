/** What the service said of 4-byte prefixes of hashes, as long as it may be believed. */
export type PrefixCache = {
  /** The full hashes under a prefix that are unsafe, none for most; undefined when it must be asked. */
  readonly get: (prefix: string) => readonly string[] | undefined;
  readonly set: (prefix: string, unsafe: readonly string[], cacheMs: number) => void;
};

/** Returns an empty cache. When it is full the oldest answers go first. */
export function createPrefixCache(options: { entriesMax: number; now: () => number }): PrefixCache {
  const { entriesMax, now } = options;
  const answers = new Map<string, { readonly unsafe: readonly string[]; readonly expiresAt: number }>();
  return {
    get(prefix) {
      const answer = answers.get(prefix);
      if (answer === undefined || now() < answer.expiresAt) return answer?.unsafe;
      answers.delete(prefix);
      return undefined;
    },
    set(prefix, unsafe, cacheMs) {
      answers.delete(prefix);
      if (cacheMs <= 0) return;
      answers.set(prefix, { unsafe, expiresAt: now() + cacheMs });
      if (answers.size <= entriesMax) return;
      const [oldest] = answers.keys();
      if (oldest !== undefined) answers.delete(oldest);
    },
  };
}
