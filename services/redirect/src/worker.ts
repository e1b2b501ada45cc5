import { randomBytes } from 'node:crypto';
import { followChanges } from '@smartlink/link-resolver/change-feed';
import { createLinkResolver } from '@smartlink/link-resolver/link-resolver';
import { createRecentChanges } from '@smartlink/link-resolver/recent-changes';
import { openFeedRedis, openRedis } from '@smartlink/link-resolver/redis-connection';
import { REPLICA_LAG_MAX_MS } from '@smartlink/link-resolver/replicas';
import type { Logger } from '@smartlink/process/logger';
import { installShutdown } from '@smartlink/process/shutdown';
import { readLanguage, readReferrerHost } from '@smartlink/visit-routing/classify';
import { createTrustedProxies } from './client-address.js';
import type { RedirectConfig } from './config.js';
import { createVisitCounters } from './counters.js';
import { buildDispatch } from './build-dispatch.js';
import { startCoarseClock } from './coarse-clock.js';
import { createEventRecorder } from './events/event-recorder.js';
import { createLinkCache } from './link-cache.js';
import { createFeedDelays, createLookupTimer } from './lookup-timer.js';
import type { PrimaryMessage, WorkerMessage } from './messages.js';
import { openPages } from './open-pages.js';
import { openLinkDatabase, openReplicaDatabase } from './postgres.js';
import { headerValue } from './reply.js';
import type { Header } from './reply.js';
import { prepareLink } from './served-link.js';
import { createServer } from './server.js';
import type { Server } from './server.js';
import { createPasswordChecker, startPasswordThread } from './unlock/password-checker.js';
import type { VisitorDeps } from './visit-event.js';
import { createVisitTimer } from './visit-timer.js';
import { openCountries } from './visitor/country.js';
import { remember } from './visitor/remember.js';
import { shareSalts } from './visitor/shared-salts.js';
import { createVisitorIds } from './visitor/visitor-id.js';
import type { VisitorSalts } from './visitor/visitor-salts.js';
import { WORKER_DRAIN_MS, WORKER_SHUTDOWN_MS } from './worker-deadlines.js';
import { startReports } from './worker-report.js';

// A Redis on the same network answers in under a millisecond; one that needs longer costs a cold visit this and is
// left alone after three of them.
const REDIS_TIMEOUT_MS = 100;
/** Requests under way; the events that follow have what is left of the shutdown. */
const CLOSE_DEADLINE_MS = 2_000;
const FIRST_ANSWER_INTERVAL_MS = 100;
// Where the public address is https, no visit is to go over plain http again (RFC 6797). A year, as browsers want it.
const STRICT_TRANSPORT: Header = ['Strict-Transport-Security', headerValue('max-age=31536000')];
// A salt of the day comes within a few milliseconds, and who visits before it has come is another visitor after.
const SALT_WAIT_MS = 250;
const FAULT_LOG_INTERVAL_MS = 1_000;
// What of changes is remembered while there are read replicas: twice as long as one may be behind; 10 MB at most.
const RECENT_CHANGES = { windowMs: 2 * REPLICA_LAG_MAX_MS, changesMax: 50_000 };
/** Languages and referring pages come again and again; 2 MB at most for each. */
const REMEMBERED_HEADERS = { entriesMax: 4_000, lengthMax: 256 };

export type WorkerPart = {
  readonly place: number;
  /** The name of its primary. */
  readonly primary: string;
  readonly isReplacement: boolean;
};

/**
 * Runs one process that answers visitors, until its primary says stop, goes away, or a signal comes. One that replaces
 * another begins to listen only once a store has answered: until then the other serves better.
 */
