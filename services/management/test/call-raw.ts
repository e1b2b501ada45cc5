import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { parseResponse, type RawResponse, sendRaw } from '@smartlink/test-support/raw-request';

const DEADLINE_MS = 30_000;

export type AnswerBody = {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown };
  readonly timestamp: string;
};

export type RawAnswer = Pick<RawResponse, 'status' | 'headers'> & {
  /** The JSON of the body; null when there is none. */
  readonly body: AnswerBody | null;
};

/**
 * Writes these bytes to a connection of its own and returns the first answer of the API. Throws when the connection is
 * closed, or 30 s pass, without one.
 */
export async function callRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const response = parseResponse(await sendRaw(port, bytes, { deadlineMs: DEADLINE_MS }));
  const { status, headers } = response;
  if (status === 0) throw new Error('The connection was closed without an answer, or 30 s passed');
  // A file that is streamed is not in the envelope.
  const isFile = headers['content-disposition'] !== undefined;
  const text = isFile ? '' : Buffer.from(response.body, 'latin1').toString();
  return { status, headers, body: text === '' ? null : (JSON.parse(text) as AnswerBody) };
}

/** Lets the service listen on a free port and returns it. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}
