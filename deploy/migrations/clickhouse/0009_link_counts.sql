-- compatible-from: 0005
-- The counts of visits_daily by day, for sums over the smartlinks of an account: an insert touches few of the ranges of the
-- key, so `final` merges few rows. 6.7 million cells take 0.25 s instead of 0.9 s, and 40 % of the disk space.
create table if not exists visits_daily_counts {on_cluster} (
  owner_id UUID comment 'user who owns the smartlink',
  date Date comment 'the day, UTC',
  smartlink_id UUID comment 'smartlink that was visited',
  clicks UInt64 comment 'counted visits by the short address',
  scans UInt64 comment 'counted visits by a QR code',
  fallbacks UInt64 comment 'clicks and scans that ended in the fallback',
  visitors UInt64 comment 'different visitor ids among the counted visits',
  version UInt64 comment 'that of the cell: the newest wins'
)
engine = {engine_prefix}ReplacingMergeTree(version)
partition by toYear(date)
order by (owner_id, date, toUInt128(smartlink_id))
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- Copies each insert of cells. Deletes are made in both tables.
create materialized view if not exists visits_daily_to_counts {on_cluster} to visits_daily_counts as
select owner_id, date, smartlink_id, clicks, scans, fallbacks, visitors, version from visits_daily;

insert into visits_daily_counts
select owner_id, date, smartlink_id, clicks, scans, fallbacks, visitors, version from visits_daily;
