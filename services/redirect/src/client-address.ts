import { BlockList, isIP } from 'node:net';

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;
// A chain longer than any real one is not walked further.
const HOPS_MAX = 32;
// A proxy is asked about at every visit it brings, and a list takes 1 µs to answer. Strangers are not remembered.
const PROXIES_REMEMBERED_MAX = 1_000;

/** Where a visitor comes from. */
export type ClientAddress = {
  /** '' when it is not known. For limits alone: it is kept nowhere. */
  readonly text: string;
  /** Its first 24 bits of IPv4, or 48 of IPv6, as networkOf writes them: what a visitor is known by. */
  readonly network: string;
};

/** Returns an address with its network. */
export function toClientAddress(text: string): ClientAddress {
  return { text, network: networkOf(text, NETWORK_BITS) };
}

/** How many bits of an address its network has. */
export const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

export type TrustedProxies = {
  /** Whether what comes from this address may say for whom it comes. */
  readonly trusts: (address: string) => boolean;
  /** Returns the visitor's address from the peer's and the lines of X-Forwarded-For, in order. */
  readonly findClient: (peer: string, forwardedFor: readonly string[]) => string;
};

/** Returns who is believed: the ranges of TRUSTED_PROXIES. Throws when one of them is malformed. */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = parseTrustedProxies(ranges);
  if (list === null) throw new Error('TRUSTED_PROXIES was not checked');
  const proxies = new Set<string>();
  const trusts = (address: string): boolean => {
    if (ranges.length === 0) return false;
    if (proxies.has(address)) return true;
    if (!isInList(address, list)) return false;
    if (proxies.size >= PROXIES_REMEMBERED_MAX) proxies.clear();
    proxies.add(address);
    return true;
  };
  return {
    trusts,
    findClient: (peer, forwardedFor) => findClientAddress(peer, forwardedFor, trusts),
  };
}

/** Returns the ranges of TRUSTED_PROXIES (`10.0.0.0/8`, `::1`), or null when one of them is malformed. */
export function parseTrustedProxies(ranges: readonly string[]): BlockList | null {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix, ...rest] = range.split('/');
    const family = isIP(network);
    if ((family !== 4 && family !== 6) || rest.length > 0) return null;
    const bits = prefix === undefined ? ADDRESS_BITS[family] : Number(prefix);
    const isWhole = prefix === undefined || /^\d{1,3}$/.test(prefix);
    if (!isWhole || bits > ADDRESS_BITS[family]) return null;
    list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Returns an address as uWebSockets.js gives it, 4 or 16 bytes, in its text form; '' for anything else. */
export function addressToText(bytes: Uint8Array): string {
  if (bytes.length === 4) return ipv4ToText(bytes, 0);
  if (bytes.length !== 16) return '';
  if (isMappedIpv4(bytes)) return ipv4ToText(bytes, 12);
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push((((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)).toString(16));
  return groups.join(':');
}

/**
 * Returns the visitor's address: the peer's, unless the peer is trusted; then X-Forwarded-For is walked from the
 * right to the first hop that is not (decisions.md, Visits). A hop that is no address ends the walk at the one
 * before it, for what a stranger wrote further left proves nothing. `forwardedFor` holds every such line, in order.
 */
function findClientAddress(
  peer: string,
  forwardedFor: readonly string[],
  trusts: TrustedProxies['trusts'],
): string {
  let address = peer;
  const hops = forwardedFor.flatMap((line) => line.split(','));
  for (let i = hops.length - 1; i >= 0 && i >= hops.length - HOPS_MAX; i -= 1) {
    if (!trusts(address)) return address;
    const hop = normalizeHop(hops[i] ?? '');
    if (hop === '') return address;
    address = hop;
  }
  return address;
}

/**
 * Returns the part of an address that stands for one visitor in limits: all of IPv4, the first 64 bits of IPv6, since
 * one household or server has all 2^64 addresses below them.
 */
export function clientNetwork(address: string): string {
  return networkOf(address, { ipv4: 32, ipv6: 64 });
}

/**
 * Returns the first bits of an address, whole bytes of IPv4 and whole groups of IPv6, each network written in one way
 * only. What is shorter than the address holds no part of its text, so that it may be remembered.
 */
function networkOf(address: string, bits: { ipv4: 24 | 32; ipv6: 48 | 64 }): string {
  if (!address.includes(':')) return bits.ipv4 === 32 ? address : address.slice(0, address.lastIndexOf('.'));
  // As it is written mostly: 0.1 µs against 0.6. A slice of it would be a view of the whole.
  const plain = bits.ipv6 === 48 ? PLAIN_GROUPS.exec(address) : null;
  if (plain !== null) return `${plain[1] ?? ''}:${plain[2] ?? ''}:${plain[3] ?? ''}`;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right];
  return groups
    .slice(0, bits.ipv6 / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

const PLAIN_GROUPS = /^([1-9a-f][\da-f]{0,3}):(0|[1-9a-f][\da-f]{0,3}):(0|[1-9a-f][\da-f]{0,3}):/;

function isInList(address: string, list: BlockList): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

// `203.0.113.7`, `203.0.113.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711`, `::ffff:203.0.113.7`, `::ffff:cb00:7107`.
function normalizeHop(text: string): string {
  const hop = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)?.[1];
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(hop)?.[1];
  const address = bracketed ?? withPort ?? hop;
  // A zone (`fe80::1%eth0`) means something on one machine only.
  if (isIP(address) === 0 || address.includes('%')) return '';
  return MAYBE_IPV4_INSIDE.test(address) ? rewriteIpv6(address) : address.toLowerCase();
}

// IPv4 mapped into IPv6 begins with zeros and `ffff`, in however many spellings; all others are passed by in 0.1 µs.
const MAYBE_IPV4_INSIDE = /^[0:]*:ffff:|:.*\./i;

/** Returns an IPv6 address in its one short form without dots, and IPv4 that is mapped into it as IPv4. */
function rewriteIpv6(address: string): string {
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short);
  if (mapped === null) return short;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((word) => [word >> 8, word & 0xff])
    .join('.');
}

// Asked at every visit: `join` takes twice as long, and `every` over a part of the bytes four times.
function ipv4ToText(bytes: Uint8Array, at: number): string {
  return `${bytes[at] ?? 0}.${bytes[at + 1] ?? 0}.${bytes[at + 2] ?? 0}.${bytes[at + 3] ?? 0}`;
}

function isMappedIpv4(bytes: Uint8Array): boolean {
  for (let i = 0; i < 10; i += 1) if (bytes[i] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}
