import { timingSafeEqual, createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { EngineError } from './engine-error.js';

/** A request's body, and what it holds once unpacked, may take this many bytes. */
export const BODY_BYTES_MAX = 256 * 1024 * 1024;

export type EngineRequest = {
  readonly queryId: string;
  /** Of the URL: settings, `param_x` values, `query`, `database`. */
  readonly parameters: URLSearchParams;
  /** Format of a result whose query names none. */
  readonly defaultFormat: string;
  readonly encoding: 'none' | 'gzip' | 'br';
  readonly acceptsGzip: boolean;
};

/** Returns what the URL and the headers say. Throws EngineError for what this server does not do. */
export function readHead(req: IncomingMessage): EngineRequest {
  const { searchParams } = new URL(req.url ?? '/', 'http://localhost');
  if (searchParams.has('session_id')) {
    throw new EngineError(48, 'NOT_IMPLEMENTED', 'The embedded ClickHouse keeps no sessions.');
  }
  const queryId = searchParams.get('query_id') ?? randomUUID();
  // The id goes into SQL and into a header.
  if (!/^[\w.:-]{1,200}$/.test(queryId))
    throw new EngineError(36, 'BAD_ARGUMENTS', 'query_id is not a plain name.');
  return {
    queryId,
    parameters: searchParams,
    defaultFormat: searchParams.get('default_format') ?? header(req, 'x-clickhouse-format') ?? 'TabSeparated',
    encoding: readEncoding(req),
    acceptsGzip:
      searchParams.get('enable_http_compression') === '1' &&
      /\bgzip\b/.test(header(req, 'accept-encoding') ?? ''),
  };
}

/** Whether the request carries the password: as Basic, as ClickHouse's own headers, or in the URL. Constant time. */
export function isAuthentic(req: IncomingMessage, password: string): boolean {
  const basic = /^Basic (\S+)$/i.exec(header(req, 'authorization') ?? '')?.[1];
  const fromBasic =
    basic &&
    Buffer.from(basic, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '');
  const given =
    fromBasic ??
    header(req, 'x-clickhouse-key') ??
    new URL(req.url ?? '/', 'http://localhost').searchParams.get('password') ??
    '';
  return timingSafeEqual(sha256(given), sha256(password));
}

/** Reads the whole body into memory, unpacked. Throws EngineError when it is larger than BODY_BYTES_MAX. */
export async function readBody(req: IncomingMessage, encoding: EngineRequest['encoding']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (encoding === 'gzip') return gunzipSync(body, { maxOutputLength: BODY_BYTES_MAX });
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength: BODY_BYTES_MAX });
  return body;
}

/**
 * Returns the query of a body, and moves the `param_x` parts of a multipart one into `parameters`. Throws EngineError
 * for bytes that are no text: rows in a binary format must come with the INSERT in the URL.
 */
export function readQueryText(req: IncomingMessage, body: Buffer, parameters: URLSearchParams): string {
  const contentType = header(req, 'content-type') ?? '';
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(contentType)?.[1];
  const text = decodeText(body);
  return boundary === undefined ? text : readMultipart(text, boundary, parameters);
}

export function tooLarge(): EngineError {
  return new EngineError(307, 'TOO_MANY_BYTES', `The body is larger than ${BODY_BYTES_MAX} bytes.`);
}

function decodeText(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new EngineError(
      62,
      'SYNTAX_ERROR',
      'The query is not UTF-8; rows in a binary format go beside the query.',
    );
  }
}

// Only what ClickHouse's client sends: text parts named `query` and `param_x`.
function readMultipart(text: string, boundary: string, parameters: URLSearchParams): string {
  let query = '';
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const headEnd = part.indexOf('\r\n\r\n');
    const name = /\bname="([^"]*)"/i.exec(part.slice(0, headEnd))?.[1] ?? '';
    const value = part.slice(headEnd + 4).replace(/\r\n$/, '');
    if (name === 'query') query = value;
    else parameters.set(name, value);
  }
  return query;
}

function readEncoding(req: IncomingMessage): EngineRequest['encoding'] {
  const encoding = header(req, 'content-encoding') ?? 'identity';
  if (encoding === 'identity') return 'none';
  if (encoding === 'gzip' || encoding === 'br') return encoding;
  throw new EngineError(
    48,
    'NOT_IMPLEMENTED',
    `Content-Encoding ${encoding} is not supported: use gzip or br.`,
  );
}

function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
