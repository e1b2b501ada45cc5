import { addressToText, toClientAddress } from './client-address.js';
import type { ClientAddress, TrustedProxies } from './client-address.js';

/** Who is at the other end of a connection. */
export type Sender = {
  readonly address: ClientAddress;
  /** Whether it may say for whom it asks. */
  readonly isProxy: boolean;
};

/** What tells the address of a connection's other end: 4 or 16 bytes, none when it is gone. */
export type Peer = { getRemoteAddress(): ArrayBuffer };

export type Senders = {
  /** A connection was opened. */
  readonly onOpen: (peer: Peer) => void;
  /** One was closed. */
  readonly onClose: () => void;
  /** Returns who sends a request that came on one of the open connections. */
  readonly senderOf: (peer: Peer) => Sender;
  /** As senderOf, but always of this very connection. */
  readonly exactSenderOf: (peer: Peer) => Sender;
};

/**
 * Returns who asks, from what is open. uWebSockets.js tells the address of a connection at a cost of 1 µs, a seventh of
 * what answering takes, and gives nothing by which a request could be told to belong to a connection that was seen before.
 * But nearly every process in production has one edge before it, or a few: while all connections that are open come from
 * one address, or all of them from trusted proxies, whoever sends a request is known without asking.
 *
 * Of several proxies one stands for all: each names its visitor, and a request in which none is named is of no visitor's
 * own address whichever of them sent it.
 */
export function createSenders(proxies: TrustedProxies): Senders {
  let open = 0;
  /** What holds for all that are open; null when they differ. */
  let common: Sender | null = null;

  const exactSenderOf = (peer: Peer): Sender => {
    const text = addressToText(new Uint8Array(peer.getRemoteAddress()));
    return { address: toClientAddress(text), isProxy: proxies.trusts(text) };
  };

  return {
    onOpen(peer) {
      open += 1;
      const sender = exactSenderOf(peer);
      if (open === 1) common = sender;
      // Whoever is gone already will not send anything: what they sent was thrown away with the connection.
      else if (common !== null && sender.address.text !== '' && !isAlike(sender, common)) common = null;
    },
    onClose() {
      open -= 1;
    },
    senderOf: (peer) => common ?? exactSenderOf(peer),
    exactSenderOf,
  };
}

function isAlike(one: Sender, other: Sender): boolean {
  return one.address.text === other.address.text || (one.isProxy && other.isProxy);
}
