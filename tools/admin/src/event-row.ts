import { isDate } from '@smartlink/visit-analytics/calendar';
import { EVENT_COLUMNS, OUTCOME_CODES, SOURCE_CODES, TEXT_BYTES_MAX } from '@smartlink/visit-events/columns';
import { EXCLUSION_REASONS } from '@smartlink/visit-events/visit-event';
import { z } from 'zod';

/** The columns of `events`, in their order, as an export has them. */
export const COLUMN_NAMES = EVENT_COLUMNS.map(({ name }) => name);

// ClickHouse's Date, by which days are rolled up, ends in June of that year.
const LAST_CELL = '2149-01-01';
const UINT64_MAX = 2n ** 64n - 1n;

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case');

const text = (bytesMax: number) =>
  z
    .string()
    .refine((value) => Buffer.byteLength(value) <= bytesMax, `must have at most ${bytesMax} bytes`)
    .refine(
      (value) => value.isWellFormed() && !/\p{Cc}/u.test(value),
      'must be text without control characters',
    );

/** What the redirect service writes, by form: its own lists of names grow, and an export outlives them. */
const form = (pattern: RegExp, what: string) => z.string().max(253).regex(pattern, `must be ${what}`);
const name = form(/^[A-Za-z\d][A-Za-z\d .+-]{0,63}$/, 'a name of letters and digits');

const keysOf = <Codes extends object>(codes: Codes) => Object.keys(codes) as (keyof Codes)[];

/** A row of `events` as it is exported: every column and no other, with what the table takes and we write. */
const eventSchema = z
  .strictObject({
    ts: z.string().refine(isTime, 'must be a time as 2026-01-31 12:00:00.000, from 1970 to 2148'),
    event_id: uuid,
    owner_id: uuid,
    smartlink_id: uuid,
    slug: form(/^[A-Za-z\d]{1,64}$/, 'letters and digits'),
    source: z.enum(keysOf(SOURCE_CODES)),
    outcome: z.enum(keysOf(OUTCOME_CODES)),
    exclusion: z.enum(['', ...EXCLUSION_REASONS]),
    country: form(/^[A-Z]{2}$/, 'two capital letters'),
    device: z.enum(['mobile', 'tablet', 'desktop', 'tv', 'wearable', 'console', 'other']),
    os: name,
    browser: name,
    language: form(/^(?:[a-z]{2,3}(?:-(?:[A-Z]{2}|\d{3}))?)?$/, 'a language as az or en-US'),
    referrer_host: form(/^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)+|\[[a-f\d:.]+\])?$/, 'a host name, or empty'),
    utm_source: text(TEXT_BYTES_MAX.utmSource),
    utm_medium: text(TEXT_BYTES_MAX.utmMedium),
    utm_campaign: text(TEXT_BYTES_MAX.utmCampaign),
    utm_term: text(TEXT_BYTES_MAX.utmTerm),
    utm_content: text(TEXT_BYTES_MAX.utmContent),
    visitor_id: z
      .string()
      .refine(
        (value) => /^\d{1,20}$/.test(value) && BigInt(value) <= UINT64_MAX,
        'must be 64 bits as digits',
      ),
  } satisfies Record<(typeof EVENT_COLUMNS)[number]['name'], z.ZodType>)
  .refine((event) => (event.outcome === 'excluded') === (event.exclusion !== ''), {
    path: ['exclusion'],
    message: 'must be there when the outcome is excluded, and then only',
  });

export type ExportedEvent = z.infer<typeof eventSchema>;

/** Returns the event of a line that an export has written, or in a few words why it is none. */
export function parseEventLine(line: string): ExportedEvent | { readonly reason: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { reason: 'is not JSON' };
  }
  const parsed = eventSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  return { reason: `${path}${path === '' ? '' : ': '}${issue?.message ?? 'is no event'}` };
}

function isTime(value: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/.test(value) &&
    isDate(value.slice(0, 10)) &&
    value < LAST_CELL
  );
}
