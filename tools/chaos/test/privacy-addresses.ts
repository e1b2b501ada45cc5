import { createHash } from 'node:crypto';
import { BlockList, isIPv4, SocketAddress } from 'node:net';

/** One way in which an address may be kept. Texts are compared in any case, bytes as they are. */
export type AddressForm = { readonly name: string; readonly text?: string; readonly bytes?: Buffer };

/** What was found: where, whose address, in which form. */
export type Finding = { readonly place: string; readonly address: string; readonly form: string };

/**
 * Returns every form in which a whole address could be kept: texts, numbers, bytes in either order, and hashes
 * without a key, which for four bytes are the address in other letters.
 */
export function formsOf(address: string): readonly AddressForm[] {
  const bytes = bytesOf(address);
  const reversed = Buffer.from(bytes).reverse();
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
    // As ClickHouse keeps 16 bytes: two halves, each reversed.
    ...(bytes.length === 16
      ? [
          {
            name: 'bytes, halves reversed',
            bytes: Buffer.concat([reversed.subarray(8), reversed.subarray(0, 8)]),
          },
        ]
      : []),
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
  if (isIPv4(address)) {
    const groups = (bytes.toString('hex').match(/..../g) ?? []).map((group) => group.replace(/^0+(?=.)/, ''));
    return [
      { name: 'text', text: address },
      { name: 'text, reversed', text: address.split('.').toReversed().join('.') },
      { name: 'in an IPv6 text', text: `ffff:${groups.join(':')}` },
    ];
  }
  const padded = bytes.toString('hex').match(/..../g) ?? [];
  const plain = padded.map((group) => group.replace(/^0+(?=.)/, ''));
  const texts = [canonical(address), padded.join(':'), plain.join(':')];
  return [
    ...texts.map((text) => ({ name: 'text', text })),
    ...texts.map((text) => ({ name: 'text in a URL', text: encodeURIComponent(text) })),
  ];
}

/** RFC 5952. */
const canonical = (address: string): string => new SocketAddress({ address, family: 'ipv6' }).address;

/** Returns the 4 or 16 bytes of an address. Throws for what is none. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  new BlockList().addAddress(address, 'ipv6');
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array<string>(8 - left.length - right.length).fill('0');
  return Buffer.from([...left, ...gap, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
