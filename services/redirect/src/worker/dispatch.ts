import type { RedisConnection } from '@smartlink/links/redis';
import { MEDIA_PATH } from '@smartlink/media/address';
import { openMediaStore } from '@smartlink/media/store';
import { chooseLanguage } from '@smartlink/pages/site';
import type { TrustedProxies } from '@smartlink/process/client-address';
import { USER_AGENT_LENGTH_MAX, classifyAgent, classifyAsPerson } from '@smartlink/visits/routing';
import { remember } from '../bounded-maps.js';
import type { RedirectConfig } from '../config.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { drawFavicon } from '../http/assets.js';
import { type Answer, fileAnswer, methodNotAllowed, type Reply, textReply } from '../http/reply.js';
import type { Hosts, ServedHost } from '../http/served-host.js';
import type { Allowances } from '../links/allowances.js';
import type { LinkCache } from '../links/link-cache.js';
import { createAnswerMedia } from '../media/media-files.js';
import {
  type PressCounters,
  recordResult,
  type Tally,
  type VisitCounters,
} from '../metrics/worker-metrics.js';
import { createAnswerFile, type Pages } from '../rendering/file-cache.js';
import { type LinkFile, PREVIEW_PAGE, QR_SIZES_PX, qrFile, VCARD } from '../rendering/file-kinds.js';
import { createAnswerUnlock, type UnlockRequest } from '../unlock/answer-unlock.js';
import { createPasswordGate, type PasswordChecker } from '../unlock/password-checker.js';
import { createTryLimiter } from '../unlock/try-limiter.js';
import { createUnlockCookies } from '../unlock/unlock-cookie.js';
import { createAnswerPress, type PressRequest } from '../visit/answer-press.js';
import { createAnswerVisit, type VisitorDeps } from '../visit/answer-visit.js';
import {
  type InternalAddress,
  parseInternalPath,
  parsePressPath,
  parseVisitPath,
  type PressAddress,
  type Sender,
  type VisitAddress,
  type VisitRequest,
} from '../visit/visit-request.js';
import { type ClientAddress, toClientAddress } from '../visitor/client-address.js';

export type Dispatch = ReturnType<typeof createDispatch>;

const FAVICON_SECONDS = 86_400;

type DispatchParts = Pages & {
  readonly redis: RedisConnection;
  readonly hosts: Hosts;
  readonly cache: LinkCache;
  readonly allowances: Allowances;
  readonly recorder: EventRecorder;
  readonly passwords: PasswordChecker;
  readonly visits: VisitCounters;
  readonly presses: PressCounters;
  readonly visitors: VisitorDeps;
  readonly proxies: TrustedProxies;
  readonly state: { readonly isReady: boolean };
  readonly onFault: (err: unknown) => void;
};

/** Routes a request by its path. Slugs come first: nearly all requests are visits. */
export function createDispatch(config: RedirectConfig, parts: DispatchParts) {
  const { replies, hosts, visits: counters } = parts;
  const { answerVisit, answerFile, answerMedia, answerUnlock, answerPress } = createAnswers(config, parts);
  const proxyRules = { proxies: parts.proxies, countryHeader: config.COUNTRY_HEADER };
  const notAllowed = methodNotAllowed();
  const onlyPost = methodNotAllowed('POST');
  const misdirected = textReply(421, 'This host name is not served here.\n');
  const badQrOption = textReply(400, `ecc is L, M, Q or H; size is ${QR_SIZES_PX.join(', ')}\n`);
  const fixed = fixedAnswers(parts);
  const answerHealth = createAnswerHealth(parts);
  const languageOf = (acceptLanguage: string) => chooseLanguage(acceptLanguage, config.DEFAULT_LANGUAGE);

  function refuseMethod(path: string, tally: Tally): Reply {
    recordResult(counters, tally, 'method_not_allowed');
    return parsePressPath(path) === null ? notAllowed : onlyPost;
  }

  /** Under a host name without links. */
  function refuseHost(refusal: NonNullable<ServedHost['refusal']>, arrival: Arrival): Answer {
    recordResult(counters, arrival, REFUSALS[refusal]);
    if (refusal === 'misdirected') return misdirected;
    const name = refusal === 'suspended' ? 'notFound' : 'unavailable';
    return replies[name][languageOf(arrival.req.getHeader('accept-language'))];
  }

  return {
    /** Answers a GET or HEAD; copies what it needs before it returns. */
    page(arrival: Arrival) {
      const { req } = arrival;
      const path = req.getUrl();
      const host = hosts.hostOf(req);
      if (host.refusal !== null) return answerHealth(path, req) ?? refuseHost(host.refusal, arrival);
      const visit = parseVisitPath(path);
      if (visit !== null) return answerVisit(copyVisitRequest(arrival, host, visit, proxyRules));
      const address = parseInternalPath(path);
      if (address?.kind === 'chosen') {
        return answerVisit(copyVisitRequest(arrival, host, address, proxyRules));
      }
      const language = languageOf(req.getHeader('accept-language'));
      if (address !== null) {
        const file = chooseFile(address, readQuery(req));
        return file === null
          ? badQrOption
          : answerFile({ host, slug: address.slug, file, language, tally: arrival });
      }
      if (path.startsWith(MEDIA_PATH)) {
        return answerMedia({ name: path.slice(MEDIA_PATH.length), language, tally: arrival });
      }
      if (path === '/') return host.root ?? replies.root[language];
      const file = path.startsWith(WELL_KNOWN) ? host.wellKnown().get(path) : fixed.get(path);
      const answer = file ?? answerHealth(path, req);
      if (answer !== undefined) return answer;
      if (parsePressPath(path) !== null) return refuseMethod(path, arrival);
      recordResult(counters, arrival, 'not_found');
      return replies.notFound[language];
    },
    /** Copies what it needs of a POST and returns what answers it once its body is read; null if the path takes none. */
    post(arrival: Arrival): ((body: string) => Promise<Answer>) | null {
      const path = arrival.req.getUrl();
      const host = hosts.hostOf(arrival.req);
      if (host.refusal !== null) {
        const refusal = Promise.resolve(refuseHost(host.refusal, arrival));
        return () => refusal;
      }
      const visit = parseVisitPath(path);
      if (visit !== null) {
        const { acceptLanguage, ...request } = copyFormRequest(arrival, parts.proxies);
        const language = languageOf(acceptLanguage);
        return (body) => answerUnlock({ ...request, ...visit, host, body, language, tally: arrival });
      }
      const address = parsePressPath(path);
      if (address === null) return null;
      const press = copyPressRequest(arrival, host, address, proxyRules);
      return () => answerPress(press);
    },
    methodNotAllowed: refuseMethod,
  };
}

