const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export type TryLimits = { readonly perMinute: number; readonly perHour: number };

/** A key of Redis whose tries are counted there and in the process. */
export type TryCounter = { readonly key: string; readonly local: LocalTries };

/** `refusedBy` is the counter that is used up; `giveBack` takes the try back from all of them. Neither rejects. */
export type Try<Counter> =
  | { readonly refusedBy: null; readonly ms: 0; readonly giveBack: () => Promise<void> }
  | { readonly refusedBy: Counter; readonly ms: number };

/**
 * Counts tries by the times of the last ones, so that no minute or hour, wherever it begins, holds too many: in Redis, and in
 * the process in case Redis is away. `now`: milliseconds since 1970.
 */
export function createTries(
  redis: { eval: (script: string, keys: number, key: string, ...numbers: number[]) => Promise<unknown> },
  now: () => number,
) {
  /** Returns 0, or the ms to wait. */
  async function countTry({ local, key }: TryCounter): Promise<number> {
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

  async function giveBack(counters: readonly TryCounter[]): Promise<void> {
    for (const { local, key } of counters) {
      local.giveBack(key);
      await redis.eval(GIVE_BACK, 1, key).catch(() => undefined);
    }
  }

  return {
    /** Counts one try at each counter, or at none. */
    async take<Counter extends TryCounter>(counters: readonly Counter[]): Promise<Try<Counter>> {
      // First, so that a flood of refused tries costs no call to Redis.
      for (const counter of counters) {
        const ms = counter.local.waitMs(counter.key, now());
        if (ms > 0) return { refusedBy: counter, ms };
      }
      for (const [i, counter] of counters.entries()) {
        const ms = await countTry(counter);
        if (ms === 0) continue;
        await giveBack(counters.slice(0, i));
        return { refusedBy: counter, ms };
      }
      return { refusedBy: null, ms: 0, giveBack: () => giveBack(counters) };
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

/** Takes the newest try at KEYS[1] back. */
const GIVE_BACK = `return redis.call('lpop', KEYS[1])`;

export type LocalTries = ReturnType<typeof createLocalTries>;

/** The same in this process: bounded, least recently used keys are dropped. */
export function createLocalTries(limits: TryLimits, keysMax: number) {
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
