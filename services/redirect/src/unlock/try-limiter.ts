import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { clientNetwork } from '../client-address.js';

/** Tries a link and client may make (decisions.md, Redirects). */
const TRIES_PER_MINUTE = 5;
const TRIES_PER_HOUR = 20;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
// While Redis is away a process counts by itself, for so many pairs of link and client.
const LOCAL_PAIRS_MAX = 10_000;

export type TryLimiter = {
  /** Counts one try of the client at `address`. Returns 0 when it may be made, else the milliseconds to wait. Never rejects. */
  readonly take: (smartlinkId: string, address: string) => Promise<number>;
};

/**
 * Limits tries by the times of the last twenty of them, so that no minute and no hour, wherever it begins, holds more
 * than it may. A refused try is not counted. Addresses are stored only as an HMAC under `secret`.
 */
export function createTryLimiter(options: {
  redis: Redis;
  keyPrefix: string;
  secret: string;
  /** Milliseconds since 1970. */
  now: () => number;
}): TryLimiter {
  const { redis, keyPrefix, secret, now } = options;
  const local = createLocalTries();
  return {
    async take(smartlinkId, address) {
      const client = createHmac('sha256', secret)
        .update(`client\n${clientNetwork(address)}`)
        .digest('base64url')
        .slice(0, 22);
      const key = `${keyPrefix}unlock:1:${smartlinkId}:${client}`;
      try {
        const limits = [TRIES_PER_MINUTE, MINUTE_MS, TRIES_PER_HOUR, HOUR_MS];
        return Number(await redis.eval(TAKE_TRY, 1, key, ...limits));
      } catch {
        return local(key, now());
      }
    },
  };
}

/**
 * Counts a try at KEYS[1] by Redis' own clock: ARGV tries a minute, ms of a minute, tries an hour, ms of an hour.
 * Returns 0, or the ms to wait. The list holds the times of the last tries, newest first.
 */
const TAKE_TRY = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, 3, 2 do
  local nth = redis.call('lindex', KEYS[1], ARGV[i] - 1)
  if nth and now - nth < tonumber(ARGV[i + 1]) then return ARGV[i + 1] - (now - nth) end
end
redis.call('lpush', KEYS[1], now)
redis.call('ltrim', KEYS[1], 0, ARGV[3] - 1)
redis.call('pexpire', KEYS[1], ARGV[4])
return 0
`;

/** The same in this process: bounded, the pair longest untouched goes first. */
export function createLocalTries(): (key: string, time: number) => number {
  const tries = new Map<string, readonly number[]>();
  return (key, time) => {
    const times = tries.get(key) ?? [];
    const wait = Math.max(
      waitFor(times[TRIES_PER_MINUTE - 1], MINUTE_MS, time),
      waitFor(times[TRIES_PER_HOUR - 1], HOUR_MS, time),
    );
    if (wait > 0) return wait;
    tries.delete(key);
    tries.set(key, [time, ...times].slice(0, TRIES_PER_HOUR));
    const [oldest] = tries.keys();
    if (tries.size > LOCAL_PAIRS_MAX && oldest !== undefined) tries.delete(oldest);
    return 0;
  };
}

function waitFor(nth: number | undefined, windowMs: number, time: number): number {
  return nth === undefined ? 0 : Math.max(0, windowMs - (time - nth));
}
