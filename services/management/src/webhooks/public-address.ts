import { BlockList, isIP } from 'node:net';
import { isPublicIpv4 } from '@smartlink/smartlink/destination-url';

/** Whether connections may be made to an address: public ones, and those of the networks that the operator allows. */
export type PermitsAddress = (address: string) => boolean;

/** Returns the ranges of a list of CIDR ranges and addresses (`10.0.0.0/8`, `::1`), or null when one is malformed. */
export function parseNetworks(ranges: readonly string[]): BlockList | null {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix, ...rest] = range.split('/');
    const family = isIP(network);
    if (family === 0 || rest.length > 0 || network.includes('%')) return null;
    const bitsMax = family === 4 ? 32 : 128;
    if (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bitsMax)) return null;
    list.addSubnet(network, Number(prefix ?? bitsMax), family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Returns what says whether connections may be made to an address, in whatever form a resolver gives it. */
export function createAddressRule(allowed: BlockList): PermitsAddress {
  return (address) => {
    const plain = address.startsWith('[') ? address.slice(1, -1) : address;
    const family = isIP(plain);
    // An address with a zone is one of this machine's own links.
    if (family === 0 || plain.includes('%')) return false;
    const ipv4 = family === 4 ? plain : embeddedIpv4(plain);
    if (ipv4 !== null) return allowed.check(ipv4, 'ipv4') || isPublicIpv4(ipv4);
    return allowed.check(plain, 'ipv6') || isPublicIpv6(plain);
  };
}

// Of IPv6 only 2000::/3 is given to networks of the Internet: loopback, unique local, link-local, multicast and all that
// is not assigned lie outside of it (IANA IPv6 address space). Inside there are those that are for special purposes
// (IANA special-purpose registry, IPv6), or lead to an IPv4 address that somebody else chooses.
const GLOBAL_UNICAST = new BlockList();
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6');
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  // Protocol assignments: Teredo, benchmarks, ORCHID among them.
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
 * Returns the IPv4 address that a mapped (`::ffff:0:0/96`, RFC 4291) or translated one (NAT64's `64:ff9b::/96`, RFC
 * 6052) stands for, or null. A network that has IPv6 alone reaches all of IPv4 by the latter.
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

/** Returns the eight groups of an IPv6 address, each in hexadecimal without leading zeros. */
function toGroups(address: string): readonly string[] {
  // The WHATWG parser writes the IPv4 tail as groups, everything in lower case and the longest run of zeros as `::`.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}
