import { isbot } from 'isbot';
import type { ExclusionReason, VisitOutcome, VisitSource } from '../event.js';
import {
  type AgentDetails,
  type Device,
  readDetails,
  type System,
  UNKNOWN_DETAILS,
} from './agent-details.js';
import type { Reader } from './availability.js';
import type { Closed, Decision } from './decision.js';
import {
  mayBeIpad,
  type Platform,
  PLATFORMS,
  readHintedPlatform,
  readPlatform,
  USER_AGENT_LENGTH_MAX,
} from './platform.js';

/** The request headers that describe a visit, each '' when absent. */
export type VisitHeaders = {
  readonly userAgent: string;
  /** Sec-CH-UA-Platform unchanged, quotes included (`"Android"`): Chromium sends it unasked over https. */
  readonly secChUaPlatform: string;
  readonly acceptLanguage: string;
  readonly referer: string;
  readonly secPurpose: string;
  readonly purpose: string;
  readonly xMoz: string;
  readonly secGpc: string;
  readonly dnt: string;
};

/** Classification of a User-Agent. */
export type Agent = AgentDetails & {
  /** A program: crawlers, link previews, command-line clients; also an absent User-Agent, because every browser sends one. */
  readonly isBot: boolean;
  /** A bot that fetches a link for its preview in a message. */
  readonly isPreview: boolean;
  /** Decides the store of an App link. */
  readonly platform: Platform;
  /** Claims to be a Mac, as iPads do: only a script can decide (see mayBeIpad of platform.ts). */
  readonly mayBeIpad: boolean;
};

/** Classifies a User-Agent. Programs are distinguished only by their purpose. */
export function classifyAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  const platform = readPlatform(text);
  if (isPreviewAgent(text)) return PREVIEWS[platform];
  if (text.trim() === '' || isbot(text)) return BOTS[platform];
  const { device, os, browser } = readDetails(text, platform);
  const isUncertain = platform === 'mac' && mayBeIpad(text);
  return { isBot: false, isPreview: false, platform, mayBeIpad: isUncertain, device, os, browser };
}

