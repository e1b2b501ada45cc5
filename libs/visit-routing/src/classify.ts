import { isbot } from 'isbot';
import { UNKNOWN_DETAILS, readDetails } from './agent-details.js';
import type { AgentDetails } from './agent-details.js';
import { PLATFORMS, USER_AGENT_LENGTH_MAX, mayBeIpad, readPlatform } from './platform.js';
import type { Platform } from './platform.js';
import { isPreviewAgent } from './preview-agents.js';

/** The request headers that say something about a visit, each '' when absent. */
export type VisitHeaders = {
  readonly userAgent: string;
  /** Sec-CH-UA-Platform as it came, quotes included (`"Android"`): Chromium sends it by itself over https. */
  readonly secChUaPlatform: string;
  readonly acceptLanguage: string;
  readonly referer: string;
  readonly secPurpose: string;
  readonly purpose: string;
  readonly xMoz: string;
  readonly secGpc: string;
  readonly dnt: string;
};

/** What a User-Agent says about its bearer. */
export type Agent = AgentDetails & {
  /** A program: crawlers, link previews, command-line clients; also who sends no User-Agent, since no browser does. */
  readonly isBot: boolean;
  /** A bot that makes the preview of a link for somebody who reads or writes a message. */
  readonly isPreview: boolean;
  /** Whose store an App link would send them to. */
  readonly platform: Platform;
  /** Says it is a Mac as iPads do: only the visitor's own browser can tell (see mayBeIpad of platform.ts). */
  readonly mayBeIpad: boolean;
};

/** Returns what a User-Agent says. Of programs nothing is told apart but what they come for. */
export function classifyAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  const platform = readPlatform(text);
  if (isPreviewAgent(text)) return PREVIEWS[platform];
  if (text.trim() === '' || isbot(text)) return BOTS[platform];
  const { device, os, browser } = readDetails(text, platform);
  const isUncertain = platform === 'mac' && mayBeIpad(text);
  return { isBot: false, isPreview: false, platform, mayBeIpad: isUncertain, device, os, browser };
}

const BOTS = programsOf({ isPreview: false });
const PREVIEWS = programsOf({ isPreview: true });

function programsOf({ isPreview }: Pick<Agent, 'isPreview'>): Readonly<Record<Platform, Agent>> {
  const agents = PLATFORMS.map((platform): [Platform, Agent] => [
    platform,
    { isBot: true, isPreview, platform, mayBeIpad: false, ...UNKNOWN_DETAILS },
  ]);
  return Object.fromEntries(agents) as Record<Platform, Agent>;
}

/** The headers by which a browser says that it only prepares a visit. */
export type PrefetchHeaders = Pick<VisitHeaders, 'secPurpose' | 'purpose' | 'xMoz'>;

/** Returns whether a browser asks before anybody has decided to visit (Sec-Purpose, and its forerunners). */
export function isPrefetch(headers: PrefetchHeaders): boolean {
  if (headers.secPurpose === '' && headers.purpose === '' && headers.xMoz === '') return false;
  return PREFETCH.test(`${headers.secPurpose};${headers.purpose};${headers.xMoz}`);
}

const PREFETCH = /\b(?:prefetch|prerender|preview)\b/i;

/** Returns whether the visitor asked not to be recognised again (`Sec-GPC: 1`, `DNT: 1`). */
export function refusesRecognition(headers: VisitHeaders): boolean {
  return headers.secGpc === '1' || headers.dnt === '1';
}

/** Returns the first language of Accept-Language as `az` or `en-US`, '' when there is none. */
export function readLanguage(acceptLanguage: string): string {
  const match = LANGUAGE.exec(acceptLanguage);
  if (!match) return '';
  const [, language = '', region = ''] = match;
  return region === '' ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}

// A script (`zh-Hant-TW`) is passed over. Whatever does not look like a language tag is none (RFC 5646).
const LANGUAGE = /^\s*([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-[a-z\d-]{0,32})?\s*(?:[,;]|$)/i;

/**
 * Returns the host of Referer in lower case without port, user information and final dot; '' when it is not the name of
 * a public host, as addresses never are.
 */
export function readReferrerHost(referer: string): string {
  const host = REFERER_HOST.exec(referer)?.[1]?.toLowerCase() ?? '';
  return host.length > HOST_LENGTH_MAX || !isPublicName(host) ? '' : host;
}

// Plain host names only: anything else is forged, and it ends in somebody's statistics.
const REFERER_HOST = /^https?:\/\/(?:[^/?#@]*@)?([a-z\d](?:[a-z\d._-]*[a-z\d])?)\.?(?:[:/?#]|$)/i;
const HOST_LENGTH_MAX = 253;

function isPublicName(host: string): boolean {
  const lastDot = host.lastIndexOf('.');
  // A name without a dot is of no public place, and `direct` and `other` are names that statistics give themselves.
  if (lastDot === -1) return false;
  // No top-level domain begins with a digit: browsers take what ends so for an IPv4 address.
  if (host.charCodeAt(lastDot + 1) <= CODE_OF_9) return false;
  return (
    !PRIVATE_DOMAINS.has(host.slice(lastDot + 1)) && !host.endsWith('.home.arpa') && host !== 'home.arpa'
  );
}

const CODE_OF_9 = '9'.charCodeAt(0);
// Special-use names (RFC 6761, 6762 and 8375; ICANN's .internal), and what RFC 6762, appendix G, found in private use.
const PRIVATE_DOMAINS: ReadonlySet<string> = new Set([
  'corp',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'test',
]);

export type Campaign = {
  readonly utmSource: string;
  readonly utmMedium: string;
  readonly utmCampaign: string;
  readonly utmTerm: string;
  readonly utmContent: string;
};

/** Returns the utm parameters of the visitor's query: decoded, without control characters, 128 code units at most. */
export function readCampaign(query: string): Campaign {
  if (!query.includes('utm_')) return NO_CAMPAIGN;
  const parameters = new URLSearchParams(query);
  const read = (name: string) => cleanValue(parameters.get(name) ?? '');
  return {
    utmSource: read('utm_source'),
    utmMedium: read('utm_medium'),
    utmCampaign: read('utm_campaign'),
    utmTerm: read('utm_term'),
    utmContent: read('utm_content'),
  };
}

const NO_CAMPAIGN: Campaign = { utmSource: '', utmMedium: '', utmCampaign: '', utmTerm: '', utmContent: '' };
const CAMPAIGN_LENGTH_MAX = 128;

function cleanValue(value: string): string {
  if (value === '') return '';
  // The cut may halve a surrogate pair, and the halves have no UTF-8.
  return value
    .replace(/[\p{Cc}\u2028\u2029]/gu, '')
    .slice(0, CAMPAIGN_LENGTH_MAX)
    .toWellFormed();
}
