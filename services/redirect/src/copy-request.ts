import { addressToText } from './client-address.js';
import type { TrustedProxies } from './client-address.js';
import type { FormRequest, PageRequest } from './dispatch.js';

/** What is read of a request of uWebSockets.js before it takes it back. */
export type Incoming = {
  getUrl(): string;
  getQuery(): string;
  getHeader(lowerCaseName: string): string;
  forEach(callback: (name: string, value: string) => void): void;
};

/** Who may say where a visitor comes from. */
export type Senders = {
  readonly proxies: TrustedProxies;
  /** The header in which a trusted proxy names the visitor's country, in lower case; '' for none. */
  readonly countryHeader: string;
};

/** Returns what a GET or HEAD says. `peer` is the address of the other end as the server gives it, 4 or 16 bytes. */
export function copyPageRequest(
  req: Incoming,
  { isHead, peer, senders }: { isHead: boolean; peer: ArrayBuffer; senders: Senders },
): PageRequest {
  const sender = addressToText(new Uint8Array(peer));
  const isProxy = senders.proxies.trusts(sender);
  return {
    isHead,
    path: req.getUrl(),
    query: readQuery(req),
    headers: {
      userAgent: req.getHeader('user-agent'),
      secChUaPlatform: req.getHeader('sec-ch-ua-platform'),
      acceptLanguage: req.getHeader('accept-language'),
      referer: req.getHeader('referer'),
      secPurpose: req.getHeader('sec-purpose'),
      purpose: req.getHeader('purpose'),
      xMoz: req.getHeader('x-moz'),
      secGpc: req.getHeader('sec-gpc'),
      dnt: req.getHeader('dnt'),
    },
    cookie: req.getHeader('cookie'),
    address: isProxy ? senders.proxies.findClient(sender, readForwardedFor(req)) : sender,
    edgeCountry: isProxy && senders.countryHeader !== '' ? req.getHeader(senders.countryHeader) : '',
  };
}

/** Returns what a POST says before its body. */
export function copyFormRequest(
  req: Incoming,
  { peer, senders }: { peer: ArrayBuffer; senders: Senders },
): Omit<FormRequest, 'body'> {
  const sender = addressToText(new Uint8Array(peer));
  return {
    path: req.getUrl(),
    query: readQuery(req),
    contentType: req.getHeader('content-type'),
    acceptLanguage: req.getHeader('accept-language'),
    origin: req.getHeader('origin'),
    host: req.getHeader('host'),
    address: senders.proxies.findClient(sender, readForwardedFor(req)),
  };
}

/** `getHeader` gives the first line of a name only, and a proxy may add its own line below a forged one. */
function readForwardedFor(req: Incoming): string[] {
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines;
}

// Its types promise a string, but without a `?` there is none.
function readQuery(req: Incoming): string {
  return req.getQuery() || '';
}
