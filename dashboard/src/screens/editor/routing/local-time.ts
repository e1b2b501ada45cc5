// Values of `datetime-local` fields are times without a zone.

const partsIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** The time of a zone's clocks at `atMs`, as if they were in UTC. */
function clockMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    partsIn(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((atMs % 1_000) + 1_000) % 1_000);
}

/** `2026-12-31T18:00` in a zone, with seconds if there are any; empty for no time. */
export function toLocalTime(time: string, timeZone: string): string {
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs)) return '';
  return new Date(clockMs(atMs, timeZone))
    .toISOString()
    .slice(0, -1)
    .replace(/(?::00)?\.000$/, '');
}

/** The ISO time of a zone's clocks; in a skipped hour the time as far after it. Empty for no time. */
export function fromLocalTime(local: string, timeZone: string): string {
  const wantedMs = Date.parse(`${local}Z`);
  if (Number.isNaN(wantedMs)) return '';
  // The offset before a change of clocks may differ from the one after it.
  const firstMs = wantedMs - (clockMs(wantedMs, timeZone) - wantedMs);
  return new Date(wantedMs - (clockMs(firstMs, timeZone) - firstMs)).toISOString();
}
