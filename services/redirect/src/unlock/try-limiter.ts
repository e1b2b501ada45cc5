import { createHmac } from 'node:crypto';
import { clientNetwork } from '../visitor/client-address.js';

/** Per link and client. */
const TRIES_PER_MINUTE = 5;
const TRIES_PER_HOUR = 20;
// Per client, for all links: far more than an office behind one address needs, but a client that has found a thousand
// protected links cannot occupy the argon2 thread.
const NETWORK_TRIES_PER_MINUTE = 60;
const NETWORK_TRIES_PER_HOUR = 600;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
// Each process also counts by itself, in case Redis is away: this many pairs of link and client, and clients, some 2 and
// 5 MB at most. Beyond that only Redis remembers.
const LOCAL_PAIRS_MAX = 10_000;
const LOCAL_CLIENTS_MAX = 1_000;

/** Whether a try may be made, or how long to wait, because of the link's limit or the network's. */
type TryVerdict =
  | { readonly reason: null; readonly ms: 0 }
  | { readonly reason: 'link' | 'network'; readonly ms: number };

export type TryLimiter = ReturnType<typeof createTryLimiter>;

type Limits = { readonly perMinute: number; readonly perHour: number };
const LINK_LIMITS: Limits = { perMinute: TRIES_PER_MINUTE, perHour: TRIES_PER_HOUR };
const NETWORK_LIMITS: Limits = { perMinute: NETWORK_TRIES_PER_MINUTE, perHour: NETWORK_TRIES_PER_HOUR };
const FREE: TryVerdict = { reason: null, ms: 0 };

/**
 * Limits tries by the times of the last ones, so that no minute or hour, wherever it begins, holds too many. Addresses
 * are stored only as an HMAC under `secret`.
 */
export function createTryLimiter(options: {
  redis: { eval: (script: string, keys: number, key: string, ...numbers: number[]) => Promise<unknown> };
  keyPrefix: string;
  secret: string;
  /** Milliseconds since 1970. */
  now: () => number;
}) {
  const { redis, keyPrefix, secret, now } = options;
  const ofLinks = createLocalTries(LINK_LIMITS, LOCAL_PAIRS_MAX);
  const ofNetworks = createLocalTries(NETWORK_LIMITS, LOCAL_CLIENTS_MAX);

  async function takeFrom(key: string, limits: Limits): Promise<number> {
    const local = limits === LINK_LIMITS ? ofLinks : ofNetworks;
    // First, so that a try refused here is not counted in Redis.
    const localMs = local.waitMs(key, now());
    if (localMs > 0) return localMs;
    try {
      const numbers = [limits.perMinute, MINUTE_MS, limits.perHour, HOUR_MS];
      const ms = Number(await redis.eval(TAKE_TRY, 1, key, ...numbers));
      // Counted here too, or a Redis that fails or comes back empty would reset all limits.
      return ms === 0 ? local.take(key, now()) : ms;
    } catch {
      return local.take(key, now());
    }
  }

  return {
    /** Counts one try of the client at `address`. A refused try is not counted. Never rejects. */
    async take(smartlinkId: string, address: string) {
      const client = createHmac('sha256', secret)
        .update(`client\n${clientNetwork(address)}`)
        .digest('base64url')
        .slice(0, 22);
      // The link first: a try refused by it does not count for the network.
      const linkMs = await takeFrom(`${keyPrefix}unlock:1:${smartlinkId}:${client}`, LINK_LIMITS);
      if (linkMs > 0) return { reason: 'link', ms: linkMs };
      const networkMs = await takeFrom(`${keyPrefix}unlock-network:1:${client}`, NETWORK_LIMITS);
      return networkMs > 0 ? { reason: 'network', ms: networkMs } : FREE;
    },
  };
}

/**
 * Counts a try at KEYS[1] by Redis' clock: ARGV tries a minute, ms of a minute, tries an hour, ms of an hour. Returns 0,
 * or the ms to wait. The list holds the times of the last tries, newest first.
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

/** The same in this process: bounded, least recently used keys are dropped. */
export function createLocalTries(limits: Limits = LINK_LIMITS, keysMax = LOCAL_PAIRS_MAX) {
  const tries = new Map<string, readonly number[]>();
  const timesOf = (key: string) => tries.get(key) ?? [];

  function waitMs(key: string, time: number): number {
    const times = timesOf(key);
    return Math.max(
      waitFor(times[limits.perMinute - 1], MINUTE_MS, time),
      waitFor(times[limits.perHour - 1], HOUR_MS, time),
    );
  }

  return {
    /** The ms that a try at `time` would have to wait, or 0. Counts nothing. */
    waitMs,
    /** Like waitMs, but counts the try if it returns 0. */
    take(key: string, time: number) {
      const wait = waitMs(key, time);
      if (wait > 0) return wait;
      const times = [time, ...timesOf(key)].slice(0, limits.perHour);
      tries.delete(key);
      tries.set(key, times);
      const [oldest] = tries.keys();
      if (tries.size > keysMax && oldest !== undefined) tries.delete(oldest);
      return 0;
    },
  };
}

function waitFor(nth: number | undefined, windowMs: number, time: number): number {
  return nth === undefined ? 0 : Math.max(0, windowMs - (time - nth));
}