// Balancers and probes ask on the internal network. A request through a proxy comes from outside, through an edge that
// forwards too much, such as any Ingress without a filter.
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'];

function cameThroughProxy(req: Arrival['req']): boolean {
  return PROXY_HEADERS.some((name) => req.getHeader(name) !== '');
}

/** The file asked for; null for a QR code with an unknown level or size. */
function chooseFile(address: Exclude<InternalAddress, { kind: 'chosen' }>, query: string): LinkFile | null {
  if (address.kind === 'preview') return PREVIEW_PAGE;
  if (address.kind === 'vcard') return VCARD;
  return qrFile(address.format, query);
}

const WELL_KNOWN = '/.well-known/';
const REFUSALS = { suspended: 'not_found', misdirected: 'misdirected', unknown: 'unavailable' } as const;

/** Answers health checks; undefined for other paths, and through a proxy. */
function createAnswerHealth({ state }: DispatchParts) {
  const live = textReply(200, 'live\n');
  const ready = textReply(200, 'ready\n');
  // Do not expose failure reasons publicly.
  const notReady = textReply(503, 'not ready\n');
  return (path: string, req: Incoming): Reply | undefined => {
    if ((path !== '/-/live' && path !== '/-/ready') || cameThroughProxy(req)) return undefined;
    if (path === '/-/live') return live;
    return state.isReady ? ready : notReady;
  };
}

/** Those of every host. */
function fixedAnswers({ assets }: DispatchParts): ReadonlyMap<string, Answer> {
  const favicon = fileAnswer('image/x-icon', drawFavicon(), { maxAgeSeconds: FAVICON_SECONDS });
  return new Map<string, Answer>([
    ['/robots.txt', textReply(200, ROBOTS)],
    ['/favicon.ico', favicon],
    ...assets.answers,
  ]);
}

// Search engines may follow short links, each of which says itself whether to index it; internal addresses offer only the
// pictures of pages.
const ROBOTS = `User-agent: *
Allow: /-/assets/
Allow: /-/media/
Allow: /-/qr/
Disallow: /-/
`;

/** The parts of a uWebSockets.js request that are read before it is reused. */
export type Incoming = {
  getUrl(): string;
  getQuery(): string;
  getHeader(lowerCaseName: string): string;
  forEach(callback: (name: string, value: string) => void): void;
};

type ProxyRules = {
  readonly proxies: TrustedProxies;
  /** Header in which a trusted proxy names the visitor's country, in lower case; '' for none. */
  readonly countryHeader: string;
};

/** The header lines of a request that may be repeated: `getHeader` returns the first one of a name. */
export type RepeatedLines = {
  /** A proxy may add its own line below a forged one. */
  readonly forwardedFor: readonly string[];
  readonly lengths: readonly string[];
  readonly hasCoding: boolean;
};

/** A request with its sender. Also used as the result record, to avoid an allocation per request. */
export type Arrival = Tally & {
  readonly req: Incoming;
  readonly isHead: boolean;
  readonly sender: Sender;
  /** Null if they were not read: the request is not of a proxy, and `getHeader` finds no body. */
  readonly lines: RepeatedLines | null;
};

