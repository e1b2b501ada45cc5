-- compatible-from: 0005
-- Counts of smartlinks by month, for sums over the smartlinks of an account: a year of 100,000 smartlinks is a million of these, or
-- 16 million cells. The rollup computes each month whole, once it is over, and again where a cell of it changes.
create table if not exists visits_monthly_counts {on_cluster} (
  owner_id UUID comment 'user who owns the smartlink',
  month Date comment 'first day of the month, UTC',
  smartlink_id UUID comment 'smartlink that was visited',
  clicks UInt64 comment 'counted visits by the short address; without imported totals, as all counts here',
  scans UInt64 comment 'counted visits by a QR code',
  fallbacks UInt64 comment 'clicks and scans that ended in the fallback',
  visitors UInt64 comment 'different visitor ids among the counted visits of each day, added up',
  version UInt64 comment 'microseconds since 1970 when the sums began to be computed: the newest wins'
)
engine = {engine_prefix}ReplacingMergeTree(version)
partition by toYear(month)
order by (owner_id, month, toUInt128(smartlink_id))
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- States of builds that do not know the column say that no month has sums: such a build does not keep them.
alter table rollup_state {on_cluster}
  add column if not exists months_until Date default toDate('1970-01-01')
    comment 'months before the one it begins have sums that are up to date' after has_presses;
