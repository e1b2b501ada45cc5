import type { TrustedProxies } from '@smartlink/process/client-address';
import { isAddress } from '@smartlink/smartlink/model';
import { cleanVisitorQuery, type VisitHeaders } from '@smartlink/visits/routing';
import type { ServedHost } from '../http/served-host.js';
import type { Tally } from '../metrics/worker-metrics.js';
import { addressToText, type ClientAddress, toClientAddress } from '../visitor/client-address.js';

/** The parts of a request copied before any await, after which uWebSockets.js reuses it. */
export type VisitRequest = {
  readonly isHead: boolean;
  readonly host: ServedHost;
  /** As written in the address, for visits and unlock tries alike. */
  readonly slug: string;
  readonly isScan: boolean;
  /** The visitor's choice on the page that tells iPads from Macs; usually null. */
  readonly chosenPlatform: 'ipad' | 'mac' | null;
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly headers: VisitHeaders;
  readonly cookie: string;
  /** For the visitor's country and id. */
  readonly address: ClientAddress;
  /** The country named by a trusted proxy, else ''. */
  readonly edgeCountry: string;
  readonly tally: Tally;
};

const SLASH = '/'.charCodeAt(0);
const LETTER_Q = 'q'.charCodeAt(0);

export type VisitAddress = {
  /** A slug or an imported address, as typed by the visitor. */
  readonly slug: string;
  /** Whether it is a QR code's address: `/q/<slug>`. */
  readonly isScan: boolean;
};

/**
 * The slug or imported address in `/<slug>`, `/<slug>/`, `/q/<slug>`, `/q/<slug>/` (also `/Q/`), else null. `/q` and `/q/`
 * are the slug `q`. Nothing is decoded: no character of an address needs encoding.
 */
export function parseVisitPath(path: string): VisitAddress | null {
  const { length } = path;
  const end = length > 1 && path.charCodeAt(length - 1) === SLASH ? length - 1 : length;
  const isScan = end > 3 && path.charCodeAt(2) === SLASH && (path.charCodeAt(1) | 0x20) === LETTER_Q;
  const start = isScan ? 3 : 1;
  return isAddress(path, start, end) ? { slug: path.slice(start, end), isScan } : null;
}

/**
 * Path and query of a visit to a link. It never leads to another host, because the path consists of a slug and begins
 * with one slash.
 */
export function visitAddress({ slug, isScan, query }: VisitAddress & { readonly query: string }): string {
  const path = `/${isScan ? 'q/' : ''}${slug}`;
  const cleaned = cleanVisitorQuery(query);
  return cleaned === '' ? path : `${path}?${cleaned}`;
}

/** A link's internal address: all begin with `/-/`, which no address can. */
export type InternalAddress =
  /** A visit with a device chosen on the page that tells iPads from Macs. */
  | {
      readonly kind: 'chosen';
      readonly slug: string;
      readonly isScan: boolean;
      readonly platform: 'ipad' | 'mac';
    }
  | { readonly kind: 'preview'; readonly slug: string }
  | { readonly kind: 'vcard'; readonly slug: string }
  | { readonly kind: 'qr'; readonly slug: string; readonly format: 'svg' | 'png' };

const CHOSEN = /^\/-\/(ipad|mac)\/(q\/)?([^/.]+)$/;
const PREVIEW = /^\/-\/preview\/([^/.]+)\/?$/;
const VCARD = /^\/-\/card\/([^/.]+)\.vcf$/;
const QR = /^\/-\/qr\/([^/.]+)\.(svg|png)$/;

/** Null when the address below `/-/` belongs to no link. */
export function parseInternalPath(path: string): InternalAddress | null {
  const address = readInternalPath(path);
  return address !== null && isAddress(address.slug) ? address : null;
}

function readInternalPath(path: string): InternalAddress | null {
  const chosen = CHOSEN.exec(path);
  if (chosen !== null) {
    const [, platform, scanMark, slug = ''] = chosen;
    return {
      kind: 'chosen',
      slug,
      isScan: scanMark !== undefined,
      platform: platform === 'ipad' ? 'ipad' : 'mac',
    };
  }
  const previewed = PREVIEW.exec(path)?.[1];
  if (previewed !== undefined) return { kind: 'preview', slug: previewed };
  const carded = VCARD.exec(path)?.[1];
  if (carded !== undefined) return { kind: 'vcard', slug: carded };
  const [, slug, format] = QR.exec(path) ?? [];
  if (slug === undefined) return null;
  return { kind: 'qr', slug, format: format === 'svg' ? 'svg' : 'png' };
}

/** A button of a page, where its presses are reported. Neither part is checked. */
export type PressAddress = { readonly slug: string; readonly button: string };

const PRESS_PATH = '/-/press/';

/** The button in `/-/press/<slug>/<button>`; null outside of `/-/press/`. */
export function parsePressPath(path: string): PressAddress | null {
  if (!path.startsWith(PRESS_PATH)) return null;
  const [slug = '', ...button] = path.slice(PRESS_PATH.length).split('/');
  return { slug, button: button.join('/') };
}

/** The other end of a connection. */
export type Sender = {
  readonly address: ClientAddress;
  /** Whether it may name the client. */
  readonly isProxy: boolean;
};

/** Its address has 4 or 16 bytes, none after the connection has ended. */
type Peer = { getRemoteAddress(): ArrayBuffer };

export type Senders = ReturnType<typeof createSenders>;

/**
 * Finds the sender of a request from the open connections. Reading an address from uWebSockets.js costs 1 µs, a
 * seventh of an answer. In production nearly every process is behind one proxy or a few: while all open connections come
 * from one address, or all from trusted proxies, the sender is known without reading it.
 *
 * All trusted proxies are treated as one sender, because the client address comes from the header.
 */
export function createSenders(proxies: TrustedProxies) {
  let open = 0;
  /** The sender common to all open connections; null when they differ. */
  let common: Sender | null = null;

  const exactSenderOf = (peer: Peer): Sender => {
    const text = addressToText(new Uint8Array(peer.getRemoteAddress()));
    return { address: toClientAddress(text), isProxy: proxies.trusts(text) };
  };

  return {
    onOpen(peer: Peer) {
      open += 1;
      const sender = exactSenderOf(peer);
      if (open === 1) common = sender;
      // A peer that is already gone sends nothing more.
      else if (common !== null && sender.address.text !== '' && !isAlike(sender, common)) common = null;
    },
    onClose() {
      open -= 1;
    },
    /** The sender of a request on one of the open connections. */
    senderOf: (peer: Peer) => common ?? exactSenderOf(peer),
    /** Like senderOf, but always reads the address of this connection. */
    exactSenderOf,
  };
}

function isAlike(one: Sender, other: Sender): boolean {
  return one.address.text === other.address.text || (one.isProxy && other.isProxy);
}
