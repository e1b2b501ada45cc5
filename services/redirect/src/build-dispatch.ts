import type { RedisConnection } from '@smartlink/link-resolver/redis-connection';
import { classifyAgent } from '@smartlink/visit-routing/classify';
import { USER_AGENT_LENGTH_MAX } from '@smartlink/visit-routing/platform';
import { createAnswerFile } from './answer-file.js';
import { createAnswerVisit } from './answer-visit.js';
import type { TrustedProxies } from './client-address.js';
import type { RedirectConfig } from './config.js';
import type { VisitCounters } from './counters.js';
import { createDispatch } from './dispatch.js';
import type { Dispatch } from './dispatch.js';
import type { EventRecorder } from './events/event-recorder.js';
import type { LinkCache } from './link-cache.js';
import type { Pages } from './open-pages.js';
import { createAnswerUnlock } from './unlock/answer-unlock.js';
import type { PasswordChecker } from './unlock/password-checker.js';
import { createPasswordGate } from './unlock/password-gate.js';
import { createTryLimiter } from './unlock/try-limiter.js';
import { createUnlockCookies } from './unlock/unlock-cookie.js';
import type { VisitorDeps } from './visit-event.js';
import { remember } from './visitor/remember.js';
import { wellKnownFiles } from './well-known.js';

/** Some 300 bytes each, of which there are twice as many at most; those too long to be real are not remembered. */
const AGENTS = { entriesMax: 16_384, lengthMax: USER_AGENT_LENGTH_MAX };
const UNLOCKS_WAITING_MAX = 32;

export type DispatchParts = Pages & {
  readonly redis: RedisConnection;
  readonly cache: LinkCache;
  readonly recorder: EventRecorder;
  readonly passwords: PasswordChecker;
  readonly visits: VisitCounters;
  readonly visitors: VisitorDeps;
  readonly proxies: TrustedProxies;
  readonly state: { readonly isReady: boolean };
  readonly onFault: (err: unknown) => void;
};

/** Returns what answers every request, put together of a worker's parts. */
export function buildDispatch(config: RedirectConfig, parts: DispatchParts): Dispatch {
  const { cache, files, replies, site, onFault, visits: counters } = parts;
  const now = () => Date.now();
  const defaultLanguage = config.DEFAULT_LANGUAGE;
  const publicUrl = new URL(site.publicBaseUrl);
  const [secret = ''] = config.COOKIE_SECRETS;
  const cookies = createUnlockCookies({
    secrets: config.COOKIE_SECRETS,
    isSecure: publicUrl.protocol === 'https:',
    now,
  });
  const wellKnown = wellKnownFiles({
    appleAppSiteAssociation: config.APPLE_APP_SITE_ASSOCIATION,
    assetLinks: config.ASSET_LINKS,
  });
  return createDispatch({
    answerVisit: createAnswerVisit({
      findLink: cache.find,
      findFile: files.find,
      classifyAgent: remember(classifyAgent, AGENTS),
      isUnlocked: cookies.isUnlocked,
      recordEvent: parts.recorder.record,
      replies,
      counters,
      now,
      redirectStatus: config.REDIRECT_STATUS,
      forwardsQuery: config.FORWARD_QUERY,
      defaultLanguage,
      ownHost: publicUrl.hostname,
      visitors: parts.visitors,
      onFault,
    }),
    answerFile: createAnswerFile({ findLink: cache.find, findFile: files.find, replies, counters, onFault }),
    answerUnlock: createAnswerUnlock({
      findLink: cache.find,
      gate: createPasswordGate({ verify: parts.passwords.verify, waitingMax: UNLOCKS_WAITING_MAX }),
      limiter: createTryLimiter({ redis: parts.redis, keyPrefix: config.REDIS_KEY_PREFIX, secret, now }),
      cookies,
      replies,
      counters,
      site,
      onFault,
    }),
    replies,
    counters,
    files: new Map([...parts.assets.answers, ...wellKnown]),
    isReady: () => parts.state.isReady,
    rootRedirectUrl: config.ROOT_REDIRECT_URL,
    defaultLanguage,
    proxyRules: { proxies: parts.proxies, countryHeader: config.COUNTRY_HEADER },
  });
}
