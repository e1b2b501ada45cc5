import { randomBytes } from 'node:crypto';

const DAY_MS = 86_400_000;
const SALT_BYTES = 32;
/** So long before midnight the next day's salt is agreed on: clocks that differ by less change nothing. */
const LEAD_MS = 10 * 60_000;
/** So long after its day a salt is kept, for hosts whose clocks are late: 25 hours and 10 minutes in all. */
const GRACE_MS = 3_600_000;

export type VisitorSalts = {
  /** Returns the salt of the UTC day of a time. Never waits: one of this process's own until one was agreed on. */
  readonly saltOf: (timeMs: number) => Buffer;
  /** Forgets the salts of other days, agrees on today's, and shortly before midnight on tomorrow's. Rejects as `agree`. */
  readonly refresh: () => Promise<void>;
  /** Whether today's salt is the one that all processes have. */
  readonly isShared: () => boolean;
};

type DaySalt = { readonly salt: Buffer; readonly isShared: boolean };

/**
 * Returns the salts that visitor ids are made with, a new one every UTC day (decisions.md, Visits). `agree` offers a
 * salt for a day, to be kept for `ttlMs`, and resolves with the one that all processes have: the offered one when there
 * was none. So a store that lost a salt gets it back from whoever still holds it.
 *
 * Here salts live in memory alone; that nothing there keeps them for longer is for whoever runs it (docs/visitors.md).
 * While nothing is agreed on, a process has salts of its own, and a visitor of two processes is two visitors.
 */
export function createVisitorSalts(options: {
  agree: (day: string, offered: Buffer, ttlMs: number) => Promise<Buffer>;
  /** Milliseconds since 1970. */
  now: () => number;
  newSalt?: () => Buffer;
}): VisitorSalts {
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
    // Whoever remembers ids of it may hold it until the next visit.
    days.get(day)?.salt.fill(0);
    days.delete(day);
    last = { day: Number.NaN, salt: Buffer.alloc(0) };
  }

  async function agreeOn(day: number): Promise<void> {
    const ttlMs = (day + 1) * DAY_MS + GRACE_MS - now();
    const agreed = await agree(new Date(day * DAY_MS).toISOString().slice(0, 10), held(day).salt, ttlMs);
    // Asked again: two refreshes at once may both have waited for the same day.
    const { salt } = held(day);
    const isSame = agreed.equals(salt);
    // Who remembers ids knows a salt by its object: one that is the same stays the same.
    days.set(day, { salt: isSame ? salt : agreed, isShared: true });
    last = { day: Number.NaN, salt: Buffer.alloc(0) };
    if (!isSame) salt.fill(0);
  }

  return {
    saltOf(timeMs) {
      const day = Math.floor(timeMs / DAY_MS);
      if (day !== last.day) last = { day, salt: held(day).salt };
      return last.salt;
    },
    async refresh() {
      const today = Math.floor(now() / DAY_MS);
      for (const day of days.keys()) if (day < today || day > today + 1) forget(day);
      await agreeOn(today);
      if (now() + LEAD_MS >= (today + 1) * DAY_MS) await agreeOn(today + 1);
    },
    isShared: () => days.get(Math.floor(now() / DAY_MS))?.isShared === true,
  };
}
