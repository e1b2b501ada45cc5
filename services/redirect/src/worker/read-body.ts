import { closing, type Reply, textReply } from '../http/reply.js';
import type { RepeatedLines } from './dispatch.js';

/** A password of 128 characters, percent-encoded, and a user name beside it. */
const BODY_BYTES_MAX = 4096;
const BODY_DEADLINE_MS = 10_000;

export const BAD_FRAMING = closing(textReply(400, 'The length of the body is ambiguous.\n'));
const TOO_LARGE = closing(textReply(413, 'The body is too large.\n'));
const TOO_SLOW = closing(textReply(408, 'The body took too long.\n'));

/** A response of uWebSockets.js, and the hook for its abort. */
export type BodySource = {
  readonly res: { onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown };
  onAbort: (() => void) | null;
};

/** The body as text, or the answer if it is too large or incomplete after `deadlineMs`. */
export function readBody(
  source: BodySource,
  announcedBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<string | Reply> {
  if (announcedBytes > BODY_BYTES_MAX) return Promise.resolve(TOO_LARGE);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(resolve, deadlineMs, TOO_SLOW);
    const settle = (result: string | Reply) => {
      clearTimeout(timer);
      resolve(result);
    };
    source.onAbort = () => {
      settle(TOO_SLOW);
    };
    source.res.onData((chunk, isLast) => {
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) {
        settle(TOO_LARGE);
        return;
      }
      // The chunk is taken back when this returns.
      chunks.push(Buffer.from(new Uint8Array(chunk)));
      if (isLast) settle(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

/** How the body of a request ends; null if an edge might read it in another way (RFC 9112, 6.3). */
export function readFraming({ lengths, hasCoding }: RepeatedLines) {
  const [length = '0'] = lengths;
  if (lengths.length > 1 || !/^\d+$/.test(length)) return null;
  return { announcedBytes: Number(length), isChunked: hasCoding };
}
