-- One row per visit to a known slug. A row that was sent twice is one row: the sorting key ends in the event's id,
-- so every query reads `from events final`. The columns are those of libs/visit-events/src/columns.ts.
--
-- No non_replicated_deduplication_window here and no materialized view: the shipper's repeats are made harmless by
-- the sorting key alone, and rollups are recomputed from these rows.
create table if not exists events {on_cluster} (
  ts DateTime64(3, 'UTC') comment 'when the visit was answered, milliseconds, UTC' codec(Delta, ZSTD(1)),
  event_id UUID comment 'UUIDv7 made once per visit: rows that share it are one visit',
  owner_id UUID comment 'user who owns the smartlink',
  smartlink_id UUID comment 'smartlink that was visited',
  slug String comment 'slug used, an alias when the visitor used one',
  source Enum8('click' = 1, 'scan' = 2) comment 'short address or QR code',
  outcome Enum8('target' = 1, 'page' = 2, 'fallback' = 3, 'excluded' = 4)
    comment 'what the visit ended in; excluded visits are counted nowhere else',
  exclusion LowCardinality(String) comment 'why the visit does not count, empty unless the outcome is excluded',
  country LowCardinality(String) comment 'ISO 3166-1 alpha-2, XX when unknown',
  device LowCardinality(String) comment 'mobile, tablet, desktop, tv, wearable, console or other',
  os LowCardinality(String) comment 'operating system by User-Agent',
  browser LowCardinality(String) comment 'browser by User-Agent',
  language LowCardinality(String) comment 'first language of Accept-Language, empty when there is none',
  referrer_host LowCardinality(String) comment 'host of Referer, empty when there is none',
  utm_source LowCardinality(String) comment 'utm_source of the visit, empty when absent',
  utm_medium LowCardinality(String) comment 'utm_medium of the visit, empty when absent',
  utm_campaign LowCardinality(String) comment 'utm_campaign of the visit, empty when absent',
  utm_term String comment 'utm_term of the visit, empty when absent',
  utm_content String comment 'utm_content of the visit, empty when absent',
  visitor_id UInt64 comment 'keyed hash of the visitor, new every day; 0 when the visitor is not to be recognised'
)
engine = {engine_prefix}ReplacingMergeTree
partition by toYYYYMM(ts)
order by (owner_id, smartlink_id, ts, event_id);
