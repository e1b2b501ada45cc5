// Sends visits at times that were drawn beforehand (Poisson, so many a second on average), whether or not answers come:
// who is slow is asked no less often. A visit counts from the moment at which it is sent, and from the planned one when
// no connection was free, so that no wait for the server is left out (coordinated omission). By how much the client
// itself was late is told apart. wrk and h2load were tried: the one pauses in whole milliseconds, the other sends for
// all its connections at the same moment, so that each measures the burst it made.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { percentile } from '@smartlink/bench/figures';
import type { OpenLoopFigures, OpenLoopSettings } from './open-loop.js';

type Connection = { socket: Socket; countsFrom: number; left: number; responseBytes: number };

// What is measured before this is the connections' beginning.
const WARM_UP_SHARE = 0.1;
const READ_BYTES = 16 * 1024;
const CONNECT_AT_ONCE = 50;
const DRAIN_LIMIT_MS = 5_000;

const settings = JSON.parse(process.argv[2] ?? '{}') as OpenLoopSettings;
process.send?.(await run(settings), undefined, undefined, () => {
  process.disconnect();
});

async function run({
  port,
  requestsFile,
  perSecond,
  seconds,
  connections,
}: OpenLoopSettings): Promise<OpenLoopFigures> {
  const requests = readFileSync(requestsFile, 'latin1')
    .split('\0')
    .map((text) => Buffer.from(text, 'latin1'));
  const waiting: number[] = [];
  const latenciesUs: number[] = [];
  const latenessUs: number[] = [];
  let sent = 0;
  let underWay = 0;
  let queued = 0;
  let measuredFrom = Infinity;

  const send = (connection: Connection, countsFrom: number) => {
    connection.countsFrom = countsFrom;
    connection.left = connection.responseBytes;
    underWay += 1;
    connection.socket.write(requests[sent++ % requests.length] ?? '');
  };
  const onAnswered = (connection: Connection, time: number) => {
    underWay -= 1;
    if (connection.countsFrom >= measuredFrom) latenciesUs.push((time - connection.countsFrom) * 1_000);
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else send(connection, next);
  };
  const [first = Buffer.alloc(0)] = requests;
  const free = await openAll(connections, () => open(port, first, onAnswered));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  measuredFrom = startedAt + seconds * 1_000 * WARM_UP_SHARE;
  let plannedAt = startedAt;
  await new Promise<void>((resolve) => {
    const turn = () => {
      const time = performance.now();
      while (plannedAt <= time && plannedAt < endsAt) {
        if (plannedAt >= measuredFrom) latenessUs.push((time - plannedAt) * 1_000);
        const connection = free.pop();
        if (connection === undefined) {
          waiting.push(plannedAt);
          queued += 1;
        } else send(connection, performance.now());
        plannedAt += (-Math.log(1 - Math.random()) * 1_000) / perSecond;
      }
      const isOver = plannedAt >= endsAt && underWay === 0 && waiting.length === 0;
      if (isOver || time > endsAt + DRAIN_LIMIT_MS) resolve();
      else setImmediate(turn);
    };
    turn();
  });
  for (const { socket } of free) socket.destroy();
  return {
    // What was planned and never answered must not look like nothing.
    unanswered: underWay + waiting.length,
    sent: sent + connections,
    queued,
    measured: latenciesUs.length,
    p50Us: percentile(latenciesUs, 0.5),
    p99Us: percentile(latenciesUs, 0.99),
    p999Us: percentile(latenciesUs, 0.999),
    latenessP99Us: percentile(latenessUs, 0.99),
  };
}

/** Opens connections, a few at a time: no server has to take all of them in one turn. */
async function openAll(count: number, openOne: () => Promise<Connection>): Promise<Connection[]> {
  const opened: Connection[] = [];
  while (opened.length < count) {
    const some = Math.min(CONNECT_AT_ONCE, count - opened.length);
    opened.push(...(await Promise.all(Array.from({ length: some }, openOne))));
  }
  return opened;
}

/** Resolves once the connection has been answered once, which tells how long an answer is: all are as long. */
function open(
  port: number,
  request: Buffer,
  onAnswered: (connection: Connection, time: number) => void,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let first = '';
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback(bytes, buffer) {
          if (connection.responseBytes > 0) {
            connection.left -= bytes;
            if (connection.left === 0) onAnswered(connection, performance.now());
            return true;
          }
          first += Buffer.from(buffer.subarray(0, bytes)).toString('latin1');
          const length = responseLength(first);
          if (length !== null && first.length >= length) {
            connection.responseBytes = length;
            resolve(connection);
          }
          return true;
        },
      },
    });
    const connection: Connection = { socket, countsFrom: 0, left: 0, responseBytes: 0 };
    socket.once('connect', () => socket.write(request));
    socket.once('error', reject);
    socket.once('close', () => {
      reject(new Error('the server closed a connection'));
    });
  });
}

function responseLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  if (!text.startsWith('HTTP/1.1 302 ')) throw new Error(`A visit was answered with ${text.slice(0, 40)}`);
  const body = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  return headEnd + 4 + body;
}
