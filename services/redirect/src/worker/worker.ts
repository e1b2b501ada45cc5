import { randomBytes } from 'node:crypto';
import { followChanges } from '@smartlink/links/change-feed';
import { openFeedRedis, openRedis } from '@smartlink/links/redis';
import { REPLICA_LAG_MAX_MS, createLinkResolver, createRecentChanges } from '@smartlink/links/resolve';
import { createTrustedProxies } from '@smartlink/process/client-address';
import { installShutdown, type Logger } from '@smartlink/process/lifecycle';
import { openCountries } from '@smartlink/visits/countries';
import { readLanguage, readReferrerHost } from '@smartlink/visits/routing';
import { remember } from '../bounded-maps.js';
import type { RedirectConfig } from '../config.js';
import { createEventRecorder } from '../events/event-recorder.js';
import { type Header, headerValue } from '../http/reply.js';
import { createHosts, type Hosts } from '../http/served-host.js';
import { createAllowances } from '../links/allowances.js';
import { createLinkCache, startCoarseClock } from '../links/link-cache.js';
import { openAllowanceDatabase, openLinkDatabase, openReplicaDatabase } from '../links/postgres.js';
import { prepareLink } from '../links/served-link.js';
import {
  createFeedDelays,
  createLookupTimer,
  createPressCounters,
  createVisitCounters,
  createVisitTimer,
} from '../metrics/worker-metrics.js';
import { openPages } from '../rendering/file-cache.js';
import { createPasswordChecker, startPasswordThread } from '../unlock/password-checker.js';
import type { VisitorDeps } from '../visit/answer-visit.js';
import { rememberCountries } from '../visitor/country.js';
import { createVisitorIds, shareSalts, type VisitorSalts } from '../visitor/visitor-id.js';
import { createDispatch } from './dispatch.js';
import { type PrimaryMessage, WORKER_DRAIN_MS, WORKER_SHUTDOWN_MS, type WorkerMessage } from './protocol.js';
import { createServer, type Server } from './server.js';
import { startReports } from './worker-report.js';

// Redis on the same network answers in under a millisecond; a slower one delays a cold visit by this, and is skipped
// after three failures.
const REDIS_TIMEOUT_MS = 100;
/** For requests in progress; events get the rest of the shutdown. */
const CLOSE_DEADLINE_MS = 2_000;
const FIRST_ANSWER_INTERVAL_MS = 100;
// If the public address is https, browsers must not use plain http again (RFC 6797). HSTS preload lists require a year.
const STRICT_TRANSPORT: Header = ['Strict-Transport-Security', headerValue('max-age=31536000')];
// The shared salt arrives within milliseconds. A visitor seen before it is counted again afterwards.
const SALT_WAIT_MS = 250;
/** The primary sends the domains at once; without them hosts other than that of PUBLIC_BASE_URL get 503. */
const DOMAINS_WAIT_MS = 2_000;
const FAULT_LOG_INTERVAL_MS = 1_000;
// Recent changes kept when read replicas are configured: twice the maximum replica lag; 10 MB at most.
const RECENT_CHANGES = { windowMs: 2 * REPLICA_LAG_MAX_MS, changesMax: 50_000 };
/** Languages and referrers repeat; 2 MB at most for each. */
const REMEMBERED_HEADERS = { entriesMax: 4_000, lengthMax: 256 };

export type WorkerPart = {
  readonly place: number;
  /** The name of its primary. */
  readonly primary: string;
  readonly isReplacement: boolean;
};

/**
 * Runs one process that answers visitors, until its primary stops it or is gone, or a signal comes. A replacement listens
 * only after a store has answered: until then the old worker serves better.
 */
