import type { RoutingConditions } from '@smartlink/smartlink/document';
import { WEEKDAYS } from '@smartlink/smartlink/model';

type Weekly = NonNullable<RoutingConditions['weekly']>;

const MINUTE_MS = 60_000;

/** Whether a time is within the hours, on the clocks of their zone. Throws if this build does not know the zone. */
export function compileWeekly({ timeZone, days, from, to }: Weekly): (timeMs: number) => boolean {
  const clockAt = findZone(timeZone);
  const isOn = WEEKDAYS.map((day) => days.includes(day));
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  return (timeMs) => {
    const { weekday, minute } = clockAt(timeMs);
    if (begin < end) return isOn[weekday] === true && minute >= begin && minute < end;
    // Past midnight: the later part belongs to the day before.
    return minute >= begin ? isOn[weekday] === true : minute < end && isOn[(weekday + 6) % 7] === true;
  };
}

function minutesOf(clock: string): number {
  const [hours = '', minutes = ''] = clock.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** Local time; the weekday is an index of WEEKDAYS, the minute one of the day. */
type Clock = { readonly weekday: number; readonly minute: number };
type ClockAt = (timeMs: number) => Clock;

// By zone, of which there are some 600: a formatter takes 10 KB, and many links share one.
const zones = new Map<string, ClockAt>();

function findZone(timeZone: string): ClockAt {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const clockAt = createZone(timeZone);
  zones.set(timeZone, clockAt);
  return clockAt;
}

/** The clock of a zone. It is read once a minute (5 µs): clocks are put forward and back on a minute. */
function createZone(timeZone: string): ClockAt {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  });
  let readAt = Number.NaN;
  let clock: Clock = { weekday: 0, minute: 0 };
  return (timeMs) => {
    const minute = Math.floor(timeMs / MINUTE_MS);
    if (minute === readAt) return clock;
    const parts = new Map(format.formatToParts(minute * MINUTE_MS).map(({ type, value }) => [type, value]));
    const numberOf = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    clock = {
      weekday: WEEKDAYS.findIndex((day) => day === parts.get('weekday')),
      minute: numberOf('hour') * 60 + numberOf('minute'),
    };
    readAt = minute;
    return clock;
  };
}
