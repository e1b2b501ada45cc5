import { textReply } from './reply.js';
import type { Reply } from './reply.js';

/** A password of 128 characters, percent-encoded, and a user name beside it. */
const BODY_BYTES_MAX = 4096;
const BODY_DEADLINE_MS = 10_000;

const TOO_LARGE: Reply = { ...textReply(413, 'The form is too large.\n'), closesConnection: true };
const TOO_SLOW: Reply = { ...textReply(408, 'The form took too long.\n'), closesConnection: true };

/** Where a body comes from: a response of uWebSockets.js, and what tells that its visitor has gone. */
export type BodySource = {
  readonly res: { onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown };
  onAbort: (() => void) | null;
};

/** Returns the body as text, or the answer to one that is too large, or not whole after `deadlineMs`. */
export function readBody(
  source: BodySource,
  announcedBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<string | Reply> {
  if (announcedBytes > BODY_BYTES_MAX) return Promise.resolve(TOO_LARGE);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => {
      resolve(TOO_SLOW);
    }, deadlineMs);
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
