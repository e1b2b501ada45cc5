import { connect } from 'node:net';

export type RawResponse = {
  readonly status: number;
  /** Names in lower case, in the order in which they were sent, repeated ones repeated. */
  readonly headerNames: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Sends `bytes` on a fresh connection and returns all that comes back, as latin1, until the other side closes, `until`
 * holds of it, or `deadlineMs` is over.
 */
export async function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { until?: (text: string) => boolean; deadlineMs?: number; halfClose?: boolean } = {},
): Promise<string> {
  const { until = isWholeResponse, deadlineMs = 3_000, halfClose = false } = options;
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

/** Returns the first response in `text`. */
export function parseResponse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headerNames: pairs.map(([name]) => name),
    headers: Object.fromEntries(pairs),
    body: end === -1 ? '' : text.slice(end + 4),
  };
}

/** Sends one request of these lines and returns its response; status 0 when the connection was closed without one. */
export async function request(
  port: number,
  lines: readonly string[],
  options: Parameters<typeof sendRaw>[2] = {},
): Promise<RawResponse> {
  return parseResponse(await sendRaw(port, `${lines.join('\r\n')}\r\n\r\n`, options));
}

function isWholeResponse(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? -1);
  return length >= 0 && text.length >= end + 4 + length;
}
