// Canonical URLs and expressions by https://developers.google.com/safe-browsing/reference/URLs.and.Hashing (the examples of
// https://developers.google.com/safe-browsing/v4/urls-hashing are the tests). Every character here is a byte.

const HOSTS_BELOW_EXACT = 4;
const HOST_LABELS_MAX = 5;
const PATH_PREFIXES_MAX = 4;

const PERCENT = 0x25;
const HEX_DIGITS: ReadonlyMap<number, number> = new Map(
  Array.from('0123456789abcdefABCDEF', (digit) => [digit.charCodeAt(0), parseInt(digit, 16)]),
);

/** A URL in its canonical form, in parts. */
type CanonicalUrl = {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  /** null without a question mark. */
  readonly query: string | null;
};

/** The canonical form of a URL, preferably one serialized by the WHATWG parser. */
export function canonicalise(url: string): CanonicalUrl {
  const bare = (
    url
      .trim()
      .replace(/[\t\r\n]/g, '')
      .split('#', 1)[0] ?? ''
  ).trim();
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `http://${bare}`;
  const [scheme = '', ...behind] = whole.split('://');
  const rest = behind.join('://');
  // Split before unescaping: the user in `http://good%2F@bad.example/` is no host.
  const authority = /^[^/?]*/.exec(rest)?.[0] ?? '';
  const target = unescapeFully(rest.slice(authority.length));
  const question = target.indexOf('?');
  return {
    scheme: scheme.toLowerCase(),
    host: escapeBytes(canonicalHost(unescapeFully(authority))),
    path: escapeBytes(canonicalPath(question === -1 ? target : target.slice(0, question))),
    query: question === -1 ? null : escapeBytes(target.slice(question + 1)),
  };
}

/**
 * The expressions whose hashes may be listed, at most 30: the host and up to four domains above it, each with the path,
 * with and without the query, and up to four directories above it. The domains are those of the last five labels, as
 * documented for v4 and Web Risk. v5 counts from the registrable domain of the Public Suffix List, which differs by one
 * domain for hosts of seven or more labels under suffixes like co.uk.
 */
export function expressionsOf({ host, path, query }: CanonicalUrl): string[] {
  const hosts = hostSuffixes(host);
  const paths = pathPrefixes(path, query);
  return hosts.flatMap((suffix) => paths.map((prefix) => suffix + prefix));
}

function hostSuffixes(host: string): string[] {
  if (host.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(host)) return [host];
  const labels = host.split('.');
  const suffixes: string[] = [host];
  const longest = Math.min(HOST_LABELS_MAX, labels.length - 1);
  for (let count = longest; count >= 2 && suffixes.length <= HOSTS_BELOW_EXACT; count--) {
    suffixes.push(labels.slice(-count).join('.'));
  }
  return suffixes;
}

function pathPrefixes(path: string, query: string | null): string[] {
  const prefixes = new Set<string>();
  if (query !== null) prefixes.add(`${path}?${query}`);
  prefixes.add(path);
  let end = 0;
  for (let count = 0; count < PATH_PREFIXES_MAX && end !== -1; count++) {
    prefixes.add(path.slice(0, end + 1));
    end = path.indexOf('/', end + 1);
  }
  return [...prefixes];
}

function canonicalHost(authority: string): string {
  const withoutUser = authority.slice(authority.lastIndexOf('@') + 1);
  const host = withoutUser
    .replace(/:\d*$/, '')
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '')
    .join('.');
  const isAddress = host.startsWith('[') || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(host);
  return isAddress ? canonicalAddress(host) : host;
}

/** IPv4 in any notation, and IPv6 that embeds IPv4, become four decimal numbers. */
function canonicalAddress(host: string): string {
  let address: string;
  try {
    address = new URL(`http://${host}/`).hostname;
  } catch {
    return host;
  }
  const wrapped = /^\[(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})]$/.exec(address);
  if (wrapped === null) return address;
  const [high, low] = [parseInt(wrapped[1] ?? '0', 16), parseInt(wrapped[2] ?? '0', 16)];
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function canonicalPath(path: string): string {
  const segments: string[] = [];
  const given = path.split('/');
  for (const segment of given) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  const isDirectory = ['', '.', '..'].includes(given.at(-1) ?? '');
  return segments.length === 0 ? '/' : `/${segments.join('/')}${isDirectory ? '/' : ''}`;
}

/**
 * Unescapes until no escape is left, in one pass: each unescaped byte is combined with those before it. Repeated passes
 * would give the same result, but `%252525…` of 2,048 characters would need a thousand.
 */
function unescapeFully(text: string): string {
  if (!text.includes('%')) return text;
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    bytes.push(text.charCodeAt(i));
    for (;;) {
      const length = bytes.length;
      const high = HEX_DIGITS.get(bytes[length - 2] ?? 0);
      const low = HEX_DIGITS.get(bytes[length - 1] ?? 0);
      if (bytes[length - 3] !== PERCENT || high === undefined || low === undefined) break;
      bytes.length = length - 3;
      bytes.push(16 * high + low);
    }
  }
  return bytes.map((byte) => String.fromCharCode(byte)).join('');
}

function escapeBytes(text: string): string {
  // Everything but visible ASCII, and also # and %.
  return text.replace(
    /[^!"$&-~]/g,
    (byte) => `%${(byte.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
