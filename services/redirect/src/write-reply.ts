import type { Head, Header, Reply } from './reply.js';

/** What an answer is written to: a response of uWebSockets.js. */
export type ReplyTarget = {
  writeStatus(status: Uint8Array): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body: Uint8Array | undefined, closeConnection: boolean): unknown;
  endWithoutBody(): unknown;
  /** Takes what the connection takes; the rest is to be given when it is writable. Returns whether it took all, and is done. */
  tryEnd(rest: Uint8Array, wholeBytes: number): [tookAll: boolean, isDone: boolean];
  onWritable(handler: (writtenBytes: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  getWriteOffset(): number;
  close(): unknown;
};

// Every redirect, and most pages. A connection may hold a few hundred of them unread, as many as requests fit in what the
// system keeps for it.
const AT_ONCE_BYTES_MAX = 16 * 1024;

export type WriteReply = (
  target: ReplyTarget,
  reply: Reply,
  how: { readonly isHead: boolean; readonly closesConnection: boolean },
) => void;

/**
 * Returns what writes an answer, with the headers that every answer has. It never throws, for nothing may cross the native
 * frame of `cork`: an answer that cannot be written is a fault, and its connection is closed, so that half of it is not
 * taken for the whole.
 */
export function createReplyWriter(
  everyHeader: readonly Header[],
  onFault: (err: unknown) => void,
): WriteReply {
  const headBytes = createHeadBytes(everyHeader);
  return (target, reply, { isHead, closesConnection }) => {
    try {
      const closes = closesConnection || reply.closesConnection === true;
      target.writeStatus(headBytes(reply.head));
      if (reply.location !== undefined) target.writeHeader('Location', reply.location);
      for (const [name, value] of reply.headers) target.writeHeader(name, value);
      const { lengthOnly, body } = reply;
      if (lengthOnly !== undefined) endWithoutBody(target, lengthOnly, closes);
      else if (isHead) endWithoutBody(target, body.length, closes);
      else if (body.length > AT_ONCE_BYTES_MAX && !closes) endAsItIsRead(target, body);
      else target.end(body.length === 0 ? undefined : body, closes);
    } catch (err) {
      onFault(err);
      closeBroken(target, onFault);
    }
  };
}

/**
 * Ends an answer with no more of its body in memory than the connection takes. Written whole, the body is copied to wait
 * for a visitor who does not read, and again for each further request on the connection: six thousand in a few packets
 * made a process hold gigabytes. While an answer is not done, uWebSockets.js closes a connection that asks for more.
 */
function endAsItIsRead(target: ReplyTarget, body: Buffer): void {
  const startBytes = target.getWriteOffset();
  const [, isDone] = target.tryEnd(body, body.length);
  if (isDone) return;
  target.onAborted(() => undefined);
  target.onWritable((writtenBytes) => {
    const [tookAll] = target.tryEnd(body.subarray(writtenBytes - startBytes), body.length);
    return tookAll;
  });
}

function closeBroken(target: ReplyTarget, onFault: (err: unknown) => void): void {
  try {
    target.close();
  } catch (err) {
    onFault(err);
  }
}

/**
 * Returns what gives the bytes of a head, the headers of every answer among them: status line and headers as they go over
 * the wire, for uWebSockets.js writes a status as it is, and bytes faster than a string.
 */
function createHeadBytes(everyHeader: readonly Header[]): (head: Head) => Uint8Array {
  const made = new WeakMap<Head, Uint8Array>();
  return (head) => {
    const known = made.get(head);
    if (known !== undefined) return known;
    const lines = [...head.headers, ...everyHeader].map(([name, value]) => `${name}: ${value}`);
    const bytes = Buffer.from([head.status, ...lines].join('\r\n'), 'latin1');
    made.set(head, bytes);
    return bytes;
  };
}

/**
 * Ends an answer that has a length and no body. `res.endWithoutBody(length)` would go on waiting for a body and close
 * the connection unanswered at the next request on it (tried with two HEADs), so the length is a header of ours. Nor does
 * it close a connection unless the length is 0, and without a length it writes 2^63 (tried on a raw socket): a client
 * that is told `Connection: close` here must close it, or `app.close()` does, which follows within two seconds.
 */
function endWithoutBody(target: ReplyTarget, lengthBytes: number, closesConnection: boolean): void {
  target.writeHeader('Content-Length', String(lengthBytes));
  if (closesConnection) target.writeHeader('Connection', 'close');
  target.endWithoutBody();
}
