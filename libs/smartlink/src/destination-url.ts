import { BlockList, isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/** Longest URL in characters, before and after normalisation (decisions.md, Sizes). */
export const URL_LENGTH_MAX = 2048;

export type DestinationRules = { readonly publicBaseUrl: string };

/**
 * Returns the normalised `href` of an address that a link may lead to, or null when it may not be used.
 * Refused: anything but http and https, userinfo, hosts without a dot, loopback, private, link-local and metadata
 * addresses in any notation, hosts that mix scripts, the service's own public base (decisions.md, URLs).
 */
export function parseDestination(text: string, rules: DestinationRules): string | null {
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  // The parser would repair `http:host` and `https:/\host`; what people did not write we do not guess.
  if (!/^https?:\/\/[^/\\]/i.test(text) || /^[^/?#]*\/\/[^/?#]*\\/.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) return null;
  if (url.port === '0' || url.href.length > URL_LENGTH_MAX) return null;
  return isPublicHost(url.hostname, rules) ? url.href : null;
}

/**
 * White space at the ends, controls anywhere; and in the host characters that nobody can see (soft hyphen, zero
 * width, bidi). In a path those belong to emoji and are percent-encoded.
 */
export const HIDDEN = /^\s|\s$|\p{Cc}|[\u2028\u2029]|^[^/?#]*\/\/[^/?#]*(?:\p{Cf}|\p{Variation_Selector})/u;

// Names that lead inside the machine or the network of whoever resolves them (RFC 6761, RFC 8375, the hosts files of
// many systems, cloud metadata).
const INSIDE_SUFFIXES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa', 'metadata.goog'];

function isPublicHost(hostname: string, rules: DestinationRules): boolean {
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  // An IPv6 literal has no dot: refused with the other hosts without one, whatever it points at.
  if (host.startsWith('[') || !host.includes('.') || host.length > 253) return false;
  // The parser lets quotes, braces and ampersands stand, which no name has and which other readers stumble over.
  if (/[^a-z0-9._-]/.test(host)) return false;
  if (isIP(host) === 4) return isPublicIpv4(host);
  const labels = host.split('.');
  if (labels.some((label) => label === '' || label.length > 63)) return false;
  if (INSIDE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) return false;
  if (domainToUnicode(host).split('.').some(mixesScripts)) return false;
  const ownHost = new URL(rules.publicBaseUrl).hostname;
  return host !== (ownHost.endsWith('.') ? ownHost.slice(0, -1) : ownHost);
}

/** Returns whether an IPv4 address is on the public Internet, of no single network, machine or purpose. */
export function isPublicIpv4(address: string): boolean {
  return !NON_PUBLIC.check(address, 'ipv4');
}

/** Returns whether a host label writes one word in look-alike scripts, as in `pаypal` with a Cyrillic а. */
function mixesScripts(label: string): boolean {
  return LOOK_ALIKE_SCRIPTS.filter((script) => script.test(label)).length > 1;
}

// Scripts that share letter shapes with Latin or with each other (UTS 39, 5.2).
const LOOK_ALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

// Addresses that are not on the public Internet (IANA special-purpose registry, IPv4).
const NON_PUBLIC = new BlockList();
// Azure's own, on every machine there: a public number for what others have at 169.254.169.254.
NON_PUBLIC.addAddress('168.63.129.16', 'ipv4');
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  NON_PUBLIC.addSubnet(network, prefix, 'ipv4');
}
