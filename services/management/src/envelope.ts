import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { failureCode, failureMessage } from '@smartlink/process/database';
import { ApiError, type ErrorCode, fault, toApiError } from './errors.js';

export function success(message: string, data: object | null): object {
  return { success: true, message, data, timestamp: new Date().toISOString() };
}

/** A row as an answer: absent members instead of nulls. JSON writes dates in ISO format. */
export function withoutNulls(row: object = {}): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** `envelope` with the paths of ignored input, if there are any. */
export function withIgnored(envelope: object, ignored: readonly string[]): object {
  return ignored.length === 0 ? envelope : { ...envelope, ignored };
}

/** The texts before and behind the elements of a list that is written in parts. */
export function envelopeAroundList(message: string, ignored: readonly string[]): readonly [string, string] {
  const empty = JSON.stringify(withIgnored(success(message, []), ignored));
  const at = empty.indexOf('"data":[') + '"data":['.length;
  return [empty.slice(0, at), empty.slice(at)];
}

export function failure(err: ApiError): object {
  return {
    success: false,
    error: {
      code: err.code,
      message: err.message,
      ...(err.details === undefined ? {} : { details: err.details }),
    },
    timestamp: new Date().toISOString(),
  };
}

/** Turns everything thrown into the failure envelope. Unexpected errors are logged with their cause. */
export const errorHandler = fp(
  (app, _options, done) => {
    app.setErrorHandler((err, request, reply) => {
      // The client has gone away: nothing of the service failed.
      if (request.raw.readableAborted) return sendFailure(reply, fault('', 'Must be a complete JSON body'));
      const apiError = toApiError(err);
      // A client that leaves while its answer is sent is no failure.
      const isAborted = failureCode(err) === 'ERR_STREAM_PREMATURE_CLOSE';
      if (apiError.code === 'INTERNAL_ERROR' && !isAborted) request.log.error({ err }, 'request failed');
      if (apiError.code === 'SERVICE_UNAVAILABLE') {
        // Without a cause the message says it: URLs that cannot be checked, a link that changes too often.
        const reason = failureMessage(apiError.cause ?? apiError);
        request.log.warn({ reason }, 'request refused with 503');
      }
      return sendFailure(reply, apiError);
    });
    done();
  },
  { name: 'error-handler' },
);

export function sendFailure(reply: FastifyReply, err: ApiError): FastifyReply {
  return reply.code(err.status).headers(err.headers).send(failure(err));
}

const MESSAGES: Readonly<Record<string, { status: number; code: ErrorCode; message: string } | undefined>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'PAYLOAD_TOO_LARGE', message: 'Request headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'VALIDATION_FAILED',
    message: 'The request was not complete in time',
  },
};

/** Answers invalid HTTP and incomplete requests in the envelope, and closes the connection. */
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
