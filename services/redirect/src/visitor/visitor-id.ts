import { hash, randomBytes } from 'node:crypto';
import type { RedisConnection } from '@smartlink/links/redis';
import { USER_AGENT_LENGTH_MAX } from '@smartlink/visits/routing';
import type { ClientAddress } from './client-address.js';

/**
 * Identifies a visitor on one day: 64 bits, never 0. Uses the network only, without the last number of IPv4 and all but
 * the first three groups of IPv6, so no address is hashed.
 */
export type ReadVisitorId = (
  address: Pick<ClientAddress, 'network'>,
  userAgent: string,
  timeMs: number,
) => bigint;

// Some 100 bytes each, up to twice as many, and a User-Agent of about 150 characters shared by all who send it: 4 MB. 25 MB
// if each visitor sends another one of the maximum length.
const REMEMBERED_MAX = 16_384;

/**
 * Makes visitor ids: the first 64 bits of SHA-256 over the day's salt, the network and the User-Agent. Recent ids are kept
 * until the salt changes, in two generations like a RecentMap, but by User-Agent and network: joining them into one key
 * would cost more than the look-up.
 */
export function createVisitorIds(saltOf: (timeMs: number) => Buffer): ReadVisitorId {
  const hashVisitor = createVisitorHash();
  let salt: Buffer | null = null;
  let young = new Map<string, Map<string, bigint>>();
  let old = new Map<string, Map<string, bigint>>();
  let count = 0;

  function startGeneration(previous: typeof old): void {
    old = previous;
    young = new Map();
    count = 0;
  }

  return ({ network }, userAgent, timeMs) => {
    const saltNow = saltOf(timeMs);
    if (saltNow !== salt) startGeneration(new Map());
    salt = saltNow;
    const known = young.get(userAgent)?.get(network);
    if (known !== undefined) return known;
    const id = old.get(userAgent)?.get(network) ?? hashVisitor(salt, `${network}\n${userAgent}`);
    if (userAgent.length > USER_AGENT_LENGTH_MAX) return id;
    if (count >= REMEMBERED_MAX) startGeneration(young);
    const ids = young.get(userAgent) ?? new Map<string, bigint>();
    young.set(userAgent, ids.set(network, id));
    count += 1;
    return id;
  };
}

const TEXT_BYTES_USUAL = 1024;

/**
 * Salt and text are hashed as bytes, so that no string on the heap holds the salt. It takes 1.4 µs; an own HMAC took 2.9.
 * The digest is cut to 64 bits, so a plain hash cannot be extended.
 */
function createVisitorHash(): (salt: Buffer, text: string) => bigint {
  let message = Buffer.alloc(SALT_BYTES + TEXT_BYTES_USUAL);
  return (salt, text) => {
    // A UTF-16 unit takes at most three bytes.
    if (message.length < salt.length + 3 * text.length) message = Buffer.alloc(salt.length + 3 * text.length);
    salt.copy(message);
    const end = salt.length + message.write(text, salt.length);
    const digest = hash('sha256', message.subarray(0, end), 'hex');
    message.fill(0, 0, salt.length);
    // 0 is the id of visitors who must not be recognised.
    return BigInt(`0x${digest.slice(0, 16)}`) || 1n;
  };
}

const DAY_MS = 86_400_000;
const SALT_BYTES = 32;
/** How long before midnight the next day's salt is agreed on: smaller clock differences change nothing. */
const LEAD_MS = 10 * 60_000;
/** How long a salt is kept after its day, for hosts with late clocks: 25 hours and 10 minutes in all. */
const GRACE_MS = 3_600_000;

export type VisitorSalts = ReturnType<typeof createVisitorSalts>;

type DaySalt = { readonly salt: Buffer; readonly isShared: boolean };

/**
 * The salts of visitor ids, a new one every UTC day. `agree` offers a salt for a day, to be kept for `ttlMs`, and
 * resolves with the one shared by all processes; a store that lost a salt gets it back from any process that still has
 * it.
 *
 * Here salts live in memory only (for Redis see docs/visitors.md). Without agreement a process has its own salts, and a
 * visitor of two processes counts twice.
 */
