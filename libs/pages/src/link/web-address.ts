import type { Site } from '../site.js';

export type WebAddressParts = {
  /** `https://` */
  readonly scheme: string;
  /** Without the port, and with the letters it stands with in the address: `xn--…` stays so. */
  readonly host: string;
  readonly rest: string;
};

/**
 * Returns a normalised http or https address in three parts, which are the whole of it again; null for any other. The
 * host is what browsers connect to: what stands before an `@` is none.
 */
export function splitWebAddress(address: string): WebAddressParts | null {
  const [, scheme, host, rest] = PARTS.exec(address) ?? [];
  return scheme === undefined || host === undefined || rest === undefined ? null : { scheme, host, rest };
}

// In a normalised address the first of `/?#` ends the authority, and an `@` inside a user name is encoded (WHATWG URL).
const PARTS = /^(https?:\/\/(?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:@[\]]+)((?::\d+)?(?:[/?#].*)?)$/s;

/** Returns a link's address as people say it: without `https://`. */
export function shownAddress(site: Site, slug: string): string {
  return `${site.publicBaseUrl.replace(/^https?:\/\//, '')}/${slug}`;
}
