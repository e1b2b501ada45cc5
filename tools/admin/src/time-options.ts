import { Problem } from './problem.js';

const MS_BY_UNIT = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/**
 * Returns the time a key ends: `30m`, `12h`, `90d` or `2w` from now, the start of an ISO date (UTC), or an ISO time.
 * Throws Problem on anything else and on what is over already.
 */
export function parseExpiry(text: string, now: Date): Date {
  const time = readTime(text, (span) => now.getTime() + span);
  if (Number.isNaN(time))
    throw new Problem(
      `--expires ${JSON.stringify(text)}: expected a span like 90d, or a date like 2030-01-31.`,
    );
  if (time <= now.getTime())
    throw new Problem(`--expires ${JSON.stringify(text)}: that time is over already.`);
  return new Date(time);
}

/**
 * Returns the time a list reaches back to: `30m`, `12h`, `90d` or `2w` ago, the start of an ISO date (UTC), or an ISO time.
 * Throws Problem on anything else.
 */
export function parseSince(text: string, now: Date): Date {
  const time = readTime(text, (span) => now.getTime() - span);
  if (Number.isNaN(time))
    throw new Problem(`--since ${JSON.stringify(text)}: expected a span like 7d, or a date like 2026-01-31.`);
  return new Date(time);
}

/** Returns ms since 1970, NaN for what is no time; `fromSpan` says what a span in ms leads to. */
function readTime(text: string, fromSpan: (spanMs: number) => number): number {
  const span = /^(\d{1,5})([mhdw])$/.exec(text);
  if (span === null) return parseIsoTime(text);
  const [, count, unit] = span;
  return fromSpan(Number(count) * MS_BY_UNIT[unit as keyof typeof MS_BY_UNIT]);
}

function parseIsoTime(text: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  return isIso && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
}

/** Date.parse takes the 31st of February for the 3rd of March. */
function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
