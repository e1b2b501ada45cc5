import { isDeepStrictEqual } from 'node:util';
import fp from 'fastify-plugin';
import type { Redis } from 'ioredis';
import {
  changeChannel,
  formatOfHeartbeat,
  SILENCE_MAX_MS,
  SNAPSHOT_FORMAT,
} from '@smartlink/links/change-feed';
import { openFeedRedis } from '@smartlink/links/redis';
import { withTimeLimit } from '@smartlink/process/database';
import type { Logger } from '@smartlink/process/lifecycle';
import { NEW_MEMBER_NAMES, NEW_MEMBERS, type NewMember } from '@smartlink/smartlink/model';
import type { DocumentParts, SmartlinkRow } from '@smartlink/smartlink/store';
import { ApiError } from '../../errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    formatGate: FormatGate;
  }
}

// Four heartbeats of a redirect primary.
const LISTEN_MS = 2_000;
// A redirect process that is not heard for this long has ended, or no longer publishes.
const OLD_KEPT_MS = 10_000;
const PING_LIMIT_MS = 3_000;

/** `old`: a redirect process that does not know the newest snapshot format was heard. `unheard`: too soon to know. */
export type FormatState = 'open' | 'old' | 'unheard';

/**
 * Whether members that need the newest snapshot format may be written. A redirect process of an earlier build would ignore
 * them and serve the link without.
 */
export type FormatGate = {
  readonly state: () => FormatState;
  /**
   * An earlier build was heard, and is gone: it may have published smartlinks without their new members, under their present
   * version.
   */
  readonly needsRepublish: () => boolean;
  readonly onRepublished: () => void;
};

type HeardGate = FormatGate & {
  readonly onSubscribed: () => void;
  readonly onHeartbeat: (format: number) => void;
  /** Nothing has been heard since `lastHeardAt`. */
  readonly onLost: (lastHeardAt: number) => void;
};

/** A gate fed by the change feed. While Redis is away it keeps its last state. `now`: monotonic milliseconds. */
export function createFormatGate(now: () => number): HeardGate {
  let heardOld = false;
  let isStale = false;
  let closedUntil = Infinity;
  let lostAt: number | null = null;

  function state(): FormatState {
    if ((lostAt ?? now()) >= closedUntil) return 'open';
    return heardOld ? 'old' : 'unheard';
  }

  return {
    state,
    onSubscribed() {
      // A wait begins again, for heartbeats may have been missed. An open gate stays open: an earlier build that has come up
      // since is heard within half a second.
      if (state() !== 'open') closedUntil = now() + (heardOld ? OLD_KEPT_MS : LISTEN_MS);
      lostAt = null;
    },
    onHeartbeat(format) {
      if (format >= SNAPSHOT_FORMAT) return;
      closedUntil = now() + OLD_KEPT_MS;
      heardOld = true;
      isStale = true;
    },
    onLost(lastHeardAt) {
      lostAt ??= lastHeardAt;
    },
    needsRepublish: () => isStale && state() === 'open',
    onRepublished() {
      isStale = false;
    },
  };
}

/** `app.formatGate`: hears the heartbeats of redirect primaries on a connection of its own. */
export const formatGate = fp<{ redisUrl: string; keyPrefix: string; log: Logger }>(
  (app, { redisUrl, keyPrefix, log }, done) => {
    const redis = openFeedRedis({ url: redisUrl, log });
    const gate = createFormatGate(() => performance.now());
    const stop = hearHeartbeats(redis, changeChannel(keyPrefix), gate);
    app.decorate('formatGate', gate);
    app.addHook('onClose', () => {
      stop();
      redis.disconnect();
    });
    done();
  },
  { name: 'format-gate' },
);

function hearHeartbeats(redis: Redis, channel: string, gate: HeardGate): () => void {
  let heardAt = performance.now();
  const onHeard = (): void => {
    heardAt = performance.now();
  };
  const onLost = (): void => {
    gate.onLost(heardAt);
  };
  redis.on('message', (_channel: string, message: string) => {
    onHeard();
    const format = formatOfHeartbeat(message);
    if (format !== null) gate.onHeartbeat(format);
  });
  const subscribe = (): void => {
    redis.subscribe(channel).then(() => {
      onHeard();
      gate.onSubscribed();
    }, onLost);
  };
  redis.on('ready', subscribe);
  redis.on('close', onLost);
  // Without redirect processes the feed is silent. Only an answer tells that from a half-open connection.
  const watch = setInterval(() => {
    if (redis.status !== 'ready' || performance.now() - heardAt < SILENCE_MAX_MS) return;
    withTimeLimit(PING_LIMIT_MS, redis.ping()).then(onHeard, () => {
      // Otherwise `close` has been reported.
      if (redis.status !== 'ready') return;
      onLost();
      redis.disconnect(true);
    });
  }, SILENCE_MAX_MS);
  watch.unref();
  return () => {
    clearInterval(watch);
  };
}

/** The gate of the thread of heavy requests, which has the state that the process sent with the last request. */
export function createForwardedGate(): FormatGate & { setState: (state: FormatState) => void } {
  let current: FormatState = 'unheard';
  return {
    state: () => current,
    setState(state) {
      current = state;
    },
    needsRepublish: () => false,
    onRepublished: () => undefined,
  };
}

/**
 * SERVICE_UNAVAILABLE if the gate is closed and a write gives a smartlink members that need the newest snapshot format;
 * otherwise null. `before`: the row; null for a new smartlink.
 */
export function refusalByFormat(
  { state }: Pick<FormatGate, 'state'>,
  before: Pick<SmartlinkRow, 'type' | NewMember> | null,
  parts: Pick<DocumentParts, NewMember>,
): ApiError | null {
  const isShown = (name: NewMember): boolean =>
    before !== null && NEW_MEMBERS[name](before.type) && isDeepStrictEqual(parts[name], before[name]);
  const refused = NEW_MEMBER_NAMES.filter((name) => (parts[name] ?? null) !== null && !isShown(name));
  if (refused.length === 0 || state() === 'open') return null;
  const names = refused.join(', ');
  return state() === 'old'
    ? new ApiError('SERVICE_UNAVAILABLE', {
        message: `${names} cannot be stored while a redirect process of an earlier version is running`,
        headers: { 'retry-after': '10' },
      })
    : new ApiError('SERVICE_UNAVAILABLE', {
        message: `${names} cannot be stored before the redirect processes were heard; try again`,
        headers: { 'retry-after': '2' },
      });
}
