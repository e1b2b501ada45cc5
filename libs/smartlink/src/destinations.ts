import { BlockList, isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

/** Longest URL in characters, before and after normalisation. */
export const URL_LENGTH_MAX = 2048;

export type DestinationRules = {
  readonly publicBaseUrl: string;
  /** Whether a host, in lower case and without final dot, is a custom domain of the instance. */
  readonly isDomain?: (host: string) => boolean;
  /** Whether `href` is stored in the document already: then it was accepted under earlier rules, and stays. */
  readonly isStored?: (href: string) => boolean;
  /** Whether it is stored there as the target of a redirect, and not only on a page. */
  readonly isStoredTarget?: (href: string) => boolean;
};

/**
 * The normalised `href` of an address that a link may lead to, or null when it may not be used.
 * Refused: anything but http and https, userinfo, hosts without a dot, names and addresses of local networks, machines and
 * clusters in any notation, hosts that mix scripts, the service's own public base and domains.
 */
export function parseDestination(text: string, rules: DestinationRules): string | null {
  const url = parseWebAddress(text);
  if (url === null) return null;
  const { hostname, href } = url;
  const isOwn =
    isOwnHost(hostname, rules.publicBaseUrl) || rules.isDomain?.(withoutFinalDot(hostname)) === true;
  if (isOwn && rules.isStoredTarget?.(href) !== true) return null;
  return isPublicHost(hostname) || rules.isStored?.(href) === true ? href : null;
}

/**
 * As parseDestination, for a link or picture on a hosted page: it may also lead to the public base, even if that is a
 * local address. No visitor is redirected there, so no ring of redirects can form.
 */
export function parsePageLink(text: string, rules: DestinationRules): string | null {
  const url = parseWebAddress(text);
  if (url === null) return null;
  const { hostname, href, origin } = url;
  const isPermitted = isPublicHost(hostname) || origin === new URL(rules.publicBaseUrl).origin;
  return isPermitted || rules.isStored?.(href) === true ? href : null;
}

/** An http or https URL without userinfo, on any host. */
function parseWebAddress(text: string): URL | null {
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  // The parser would repair `http:host` and `https:/\host`, which is a guess.
  if (!/^https?:\/\/[^/\\]/i.test(text) || /^[^/?#]*\/\/[^/?#]*\\/.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) return null;
  return url.port === '0' || url.href.length > URL_LENGTH_MAX ? null : url;
}

/**
 * White space at the ends, control characters anywhere, and invisible characters in the host (soft hyphen, zero width,
 * bidi). In a path, invisible characters belong to emoji and are percent-encoded.
 */
export const HIDDEN = /^\s|\s$|\p{Cc}|[\u2028\u2029]|^[^/?#]*\/\/[^/?#]*(?:\p{Cf}|\p{Variation_Selector})/u;

// Names that resolve to the local machine or network (RFC 6761, RFC 8375, ICANN's list of names in internal use, the hosts
// files of many systems, cloud metadata) or to a service of a cluster.
const INSIDE_SUFFIXES = 'localhost localdomain local lan corp internal home.arpa svc metadata.goog'.split(
  ' ',
);

function isPublicHost(hostname: string): boolean {
  const host = withoutFinalDot(hostname);
  // An IPv6 literal has no dot: refused with the other hosts without one, whatever it points at.
  if (host.startsWith('[') || !host.includes('.') || host.length > 253) return false;
  // The parser accepts quotes, braces and ampersands, which no host name contains and other parsers reject.
  if (/[^a-z0-9._-]/.test(host)) return false;
  if (isIP(host) === 4) return isPublicIpv4(host);
  const labels = host.split('.');
  if (labels.some((label) => label === '' || label.length > 63 || label.startsWith('-'))) return false;
  if (INSIDE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) return false;
  return !domainToUnicode(host).split('.').some(mixesScripts);
}

const HOST_LENGTH_MAX = 253;

/**
 * The stored form of the host of a custom domain: lower case, A-labels, no final dot. Null for anything but a public host
 * name, and for the host of the instance.
 */
export function parseDomainHost(text: string, publicBaseUrl: string): string | null {
  // Whatever ends the host in a URL would be cut off.
  if (!text.isWellFormed() || /[\s/\\?#@:[\]%*]/.test(text) || text.length > HOST_LENGTH_MAX) return null;
  let host: string;
  try {
    host = withoutFinalDot(new URL(`http://${text}`).hostname);
  } catch {
    return null;
  }
  if (isIP(host) !== 0 || host.length > HOST_LENGTH_MAX || !isPublicHost(host)) return null;
  return isOwnHost(host, publicBaseUrl) ? null : host;
}

/** On any port: edges redirect between http and https. */
export function isOwnHost(hostname: string, publicBaseUrl: string): boolean {
  return withoutFinalDot(hostname) === withoutFinalDot(new URL(publicBaseUrl).hostname);
}

function withoutFinalDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Whether an IPv4 address is on the public Internet, of no single network, machine or purpose. */
export function isPublicIpv4(address: string): boolean {
  return !NON_PUBLIC.check(address, 'ipv4');
}

/** Whether a host label writes one word in look-alike scripts, as in `pаypal` with a Cyrillic а. */
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
// Azure's metadata address, a public one; other clouds use 169.254.169.254.
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
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  NON_PUBLIC.addSubnet(network, prefix, 'ipv4');
}

/** Schemes that a button may have beside http and https; each button allows some of them. */
export type ContactScheme = 'tel' | 'mailto' | 'sms' | 'geo' | 'whatsapp';

/**
 * The normalised `href` of a link that opens a phone, mail, map or messaging app, or null for another scheme
 * than `schemes` or unneeded parts.
 */
export function parseContactLink(text: string, schemes: readonly ContactScheme[]): string | null {
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const scheme = schemes.find((known) => url.protocol === `${known}:`);
  if (scheme === undefined || url.href.length > URL_LENGTH_MAX) return null;
  // An encoded NUL truncates the text in some apps.
  if (url.href.includes('%00') || !isDecodable(url.href)) return null;
  // No URI holds these (RFC 3986); the parser encodes them only in the query of such a link.
  if (/["<>\\^`{|}]/.test(url.pathname)) return null;
  return IS_GOOD[scheme](url) ? url.href : null;
}

const IS_GOOD: Readonly<Record<ContactScheme, (url: URL) => boolean>> = {
  // RFC 3966, with the spaces people write and the commas that wait. `*` and `#` would be codes that set up the
  // phone itself (call forwarding, say) and are refused.
  tel: ({ href, pathname }) =>
    /^tel:\+?(?:[0-9().,-]| |%20)+(?:;(?:ext|isub|phone-context)=[\w.+-]+)*$/.test(href) &&
    /^[^;]*[0-9]/.test(decodeURIComponent(pathname)),
  mailto: isMail,
  // RFC 5724, with the ways phones write the text of the message.
  sms: ({ href }) =>
    /^sms:(?:\+?[0-9(). -]+(?:,\+?[0-9(). -]+)*)?(?:;?\?&?body=\S*|[;&]body=\S*)?$/.test(href) &&
    href !== 'sms:',
  // RFC 5870, with the query of maps.
  geo: ({ href }) =>
    /^geo:-?[0-9]+(?:\.[0-9]+)?(?:,-?[0-9]+(?:\.[0-9]+)?){1,2}(?:;[a-z0-9-]+(?:=[\w.-]+)?)*(?:\?\S*)?$/i.test(
      href,
    ),
  whatsapp: ({ href }) => /^whatsapp:\/\/(?:send|chat|call)\/?(?:\?\S*)?$/.test(href),
};

// Headers a link may fill in. Others have made mail programs attach files or add hidden recipients.
const MAIL_HEADERS = new Set(['to', 'cc', 'bcc', 'subject', 'body']);

/** RFC 6068: addresses, then header fields; a line break outside of the body would begin another header. */
function isMail(url: URL): boolean {
  // After `mailto://` the parser sees a host and no receiver, and mail programs see one.
  if (url.href.startsWith('mailto:/') || url.hash !== '') return false;
  if (HOLDS_CONTROL.test(decodeURIComponent(url.pathname))) return false;
  const fields = url.search === '' ? [] : url.search.slice(1).split('&');
  const names = fields.map((field) => field.split('=', 1)[0]?.toLowerCase() ?? '');
  if (!names.every((name) => MAIL_HEADERS.has(name))) return false;
  const hasLineBreak = fields.some(
    (field, index) => names[index] !== 'body' && HOLDS_CONTROL.test(decodeURIComponent(field)),
  );
  // Without an address the sender chooses one, so then there must be something else.
  const isWorthwhile = url.pathname === '' ? fields.length > 0 : /[^@\s]@[^@\s]/.test(url.pathname);
  return !hasLineBreak && isWorthwhile;
}

const HOLDS_CONTROL = /\p{Cc}/u;

function isDecodable(href: string): boolean {
  try {
    decodeURIComponent(href);
    return true;
  } catch {
    return false;
  }
}