/** As classifyAgent reads the same User-Agent of a person: rules see no difference between programs and people. */
export function classifyAsPerson(userAgent: string): Agent {
  const text = userAgent.slice(0, USER_AGENT_LENGTH_MAX);
  const platform = readPlatform(text);
  const details = text.trim() === '' ? UNKNOWN_DETAILS : readDetails(text, platform);
  return { isBot: false, isPreview: false, platform, mayBeIpad: false, ...details };
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

/** The headers that mark a prefetch or a prerender. */
export type PrefetchHeaders = Pick<VisitHeaders, 'secPurpose' | 'purpose' | 'xMoz'>;

/** Whether the request is a prefetch, not a visit (Sec-Purpose and its predecessors). */
export function isPrefetch(headers: PrefetchHeaders): boolean {
  if (headers.secPurpose === '' && headers.purpose === '' && headers.xMoz === '') return false;
  return PREFETCH.test(`${headers.secPurpose};${headers.purpose};${headers.xMoz}`);
}

const PREFETCH = /\b(?:prefetch|prerender|preview)\b/i;

/** Whether the visitor asked not to be recognised again (`Sec-GPC: 1`, `DNT: 1`). */
export function refusesRecognition(headers: VisitHeaders): boolean {
  return headers.secGpc === '1' || headers.dnt === '1';
}

/** The first language of Accept-Language as `az` or `en-US`, or ''. */
export function readLanguage(acceptLanguage: string): string {
  const match = LANGUAGE.exec(acceptLanguage);
  if (!match) return '';
  const [, language = '', region = ''] = match;
  return region === '' ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}

// A script (`zh-Hant-TW`) is skipped. Anything that is not a language tag (RFC 5646) is ignored.
const LANGUAGE = /^\s*([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-[a-z\d-]{0,32})?\s*(?:[,;]|$)/i;

/**
 * The host of Referer in lower case without port, user information and final dot; '' for other than
 * public host names, such as IP addresses.
 */
export function readReferrerHost(referer: string): string {
  const host = REFERER_HOST.exec(referer)?.[1]?.toLowerCase() ?? '';
  return host.length > HOST_LENGTH_MAX || !isPublicName(host) ? '' : host;
}

// Plain host names only: anything else is forged.
const REFERER_HOST = /^https?:\/\/(?:[^/?#@]*@)?([a-z\d](?:[a-z\d._-]*[a-z\d])?)\.?(?:[:/?#]|$)/i;
const HOST_LENGTH_MAX = 253;

function isPublicName(host: string): boolean {
  const lastDot = host.lastIndexOf('.');
  // A name without a dot is not public, and `direct` and `other` have a meaning in the statistics.
  if (lastDot === -1) return false;
  // No top-level domain begins with a digit: browsers parse such a host as an IPv4 address.
  if (host.charCodeAt(lastDot + 1) <= CODE_OF_9) return false;
  return (
    !PRIVATE_DOMAINS.has(host.slice(lastDot + 1)) && !host.endsWith('.home.arpa') && host !== 'home.arpa'
  );
}

const CODE_OF_9 = '9'.charCodeAt(0);
// Special-use names (RFC 6761, 6762 and 8375; ICANN's .internal), and names in private use (RFC 6762, appendix G).
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

/** The utm parameters of the visitor's query: decoded, without control characters, 128 code units at most. */
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

/**
 * `agent` corrected by its Sec-CH-UA-Platform ('' if absent): device and system follow the platform where the User-Agent
 * does not name them; the browser stays. At most three corrections are cached with each agent, so a hot visit allocates
 * nothing.
 *
 * Sec-CH-UA-Mobile is not read: a browser that sends it also has Mobile in its User-Agent.
 */
export function applyPlatformHint(agent: Agent, secChUaPlatform: string): Agent {
  if (secChUaPlatform === '' || agent.isBot) return agent;
  const platform = readHintedPlatform(agent.platform, secChUaPlatform);
  // Safari sends no hint, so a macOS hint means another engine, which no iPad has.
  const isSettled = platform !== agent.platform || (agent.mayBeIpad && secChUaPlatform === '"macOS"');
  return isSettled ? correct(agent, platform) : agent;
}

/** `agent` corrected by the visitor's choice on the page that distinguishes iPads from Macs. */
export function applyChosenPlatform(agent: Agent, chosen: 'ipad' | 'mac' | null): Agent {
  return chosen === null || agent.isBot ? agent : correct(agent, chosen);
}

const corrections = new WeakMap<Agent, Partial<Record<Platform, Agent>>>();

function correct(agent: Agent, platform: Platform): Agent {
  const known = corrections.get(agent) ?? {};
  const corrected = known[platform];
  if (corrected !== undefined) return corrected;
  const { isBot, isPreview, browser } = agent;
  const { device, os } = platform === agent.platform ? agent : detailsOf(agent, platform);
  const made: Agent = { isBot, isPreview, platform, mayBeIpad: false, device, os, browser };
  corrections.set(agent, { ...known, [platform]: made });
  return made;
}

function detailsOf({ device, os }: Agent, platform: Platform): { device: Device; os: System } {
  // A headset or a television sends Linux like a desktop, and keeps its class.
  const isPlain = device === 'desktop' || device === 'other';
  switch (platform) {
    case 'android':
      // Phones request the desktop page only at the user's wish, tablets by default.
      return { device: isPlain ? 'tablet' : device, os: 'Android' };
    case 'ipad':
      return { device: 'tablet', os: 'iOS' };
    case 'mac':
      return { device: isPlain ? 'desktop' : device, os: 'macOS' };
    case 'windows':
      return { device: isPlain ? 'desktop' : device, os: 'Windows' };
    default:
      return { device, os };
  }
}

/** How a visit is counted. */
export type VisitCount = {
  readonly source: VisitSource;
  readonly outcome: VisitOutcome;
  /** '' unless the outcome is `excluded`. */
  readonly exclusion: ExclusionReason | '';
};

/** Input of classifyVisit. */
export type CountedRequest = {
  readonly isHead: boolean;
  /** Came by the address of a QR code, `/q/<slug>`. */
  readonly isScan: boolean;
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly headers: PrefetchHeaders;
};

/**
 * How a visit that ended in `decision` is counted; null if it is not recorded: the visitor still has to choose a
 * destination, or the service failed. Allocates no object.
 */
export function classifyVisit(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): VisitCount | null {
  if (decision.kind === 'unsupported' || decision.kind === 'ipad-or-mac') return null;
  const counts = isScan(request) ? SCANS : CLICKS;
  return counts[findExclusion(decision, request, agent) ?? outcomeOf(decision)];
}

/** Whose request it is. */
export function readerOf(
  request: Pick<CountedRequest, 'isHead' | 'headers'>,
  agent: Pick<Agent, 'isBot'>,
): Reader {
  if (agent.isBot || request.isHead) return 'program';
  return isPrefetch(request.headers) ? 'prefetch' : 'person';
}

/** Why a visit is excluded, or undefined: reasons of the visitor come before those of the link. */
function findExclusion(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): ExclusionReason | undefined {
  if (agent.isBot) return 'bot';
  if (request.isHead) return 'head';
  if (isPrefetch(request.headers)) return 'prefetch';
  if (decision.kind === 'gone') return 'deleted';
  if (decision.kind === 'paused') return 'paused';
  if (decision.kind === 'share') return 'bot';
  if (isClosed(decision)) return decision.kind;
  return decision.kind === 'locked' ? 'form' : undefined;
}

const isClosed = (decision: Decision): decision is Closed =>
  decision.kind === 'scheduled' || decision.kind === 'expired' || decision.kind === 'exhausted';

type CountedOutcome = Exclude<VisitOutcome, 'excluded'>;

function outcomeOf(decision: Decision): CountedOutcome {
  if (decision.kind === 'redirect') return decision.outcome;
  // The list of stores is shown if no store matched.
  return decision.kind === 'chooser' ? 'fallback' : 'page';
}

const SCAN_MARK = /(?:^|&)qr=1(?:&|$)/;

/** How the visitor came: `/q/` in the path, or `qr=1` in the query, mark a scan. */
export function sourceOf(request: Pick<CountedRequest, 'isScan' | 'query'>): VisitSource {
  return isScan(request) ? 'scan' : 'click';
}

function isScan({ isScan: isScanned, query }: Pick<CountedRequest, 'isScan' | 'query'>): boolean {
  return isScanned || (query !== '' && SCAN_MARK.test(query));
}

const CLICKS = countsOf('click');
const SCANS = countsOf('scan');

function countsOf(source: VisitSource): Readonly<Record<CountedOutcome | ExclusionReason, VisitCount>> {
  const counted = (outcome: CountedOutcome): VisitCount => ({ source, outcome, exclusion: '' });
  const excluded = (exclusion: ExclusionReason): VisitCount => ({ source, outcome: 'excluded', exclusion });
  return {
    target: counted('target'),
    page: counted('page'),
    fallback: counted('fallback'),
    bot: excluded('bot'),
    head: excluded('head'),
    prefetch: excluded('prefetch'),
    form: excluded('form'),
    paused: excluded('paused'),
    deleted: excluded('deleted'),
    scheduled: excluded('scheduled'),
    expired: excluded('expired'),
    exhausted: excluded('exhausted'),
  };
}

/**
 * Whether a User-Agent is one of those that fetch a link to show its title and picture in a message or a post.
 * Apps that open links in their own web view also add their names, but after a browser's User-Agent: these are people, so
 * the list has no bare names of apps.
 */
export function isPreviewAgent(userAgent: string): boolean {
  return PREVIEW_AGENTS.test(userAgent);
}

// As the services document them or their requests show. Messages of Apple, KakaoTalk and LINE say facebookexternalhit,
// Signal says WhatsApp, Teams says SkypeUriPreview, Google Messages and Chat say PageRenderer or the snippet's address.
const PREVIEW_AGENTS = new RegExp(
  [
    '^WhatsApp/',
    'facebookexternalhit',
    'Facebot',
    'kakaotalk-scrap',
    'line-poker',
    'Twitterbot',
    'TelegramBot',
    'Slackbot',
    'Slack-ImgProxy',
    'LinkedInBot',
    'Discordbot',
    'SkypeUriPreview',
    'ViberUrlDownloader',
    'Pinterestbot',
    '^Pinterest/0\\.',
    'redditbot',
    'vkShare',
    'OdklBot',
    'Embedly',
    'Iframely',
    '(?:^|\\()Mastodon/',
    'SummalyBot',
    'Cardyb',
    'compatible; Zalo',
    'Google-PageRenderer',
    '/\\+/web/snippet',
    'Synapse \\(bot',
    '(?:Link|URL) ?Preview',
  ].join('|'),
  'i',
);