/** `platform`: the visitor's choice, if any. */
export function copyVisitRequest(
  arrival: Arrival,
  host: ServedHost,
  { slug, isScan, platform }: VisitAddress & { readonly platform?: 'ipad' | 'mac' },
  rules: ProxyRules,
): VisitRequest {
  const { req, isHead, sender, lines } = arrival;
  return {
    isHead,
    host,
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
    address: findClient(sender, lines, rules.proxies),
    edgeCountry: sender.isProxy && rules.countryHeader !== '' ? req.getHeader(rules.countryHeader) : '',
    tally: arrival,
  };
}

/** The parts of a POST to a link's address known before its body. */
export function copyFormRequest(
  { req, sender, lines }: Pick<Arrival, 'req' | 'sender' | 'lines'>,
  proxies: TrustedProxies,
): Omit<UnlockRequest, 'host' | 'slug' | 'isScan' | 'language' | 'body' | 'tally'> & {
  readonly acceptLanguage: string;
} {
  return {
    query: readQuery(req),
    contentType: req.getHeader('content-type'),
    acceptLanguage: req.getHeader('accept-language'),
    origin: req.getHeader('origin'),
    secFetchSite: req.getHeader('sec-fetch-site'),
    hostLine: req.getHeader('host'),
    address: findClient(sender, lines, proxies).text,
  };
}

function copyPressRequest(
  arrival: Arrival,
  host: ServedHost,
  { slug, button }: PressAddress,
  rules: ProxyRules,
): PressRequest {
  const { req } = arrival;
  return {
    button,
    visit: copyVisitRequest(arrival, host, { slug, isScan: false }, rules),
    secFetchSite: req.getHeader('sec-fetch-site'),
    // A ping has no Referer.
    pageUrl: req.getHeader('ping-from') || req.getHeader('referer'),
  };
}

/** The client of a proxy, or the sender itself. */
function findClient(sender: Sender, lines: RepeatedLines | null, proxies: TrustedProxies): ClientAddress {
  if (!sender.isProxy) return sender.address;
  return toClientAddress(proxies.findClient(sender.address.text, lines?.forwardedFor ?? []));
}

/** Takes 1.8 µs, most of them for the calls, so all are read in one pass. */
export function readRepeatedLines(req: Pick<Incoming, 'forEach'>): RepeatedLines {
  const forwardedFor: string[] = [];
  const lengths: string[] = [];
  let hasCoding = false;
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') forwardedFor.push(value);
    if (name === 'content-length') lengths.push(value);
    if (name === 'transfer-encoding') hasCoding = true;
  });
  return { forwardedFor, lengths, hasCoding };
}

/** The text after `?`. Without one uWebSockets.js returns undefined, contrary to its types. */
function readQuery(req: Incoming): string {
  return req.getQuery() || '';
}

/** About 300 bytes an entry, up to twice as many; a longer User-Agent is classified each time. */
const AGENTS = { entriesMax: 16_384, lengthMax: USER_AGENT_LENGTH_MAX };
const BOTS_AS_PERSONS = { ...AGENTS, entriesMax: 1_024 };
const UNLOCKS_WAITING_MAX = 32;

function createAnswers(config: RedirectConfig, parts: DispatchParts) {
  const { cache: links, hosts, allowances, files, replies, site, onFault, visits: counters } = parts;
  const now = () => Date.now();
  const defaultLanguage = config.DEFAULT_LANGUAGE;
  const [secret = ''] = config.COOKIE_SECRETS;
  const cookies = createUnlockCookies({
    secrets: config.COOKIE_SECRETS,
    isSecure: site.publicBaseUrl.startsWith('https:'),
    now,
  });
  const knownAgent = remember(classifyAgent, AGENTS);
  return {
    answerVisit: createAnswerVisit({
      links,
      allowances,
      files,
      classifyAgent: knownAgent,
      classifyAsPerson: remember(classifyAsPerson, BOTS_AS_PERSONS),
      cookies,
      recorder: parts.recorder,
      replies,
      counters,
      now,
      draw: Math.random,
      defaultLanguage,
      hosts,
      visitors: parts.visitors,
      onFault,
    }),
    answerPress: createAnswerPress({
      links,
      allowances,
      classifyAgent: knownAgent,
      recorder: parts.recorder,
      counters: parts.presses,
      now,
      hosts,
      visitors: parts.visitors,
      onFault,
    }),
    answerFile: createAnswerFile({ links, allowances, files, replies, counters, onFault }),
    answerMedia: createAnswerMedia({
      store: openMediaStore(config),
      bytesMax: config.MEDIA_BYTES_MAX,
      replies,
      counters,
      now,
      onFault,
    }),
    answerUnlock: createAnswerUnlock({
      links,
      allowances,
      gate: createPasswordGate(parts.passwords, UNLOCKS_WAITING_MAX),
      limiter: createTryLimiter({ redis: parts.redis, keyPrefix: config.REDIS_KEY_PREFIX, secret, now }),
      cookies,
      replies,
      counters,
      site,
      onFault,
    }),
  };
}
