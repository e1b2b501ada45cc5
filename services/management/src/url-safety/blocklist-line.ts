import { isIP } from 'node:net';
import { canonicalise } from './safe-browsing-url.js';

// What stands on one line of a blocklist, and what a URL is compared by. A host is written in small letters, without a
// dot at its end; a URL as host, path and query in their canonical form: how it is spelt, its scheme, user, port and
// fragment lead nowhere else. No host holds a slash, so the two cannot meet.

/** Longest line that is read: beyond any URL that the API takes (2,048 characters), and any line of URLhaus. */
export const LINE_CHARACTERS_MAX = 8_192;

const PLAIN_HOST = /^(?:[a-z0-9_-]{1,63}\.){1,126}[a-z][a-z0-9-]{0,62}$/;

/**
 * Returns the hosts and URLs of a line: one host or URL, `0.0.0.0 host …` as in a hosts file, or a row of URLhaus' CSV
 * (https://urlhaus.abuse.ch/api/: id, dateadded, url, …, each in quotes). None for a blank line, a comment and the
 * names that a hosts file has for the machine itself; null for a line that is none of these.
 */
export function readBlocklistLine(line: string): readonly string[] | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const text = withoutComment(line).trim();
  if (text === '') return [];
  if (text.startsWith('"')) return readCsvRow(text);
  if (/^https?:\/\//i.test(text)) return oneOrNull(urlKey(text));
  const [first = '', ...names] = text.split(/\s+/);
  if (names.length === 0) return oneOrNull(hostKey(first));
  return isIP(first) === 0 ? null : readHostNames(names);
}

/**
 * Returns what a list may hold that covers `url`: itself, its host, and the domains above it of at most `labelsMax`
 * labels. None for what is no URL.
 */
export function keysCovering(url: string, labelsMax: number): readonly string[] {
  const parsed = parseUrl(url);
  if (parsed === null) return [];
  const { key, host } = keyOf(parsed);
  return [key, host, ...domainsAbove(host, labelsMax)];
}

/** Returns the number of labels of an entry that covers what is below it; 0 for a URL or an address. */
export function coveringLabels(entry: string): number {
  return entry.includes('/') || isAddress(entry) ? 0 : entry.split('.').length;
}

function readCsvRow(text: string): readonly string[] | null {
  const fields = /^"(?:[^"]|"")*","(?:[^"]|"")*","((?:[^"]|"")*)"/.exec(text);
  const url = fields?.[1]?.replaceAll('""', '"');
  return url === undefined ? null : oneOrNull(urlKey(url));
}

function readHostNames(names: readonly string[]): readonly string[] | null {
  const hosts: string[] = [];
  for (const name of names) {
    const host = hostKey(name);
    if (host !== null) hosts.push(host);
    // `localhost`, `broadcasthost` and `ip6-allnodes` stand in every hosts file.
    else if (!/^[\w-]+$/.test(name)) return null;
  }
  return hosts;
}

function hostKey(name: string): string | null {
  const host = withoutLastDot(name.toLowerCase());
  if (PLAIN_HOST.test(host)) return host;
  // Names of other scripts and addresses in every notation, as WHATWG reads them.
  const isAddress6 = isIP(host) === 6;
  if (!isAddress6 && /[:/\\?#@[\]]/.test(host)) return null;
  const parsed = parseUrl(`http://${isAddress6 ? `[${host}]` : host}/`);
  const read = parsed === null ? '' : canonicalise(parsed.href).host;
  // A list that blocks all of `com` is a mistake.
  return /[.:]/.test(read) ? read : null;
}

function urlKey(url: string): string | null {
  const parsed = parseUrl(url);
  return parsed === null || !/^https?:$/.test(parsed.protocol) ? null : keyOf(parsed).key;
}

function keyOf({ href }: URL): { readonly key: string; readonly host: string } {
  const { host, path, query } = canonicalise(href);
  return { key: `${host}${path}${query === null ? '' : `?${query}`}`, host };
}

function domainsAbove(host: string, labelsMax: number): string[] {
  const domains: string[] = [];
  if (isAddress(host)) return domains;
  // From the end: a host may have 121 labels, and the longest entry as a rule five.
  let dot = host.lastIndexOf('.');
  while (dot !== -1 && domains.length < labelsMax) {
    domains.push(host.slice(dot + 1));
    dot = host.lastIndexOf('.', dot - 1);
  }
  return domains;
}

/** Whether a canonical host is an address, which has no domain above it. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /(?:^|\.)\d+$/.test(host);
}

function withoutComment(line: string): string {
  if (line.startsWith('#')) return '';
  // A URL may hold a # of its own; a comment behind an entry has a space before it.
  const comment = line.search(/\s#/);
  return comment === -1 ? line : line.slice(0, comment);
}

function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function oneOrNull(entry: string | null): readonly string[] | null {
  return entry === null ? null : [entry];
}