export async function runWorker(config: RedirectConfig, part: WorkerPart, log: Logger): Promise<void> {
  const hosts = createHosts(config);
  const links = openLinks(config, part.primary, log, hosts);
  const recorder = createEventRecorder({
    spoolDir: config.SPOOL_DIR,
    // New for each start: a replacement never writes to the files of its predecessor.
    writerId: `w${part.place}x${randomBytes(5).toString('hex')}`,
    bytesMax: config.SPOOL_BYTES_MAX,
    strict: config.EVENTS_STRICT,
    log: log.child({ component: 'events' }),
  });
  const visitors = openVisitors(config, links.salts.saltOf);
  const pages = openPages(config, log.child({ component: 'pages' }));
  const passwords = createPasswordChecker({ startThread: startPasswordThread, log });
  const visits = createVisitCounters();
  const presses = createPressCounters();
  const timer = createVisitTimer(visits);
  const faults = { count: 0 };
  const state = { isReady: false, isStopping: false };
  const onFault = createFaultLog(log, faults);
  const proxies = createTrustedProxies(config.TRUSTED_PROXIES);
  const parts = { hosts, proxies, passwords, recorder, visits, presses, visitors, state, onFault };
  const server = createServer({
    host: config.REDIRECT_HOST,
    port: config.REDIRECT_PORT,
    dispatch: createDispatch(config, { ...links, ...pages, ...parts }),
    proxies,
    timer,
    everyHeader: pages.site.publicBaseUrl.startsWith('https:') ? [STRICT_TRANSPORT] : [],
    onFault,
  });
  const reports = startReports(
    {
      visits,
      presses,
      faults,
      cache: links.cache,
      resolver: links.resolver,
      recorder,
      pages,
      server,
      histograms: [timer, ...links.histograms],
      feedIsLive: links.feed.isLive,
      saltIsShared: links.salts.isShared,
      redisIsReady: () => links.redis.status === 'ready',
    },
    tellPrimary,
  );
  const shutdown = installShutdown({
    log,
    deadlineMs: WORKER_SHUTDOWN_MS,
    steps: [
      { name: 'server', run: () => closeServer(server, state) },
      { name: 'threads', run: () => Promise.all([pages.renderer.close(), passwords.close()]) },
      { name: 'events', run: () => recorder.close() },
      { name: 'last report', run: () => reports.close().finally(timer.stop) },
      { name: 'connections', run: links.close },
    ],
  });
  const domains = followPrimary(server, shutdown, hosts);
  await Promise.all([links.salts.wait(SALT_WAIT_MS), domains]);
  const waitForStore = () => links.waitForStore(() => state.isStopping);
  if (part.isReplacement) await waitForStore();
  if (!state.isStopping) await server.listen();
  await tellPrimary({ kind: 'listening' });
  if (!part.isReplacement) await waitForStore();
  if (state.isStopping) return;
  state.isReady = true;
  await tellPrimary({ kind: 'ready' });
}

function closeServer(server: Server, state: { isReady: boolean; isStopping: boolean }): Promise<void> {
  state.isReady = false;
  state.isStopping = true;
  return server.close({ deadlineMs: CLOSE_DEADLINE_MS });
}

function openVisitors(config: RedirectConfig, saltOf: VisitorSalts['saltOf']): VisitorDeps {
  return {
    findCountry: rememberCountries(openCountries(config.COUNTRY_DATABASE)),
    readVisitorId: createVisitorIds(saltOf),
    readLanguage: remember(readLanguage, REMEMBERED_HEADERS),
    readReferrerHost: remember(readReferrerHost, REMEMBERED_HEADERS),
  };
}

/** Resolves when the domains have come, or are late. */
function followPrimary(server: Server, shutdown: (reason: string) => void, hosts: Hosts): Promise<void> {
  const domains = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DOMAINS_WAIT_MS);
    process.on('message', (message: PrimaryMessage) => {
      if (message.kind === 'stop') {
        shutdown('stop');
      } else if (message.kind === 'domains') {
        hosts.apply(message.changes);
        clearTimeout(timer);
        resolve();
      } else {
        void server.drain({ deadlineMs: WORKER_DRAIN_MS }).finally(() => {
          shutdown('replaced');
        });
      }
    });
  });
  const onPrimaryGone = () => {
    shutdown('the primary is gone');
  };
  process.on('disconnect', onPrimaryGone);
  // It may have died while this process was loading.
  if (!process.connected) onPrimaryGone();
  return domains;
}

