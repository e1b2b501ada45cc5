import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { changeChannel } from './redis-codec.js';

/** How often each redirect primary sends a heartbeat, in ms. */
export const HEARTBEAT_INTERVAL_MS = 500;
/** Without any message for so long, in ms, changes may have been missed: three heartbeats lost. */
export const SILENCE_MAX_MS = 1_500;

// A silence that lasts so long is answered with a new connection, and again as often while it lasts: one whose other
// end is gone without a word (a lost machine, a cut network) stays open for many minutes and brings nothing.
const RECONNECT_AFTER_SILENCE_MS = 3_000;
const RECONNECT_INTERVAL_MS = 15_000;

// A space is in every change and in no slug, so that this can be nothing else.
const HEARTBEAT = '~';

export type ChangeFeed = {
  /** Whether messages come: subscribed, and no silence. */
  readonly isLive: () => boolean;
  readonly close: () => void;
};

export type Heartbeats = { readonly close: () => void };

export type ChangeFeedOptions = {
  /** A connection of its own, since a subscribed connection takes no other commands. The feed does not close it. */
  readonly redis: Redis;
  readonly keyPrefix: string;
  /** Told when a silence begins and ends, and once an outage that Redis refuses the subscription. */
  readonly log: Logger;
  /** A slug has changed and its snapshot of at least `version` stands in Redis. */
  readonly onChange: (slugKey: string, version: number) => void;
  /** Changes may have been missed: after a reconnect, and once when a silence begins. */
  readonly onGap: (reason: 'reconnect' | 'silence') => void;
};

/**
 * Listens to changes. The feed is *live* while messages come; a silence of SILENCE_MAX_MS or a reconnect is a gap,
 * after which the listener must look again at whatever it keeps. A silence is reported once, when it begins, and
 * ends with the next message; while it lasts the connection is renewed from time to time.
 */
export function followChanges(options: ChangeFeedOptions): ChangeFeed {
  const { redis, keyPrefix, log, onChange, onGap } = options;
  let lastMessageAt = performance.now();
  let isSilent = false;
  let wasSubscribed = false;
  let wasRefused = false;
  let reconnectDueAt = 0;

  const onMessage = (_channel: string, message: string): void => {
    const time = performance.now();
    if (isSilent)
      log.info({ silentMs: Math.round(time - lastMessageAt) }, 'changes and heartbeats come again');
    lastMessageAt = time;
    isSilent = false;
    const space = message.indexOf(' ');
    const version = Number(message.slice(space + 1));
    if (space > 0 && Number.isSafeInteger(version)) onChange(message.slice(0, space), version);
  };
  const subscribe = (): void => {
    redis.subscribe(changeChannel(keyPrefix)).then(
      () => {
        if (wasSubscribed) onGap('reconnect');
        wasSubscribed = true;
        wasRefused = false;
      },
      (err: unknown) => {
        // Else the connection broke meanwhile. Either way `ready` comes again with the next one.
        if (wasRefused || !(err instanceof Error) || err.name !== 'ReplyError') return;
        wasRefused = true;
        log.error({ err: { message: err.message } }, 'redis refuses the subscription to changes');
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
      log.warn({ silentMs: Math.round(time - lastMessageAt) }, 'no changes and no heartbeats come');
      reconnectDueAt = lastMessageAt + RECONNECT_AFTER_SILENCE_MS;
      onGap('silence');
    } else if (time >= reconnectDueAt) {
      reconnectDueAt = time + RECONNECT_INTERVAL_MS;
      if (redis.status === 'ready') redis.disconnect(true);
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

/** Sends heartbeats on `redis` until closed, so that silence means a fault and not a quiet day. */
export function sendHeartbeats(redis: Redis, keyPrefix: string): Heartbeats {
  const timer = setInterval(() => {
    // A heartbeat that is lost is what its listeners are there to notice.
    redis.publish(changeChannel(keyPrefix), HEARTBEAT).catch(() => undefined);
  }, HEARTBEAT_INTERVAL_MS);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
    },
  };
}
