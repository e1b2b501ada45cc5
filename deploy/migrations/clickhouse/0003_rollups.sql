alter table events {on_cluster}
  modify column late_at DateTime('UTC') materialized
    if(now('UTC') >= toStartOfDay(ts) + interval 1 day, now('UTC'), toDateTime(0, 'UTC'));

-- Late events are rare: all other granules have the epoch as their latest, and are not read.
alter table events {on_cluster} add index if not exists late_at_minmax late_at type minmax granularity 1;
alter table events {on_cluster} materialize index late_at_minmax settings mutations_sync = 2;

-- One row per smartlink and UTC day with events: a cell. A cell is always computed whole, from `events`, and replaces
-- the one of a lower version; nothing is ever added to it. Read with final. It outlives the events it was made of.
--
-- Ids are ordered by toUInt128, which follows their time; by itself ClickHouse orders a UUID by its second half. So the
-- newest smartlinks of an owner, which a list shows first, lie together.
create table if not exists visits_daily {on_cluster} (
  owner_id UUID comment 'user who owns the smartlink',
  smartlink_id UUID comment 'smartlink that was visited',
  date Date comment 'the day, UTC',
  clicks UInt64 comment 'counted visits by the short address',
  scans UInt64 comment 'counted visits by a QR code',
  fallbacks UInt64 comment 'clicks and scans that ended in the fallback',
  visitors UInt64 comment 'different visitor ids among the counted visits',
  countries Map(LowCardinality(String), UInt64) comment 'counted visits by country',
  devices Map(LowCardinality(String), UInt64) comment 'counted visits by class of device',
  browsers Map(LowCardinality(String), UInt64) comment 'counted visits by browser',
  operating_systems Map(LowCardinality(String), UInt64) comment 'counted visits by operating system',
  referrers Map(String, UInt64) comment 'counted visits by referring host, the thirty largest; no referrer is direct',
  excluded Map(LowCardinality(String), UInt64) comment 'visits that did not count, by reason',
  version UInt64 comment 'microseconds since 1970 when the cell began to be computed: the newest wins'
)
engine = {engine_prefix}ReplacingMergeTree(version)
partition by toYear(date)
order by (owner_id, toUInt128(smartlink_id), date)
-- Events that a loss of power takes back are sent again; cells are not.
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- How far the cells go: one row, the newest version of which counts.
create table if not exists rollup_state {on_cluster} (
  id UInt8 comment 'always 1',
  open_from Date comment 'days before it have all their cells',
  raw_from Date comment 'days before it may have lost their events: their cells are final',
  raw_from_set_at DateTime('UTC') comment 'when raw_from became what it is',
  late_from DateTime('UTC') comment 'events that came late before this are in the cells',
  version UInt64 comment 'microseconds since 1970'
)
engine = {engine_prefix}ReplacingMergeTree(version)
order by id
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- Visits that were deleted for good. Events can come back after that, from a segment that is sent again or a spool that
-- was held up: whoever rolls up deletes what has come back since, and a replay leaves it out.
create table if not exists forgotten_visits {on_cluster} (
  owner_id UUID comment 'whose visits; the zero UUID is everybody',
  smartlink_id UUID comment 'of which smartlink; the zero UUID is each of them',
  from_date Date32 comment 'the first of the days, UTC',
  until DateTime64(3, 'UTC') comment 'the end of the days, or when they were deleted: later visits count',
  forgotten_at DateTime64(3, 'UTC') comment 'when they were deleted'
)
engine = {engine_prefix}MergeTree
order by forgotten_at
ttl toDateTime(forgotten_at) + interval 30 day
settings fsync_after_insert = 1, fsync_part_directory = 1;
