import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof TYPES;
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

/** Records of a name; one TXT record is its strings, in chunks. The other answers are to all questions about it. */
export type DnsZone =
  | {
      readonly TXT?: readonly (readonly string[])[];
      readonly CNAME?: readonly string[];
      readonly A?: readonly string[];
    }
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence';

/**
 * A name server on loopback, over UDP. It has what `zones` holds, by names in lower case, and NXDOMAIN for all else; other
 * types of a name that it has get an answer without records. The caller closes it.
 */
export async function startDnsServer() {
  const zones = new Map<string, DnsZone>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const zone = zones.get(name);
    if (zone !== 'silence') socket.send(toAnswer(query.subarray(0, end), type, zone), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zones,
    /** Questions so far, as `TXT name`. */
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        socket.close(resolve);
      }),
  };
}

export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const HEADER_BYTES = 12;

/** The first question of a message (RFC 1035, 4.1.2), and where it ends. */
function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = query.readUInt16BE(at + 1);
  const type = Object.entries(TYPES).find(([, value]) => value === code)?.[0] ?? String(code);
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 };
}

function toAnswer(question: Buffer, type: string, zone: Exclude<DnsZone, 'silence'> | undefined): Buffer {
  const records = typeof zone === 'object' ? encodeRecords(type as RecordType, zone) : [];
  const code = zone === undefined ? CODES.NXDOMAIN : typeof zone === 'string' ? CODES[zone] : 0;
  const message = Buffer.concat([question, ...records]);
  // A response, authoritative, recursion available.
  message.writeUInt16BE(0x8580 | code, 2);
  message.writeUInt16BE(1, 4);
  message.writeUInt16BE(records.length, 6);
  // No authority, and not the additional record of the query.
  message.writeUInt32BE(0, 8);
  return message;
}

function encodeRecords(type: RecordType, zone: Exclude<DnsZone, string>): Buffer[] {
  switch (type) {
    case 'TXT':
      return (zone.TXT ?? []).map((chunks) => encodeRecord(type, Buffer.concat(chunks.map(lengthFirst))));
    case 'CNAME':
      return (zone.CNAME ?? []).map((name) =>
        encodeRecord(type, Buffer.concat([...name.split('.').map(lengthFirst), Buffer.of(0)])),
      );
    case 'A':
      return (zone.A ?? []).map((address) => encodeRecord(type, Buffer.from(address.split('.').map(Number))));
    default:
      return [];
  }
}

const lengthFirst = (text: string): Buffer =>
  Buffer.concat([Buffer.of(text.length), Buffer.from(text, 'latin1')]);

/** A record of the name of the question, which a pointer names. */
function encodeRecord(type: RecordType, data: Buffer): Buffer {
  const head = Buffer.alloc(HEADER_BYTES);
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(TYPES[type], 2);
  head.writeUInt16BE(1, 4);
  // Kept for no time.
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
