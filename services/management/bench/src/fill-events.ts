import type { ClickHouseClient } from '@clickhouse/client';

const DAY_MS = 86_400_000;
const DAYS = 365;
/** A part or two, and about a second of work. */
const ROWS_PER_INSERT = 2_000_000;

// Made by the engine itself, ten times as fast as sending rows. Values come from hashes of the row's number, so runs are
// alike. A fifth of the rows are visits to link 0. Of the others, number n has a share that falls with n^(-2/3): of 50 million
// rows the second link gets over a million, the median one a thousand. Five in a hundred visits do not count. Half have a
// referrer, one of a hundred hosts, a third campaign parameters. A visitor comes not quite twice a day. late_at is the epoch:
// no event came late.
const FILL = `
insert into events (ts, event_id, owner_id, smartlink_id, slug, source, outcome, exclusion, country, device, os,
  browser, language, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content, visitor_id, late_at)
with
  (select groupArray(owner_id) from (select owner_id from bench_links order by number)) as owner_ids,
  (select groupArray(smartlink_id) from (select smartlink_id from bench_links order by number)) as link_ids,
  length(link_ids) as links,
  cityHash64(number, 1) as a,
  cityHash64(number, 2) as b,
  if(number % 5 = 0, 0, 1 + toUInt32((links - 1) * pow(intDiv(a, 1099511627776) / 16777216, 3))) as link_number,
  fromUnixTimestamp64Milli({fromMs:Int64} + toInt64(a % {spanMs:UInt64}), 'UTC') as at,
  multiIf(b % 100 < 62, 'mobile', b % 100 < 94, 'desktop', b % 100 < 98, 'tablet', 'tv') as device_,
  intDiv(b, 100) % 100 as dice,
  intDiv(b, 10000) % 20 = 0 as is_excluded,
  pow(intDiv(b, 4294967296) % 65536 / 65536, 2) as skewed,
  intDiv(b, 281474976710656) / 65536 as level
select
  at,
  dateTimeToUUIDv7(toDateTime(at, 'UTC')),
  owner_ids[link_number + 1],
  link_ids[link_number + 1],
  concat('bench', toString(link_number)),
  if(dice % 4 = 0, 'scan', 'click'),
  multiIf(is_excluded, 'excluded', dice < 8, 'page', dice < 13, 'fallback', 'target'),
  multiIf(not is_excluded, '', dice < 80, 'bot', dice < 90, 'prefetch', 'head'),
  ['DE', 'US', 'AZ', 'TR', 'FR', 'GB', 'ES', 'IT', 'PL', 'UA', 'NL', 'CA', 'BR', 'IN', 'JP', 'GE', 'AT', 'CH', 'SE',
   'NO', 'FI', 'DK', 'CZ', 'RO', 'PT', 'GR', 'KZ', 'UZ', 'AE', 'XX'][1 + toUInt32(30 * skewed)],
  device_,
  multiIf(device_ = 'mobile', if(dice < 60, 'Android', 'iOS'), device_ = 'tablet', if(dice < 70, 'iOS', 'Android'),
          device_ = 'tv', 'other', dice < 65, 'Windows', dice < 90, 'macOS', 'Linux'),
  multiIf(device_ = 'tv', 'other', dice < 55, 'Chrome', dice < 80, 'Safari', dice < 88, 'Edge', dice < 95, 'Firefox',
          dice < 98, 'Samsung Internet', 'Opera'),
  ['de', 'en-US', 'az', 'tr', 'fr', 'en-GB', 'es', 'it', 'pl', 'uk', 'nl', ''][1 + toUInt32(12 * skewed)],
  if(level < 0.5, '', concat('www.site', toString(toUInt32(100 * pow((level - 0.5) * 2, 2))), '.example.org')),
  if(number % 3 = 0, ['newsletter', 'instagram', 'google', 'partner'][1 + dice % 4], ''),
  if(number % 3 = 0, ['email', 'social', 'cpc', 'referral'][1 + dice % 4], ''),
  if(number % 3 = 0, concat('campaign-', toString(dice % 12)), ''),
  '',
  if(number % 9 = 0, concat('banner-', toString(dice % 7)), ''),
  if(number % 17 = 0, 0, cityHash64(toDate(at), intDiv(a, 7) % {visitorsPerDay:UInt64})),
  toDateTime(0, 'UTC')
from numbers({offset:UInt64}, {rows:UInt64})`;

const SETTINGS = {
  // late_at is a materialized column.
  insert_allow_materialized_columns: 1,
  max_execution_time: 300,
  max_partitions_per_insert_block: '0',
} as const;

/** Adds `rows` visits to the links of `bench_links` over 365 days up to `nowMs`, and merges each month into one part. */
export async function fillEvents(
  clickhouse: ClickHouseClient,
  { rows, nowMs, signal }: { rows: number; nowMs: number; signal: AbortSignal },
  onRows: (rows: number) => void,
): Promise<void> {
  const beginMs = nowMs - DAYS * DAY_MS;
  const visitorsPerDay = Math.max(1, Math.round((0.7 * rows) / DAYS));
  let offset = 0;
  for (const [fromMs, untilMs] of monthsOf(beginMs, nowMs)) {
    const last = Math.round((rows * (untilMs - beginMs)) / (nowMs - beginMs));
    while (offset < last) {
      signal.throwIfAborted();
      const count = Math.min(ROWS_PER_INSERT, last - offset);
      await clickhouse.command({
        query: FILL,
        query_params: { fromMs, spanMs: untilMs - fromMs, visitorsPerDay, offset, rows: count },
        clickhouse_settings: SETTINGS,
      });
      offset += count;
      onRows(offset);
    }
    const month = new Date(fromMs).toISOString().slice(0, 7).replace('-', '');
    await clickhouse.command({ query: `optimize table events partition ${month} final` });
  }
}

/** The parts of a span of time that lie in one month each (UTC), as partitions do. */
export function monthsOf(
  fromMs: number,
  untilMs: number,
): readonly (readonly [fromMs: number, untilMs: number])[] {
  const months: [number, number][] = [];
  for (let at = fromMs; at < untilMs;) {
    const day = new Date(at);
    const next = Math.min(untilMs, Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1));
    months.push([at, next]);
    at = next;
  }
  return months;
}
