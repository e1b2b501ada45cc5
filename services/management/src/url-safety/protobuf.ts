/** A field of a message: a whole number, or bytes (a message within, too); both null for fixed-width ones. */
export type ProtobufField = {
  readonly number: number;
  readonly value: number | null;
  readonly bytes: Buffer | null;
};

const VARINT_BYTES_MAX = 10;
const FIXED_BYTES: Readonly<Record<number, number | undefined>> = { 1: 8, 5: 4 };

/**
 * Returns the fields of a protobuf message in their order (https://protobuf.dev/programming-guides/encoding/); null when
 * the bytes are none. Numbers beyond 2^53 lose their lowest bits. Forty lines of our own instead of a library with a
 * compiler: one answer of one service is read, and nothing is written.
 */
export function readFields(message: Buffer): readonly ProtobufField[] | null {
  const fields: ProtobufField[] = [];
  let at = 0;
  while (at < message.length) {
    const tag = readVarint();
    if (tag === null) return null;
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number === 0) return null;
    if (wireType === 0) {
      const value = readVarint();
      if (value === null) return null;
      fields.push({ number, value, bytes: null });
      continue;
    }
    const length = wireType === 2 ? readVarint() : (FIXED_BYTES[wireType] ?? null);
    if (length === null || length > message.length - at) return null;
    const bytes = wireType === 2 ? message.subarray(at, at + length) : null;
    fields.push({ number, value: null, bytes });
    at += length;
  }
  return fields;

  function readVarint(): number | null {
    let value = 0;
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      const byte = message[at++];
      if (byte === undefined) return null;
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    return null;
  }
}
