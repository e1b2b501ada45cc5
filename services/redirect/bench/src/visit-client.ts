import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BROWSER_HEADERS, userAgent } from './visit-requests.js';

export type VisitOptions = {
  readonly url: string;
  readonly paths: Iterable<string>;
  readonly connections: number;
  /** What each visit must be answered with. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Between an answer and the next visit of the same connection. */
  readonly pauseMs?: number;
  /** How often a visit that is answered with 503 is made again, 200 ms later; 0 by default. */
  readonly retriesMax?: number;
  readonly signal: AbortSignal;
  /** Called after every thousandth visit with how many there were. */
  readonly onVisited?: (count: number) => void;
};

const REPORT_EVERY = 1_000;
const RETRY_PAUSE_MS = 200;

/**
 * Visits each path once, and returns how long each visit took, in µs and in the order of the answers. For as many visits
 * as one wants and no more, which wrk cannot; wrk is faster. Rejects when one is answered otherwise, and on `signal`.
 */
export async function visitEach(options: VisitOptions): Promise<number[]> {
  const { url, connections, status, headers = {}, pauseMs = 0, retriesMax = 0, signal, onVisited } = options;
  const head = requestHead(headers);
  const paths = options.paths[Symbol.iterator]();
  const latenciesUs: number[] = [];
  const visitor = async () => {
    const connection = await openConnection(url);
    try {
      for (let next = paths.next(); next.done !== true; next = paths.next()) {
        signal.throwIfAborted();
        const startedAt = performance.now();
        const request = `GET ${next.value} ${head}`;
        let answered = await connection.ask(request);
        for (let retry = 0; answered === 503 && retry < retriesMax; retry += 1) {
          await sleep(RETRY_PAUSE_MS, undefined, { signal });
          answered = await connection.ask(request);
        }
        latenciesUs.push((performance.now() - startedAt) * 1_000);
        if (answered !== status)
          throw new Error(`${next.value} was answered with ${answered}, not ${status}`);
        if (latenciesUs.length % REPORT_EVERY === 0) onVisited?.(latenciesUs.length);
        if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  return latenciesUs;
}

/** Returns a request behind its path: the version and what a browser sends, some 400 bytes. */
export function requestHead(headers: Readonly<Record<string, string>> = {}): string {
  const all = { Host: '127.0.0.1', 'User-Agent': userAgent(0, false), ...BROWSER_HEADERS, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

export type Connection = {
  /** Sends a request and returns the status of its answer, once all of it is there. One at a time. */
  readonly ask: (request: string) => Promise<number>;
  readonly isOpen: () => boolean;
  readonly close: () => void;
};

/** Opens a connection to a server on this machine. The caller closes it. */
export async function openConnection(url: string): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const answers = readAnswers(socket);
  return {
    ask: (request) => {
      const answer = answers.next();
      socket.write(request, 'latin1');
      return answer;
    },
    isOpen: () => socket.readyState === 'open',
    close: () => socket.destroy(),
  };
}

function readAnswers(socket: Socket): { readonly next: () => Promise<number> } {
  let waiting: { resolve: (status: number) => void; reject: (err: Error) => void } | null = null;
  let received = '';
  let failure: Error | null = null;
  const fail = (err: Error) => {
    failure ??= err;
    waiting?.reject(failure);
    waiting = null;
  };
  socket.setEncoding('latin1');
  socket.on('error', fail);
  socket.on('close', () => {
    fail(new Error('the server closed a connection'));
  });
  socket.on('data', (text: string) => {
    received += text;
    const length = answerLength(received);
    if (length === null || received.length < length) return;
    const status = Number(received.slice(9, 12));
    received = received.slice(length);
    waiting?.resolve(status);
    waiting = null;
  });
  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (failure !== null) fail(failure);
      }),
  };
}

/** Returns the bytes of the first answer in `text`, null while its head is not there. */
function answerLength(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  // A 304 says how long the page is that it does not bring (RFC 9110, 8.6).
  if (text.startsWith('HTTP/1.1 304 ')) return headEnd + 4;
  return headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
}
