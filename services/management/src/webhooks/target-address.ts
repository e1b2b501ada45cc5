import { BlockList, isIP } from 'node:net';
import { parseNetworks } from '@smartlink/process/client-address';
import { HIDDEN, URL_LENGTH_MAX, isPublicIpv4, parseDestination } from '@smartlink/smartlink/document';

// Where messages may be sent: the rules of a webhook's URL, and of the addresses that its host resolves to.

/** Whether connections may be made to an address: public ones, and those of the operator's allowed networks. */
export type PermitsAddress = (address: string) => boolean;

export type TargetRules = {
  readonly publicBaseUrl: string;
  /** Whether the operator allows any network that is not public. */
  readonly hasAllowedNetworks: boolean;
  readonly permitsAddress: PermitsAddress;
};

/** `allowedNetworks` is WEBHOOK_ALLOWED_NETWORKS. */
export function createTargetRules(options: {
  publicBaseUrl: string;
  allowedNetworks: readonly string[];
}): TargetRules {
  const networks = parseNetworks(options.allowedNetworks);
  if (networks === null) throw new Error('WEBHOOK_ALLOWED_NETWORKS was not checked');
  return {
    publicBaseUrl: options.publicBaseUrl,
    hasAllowedNetworks: options.allowedNetworks.length > 0,
    permitsAddress: createAddressRule(networks),
  };
}

/**
 * The normalised `href` of a URL that messages may be sent to, or null. Every valid destination of a smartlink is one.
 * Where networks are allowed, so are their addresses, and all names: the address behind a name is checked on connecting.
 * The host of the public base is always refused; other names of its machine cannot all be recognised.
 */
export function parseTarget(text: string, rules: TargetRules): string | null {
  const destination = parseDestination(text, rules);
  if (destination !== null || !rules.hasAllowedNetworks) return destination;
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  if (!/^https?:\/\/[^/\\]/i.test(text) || /^[^/?#]*\/\/[^/?#]*[\\@]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.port === '0' || url.href.length > URL_LENGTH_MAX) return null;
  if (leadsToPublicBase(url, new URL(rules.publicBaseUrl))) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return rules.permitsAddress(host) ? url.href : null;
  return /^[a-z0-9._-]{1,253}$/.test(host) ? url.href : null;
}

// A loopback host is every service of the machine, such as the receiver of a developer: there the port identifies the
// public base. Any other host is refused on every port, as in destinations.
function leadsToPublicBase(url: URL, base: URL): boolean {
  const host = withoutFinalDot(base.hostname);
  if (withoutFinalDot(url.hostname) !== host) return false;
  return !LOOPBACK.test(host) || portOf(url) === portOf(base);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

/** Accepts an address in any form that a resolver returns. */
export function createAddressRule(allowed: BlockList): PermitsAddress {
  return (address) => {
    const plain = address.startsWith('[') ? address.slice(1, -1) : address;
    const family = isIP(plain);
    // An address with a zone belongs to a link of this machine.
    if (family === 0 || plain.includes('%')) return false;
    const ipv4 = family === 4 ? plain : embeddedIpv4(plain);
    if (ipv4 !== null) return allowed.check(ipv4, 'ipv4') || isPublicIpv4(ipv4);
    return allowed.check(plain, 'ipv6') || isPublicIpv6(plain);
  };
}

// Only 2000::/3 of IPv6 is assigned to networks of the Internet: loopback, unique local, link-local, multicast and
// unassigned addresses lie outside (IANA IPv6 address space). Inside it, some ranges have special purposes (IANA IPv6
// special-purpose registry) or embed an IPv4 address that a third party chooses.
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  // Protocol assignments, such as Teredo, benchmarks and ORCHID.
  ['2001::', 23],
  // Documentation.
  ['2001:db8::', 32],
  ['3fff::', 20],
  // 6to4.
  ['2002::', 16],
] as const) {
  SPECIAL.addSubnet(network, prefix, 'ipv6');
}

function isPublicIpv6(address: string): boolean {
  return GLOBAL_UNICAST.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

/**
 * The IPv4 address in a mapped (`::ffff:0:0/96`, RFC 4291) or translated (NAT64's `64:ff9b::/96`, RFC 6052) address, or
 * null. From a network with IPv6 only, all of IPv4 is reachable by the latter.
 */
function embeddedIpv4(address: string): string | null {
  const groups = toGroups(address);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 0xff])
    .join('.');
}

/** The eight groups of an IPv6 address, in hexadecimal without leading zeros. */
function toGroups(address: string): readonly string[] {
  // The WHATWG serializer writes an IPv4 tail as groups, in lower case, with the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}
