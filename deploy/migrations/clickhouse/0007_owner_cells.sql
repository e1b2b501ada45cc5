-- compatible-from: 0005
-- Cells of builds that do not know these columns have no hours; the rollup computes them again while their events are kept.
alter table visits_daily {on_cluster}
  add column if not exists languages Map(String, UInt64)
    comment 'counted visits by language, the thirty largest; no language is an empty text' after referrers,
  add column if not exists utm_sources Map(String, UInt64)
    comment 'counted visits by utm_source, the thirty largest; none is an empty text' after languages,
  add column if not exists utm_mediums Map(String, UInt64)
    comment 'counted visits by utm_medium, the thirty largest; none is an empty text' after utm_sources,
  add column if not exists utm_campaigns Map(String, UInt64)
    comment 'counted visits by utm_campaign, the thirty largest; none is an empty text' after utm_mediums,
  add column if not exists domains Map(LowCardinality(String), UInt64)
    comment 'counted visits by custom host; all others came by the own host of the instance' after utm_campaigns,
  add column if not exists routes Map(String, UInt64)
    comment 'counted visits by rule:<id>, variant:<id> or rule:<id>/variant:<id>; all others were not routed' after domains,
  add column if not exists hours Tuple(clicks Array(UInt32), scans Array(UInt32), fallbacks Array(UInt32))
    comment 'the three counts by hour of the day, UTC; empty in imported cells and those of older builds' after routes;

-- One row per account and UTC day: the sums of its smartlinks' cells, visitors too. Imported totals have a row of their own.
-- Answers use the days from owners_from of rollup_state.
create table if not exists visits_daily_by_owner {on_cluster} (
  owner_id UUID comment 'user who owns the smartlinks',
  date Date comment 'the day, UTC',
  is_carried UInt8 comment '1: totals imported from another service, 0: all others',
  clicks UInt64 comment 'counted visits by the short address',
  scans UInt64 comment 'counted visits by a QR code',
  fallbacks UInt64 comment 'clicks and scans that ended in the fallback',
  visitors UInt64 comment 'different visitor ids among the counted visits of each smartlink, added up',
  countries Map(LowCardinality(String), UInt64) comment 'counted visits by country',
  devices Map(LowCardinality(String), UInt64) comment 'counted visits by class of device',
  browsers Map(LowCardinality(String), UInt64) comment 'counted visits by browser',
  operating_systems Map(LowCardinality(String), UInt64) comment 'counted visits by operating system',
  referrers Map(String, UInt64) comment 'counted visits by referring host, the hundred largest; no referrer is direct',
  languages Map(String, UInt64)
    comment 'counted visits by language, the hundred largest; no language is an empty text',
  utm_sources Map(String, UInt64) comment 'counted visits by utm_source, the hundred largest; none is an empty text',
  utm_mediums Map(String, UInt64) comment 'counted visits by utm_medium, the hundred largest; none is an empty text',
  utm_campaigns Map(String, UInt64)
    comment 'counted visits by utm_campaign, the hundred largest; none is an empty text',
  domains Map(LowCardinality(String), UInt64)
    comment 'counted visits by custom host; all others came by the own host of the instance',
  routes Map(String, UInt64)
    comment 'counted visits by rule:<id>, variant:<id> or rule:<id>/variant:<id>, the hundred largest and other; all others were not routed',
  hours Tuple(clicks Array(UInt32), scans Array(UInt32), fallbacks Array(UInt32))
    comment 'the three counts by hour of the day, UTC; without those of cells that have none',
  excluded Map(LowCardinality(String), UInt64) comment 'visits that did not count, by reason',
  version UInt64 comment 'microseconds since 1970 when the row began to be computed: the newest wins'
)
engine = {engine_prefix}ReplacingMergeTree(version)
partition by toYear(date)
order by (owner_id, date, is_carried)
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- States of builds that do not know the column say that no day has rows by owner: such a build does not keep them.
alter table rollup_state {on_cluster}
  add column if not exists owners_from Date default toDate('2149-06-06')
    comment 'days from it to before open_from have rows by owner that are up to date' after late_from;