export function createVisitorSalts(options: {
  agree: (day: string, offered: Buffer, ttlMs: number) => Promise<Buffer>;
  /** Milliseconds since 1970. */
  now: () => number;
  newSalt?: () => Buffer;
}) {
  const { agree, now, newSalt = () => randomBytes(SALT_BYTES) } = options;
  const days = new Map<number, DaySalt>();
  let last: { day: number; salt: Buffer } = { day: Number.NaN, salt: Buffer.alloc(0) };

  function held(day: number): DaySalt {
    const known = days.get(day);
    if (known !== undefined) return known;
    const own = { salt: newSalt(), isShared: false };
    days.set(day, own);
    return own;
  }

  function forget(day: number): void {
    // A cache of ids may use this salt until its next visit.
    days.get(day)?.salt.fill(0);
    days.delete(day);
    last = { day: Number.NaN, salt: Buffer.alloc(0) };
  }

  async function agreeOn(day: number): Promise<void> {
    const ttlMs = (day + 1) * DAY_MS + GRACE_MS - now();
    const agreed = await agree(new Date(day * DAY_MS).toISOString().slice(0, 10), held(day).salt, ttlMs);
    // Read again: two concurrent refreshes may have waited for the same day.
    const { salt } = held(day);
    const isSame = agreed.equals(salt);
    // Caches of ids recognise a salt by its object, so an equal one is not replaced.
    days.set(day, { salt: isSame ? salt : agreed, isShared: true });
    last = { day: Number.NaN, salt: Buffer.alloc(0) };
    if (!isSame) salt.fill(0);
  }

  return {
    /** The salt of a time's UTC day, at once: this process's own until one was agreed on. */
    saltOf: (timeMs: number) => {
      const day = Math.floor(timeMs / DAY_MS);
      if (day !== last.day) last = { day, salt: held(day).salt };
      return last.salt;
    },
    /**
     * Drops the salts of other days, and agrees on today's and, shortly before midnight, tomorrow's. Rejects as `agree`.
     */
    async refresh() {
      const today = Math.floor(now() / DAY_MS);
      for (const day of days.keys()) if (day < today || day > today + 1) forget(day);
      await agreeOn(today);
      if (now() + LEAD_MS >= (today + 1) * DAY_MS) await agreeOn(today + 1);
    },
    /** Whether today's salt is shared by all processes. */
    isShared: () => days.get(Math.floor(now() / DAY_MS))?.isShared === true,
  };
}

// Costs two commands; restores a salt that Redis lost.
const REFRESH_INTERVAL_MS = 60_000;
// A cluster is ready before its nodes are; a minute would split visitors in two for too long.
const RETRY_INTERVAL_MS = 1_000;
const SALT_FORM = /^[\w-]{43}$/;

/**
 * Shares the salts of all processes under `keyPrefix`: now, whenever Redis is reachable again, and once a minute. No
 * visit waits for Redis, and its connection logs its failures.
 */
export function shareSalts(options: {
  redis: RedisConnection;
  keyPrefix: string;
  /** Milliseconds since 1970. */
  now: () => number;
}) {
  const { redis, keyPrefix, now } = options;
  const salts = createVisitorSalts({
    now,
    async agree(day, offered, ttlMs) {
      const key = `${keyPrefix}visitor-salt:1:${day}`;
      await redis.set(key, offered.toString('base64url'), 'PX', ttlMs, 'NX');
      const kept = await redis.get(key);
      if (kept === null || !SALT_FORM.test(kept)) throw new Error('Redis holds no salt for this day');
      return Buffer.from(kept, 'base64url');
    },
  });
  let agreed: () => void;
  const first = new Promise<void>((resolve) => {
    agreed = resolve;
  });
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  const refresh = (): void => {
    clearTimeout(retry);
    // Without a connection, `ready` triggers the next attempt.
    void salts.refresh().then(agreed, () => {
      if (redis.status === 'ready' && !isClosed) retry = setTimeout(refresh, RETRY_INTERVAL_MS).unref();
    });
  };
  redis.on('ready', refresh);
  const timer = setInterval(refresh, REFRESH_INTERVAL_MS).unref();
  refresh();
  return {
    saltOf: salts.saltOf,
    isShared: salts.isShared,
    /** Resolves when today's salt was agreed on, or after `limitMs`. */
    async wait(limitMs: number): Promise<void> {
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, limitMs);
      });
      await Promise.race([first, late]);
      clearTimeout(limit);
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(timer);
      redis.off('ready', refresh);
    },
  };
}
