import { connect } from 'node:net';

export type RawResponse = {
  /** 0 when no whole head came. */
  readonly status: number;
  /** Names in lower case, in the order in which they were sent, repeated ones repeated. */
  readonly headerNames: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** As latin1: one character a byte. */
  readonly body: string;
};

export type RawRequestOptions = {
  /** Says of what has come so far whether it is enough; otherwise one response with a Content-Length is. */
  readonly until?: (text: string) => boolean;
  readonly deadlineMs?: number;
  /** Closes our side after the last byte. */
  readonly halfClose?: boolean;
};

/** Sends one request of these lines and returns its response; status 0 when the connection was closed without one. */
export async function request(
  port: number,
  lines: readonly string[],
  options: RawRequestOptions = {},
): Promise<RawResponse> {
  return parseResponse(await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`, options));
}

/**
 * Sends bytes, a text as latin1, on a fresh connection and returns all that comes back, as latin1, until the other side
 * closes, `until` holds of it, or `deadlineMs` (20,000) is over. Never rejects: a refused connection answers nothing.
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

/** Returns the first response in `text`, past the interim ones (`100 Continue`). */
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
