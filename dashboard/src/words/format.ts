import { usePreferences } from '../app/preferences.js';
import type { Language } from './words.js';

// Chromium claims az in Intl but lacks its data, and writes "2026 M11 27". Turkish has the same separators and order.
const MONTHS_AZ = 'yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr'.split(' ');
const DAYS_AZ = 'bazar, bazar ertəsi, çərşənbə axşamı, çərşənbə, cümə axşamı, cümə, şənbə'.split(', ');
const DAYS_SHORT_AZ = 'B. B.E. Ç.A. Ç. C.A. C. Ş.'.split(' ');
const UNITS_AZ = {
  second: 'saniyə',
  minute: 'dəqiqə',
  hour: 'saat',
  day: 'gün',
  month: 'ay',
  year: 'il',
} as const;

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', az: 'tr', ru: 'ru', tr: 'tr' };

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const;

// Marks that embed, override or isolate.
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text of another account in a sentence: its writing direction cannot change what stands around it. */
export const isolate = (text: string): string => `\u2068${text.replaceAll(DIRECTION_MARKS, '')}\u2069`;

export type Format = ReturnType<typeof createFormat>;

const formats = new Map<string, Format>();

/** The one format of a language and a time zone: Intl takes longer to make its formats than to use them. */
export function formatOf(language: Language, timeZone: string): Format {
  const key = `${language} ${timeZone}`;
  const format = formats.get(key) ?? createFormat(language, timeZone);
  formats.set(key, format);
  return format;
}

/** Numbers and times in a language and a time zone. Times are dates or ISO texts. */
function createFormat(language: Language, timeZone: string) {
  const locale = LOCALES[language];
  const numbers = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const numeric = new Intl.DateTimeFormat('en-US', { timeZone, month: 'numeric', weekday: 'short' });
  const times = new Map<string, Intl.DateTimeFormat>();

  function time(value: Date | string, options: Intl.DateTimeFormatOptions): string {
    const at = new Date(value);
    const key = JSON.stringify(options);
    const format = times.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone, ...options });
    times.set(key, format);
    if (language !== 'az') return format.format(at);
    const parts = format.formatToParts(at);
    const known = Object.fromEntries(numeric.formatToParts(at).map((part) => [part.type, part.value]));
    const month = MONTHS_AZ[Number(known.month) - 1] ?? '';
    const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(known.weekday ?? '');
    return parts
      .map(({ type, value: text }) => {
        if (type === 'month' && !/^\d+$/.test(text))
          return options.month === 'short' ? month.slice(0, 3) : month;
        if (type === 'weekday') return (options.weekday === 'short' ? DAYS_SHORT_AZ : DAYS_AZ)[weekday] ?? '';
        return text;
      })
      .join('');
  }

  /** `3 days ago`, `in 2 hours`, against `now`. */
  function ago(value: Date | string, now = Date.now()): string {
    let amount = (new Date(value).getTime() - now) / 1_000;
    for (const [unit, length] of STEPS) {
      if (Math.abs(Math.round(amount)) < length) return written(Math.round(amount), unit);
      amount /= length;
    }
    return '';
  }

  function written(amount: number, unit: keyof typeof UNITS_AZ): string {
    if (language !== 'az') return relative.format(amount, unit);
    if (amount === 0) return unit === 'day' ? 'bu gün' : 'indi';
    return `${numbers.format(Math.abs(amount))} ${UNITS_AZ[unit]} ${amount < 0 ? 'əvvəl' : 'sonra'}`;
  }

  return {
    number: (value: number) => numbers.format(value),
    /** `1.2K`; Azerbaijani has no short forms and shows the whole number. */
    compact: (value: number) => (language === 'az' ? numbers : compact).format(value),
    percent: (share: number) => percents.format(share),
    date: (value: Date | string) => time(value, { day: 'numeric', month: 'long', year: 'numeric' }),
    shortDate: (value: Date | string) => time(value, { day: 'numeric', month: 'short', year: 'numeric' }),
    dateTime: (value: Date | string) =>
      time(value, { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }),
    /** With options of Intl.DateTimeFormat. */
    time,
    ago,
  };
}

/** The format of the person's language and time zone. */
export function useFormat(): Format {
  const { language, timeZone } = usePreferences();
  return formatOf(language, timeZone);
}
