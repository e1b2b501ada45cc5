import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { changeChannel, SNAPSHOT_FORMAT } from './redis-codec.js';
import type { RedisConnection } from './redis.js';

/** How often each redirect primary sends a heartbeat, in ms. */
export const HEARTBEAT_INTERVAL_MS = 500;
/** After this long without a message, in ms, changes may have been missed: three lost heartbeats. */
export const SILENCE_MAX_MS = 1_500;

// A half-open connection (lost machine, cut network) stays open for many minutes without messages, so a lasting silence
// is answered with a new connection.
const RECONNECT_AFTER_SILENCE_MS = 3_000;
const RECONNECT_INTERVAL_MS = 15_000;

export { changeChannel, SNAPSHOT_FORMAT } from './redis-codec.js';

// No slug begins with it. A heartbeat is `~ <sender> <time> <format>`: to a reader of changes it is one without a version.
// Builds before format 2 send no format, and read none.
const HEARTBEAT = '~';

export type ChangeFeed = {
  /** Subscribed, and not silent. */
  readonly isLive: () => boolean;
  readonly close: () => void;
};

export type Heartbeats = { readonly close: () => void };

export type ChangeFeedOptions = {
  /** Opened by openFeedRedis, for the feed alone. The feed does not close it. */
  readonly redis: Redis;
  readonly keyPrefix: string;
  /** Logs the begin and end of a silence, and once per outage a refused subscription. */
  readonly log: Logger;
  /** A slug has changed; Redis normally holds its snapshot of at least `version`. */
  readonly onChange: (slugKey: string, version: number) => void;
  /** Changes may have been missed: before each subscription, and while a silence lasts. */
  readonly onGap: (reason: 'subscribed' | 'silence') => void;
  /** Sender of the heartbeats that are timed: the primary of this host, which has the same clock. */
  readonly ownSender?: string;
  /** A heartbeat of `ownSender` has come, `delayMs` after it was sent. */
  readonly onOwnHeartbeat?: (delayMs: number) => void;
};

/**
 * Listens to changes. The feed is *live* while messages come; a silence of SILENCE_MAX_MS is a gap, and so is the time
 * before a subscription: the listener must look up its entries again. A silence is reported when it begins and ends with
 * the next message; during it the connection is renewed from time to time. While the connection is up (Redis may refuse
 * the subscription), the silence is reported again about every SILENCE_MAX_MS. Without a connection it is not, since each
 * report would make every entry ask Postgres.
 */
export function followChanges(options: ChangeFeedOptions): ChangeFeed {
  const { redis, keyPrefix, log, onChange, onGap } = options;
  let lastMessageAt = performance.now();
  let isSilent = false;
  let wasSubscribed = false;
  let wasRefused = false;
  let reconnectDueAt = 0;
  let gapDueAt = 0;

  const onMessage = (_channel: string, message: string): void => {
    const time = performance.now();
    if (isSilent) log.info({ silentMs: Math.round(time - lastMessageAt) }, 'change feed is live again');
    lastMessageAt = time;
    isSilent = false;
    if (message.startsWith(HEARTBEAT)) {
      const { sender, sentAt } = readHeartbeat(message);
      const isOwn = sender !== undefined && sender === options.ownSender;
      if (isOwn) options.onOwnHeartbeat?.(hostMs() - sentAt);
      return;
    }
    const space = message.indexOf(' ');
    const version = Number(message.slice(space + 1));
    if (space > 0 && Number.isSafeInteger(version)) onChange(message.slice(0, space), version);
  };
  const subscribe = (): void => {
    redis.subscribe(changeChannel(keyPrefix)).then(
      () => {
        // The first time too: earlier look-ups may have missed a change.
        gapDueAt = performance.now() + SILENCE_MAX_MS;
        onGap('subscribed');
        wasSubscribed = true;
        wasRefused = false;
      },
      (err: unknown) => {
        // Any other error is a broken connection; `ready` follows with the next one.
        if (wasRefused || !(err instanceof Error) || err.name !== 'ReplyError') return;
        wasRefused = true;
        log.error({ err: { message: err.message } }, 'redis rejected the change subscription');
      },
    );
  };
  redis.on('message', onMessage);
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();

  const watch = setInterval(() => {
    const time = performance.now();
    if (time - lastMessageAt < SILENCE_MAX_MS) return;
    if (!isSilent) {
      isSilent = true;
      log.warn({ silentMs: Math.round(time - lastMessageAt) }, 'change feed is silent');
      reconnectDueAt = lastMessageAt + RECONNECT_AFTER_SILENCE_MS;
      gapDueAt = time + SILENCE_MAX_MS;
      onGap('silence');
    } else if (time >= reconnectDueAt) {
      reconnectDueAt = time + RECONNECT_INTERVAL_MS;
      if (redis.status === 'ready') redis.disconnect(true);
    } else if (time >= gapDueAt && redis.status === 'ready') {
      gapDueAt = time + SILENCE_MAX_MS;
      onGap('silence');
    }
  }, HEARTBEAT_INTERVAL_MS);
  watch.unref();

  return {
    isLive: () => wasSubscribed && !isSilent && redis.status === 'ready',
    close() {
      clearInterval(watch);
      redis.off('message', onMessage);
      redis.off('ready', subscribe);
    },
  };
}

/**
 * Sends heartbeats on `redis` until closed, so that silence means a fault and not a lack of changes. `sender` (no
 * spaces) lets listeners recognise the heartbeats of their own host.
 */
export function sendHeartbeats(redis: RedisConnection, keyPrefix: string, sender: string): Heartbeats {
  const timer = setInterval(() => {
    // Listeners notice a lost heartbeat.
    redis
      .publish(changeChannel(keyPrefix), `${HEARTBEAT} ${sender} ${hostMs()} ${SNAPSHOT_FORMAT}`)
      .catch(() => undefined);
  }, HEARTBEAT_INTERVAL_MS);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
    },
  };
}

/** Snapshot format of the sender of a heartbeat; null for another message. */
export function formatOfHeartbeat(message: string): number | null {
  return message.startsWith(HEARTBEAT) ? readHeartbeat(message).format : null;
}

function readHeartbeat(message: string) {
  const [, sender, sentAt, format = '1'] = message.split(' ');
  return { sender, sentAt: Number(sentAt), format: Number(format) };
}

/** Milliseconds by the monotonic clock that all processes of a host share. */
function hostMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
