import { toClientAddress } from './client-address.js';
import type { ClientAddress, TrustedProxies } from './client-address.js';
import type { Tally } from './counters.js';
import type { VisitAddress } from './link-address.js';
import type { Sender } from './senders.js';
import type { UnlockRequest } from './unlock/answer-unlock.js';
import type { VisitRequest } from './visit-request.js';

/** What is read of a request of uWebSockets.js before it takes it back. */
export type Incoming = {
  getUrl(): string;
  getQuery(): string;
  getHeader(lowerCaseName: string): string;
  forEach(callback: (name: string, value: string) => void): void;
};

/** How what proxies say is read. */
export type ProxyRules = {
  readonly proxies: TrustedProxies;
  /** The header in which a trusted proxy names the visitor's country, in lower case; '' for none. */
  readonly countryHeader: string;
};

/** A request as it comes: who sends it, and what it is for. It is its own tally, which spares each visit an object. */
export type Arrival = Tally & { readonly req: Incoming; readonly isHead: boolean; readonly sender: Sender };

/** Returns a visit to an address, as the visitor's request says it; `platform` where they chose one. */
export function copyVisitRequest(
  arrival: Arrival,
  { slug, isScan, platform }: VisitAddress & { readonly platform?: 'ipad' | 'mac' },
  rules: ProxyRules,
): VisitRequest {
  const { req, isHead, sender } = arrival;
  return {
    isHead,
    slug,
    isScan,
    chosenPlatform: platform ?? null,
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
    address: sender.isProxy ? readClient(req, sender, rules.proxies) : sender.address,
    edgeCountry: sender.isProxy && rules.countryHeader !== '' ? req.getHeader(rules.countryHeader) : '',
    tally: arrival,
  };
}

/** A POST to a link's address. */
export type FormRequest = Omit<UnlockRequest, 'slug' | 'isScan' | 'language'> & {
  readonly path: string;
  readonly acceptLanguage: string;
};

/** Returns what a POST says before its body. */
export function copyFormRequest(
  req: Incoming,
  sender: Sender,
  proxies: TrustedProxies,
): Omit<FormRequest, 'body' | 'tally'> {
  return {
    path: req.getUrl(),
    query: readQuery(req),
    contentType: req.getHeader('content-type'),
    acceptLanguage: req.getHeader('accept-language'),
    origin: req.getHeader('origin'),
    host: req.getHeader('host'),
    address: readClient(req, sender, proxies).text,
  };
}

/** Returns for whom a proxy asks: itself where it says nothing. */
function readClient(req: Incoming, sender: Sender, proxies: TrustedProxies): ClientAddress {
  if (!sender.isProxy) return sender.address;
  return toClientAddress(proxies.findClient(sender.address.text, readForwardedFor(req)));
}

/** `getHeader` gives the first line of a name only, and a proxy may add its own line below a forged one. */
function readForwardedFor(req: Incoming): string[] {
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lines;
}

/** Returns what stands behind the `?`, '' when nothing does: the types promise a string, but there is none then. */
export function readQuery(req: Incoming): string {
  return req.getQuery() || '';
}
