import { once } from 'node:events';
import { request } from 'node:http';
import { connect, isIP } from 'node:net';

export type VisitOptions = {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The address of our own end, one of 127.0.0.0/8. */
  readonly from?: string;
};

/** Sends one request on a connection of its own and returns the status of its answer. */
export async function visit(options: VisitOptions): Promise<number> {
  const { port, path, method = 'GET', headers = {}, body = '', from = '127.0.0.1' } = options;
  const sent = request({ host: '127.0.0.1', port, path, method, headers, localAddress: from, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

/** Sends bytes that need not be a request and waits until the other side closes. */
export async function sendBytes(port: number, text: string, from = '127.0.0.1'): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  socket.end(Buffer.from(text, 'latin1'));
  await closed;
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
