import { type Account, addAccount, fillLinks, type StoredLink } from '../link-data.js';
import { withProgress } from '../program.js';
import type { StackRun } from '../stack.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 365;
const OLDEST_LINK_MS = 730 * DAY_MS;
const NEWEST_LINK_MS = 366 * DAY_MS;

/** Links of one or more accounts; `links[n]` gets the n-th share of the events. */
export type LinkSet = {
  readonly accounts: readonly Account[];
  readonly links: readonly StoredLink[];
};

/**
 * Adds `count` links of new accounts, older than every event. The first links have the most events and are the newest:
 * they are the first page of a list.
 */
export async function addLinkSet(
  { stack, signal }: StackRun<object>,
  { from, count, accounts: accountCount }: { from: number; count: number; accounts: number },
): Promise<LinkSet> {
  const accounts: Account[] = [];
  for (let i = 0; i < accountCount; i += 1) accounts.push(await addAccount(stack.pg));
  const links: StoredLink[] = [];
  const nowMs = Date.now();
  await withProgress(`${count.toLocaleString('en')} links`, count, (advance) =>
    fillLinks(stack.pg, {
      ...{ from, to: from + count, signal },
      owners: accounts.map(({ userId }) => userId),
      createdMsOf: (number) =>
        nowMs - NEWEST_LINK_MS - ((number - from) / count) * (OLDEST_LINK_MS - NEWEST_LINK_MS),
      onStored: (stored, added) => {
        links.push(...added);
        advance(stored);
      },
    }),
  );
  return { accounts, links };
}

const CREATE_LINK_TABLE = `
create table if not exists bench_links (number UInt32, owner_id UUID, smartlink_id UUID, slug String)
engine = MergeTree order by number`;

/** About a second of work. */
const ROWS_PER_INSERT = 2_000_000;

// The engine makes the rows, ten times as fast as an insert of sent rows. Values come from hashes of the row's number: runs
// have equal data. A fifth of the rows are visits to link 0. The share of link n falls with n^(-2/3): of 50 million rows the
// second link of 20,000 gets over a million, the median one a thousand. 5 % of the visits are excluded, half have one of a
// hundred referrers, a third have campaign parameters. A visitor makes 1.4 visits a day. late_at is the epoch: not late;
// each arrives when it happens.
const FILL = `
insert into events (ts, event_id, owner_id, smartlink_id, slug, source, outcome, exclusion, country, device, os,
  browser, language, referrer_host, utm_source, utm_medium, utm_campaign, utm_term, utm_content, visitor_id, late_at, arrived_at)
with
  (select groupArray((owner_id, smartlink_id, slug))
   from (select owner_id, smartlink_id, slug from bench_links order by number)) as links,
  cityHash64(number, 1) as a,
  cityHash64(number, 2) as b,
  if(number % 5 = 0, 0, 1 + toUInt32((length(links) - 1) * pow(intDiv(a, 1099511627776) / 16777216, 3))) as place,
  links[place + 1] as link,
  fromUnixTimestamp64Milli({fromMs:Int64} + toInt64(a % {spanMs:UInt64}), 'UTC') as at,
  multiIf(b % 100 < 62, 'mobile', b % 100 < 94, 'desktop', b % 100 < 98, 'tablet', 'tv') as device_,
  intDiv(b, 100) % 100 as dice,
  intDiv(b, 10000) % 20 = 0 as is_excluded,
  pow(intDiv(b, 4294967296) % 65536 / 65536, 2) as skewed,
  intDiv(b, 281474976710656) / 65536 as level
select
  at,
  dateTimeToUUIDv7(toDateTime(at, 'UTC')),
  link.1,
  link.2,
  link.3,
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
  toDateTime(0, 'UTC'),
  at
from numbers({offset:UInt64}, {rows:UInt64})`;

const SETTINGS = {
  // late_at and arrived_at are materialized columns.
  insert_allow_materialized_columns: 1,
  max_execution_time: 300,
  max_partitions_per_insert_block: '0',
} as const;

/**
 * Adds `rows` visits to links over the 365 days up to `nowMs`. Each month is one part, but for the present day: its visits
 * come in parts by hour.
 */
export async function fillEvents(
  run: StackRun<object>,
  { links }: LinkSet,
  { rows, nowMs }: { readonly rows: number; readonly nowMs: number },
): Promise<void> {
  const { clickhouse } = run.stack;
  const spanMs = DAYS * DAY_MS;
  const todayMs = nowMs - (nowMs % DAY_MS);
  const rowsBefore = (timeMs: number) => Math.round((rows * (timeMs - nowMs + spanMs)) / spanMs);
  const visitorsPerDay = Math.ceil((0.7 * rows) / DAYS);
  await clickhouse.command({ query: CREATE_LINK_TABLE });
  await clickhouse.command({ query: 'truncate table bench_links' });
  await clickhouse.insert({
    table: 'bench_links',
    values: links.map(({ id, ownerId, slug }, number) => ({
      ...{ number, owner_id: ownerId, smartlink_id: id, slug },
    })),
    format: 'JSONEachRow',
  });
  await withProgress(`${rows.toLocaleString('en')} events`, rows, async (advance) => {
    const earlier = rowsBefore(todayMs);
    for (let offset = 0; offset < earlier; offset += ROWS_PER_INSERT) {
      const count = Math.min(ROWS_PER_INSERT, earlier - offset);
      const days = { untilMs: todayMs, spanMs: todayMs - nowMs + spanMs };
      await addVisits(run, { ...days, rows: count, offset, visitorsPerDay });
      advance(count);
    }
    await clickhouse.command({ query: 'optimize table events final' });
    for (let fromMs = todayMs; fromMs < nowMs; fromMs += HOUR_MS) {
      const untilMs = Math.min(nowMs, fromMs + HOUR_MS);
      const offset = rowsBefore(fromMs);
      const count = rowsBefore(untilMs) - offset;
      if (count === 0) continue;
      await addVisits(run, { untilMs, spanMs: untilMs - fromMs, rows: count, offset, visitorsPerDay });
      advance(count);
    }
  });
}

type Visits = {
  readonly rows: number;
  /** Their times, since 1970, are up to this one. */
  readonly untilMs: number;
  readonly spanMs: number;
  /** Number of the first row; other numbers have other values. */
  readonly offset: number;
  readonly visitorsPerDay?: number;
};

/** Adds visits to the links of the last fillEvents. */
export async function addVisits(
  { stack: { clickhouse }, signal }: StackRun<object>,
  { rows, untilMs, spanMs, offset, visitorsPerDay = rows }: Visits,
): Promise<void> {
  signal.throwIfAborted();
  const values = { fromMs: untilMs - spanMs, spanMs, visitorsPerDay, offset, rows };
  await clickhouse.command({ query: FILL, query_params: values, clickhouse_settings: SETTINGS });
}
