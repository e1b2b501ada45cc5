import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { failure } from './envelope.js';
import { ApiError } from './errors.js';
import type { ErrorCode } from './errors.js';

const MESSAGES: Readonly<Record<string, { status: number; code: ErrorCode; message: string } | undefined>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', message: 'Request headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'VALIDATION_FAILED',
    message: 'The request was not complete in time',
  },
};

/** Answers on `socket` a request that is no HTTP or did not come in time, in the envelope, and closes it. */
export function answerClientError(err: Error & { code?: string }, socket: Socket): void {
  if (err.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, code, message } = MESSAGES[err.code ?? ''] ?? {
    status: 400,
    code: 'VALIDATION_FAILED' as const,
    message: 'The request is not valid HTTP',
  };
  const body = JSON.stringify(failure(new ApiError(code, { message })));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
