import type { RoutingConditions } from '@smartlink/smartlink/document';
import { WEEKDAYS } from '@smartlink/smartlink/model';

type Weekly = NonNullable<RoutingConditions['weekly']>;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
// 1 January 1970 was a Thursday.
const FIRST_WEEKDAY = WEEKDAYS.indexOf('Thu');

/** Whether a time is within the hours, on the clocks of their zone. Throws if this build does not know the zone. */
export function compileWeekly({ timeZone, days, from, to }: Weekly): (timeMs: number) => boolean {
  const offsetAt = findZone(timeZone);
  const isOn = WEEKDAYS.map((day) => days.includes(day));
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  return (timeMs) => {
    const minutes = Math.floor((timeMs + offsetAt(timeMs)) / MINUTE_MS);
    const minute = minutes % DAY_MINUTES;
    const weekday = (Math.floor(minutes / DAY_MINUTES) + FIRST_WEEKDAY) % 7;
    if (begin < end) return isOn[weekday] === true && minute >= begin && minute < end;
    // Past midnight: the later part belongs to the day before.
    return minute >= begin ? isOn[weekday] === true : minute < end && isOn[(weekday + 6) % 7] === true;
  };
}

function minutesOf(clock: string): number {
  const [hours = '', minutes = ''] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

type OffsetAt = (timeMs: number) => number;

// By zone, of which there are some 600: a formatter takes 10 KB, and many links share one.
const zones = new Map<string, OffsetAt>();

function findZone(timeZone: string): OffsetAt {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const offsetAt = createZone(timeZone);
  zones.set(timeZone, offsetAt);
  return offsetAt;
}

/** How far the clocks of a zone are ahead of UTC, in ms. It is read once a minute (5 µs): clocks change on a minute. */
function createZone(timeZone: string): OffsetAt {
  const clock = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  let readAt = Number.NaN;
  let offsetMs = 0;
  return (timeMs) => {
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (minute === readAt) return offsetMs;
    const parts = new Map(
      clock.formatToParts(minute * MINUTE_MS).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    offsetMs = local - minute * MINUTE_MS;
    readAt = minute;
    return offsetMs;
  };
}
