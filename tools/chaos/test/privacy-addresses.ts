import { createHash } from 'node:crypto';
import { isIP, isIPv4, SocketAddress } from 'node:net';

/** One way in which an address may be kept. Texts are compared in any case, bytes as they are. */
type AddressForm = { readonly name: string; readonly text?: string; readonly bytes?: Buffer };

/** What was found: where, whose address, in which form. */
type Finding = { readonly place: string; readonly address: string; readonly form: string };

/**
 * Returns every form in which a whole address could be kept: texts, numbers, bytes in either order, and hashes
 * without a key, which for four bytes are the address in other letters.
 */
function formsOf(address: string): readonly AddressForm[] {
  const bytes = bytesOf(address);
  const reversed = Buffer.from(bytes).reverse();
  // As ClickHouse keeps 16 bytes: two halves, each reversed.
  const halves = Buffer.concat([reversed.subarray(8), reversed.subarray(0, 8)]);
  const hashes = ['md5', 'sha1', 'sha256'].flatMap((name) =>
    [address, bytes].flatMap((input) => {
      const hash = createHash(name).update(input).digest();
      return [
        { name: `${name} in hex`, text: hash.toString('hex').slice(0, 16) },
        { name: `${name} in base64`, bytes: Buffer.from(hash.toString('base64url').slice(0, 16)) },
        { name: `${name} as bytes`, bytes: hash.subarray(0, 8) },
      ];
    }),
  );
  return [
    ...textsOf(address, bytes),
    { name: 'hex', text: bytes.toString('hex') },
    { name: 'hex, reversed', text: reversed.toString('hex') },
    { name: 'a number', text: BigInt(`0x${bytes.toString('hex')}`).toString() },
    { name: 'a number, reversed', text: BigInt(`0x${reversed.toString('hex')}`).toString() },
    { name: 'base64', bytes: Buffer.from(bytes.toString('base64').replace(/=+$/, '')) },
    { name: 'bytes', bytes },
    { name: 'bytes, reversed', bytes: reversed },
    ...(bytes.length === 16 ? [{ name: 'bytes, halves reversed', bytes: halves }] : []),
    ...hashes,
  ];
}

/** Returns every place (its name and its bytes) that holds one of the addresses, in any form. */
export function findAddresses(
  places: ReadonlyMap<string, Buffer>,
  addresses: Iterable<string>,
): readonly Finding[] {
  const found: Finding[] = [];
  const lowered = new Map(
    [...places].map(([place, bytes]) => [place, bytes.toString('latin1').toLowerCase()]),
  );
  for (const address of addresses) {
    for (const { name, text, bytes } of formsOf(address)) {
      for (const [place, content] of places) {
        const isText = text !== undefined && lowered.get(place)?.includes(text.toLowerCase());
        if (isText || (bytes !== undefined && content.includes(bytes))) {
          found.push({ place, address, form: name });
        }
      }
    }
  }
  return found;
}

function textsOf(address: string, bytes: Buffer): AddressForm[] {
  const padded = bytes.toString('hex').match(/..../g) ?? [];
  const plain = padded.map((group) => group.replace(/^0+(?=.)/, ''));
  if (isIPv4(address)) {
    return [
      { name: 'text', text: address },
      { name: 'text, reversed', text: address.split('.').toReversed().join('.') },
      { name: 'in an IPv6 text', text: `ffff:${plain.join(':')}` },
    ];
  }
  // RFC 5952.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const texts = [canonical, padded.join(':'), plain.join(':')];
  return [
    ...texts.map((text) => ({ name: 'text', text })),
    ...texts.map((text) => ({ name: 'text in a URL', text: encodeURIComponent(text) })),
  ];
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...gap, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** Numbered addresses that stand nowhere but where a trial puts them, each in the next of the notations of a header. */
export function createAddresses() {
  const used = new Map<string, string>();
  let count = 0;
  const take = (address: string, what: string): string => {
    if (isIP(address) === 0) throw new Error(`${address} is no address`);
    used.set(address, what);
    return address;
  };
  const lastTwo = (third: number): string => {
    count += 1;
    return `${third + Math.floor(count / 200)}.${1 + (count % 200)}`;
  };
  const ipv4 = (what: string) => take(`203.0.${lastTwo(113)}`, what);
  const ipv6 = (what: string) => take(`2001:db8:5ca1:ab1e:${(count += 1).toString(16)}::c0de`, what);
  const notations: readonly ((what: string) => string)[] = [
    ipv4,
    ipv6,
    (what) => `${ipv4(what)}:4711`,
    (what) => `[${ipv6(what)}]:4711`,
    (what) => `::ffff:${ipv4(what)}`,
    (what) => ipv6(what).toUpperCase(),
    (what) => `::ffff:${hexGroups(ipv4(what))}`,
    (what) => `${ipv4(`${what}, left of it`)}, ${ipv6(what)}, 127.0.0.1`,
    (what) => `  ${ipv4(what)}  `,
    (what) => `${ipv6(what)}%eth0`,
  ];
  let next = 0;
  return {
    /** What was done from each address. */
    used,
    /** An address of our own end. */
    peer: (what: string) => take(`127.77.${lastTwo(66)}`, what),
    ipv4,
    ipv6,
    /** A value of X-Forwarded-For. */
    forwarded: (what: string) => notations[next++ % notations.length]!(what),
    notations: notations.length,
  };
}

function hexGroups(address: string): string {
  const bytes = Buffer.from(address.split('.').map(Number));
  return `${bytes.readUInt16BE(0).toString(16)}:${bytes.readUInt16BE(2).toString(16)}`;
}
