import type { ServedDomain } from '@smartlink/links/domains';
import { baseUrlOf } from '@smartlink/smartlink/model';
import { remember } from '../bounded-maps.js';
import { type RedirectConfig, publicBaseUrlOf } from '../config.js';
import { wellKnownFiles } from './assets.js';
import { type Answer, redirectReply, type Reply } from './reply.js';

/** What answers under one host name. */
export type ServedHost = {
  /** In the keys of its addresses; null: the instance's own host. */
  readonly number: number | null;
  /** Of events; '' for the instance's own host. */
  readonly name: string;
  /** Start of its addresses, without a slash at its end. */
  readonly baseUrl: string;
  /** Why it answers nothing but health checks, else null. */
  readonly refusal: 'suspended' | 'misdirected' | 'unknown' | null;
  /** Redirects of `/`, of unknown slugs, and of expired and used-up links; each null without one. */
  readonly root: Reply | null;
  readonly notFound: Reply | null;
  readonly expired: Reply | null;
  /** Files below `/.well-known/`, by path. */
  readonly wellKnown: () => ReadonlyMap<string, Answer>;
};

/** From the primary to its workers: domains that are new or changed, and numbers of those no longer known. */
export type DomainChanges = {
  readonly changed: readonly ServedDomain[];
  readonly gone: readonly number[];
};

export type Hosts = ReturnType<typeof createHosts>;

/** Spellings of Host headers that are no host in the table: with a port, in upper case, or unknown. 1 MB at most. */
const SPELLINGS = { entriesMax: 2_000, lengthMax: 256 };
const REFUSING = { root: null, notFound: null, expired: null, wellKnown: () => new Map<string, Answer>() };

type HostsConfig = Pick<
  RedirectConfig,
  | 'PUBLIC_BASE_URL'
  | 'REDIRECT_PORT'
  | 'STRICT_HOSTS'
  | 'ROOT_REDIRECT_URL'
  | 'APPLE_APP_SITE_ASSOCIATION'
  | 'ASSET_LINKS'
>;

/**
 * The hosts that this process answers for. Until the primary has read a table of domains, only the host of PUBLIC_BASE_URL
 * is served: a domain would otherwise answer with the instance's links.
 */
export function createHosts(config: HostsConfig) {
  const publicBaseUrl = publicBaseUrlOf(config);
  const ownName = withoutFinalDot(new URL(publicBaseUrl).hostname);
  const ownFiles = wellKnownFiles({
    appleAppSiteAssociation: config.APPLE_APP_SITE_ASSOCIATION,
    assetLinks: config.ASSET_LINKS,
  });
  const { ROOT_REDIRECT_URL: rootUrl } = config;
  const own: ServedHost = {
    number: null,
    name: '',
    baseUrl: publicBaseUrl,
    refusal: null,
    root: rootUrl === undefined ? null : redirectReply(302, rootUrl),
    notFound: null,
    expired: null,
    wellKnown: () => ownFiles,
  };
  const refusing = (refusal: ServedHost['refusal']): ServedHost => ({ ...own, ...REFUSING, refusal });
  const others = {
    open: own,
    strict: refusing('misdirected'),
    unread: refusing('unknown'),
  };
  const domains = new Map<number, ServedHost>();
  /** Of every domain there was: a link may be fetched while its domain goes. Number and host belong together for ever. */
  const names = new Map<number, string>();
  /** Hosts by name, in the one spelling that nearly all browsers send. */
  const byName = new Map<string, ServedHost>();
  let isRead = false;
  let other = own;
  let isHostRead = false;
  let findSpelling = findByName;

  function update(): void {
    other = config.STRICT_HOSTS ? others.strict : others.open;
    if (!isRead && config.PUBLIC_BASE_URL !== undefined) other = others.unread;
    isHostRead = other !== own || domains.size > 0;
    findSpelling = remember(findByName, SPELLINGS);
  }

  function findByName(header: string): ServedHost {
    return byName.get(parseHost(header)) ?? other;
  }

  function forget(number: number): void {
    const host = domains.get(number);
    if (host === undefined) return;
    domains.delete(number);
    // Another domain may have the name by now.
    if (byName.get(host.name) === host) byName.delete(host.name);
  }

  byName.set(ownName, own);
  update();

  return {
    own,
    /** The host that a request names. Without domains its header is not read: reading one costs as much as the rest. */
    hostOf(req: { getHeader(lowerCaseName: string): string }): ServedHost {
      if (!isHostRead) return own;
      const header = req.getHeader('host');
      return byName.get(header) ?? findSpelling(header);
    },
    /** Whether a host name, in lower case and without port, is answered here. */
    isOwn: (name: string): boolean => byName.has(name),
    /** The host in events of a link, by its key; '' for the instance's own. */
    nameOf(key: string): string {
      const dot = key.indexOf('.');
      return dot === -1 ? '' : (names.get(Number(key.slice(0, dot))) ?? '');
    },
    /** Takes changes to the table of domains: at first the whole of it, or null while none is known. */
    apply(changes: DomainChanges | null): void {
      if (changes === null) return;
      isRead = true;
      for (const number of changes.gone) forget(number);
      for (const domain of changes.changed) {
        forget(domain.number);
        const host = hostOfDomain(domain, publicBaseUrl);
        domains.set(domain.number, host);
        names.set(domain.number, domain.host);
        // PUBLIC_BASE_URL may have moved to a host that was a domain.
        if (domain.host !== ownName) byName.set(domain.host, host);
      }
      update();
    },
  };
}

function hostOfDomain(domain: ServedDomain, publicBaseUrl: string): ServedHost {
  const { number, host: name, rootUrl, notFoundUrl, expiredUrl } = domain;
  const baseUrl = baseUrlOf(publicBaseUrl, name);
  if (!domain.isServed) return { number, name, baseUrl, refusal: 'suspended', ...REFUSING };
  let files: ReadonlyMap<string, Answer> | null = null;
  return {
    number,
    name,
    baseUrl,
    refusal: null,
    root: redirectTo(rootUrl),
    notFound: redirectTo(notFoundUrl),
    expired: redirectTo(expiredUrl),
    // Compressed for the first who asks: most domains have none.
    wellKnown: () =>
      (files ??= wellKnownFiles({
        appleAppSiteAssociation: domain.appleAppSiteAssociation ?? undefined,
        assetLinks: domain.assetLinks ?? undefined,
      })),
  };
}

/** Null for an address that no header may hold: a faulty row must not end the worker that gets it. */
function redirectTo(url: string | null): Reply | null {
  try {
    return url === null ? null : redirectReply(302, url);
  } catch {
    return null;
  }
}

/**
 * The name in a Host header: in lower case, without port and one final dot. Anything malformed is a name that no domain has.
 * Of several Host lines uWebSockets.js returns the first; it refuses requests without one, HTTP/1.0 (both by 400 or 505),
 * and targets in absolute form.
 */
function parseHost(header: string): string {
  return withoutFinalDot(header.replace(/:\d*$/, '')).toLowerCase();
}

function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
