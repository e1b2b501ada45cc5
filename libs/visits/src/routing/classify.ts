import { isbot } from 'isbot';
import type { ExclusionReason, VisitOutcome, VisitSource } from '../event.js';
import {
  type AgentDetails,
  type Device,
  readDetails,
  type System,
  UNKNOWN_DETAILS,
} from './agent-details.js';
import type { Decision } from './decide.js';
import {
  mayBeIpad,
  type Platform,
  PLATFORMS,
  readHintedPlatform,
  readPlatform,
  USER_AGENT_LENGTH_MAX,
} from './platform.js';

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
  /** A bot that makes the preview of a link in a message. */
  readonly isPreview: boolean;
  /** Whose store an App link would send them to. */
  readonly platform: Platform;
  /** Says it is a Mac as iPads do: only the visitor's own browser can tell (see mayBeIpad of platform.ts). */
  readonly mayBeIpad: boolean;
};

/** What a User-Agent says. Of programs nothing is told apart but what they come for. */
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

/** Whether a browser asks before anybody has decided to visit (Sec-Purpose, and its forerunners). */
export function isPrefetch(headers: PrefetchHeaders): boolean {
  if (headers.secPurpose === '' && headers.purpose === '' && headers.xMoz === '') return false;
  return PREFETCH.test(`${headers.secPurpose};${headers.purpose};${headers.xMoz}`);
}

const PREFETCH = /\b(?:prefetch|prerender|preview)\b/i;

/** Whether the visitor asked not to be recognised again (`Sec-GPC: 1`, `DNT: 1`). */
export function refusesRecognition(headers: VisitHeaders): boolean {
  return headers.secGpc === '1' || headers.dnt === '1';
}

/** The first language of Accept-Language as `az` or `en-US`, '' when there is none. */
export function readLanguage(acceptLanguage: string): string {
  const match = LANGUAGE.exec(acceptLanguage);
  if (!match) return '';
  const [, language = '', region = ''] = match;
  return region === '' ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`;
}

// A script (`zh-Hant-TW`) is passed over. Whatever does not look like a language tag is none (RFC 5646).
const LANGUAGE = /^\s*([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-[a-z\d-]{0,32})?\s*(?:[,;]|$)/i;

/**
 * The host of Referer in lower case without port, user information and final dot; '' when it is not the name of
 * a public host, as addresses never are.
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
 * `agent` corrected by the Sec-CH-UA-Platform that came with it ('' when none did): where the User-Agent was
 * silent, device and system follow the platform, and the browser stays. Corrections are remembered as long as the agent
 * is, of which there are three at most, so that a hot visit makes no object.
 *
 * Sec-CH-UA-Mobile is not asked for: a browser that sends it says Mobile in its User-Agent when it means it.
 */
export function applyPlatformHint(agent: Agent, secChUaPlatform: string): Agent {
  if (secChUaPlatform === '' || agent.isBot) return agent;
  const platform = readHintedPlatform(agent.platform, secChUaPlatform);
  // Safari sends no hint, so a macOS hint means another engine, which no iPad has.
  const isSettled = platform !== agent.platform || (agent.mayBeIpad && secChUaPlatform === '"macOS"');
  return isSettled ? correct(agent, platform) : agent;
}

/** `agent` as the visitor's own browser told it, on the page that tells iPads from Macs. */
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
  // A headset or a television says Linux as a desktop does, and stays what it is.
  const isPlain = device === 'desktop' || device === 'other';
  switch (platform) {
    case 'android':
      // A phone asks for the desktop's page when it is told to, a tablet by itself.
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

/** What a visit counts as. */
export type VisitCount = {
  readonly source: VisitSource;
  readonly outcome: VisitOutcome;
  /** '' unless the outcome is `excluded`. */
  readonly exclusion: ExclusionReason | '';
};

/** What counting looks at in a visit. */
export type CountedRequest = {
  readonly isHead: boolean;
  /** Came by the address of a QR code, `/q/<slug>`. */
  readonly isScan: boolean;
  /** Without `?`, undecoded. */
  readonly query: string;
  readonly headers: PrefetchHeaders;
};

/**
 * What a visit that ended in `decision` counts as, null where there is nothing to record: the visitor is still
 * to say where to go, or the fault was ours. Makes no object.
 */
export function classifyVisit(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): VisitCount | null {
  if (decision.kind === 'unsupported' || decision.kind === 'ipad-or-mac') return null;
  const counts = request.isScan || isMarkedScan(request.query) ? SCANS : CLICKS;
  return counts[findExclusion(decision, request, agent) ?? outcomeOf(decision)];
}

/** Why a visit does not count, undefined when it does: who asked comes before what there was to see. */
function findExclusion(
  decision: Decision,
  request: CountedRequest,
  agent: Pick<Agent, 'isBot'>,
): ExclusionReason | undefined {
  // Tags for previews are for bots alone.
  if (agent.isBot || decision.kind === 'share') return 'bot';
  if (request.isHead) return 'head';
  if (isPrefetch(request.headers)) return 'prefetch';
  if (decision.kind === 'gone') return 'deleted';
  if (decision.kind === 'paused') return 'paused';
  return decision.kind === 'locked' ? 'form' : undefined;
}

type CountedOutcome = Exclude<VisitOutcome, 'excluded'>;

function outcomeOf(decision: Decision): CountedOutcome {
  if (decision.kind === 'redirect') return decision.outcome;
  // Who is shown the list of stores had no store of their own.
  return decision.kind === 'chooser' ? 'fallback' : 'page';
}

const SCAN_MARK = /(?:^|&)qr=1(?:&|$)/;

function isMarkedScan(query: string): boolean {
  return query !== '' && SCAN_MARK.test(query);
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
  };
}

/**
 * Whether a User-Agent is one of those that fetch a link to show its title and picture in a message or a post.
 * Apps that open links in a view of their own name themselves too, but behind a browser's User-Agent: they are people,
 * so no app's bare name is in the list.
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

/** What stands for a country that is not known. */
export const UNKNOWN_COUNTRY = 'XX';

/** Whether `code` is an officially assigned code of ISO 3166-1 alpha-2, in upper case. */
export function isCountryCode(code: string): boolean {
  return COUNTRY_CODES.has(code);
}

// The 249 of ISO 3166-1 as of 2026, a line for each first letter.
const COUNTRY_CODES: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ
  BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ
  DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET
  FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY
  HK HM HN HR HT HU
  ID IE IL IM IN IO IQ IR IS IT
  JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ
  LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ
  NA NC NE NF NG NI NL NO NP NR NU NZ
  OM
  PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA
  RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ
  TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ
  VA VC VE VG VI VN VU
  WF WS
  YE YT
  ZA ZM ZW
  `
    .trim()
    .split(/\s+/),
);
