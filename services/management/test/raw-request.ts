import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

export type AnswerBody = {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
  readonly timestamp: string;
};

export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the body; null when there is none. */
  readonly body: AnswerBody | null;
};

/** Lets the service listen on a free port and returns it. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

/**
 * Writes bytes to a connection of its own and returns the first answer, read until the service closes the connection
 * or, after `Connection: close` was left out, until the body is complete. Rejects after 10 s of silence.
 */
export function sendRaw(port: number, request: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (): void => {
      socket.destroy();
      const answer = parseAnswer(Buffer.concat(chunks).toString());
      if (answer === null) reject(new Error('The connection was closed without an answer'));
      else resolve(answer);
    };
    socket.setTimeout(10_000, () => {
      socket.destroy(new Error('The service did not answer within 10 s'));
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (parseAnswer(Buffer.concat(chunks).toString()) !== null) finish();
    });
    socket.on('end', finish);
    socket.on('error', (err) => {
      // A service that refuses a body closes while the rest of it still comes in.
      if (parseAnswer(Buffer.concat(chunks).toString()) === null) reject(err);
    });
    socket.write(request);
  });
}

/** Returns the answer when it is complete, else null. */
function parseAnswer(text: string): RawAnswer | null {
  const start = text.search(/HTTP\/1\.1 [2-5]/);
  const end = text.indexOf('\r\n\r\n', start);
  if (start < 0 || end < 0) return null;
  const [statusLine = '', ...lines] = text.slice(start, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 0)) return null;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: body === '' ? null : (JSON.parse(body) as AnswerBody),
  };
}
