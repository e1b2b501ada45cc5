import { connect } from 'node:net';

export type RawResponse = {
  /** 0 if the head is incomplete. */
  readonly status: number;
  /** Lower-case names in the order sent, including repeated ones. */
  readonly headerNames: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** latin1: one character per byte. */
  readonly body: string;
};

export type RawRequestOptions = {
  /** Whether the bytes so far are enough. Default: one response with a Content-Length. */
  readonly until?: (text: string) => boolean;
  readonly deadlineMs?: number;
  /** Sends FIN after the last byte. */
  readonly halfClose?: boolean;
};

/** Sends one request of these lines. Status 0 if the connection was closed without a response. */
export async function request(
  port: number,
  lines: readonly string[],
  options: RawRequestOptions = {},
): Promise<RawResponse> {
  return parseResponse(await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`, options));
}

/**
 * Sends bytes (text as latin1) on a new connection and returns the answer as latin1, up to the end of the connection,
 * `until` or `deadlineMs` (20,000). Never rejects: a refused connection has an empty answer.
 */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: RawRequestOptions = {},
): Promise<string> {
  const { until = isWholeResponse, deadlineMs = 20_000, halfClose = false } = options;
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(finish, deadlineMs);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until(text)) finish();
    });
    socket.on('end', finish);
    socket.on('error', finish);
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    if (halfClose) socket.end();
  });
}

/** The first response in `text` after interim ones (`100 Continue`). */
export function parseResponse(text: string): RawResponse {
  const start = text.search(FINAL_STATUS_LINE);
  const end = text.indexOf('\r\n\r\n', start);
  if (start === -1 || end === -1) return { status: 0, headerNames: [], headers: {}, body: '' };
  const [statusLine = '', ...lines] = text.slice(start, end).split('\r\n');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headerNames: pairs.map(([name]) => name),
    headers: Object.fromEntries(pairs),
    body: text.slice(end + 4),
  };
}

const FINAL_STATUS_LINE = /^HTTP\/1\.1 [2-5]/m;

function isWholeResponse(text: string): boolean {
  const { status, headers, body } = parseResponse(text);
  return status !== 0 && body.length >= Number(headers['content-length'] ?? Infinity);
}