/**
 * Opens the stores of links and the salts of visitor ids. No backend needs to be reachable; connections are retried in the
 * background.
 */
function openLinks(config: RedirectConfig, primary: string, log: Logger, hosts: Hosts) {
  const now = () => performance.now();
  const clock = startCoarseClock();
  const keyPrefix = config.REDIS_KEY_PREFIX;
  const redis = openRedis({ url: config.REDIS_URL, log, commandTimeoutMs: REDIS_TIMEOUT_MS });
  const salts = shareSalts({ redis, keyPrefix, now: () => Date.now() });
  const feedLog = log.child({ component: 'changes' });
  const feedRedis = openFeedRedis({ url: config.REDIS_URL, log: feedLog });
  const database = openLinkDatabase({ url: config.DATABASE_URL, log });
  const allowanceDatabase = openAllowanceDatabase({ url: config.DATABASE_URL, log });
  const allowances = createAllowances({ db: allowanceDatabase, now: Date.now });
  const replicas = config.DATABASE_REPLICA_URL.map((url) => openReplicaDatabase({ url, log }));
  const changes = createRecentChanges({ ...RECENT_CHANGES, now });
  const reading = replicas.length === 0 ? undefined : { replicas, changes };
  const resolver = createLinkResolver({ redis, postgres: database, reading, keyPrefix, now });
  const lookups = createLookupTimer(resolver.resolve);
  const feedDelays = createFeedDelays();
  const redirects = { status: config.REDIRECT_STATUS, forwardsQuery: config.FORWARD_QUERY };
  const cache = createLinkCache({
    resolve: lookups.resolve,
    prepare: (snapshot, slugKey) => prepareLink(snapshot, redirects, hosts.nameOf(slugKey)),
    now: clock.now,
    entriesMax: config.L1_ENTRIES_MAX,
    bytesMax: config.L1_BYTES_MAX,
  });
  const listeners = reading === undefined ? [cache] : [changes, cache];
  const feed = followChanges({
    redis: feedRedis,
    keyPrefix,
    log: feedLog,
    onChange: (slugKey, version) => {
      for (const listener of listeners) listener.onChange(slugKey, version);
    },
    onGap: () => {
      for (const listener of listeners) listener.onGap();
    },
    ownSender: primary,
    onOwnHeartbeat: feedDelays.observe,
  });
  return {
    redis,
    salts,
    resolver,
    cache,
    allowances,
    feed,
    histograms: [lookups, feedDelays],
    /** Resolves when Redis or Postgres has answered, or `isStopping` returns true. */
    async waitForStore(isStopping: () => boolean): Promise<void> {
      while (!isStopping()) {
        const answers = [redis.ping(), ...[database, ...replicas].map((each) => each.connect())];
        if (await Promise.any(answers).then(isTrue, isFalse)) return;
        await new Promise((resolve) => setTimeout(resolve, FIRST_ANSWER_INTERVAL_MS));
      }
    },
    close: (): void => {
      clock.stop();
      salts.close();
      resolver.close();
      feed.close();
      feedRedis.disconnect();
      redis.disconnect();
      // Its connections end with the process; waiting for a query would only cost time.
      for (const each of [database, allowanceDatabase, ...replicas]) void each.end().catch(() => undefined);
    },
  };
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** Counts every fault and logs at most one a second, since hostile input may repeat. */
function createFaultLog(log: Logger, faults: { count: number }): (err: unknown) => void {
  let quietUntil = 0;
  return (err) => {
    faults.count += 1;
    const time = performance.now();
    if (time < quietUntil) return;
    quietUntil = time + FAULT_LOG_INTERVAL_MS;
    log.error({ err, faults: faults.count }, 'internal error while handling a request; sent 503');
  };
}

/** Resolves when the message is sent, or the primary is gone. */
function tellPrimary(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected || process.send === undefined) {
      resolve();
      return;
    }
    process.send(message, undefined, undefined, () => {
      resolve();
    });
  });
}
