import { createHmac } from 'node:crypto';
import { clientNetwork } from '@smartlink/process/client-address';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

type Limits = { readonly perMinute: number; readonly perHour: number };

/** For a link and a client. */
const PAIR_LIMITS: Limits = { perMinute: 5, perHour: 20 };
// For a client over all links: far more than an office behind one address needs, but a client that has found a thousand
// protected links cannot occupy the argon2 thread.
const NETWORK_LIMITS: Limits = { perMinute: 60, perHour: 600 };
// For a link over all clients: an attacker may have thousands of addresses. At this rate, trying half of the passwords
// of six lower-case letters takes nine years; the price is that a crowd at one link has to wait.
const LINK_LIMITS: Limits = { perMinute: 120, perHour: 2_000 };

// Each process also counts by itself, in case Redis is away: for this many keys, some 2, 5 and 16 MB at most. Beyond that
// only Redis remembers.
const LOCAL_PAIRS_MAX = 10_000;
const LOCAL_NETWORKS_MAX = 1_000;
const LOCAL_LINKS_MAX = 1_000;

/** Whether a try may be made, or how long to wait, because of a limit of the link or of the client's network. */
type TryVerdict =
  | { readonly reason: null; readonly ms: 0; readonly giveBack: () => Promise<void> }
  | { readonly reason: 'link'; readonly ms: number }
  | { readonly reason: 'network'; readonly ms: number };

export type TryLimiter = ReturnType<typeof createTryLimiter>;

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
  const pairs = createLocalTries(PAIR_LIMITS, LOCAL_PAIRS_MAX);
  const networks = createLocalTries(NETWORK_LIMITS, LOCAL_NETWORKS_MAX);
  const links = createLocalTries(LINK_LIMITS, LOCAL_LINKS_MAX);

  const hashOf = (network: string) =>
    createHmac('sha256', secret).update(`client\n${network}`).digest('base64url').slice(0, 22);

  /** Returns 0, or the ms to wait. */
  async function countTry({ local, key }: Counter): Promise<number> {
    const { perMinute, perHour } = local.limits;
    try {
      const ms = Number(await redis.eval(TAKE_TRY, 1, key, perMinute, MINUTE_MS, perHour, HOUR_MS));
      // Counted here too, or a Redis that fails or comes back empty would reset all limits.
      if (ms === 0) return local.take(key, now());
      local.block(key, now() + ms);
      return ms;
    } catch {
      return local.take(key, now());
    }
  }

  async function giveBack(counters: readonly Counter[]): Promise<void> {
    for (const { local, key } of counters) {
      local.giveBack(key);
      await redis.eval(GIVE_BACK, 1, key).catch(() => undefined);
    }
  }

  return {
    /** Counts one try of the client at `address`. A refused try is not counted. Never rejects, nor does `giveBack`. */
    async take(smartlinkId: string, address: string): Promise<TryVerdict> {
      const client = hashOf(clientNetwork(address, 56));
      const network = hashOf(clientNetwork(address, 48));
      const counters: readonly Counter[] = [
        { reason: 'link', local: pairs, key: `${keyPrefix}unlock:1:${smartlinkId}:${client}` },
        { reason: 'network', local: networks, key: `${keyPrefix}unlock-network:1:${network}` },
        { reason: 'link', local: links, key: `${keyPrefix}unlock-link:1:${smartlinkId}` },
      ];
      // First, so that a flood of refused tries costs no call to Redis.
      for (const { reason, local, key } of counters) {
        const ms = local.waitMs(key, now());
        if (ms > 0) return { reason, ms };
      }
      for (const [i, counter] of counters.entries()) {
        const ms = await countTry(counter);
        if (ms === 0) continue;
        await giveBack(counters.slice(0, i));
        return { reason: counter.reason, ms };
      }
      return { reason: null, ms: 0, giveBack: () => giveBack(counters) };
    },
  };
}

type Counter = {
  readonly reason: 'link' | 'network';
  readonly local: LocalTries;
  readonly key: string;
};

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

/** Takes the newest try at KEYS[1] back. */
const GIVE_BACK = `return redis.call('lpop', KEYS[1])`;

type LocalTries = ReturnType<typeof createLocalTries>;

/** The same in this process: bounded, least recently used keys are dropped. */
export function createLocalTries(limits: Limits = PAIR_LIMITS, keysMax = LOCAL_PAIRS_MAX) {
  type Tries = { readonly times: readonly number[]; readonly blockedUntil: number };
  const tries = new Map<string, Tries>();
  const triesOf = (key: string): Tries => tries.get(key) ?? { times: [], blockedUntil: 0 };

  function store(key: string, value: Tries): void {
    tries.delete(key);
    tries.set(key, value);
    const [oldest] = tries.keys();
    if (tries.size > keysMax && oldest !== undefined) tries.delete(oldest);
  }

  function waitMs(key: string, time: number): number {
    const { times, blockedUntil } = triesOf(key);
    return Math.max(
      blockedUntil - time,
      waitFor(times[limits.perMinute - 1], MINUTE_MS, time),
      waitFor(times[limits.perHour - 1], HOUR_MS, time),
      0,
    );
  }

  return {
    limits,
    /** The ms that a try at `time` would have to wait, or 0. Counts nothing. */
    waitMs,
    /** Like waitMs, but counts the try if it returns 0. */
    take(key: string, time: number) {
      const wait = waitMs(key, time);
      if (wait > 0) return wait;
      const { times, blockedUntil } = triesOf(key);
      store(key, { times: [time, ...times].slice(0, limits.perHour), blockedUntil });
      return 0;
    },
    /** Refuses all tries before `until`: other processes have counted as many as are allowed. */
    block(key: string, until: number) {
      store(key, { ...triesOf(key), blockedUntil: until });
    },
    /** Takes the newest try back. */
    giveBack(key: string) {
      const { times, blockedUntil } = triesOf(key);
      if (times.length > 0) store(key, { times: times.slice(1), blockedUntil });
    },
  };
}

function waitFor(nth: number | undefined, windowMs: number, time: number): number {
  return nth === undefined ? 0 : Math.max(0, windowMs - (time - nth));
}
