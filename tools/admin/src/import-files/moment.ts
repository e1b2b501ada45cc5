// Date, time, zone. Without a zone it is UTC, without a time midnight.
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i;
// Seconds of nine or ten digits are of 1973 to 2286; milliseconds have three more.
const EPOCH = /^(\d{9,10})(\d{3})?$/;

/**
 * Returns the moment that a text means: ISO 8601, `YYYY-MM-DD HH:MM:SS`, or seconds or milliseconds since 1970. What
 * names no zone is taken as UTC. Null for all else: a day and month in an order of their own cannot be told apart.
 */
export function parseMoment(text: string): Date | null {
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return new Date(Number(epoch[1]) * 1000 + Number(epoch[2] ?? 0));
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const [, year = 0, month = 0, day = 0] = match.map(Number);
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  const offset = offsetMinutes(match[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === null) return null;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, milliseconds));
  // The 31st of a month of 30 days would become the first of the next; the years before 100 would move to 19xx.
  if (local.getUTCFullYear() !== year || local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day)
    return null;
  return new Date(local.getTime() - offset * 60_000);
}

function offsetMinutes(zone: string | undefined): number | null {
  if (zone === undefined || /^(?:Z|UTC)$/i.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  // No place on Earth is further from UTC than 14 hours.
  if (hours > 14 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
