import { isIP } from 'node:net';
import { HIDDEN, URL_LENGTH_MAX, parseDestination } from '@smartlink/smartlink/destination-url';
import { createAddressRule, parseNetworks } from './public-address.js';
import type { PermitsAddress } from './public-address.js';

export type TargetRules = {
  readonly publicBaseUrl: string;
  /** Whether the operator allows any network that is not public. */
  readonly hasAllowedNetworks: boolean;
  readonly permitsAddress: PermitsAddress;
};

/** Returns the rules of an instance; `allowedNetworks` is WEBHOOK_ALLOWED_NETWORKS. */
export function createTargetRules(options: {
  publicBaseUrl: string;
  allowedNetworks: readonly string[];
}): TargetRules {
  const networks = parseNetworks(options.allowedNetworks);
  if (networks === null) throw new Error('WEBHOOK_ALLOWED_NETWORKS was not checked');
  return {
    publicBaseUrl: options.publicBaseUrl,
    hasAllowedNetworks: options.allowedNetworks.length > 0,
    permitsAddress: createAddressRule(networks),
  };
}

/**
 * Returns the normalised `href` of an address that messages may be sent to, or null: what a smartlink may lead to may
 * receive them too. Where networks are allowed, so are their addresses, and names that lead inside: which address such a
 * name has is looked at when it is connected to. The public base is refused either way; other names of its machine cannot
 * all be told.
 */
export function parseTarget(text: string, rules: TargetRules): string | null {
  const destination = parseDestination(text, rules);
  if (destination !== null || !rules.hasAllowedNetworks) return destination;
  if (text.length > URL_LENGTH_MAX || !text.isWellFormed() || HIDDEN.test(text)) return null;
  if (!/^https?:\/\/[^/\\]/i.test(text) || /^[^/?#]*\/\/[^/?#]*[\\@]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.port === '0' || url.href.length > URL_LENGTH_MAX) return null;
  if (leadsToPublicBase(url, new URL(rules.publicBaseUrl))) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return rules.permitsAddress(host) ? url.href : null;
  return /^[a-z0-9._-]{1,253}$/.test(host) ? url.href : null;
}

// A host of loopback is every service of the machine, among them the receiver of somebody who tries webhooks: there it is
// the port that tells the public base. Any other host is refused whole, as it is in destinations.
function leadsToPublicBase(url: URL, base: URL): boolean {
  const host = withoutFinalDot(base.hostname);
  if (withoutFinalDot(url.hostname) !== host) return false;
  return !LOOPBACK.test(host) || portOf(url) === portOf(base);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}
