import type { ClickHouseClient } from '@clickhouse/client';
import type { VisitScope } from '@smartlink/visit-analytics/forget-visits';
import { selectRows } from '@smartlink/visit-analytics/select-rows';
import { toCsvRow } from './event-csv.js';
import { COLUMN_NAMES } from './event-row.js';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Milliseconds since 1970, the end excluded. */
type Span = { readonly fromMs: number; readonly untilMs: number };

const STATEMENT_MS_MAX = 600_000;
// Some 450 bytes each. The embedded ClickHouse has a whole answer in memory before it sends the first byte.
const EVENTS_PER_QUERY = 50_000;

const whichOf = ({ ownerId, smartlinkId }: VisitScope): string =>
  `${ownerId === null ? 'true' : 'owner_id = {ownerId:UUID}'} and ${
    smartlinkId === null ? 'true' : 'smartlink_id = {smartlinkId:UUID}'
  } and ts >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') and ts < fromUnixTimestamp64Milli({untilMs:Int64}, 'UTC')`;

function paramsOf({ ownerId, smartlinkId }: VisitScope, span: Span): Record<string, unknown> {
  return {
    ...span,
    ...(ownerId === null ? {} : { ownerId }),
    ...(smartlinkId === null ? {} : { smartlinkId }),
  };
}

/** Returns the months that have events, oldest first, and how many rows each has: an event sent twice may be two yet. */
export async function findMonths(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
): Promise<readonly (Span & { readonly rows: number })[]> {
  const days = {
    fromMs: Date.parse(`${scope.from}T00:00:00Z`),
    untilMs: Date.parse(`${scope.until}T00:00:00Z`),
  };
  const months = await selectRows<{ month: string; rows: number }>(
    clickhouse,
    `
select toString(toStartOfMonth(ts)) as month, count() as rows
from events
where ${whichOf(scope)}
group by month
order by month`,
    paramsOf(scope, days),
    STATEMENT_MS_MAX,
  );
  return months.map(({ month, rows }) => {
    const start = new Date(`${month}T00:00:00Z`);
    const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
    return {
      fromMs: Math.max(days.fromMs, start.getTime()),
      untilMs: Math.min(days.untilMs, end),
      rows,
    };
  });
}

/**
 * Yields the events of one month as text, oldest first, in pieces of some thousand; memory is bounded by the events of
 * the busiest minute. `onEvents` is told how many each piece has. Rejects when ClickHouse fails and when `signal` says so.
 */
export async function* readMonth(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  month: Span & { readonly rows: number },
  options: {
    readonly format: ExportFormat;
    readonly signal: AbortSignal;
    readonly onEvents: (events: number) => void;
  },
): AsyncGenerator<string> {
  for (const span of await findSpans(clickhouse, scope, month)) {
    options.signal.throwIfAborted();
    yield* readSpan(clickhouse, scope, span, options);
  }
}

/** Returns the heading of a file in this format. */
export function headingOf(format: ExportFormat): string {
  return format === 'csv' ? toCsvRow(COLUMN_NAMES) : '';
}

/** Cuts a month into spans of whole minutes, each with about EVENTS_PER_QUERY rows. */
async function findSpans(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  month: Span & { readonly rows: number },
): Promise<readonly Span[]> {
  if (month.rows <= EVENTS_PER_QUERY) return [month];
  const minutes = await selectRows<{ minuteMs: number; rows: number }>(
    clickhouse,
    `
select toUnixTimestamp(toStartOfMinute(ts)) * 1000 as minuteMs, count() as rows
from events
where ${whichOf(scope)}
group by minuteMs
order by minuteMs`,
    paramsOf(scope, { fromMs: month.fromMs, untilMs: month.untilMs }),
    STATEMENT_MS_MAX,
  );
  return gatherMinutes(minutes, month, EVENTS_PER_QUERY);
}

/**
 * Returns spans that cover `whole` without a gap and begin with minutes; each holds at most `rowsMax` rows, or a single
 * minute that has more.
 */
export function gatherMinutes(
  minutes: readonly { readonly minuteMs: number; readonly rows: number }[],
  whole: Span,
  rowsMax: number,
): readonly Span[] {
  const starts = [whole.fromMs];
  let rows = 0;
  for (const minute of minutes) {
    if (rows > 0 && rows + minute.rows > rowsMax) {
      starts.push(minute.minuteMs);
      rows = 0;
    }
    rows += minute.rows;
  }
  return starts.map((fromMs, i) => ({ fromMs, untilMs: starts[i + 1] ?? whole.untilMs }));
}

async function* readSpan(
  clickhouse: ClickHouseClient,
  scope: VisitScope,
  { fromMs, untilMs }: Span,
  options: Parameters<typeof readMonth>[3],
): AsyncGenerator<string> {
  const result = await clickhouse.query({
    query: `select ${COLUMN_NAMES.join(', ')} from events final where ${whichOf(scope)} order by ts, event_id`,
    query_params: paramsOf(scope, { fromMs, untilMs }),
    format: 'JSONEachRow',
    abort_signal: options.signal,
    clickhouse_settings: {
      max_execution_time: STATEMENT_MS_MAX / 1_000,
      do_not_merge_across_partitions_select_final: 1,
      // JavaScript rounds what has 64 bits.
      output_format_json_quote_64bit_integers: 1,
    },
  });
  for await (const rows of result.stream<Record<string, string>>()) {
    const lines = rows.map((row) =>
      options.format === 'csv' ? toCsvRow(toValues(row.json())) : `${row.text}\n`,
    );
    yield lines.join('');
    options.onEvents(rows.length);
  }
}

const toValues = (row: Record<string, string>): readonly string[] =>
  COLUMN_NAMES.map((name) => row[name] ?? '');