export async function runWorker(config: RedirectConfig, part: WorkerPart, log: Logger): Promise<void> {
  const links = openLinks(config, part.primary, log);
  const recorder = createEventRecorder({
    spoolDir: config.SPOOL_DIR,
    // A new name a start: a process that took the place of another never writes into its files.
    writerId: `w${part.place}x${randomBytes(5).toString('hex')}`,
    bytesMax: config.SPOOL_BYTES_MAX,
    strict: config.EVENTS_STRICT,
    log: log.child({ component: 'events' }),
  });
  const visitors = openVisitors(config, links.salts.saltOf);
  const pages = openPages(config, log.child({ component: 'pages' }));
  const passwords = createPasswordChecker({ startThread: startPasswordThread, log });
  const visits = createVisitCounters();
  const timer = createVisitTimer(visits);
  const faults = { count: 0 };
  const state = { isReady: false, isStopping: false };
  const onFault = createFaultLog(log, faults);
  const proxies = createTrustedProxies(config.TRUSTED_PROXIES);
  const parts = { proxies, passwords, recorder, visits, visitors, state, onFault };
  const server = createServer({
    host: config.REDIRECT_HOST,
    port: config.REDIRECT_PORT,
    dispatch: buildDispatch(config, { ...links, ...pages, ...parts }),
    proxies,
    timer,
    everyHeader: pages.site.publicBaseUrl.startsWith('https:') ? [STRICT_TRANSPORT] : [],
    onFault,
  });
  const reports = startReports(
    {
      visits,
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
  followPrimary(server, shutdown);
  await links.salts.wait(SALT_WAIT_MS);
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
    findCountry: openCountries(config.COUNTRY_DATABASE),
    readVisitorId: createVisitorIds(saltOf),
    readLanguage: remember(readLanguage, REMEMBERED_HEADERS),
    readReferrerHost: remember(readReferrerHost, REMEMBERED_HEADERS),
  };
}

function followPrimary(server: Server, shutdown: (reason: string) => void): void {
  process.on('message', (message: PrimaryMessage) => {
    if (message.kind === 'stop') {
      shutdown('stop');
    } else {
      void server.drain({ deadlineMs: WORKER_DRAIN_MS }).finally(() => {
        shutdown('replaced');
      });
    }
  });
  process.on('disconnect', () => {
    shutdown('the primary is gone');
  });
}

/** Opens what links come from, and the salts of visitor ids. Nothing here has to be there: connections are tried again behind the visits. */
function openLinks(config: RedirectConfig, primary: string, log: Logger) {
  const now = () => performance.now();
  const clock = startCoarseClock();
  const keyPrefix = config.REDIS_KEY_PREFIX;
  const redis = openRedis({ url: config.REDIS_URL, log, commandTimeoutMs: REDIS_TIMEOUT_MS });
  const salts = shareSalts({ redis, keyPrefix, now: () => Date.now() });
  const feedLog = log.child({ component: 'changes' });
  const feedRedis = openFeedRedis({ url: config.REDIS_URL, log: feedLog });
  const database = openLinkDatabase({ url: config.DATABASE_URL, log });
  const replicas = config.DATABASE_REPLICA_URL.map((url) => openReplicaDatabase({ url, log }));
  const changes = createRecentChanges({ ...RECENT_CHANGES, now });
  const reading = replicas.length === 0 ? undefined : { replicas, changes };
  const resolver = createLinkResolver({ redis, postgres: database, reading, keyPrefix, now });
  const lookups = createLookupTimer(resolver.resolve);
  const feedDelays = createFeedDelays();
  const cache = createLinkCache({
    resolve: lookups.resolve,
    prepare: (snapshot) => prepareLink(snapshot, config.REDIRECT_STATUS),
    now: clock.now,
    entriesMax: config.L1_ENTRIES_MAX,
    bytesMax: config.L1_BYTES_MAX,
  });
  const feed = followChanges({
    redis: feedRedis,
    keyPrefix,
    log: feedLog,
    onChange: reading === undefined ? cache.onChange : both(changes.onChange, cache.onChange),
    onGap: reading === undefined ? cache.onGap : both(changes.onGap, cache.onGap),
    ownSender: primary,
    onOwnHeartbeat: feedDelays.observe,
  });
  return {
    redis,
    salts,
    resolver,
    cache,
    feed,
    histograms: [lookups, feedDelays],
    /** Resolves when Redis or Postgres has answered, or `isStopping` says to give up. */
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
      // Its connections end with the process; waiting for a statement under way would only cost time.
      for (const each of [database, ...replicas]) void each.end().catch(() => undefined);
    },
  };
}

function both<Values extends unknown[]>(
  first: (...values: Values) => void,
  second: (...values: Values) => void,
): (...values: Values) => void {
  return (...values) => {
    first(...values);
    second(...values);
  };
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** Counts every fault and logs one a second at most: an input that breaks us may come as often as it likes. */
function createFaultLog(log: Logger, faults: { count: number }): (err: unknown) => void {
  let quietUntil = 0;
  return (err) => {
    faults.count += 1;
    const time = performance.now();
    if (time < quietUntil) return;
    quietUntil = time + FAULT_LOG_INTERVAL_MS;
    log.error({ err, faults: faults.count }, 'a request could not be answered');
  };
}

/** Resolves when the message is on its way; a primary that is gone is told nothing. */
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
