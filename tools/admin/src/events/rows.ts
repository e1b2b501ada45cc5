import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import type { Client } from 'pg';
import { z } from 'zod';
import { isDate, readRollupState } from '@smartlink/visits/analytics';
import {
  EVENT_COLUMNS,
  EVENT_INSERT_SETTINGS,
  EXCLUSIONS,
  OUTCOME_CODES,
  SOURCE_CODES,
  TEXT_BYTES_MAX,
} from '@smartlink/visits/event';
import { findForgotten, isOneOf } from '@smartlink/visits/rollup';
import { SLOW_ANSWER_LIMIT_MS } from '../engines/clickhouse.js';

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

/** By form: the lists of names in redirect grow, and an export outlives them. */
const form = (pattern: RegExp, what: string) => z.string().max(253).regex(pattern, `must be ${what}`);
const name = form(/^[A-Za-z\d][A-Za-z\d .+-]{0,63}$/, 'a name of letters and digits');

const id = form(/^[A-Za-z\d_-]{0,32}$/, 'an id, or empty');

const keysOf = <Codes extends object>(codes: Codes) => Object.keys(codes) as (keyof Codes)[];

/**
 * An exported row of `events`: every column and no other, with values that redirect writes. Exports of older builds lack
 * those with a default.
 */
const eventSchema = z
  .strictObject({
    ts: z.string().refine(isTime, 'must be a time as 2026-01-31 12:00:00.000, from 1970 to 2148'),
    event_id: uuid,
    owner_id: uuid,
    smartlink_id: uuid,
    slug: form(/^[A-Za-z\d]{1,64}$/, 'letters and digits'),
    domain: form(/^(?:[a-z\d-]+(?:\.[a-z\d-]+)+)?$/, 'a host name, or empty').default(''),
    source: z.enum(keysOf(SOURCE_CODES)),
    outcome: z.enum(keysOf(OUTCOME_CODES)),
    exclusion: z.enum(EXCLUSIONS),
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
    rule: id.default(''),
    variant: id.default(''),
    button: form(/^(?:[a-zA-Z]+:[A-Za-z\d]+)?$/, 'a button as button:3, or empty').default(''),
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
  })
  .refine((event) => (event.exclusion === 'press') === (event.button !== ''), {
    path: ['button'],
    message: 'must be there of presses, and of them only',
  });

export type ExportedEvent = z.infer<typeof eventSchema>;

/** The event of an exported line, or the line's fault. */
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

type InsertOptions = Omit<Parameters<ClickHouseClient['exec']>[0], 'query' | 'values'>;

/** Runs an insert whose rows are bytes of its format; resolves once ClickHouse has them. */
export async function insertBytes(
  clickhouse: ClickHouseClient,
  query: string,
  bytes: Buffer,
  options: InsertOptions = { clickhouse_settings: EVENT_INSERT_SETTINGS },
): Promise<void> {
  const values = Readable.from([bytes], { objectMode: false });
  const { stream } = await clickhouse.exec({ ...options, query, values });
  stream.resume();
  if (!stream.readableEnded) await once(stream, 'end');
}

export type Visit = { readonly ownerId: string; readonly smartlinkId: string; readonly timeMs: number };

/**
 * The count to which a visit belongs. `skipped`: the figures of its day are final; `gone`: its smartlink or user is deleted;
 * `purged`: it was purged recently.
 */
export type Verdict = 'inserted' | 'skipped' | 'gone' | 'purged';

export const noCounts = () => ({ inserted: 0, skipped: 0, gone: 0, purged: 0, refused: 0, segments: 0 });
export type Counts = ReturnType<typeof noCounts>;

export type VisitJudge = Awaited<ReturnType<typeof openVisitJudge>>;

/** Decides which visits may be inserted again, as of now. Rejects when ClickHouse fails. */
export async function openVisitJudge(db: Client, clickhouse: ClickHouseClient) {
  const { rawFrom } = await readRollupState(clickhouse, SLOW_ANSWER_LIMIT_MS);
  const forgotten = await findForgotten(clickhouse, SLOW_ANSWER_LIMIT_MS);
  const finalUntilMs = Date.parse(`${rawFrom}T00:00:00Z`);
  const purgedOn = new Set<string>();
  const judgeOne = (visit: Visit, ownerId: string | undefined): Verdict => {
    if (ownerId !== visit.ownerId) return 'gone';
    const purge = forgotten.findLast((one) => isOneOf(one, visit));
    if (purge === undefined) return visit.timeMs < finalUntilMs ? 'skipped' : 'inserted';
    purgedOn.add(new Date(purge.forgottenAtMs).toISOString().slice(0, 10));
    return 'purged';
  };
  return {
    /** A verdict for each visit, some thousands at most. Rejects when Postgres fails. */
    judge: async (visits: readonly Visit[]): Promise<readonly Verdict[]> => {
      const { rows } = await db.query<{ id: string; user_id: string }>(
        'select id, user_id from smartlinks where id = any($1::uuid[])',
        [[...new Set(visits.map((visit) => visit.smartlinkId))]],
      );
      const owners = new Map(rows.map((row) => [row.id, row.user_id]));
      return visits.map((visit) => judgeOne(visit, owners.get(visit.smartlinkId)));
    },
    /** The days (YYYY-MM-DD, UTC) on which the purged ones were purged. */
    purgedOn: () => [...purgedOn].toSorted(),
  };
}
