/** What the blocklist is compared with: every host and URL a string in one Set, as one would write it first. */
export type SetOfStrings = {
  /** Returns how many of these URLs are on the list, by their host, a host above it, or themselves. */
  readonly countUnsafe: (urls: readonly string[]) => number;
};

const HOSTS_FILE = /^0\.0\.0\.0 /;

/** Returns the lines of a list (hosts, lines of a hosts file, URLs) as a Set. */
export function makeSet(lines: Iterable<string>): SetOfStrings {
  const known = new Set<string>();
  for (const line of lines) known.add(line.replace(HOSTS_FILE, ''));
  const isUnsafe = (text: string): boolean => {
    const url = new URL(text);
    if (known.has(url.href)) return true;
    for (let host = url.hostname; host.includes('.'); host = host.slice(host.indexOf('.') + 1)) {
      if (known.has(host)) return true;
    }
    return false;
  };
  return {
    countUnsafe: (urls) => urls.reduce((count, url) => count + (isUnsafe(url) ? 1 : 0), 0),
  };
}
