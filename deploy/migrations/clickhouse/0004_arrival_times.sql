-- When the event arrived, by the server's own clock. What hands visits on to webhooks goes through them in this order,
-- so one that arrives hours late is handed on all the same.
--
-- Events that are here already have arrived long ago. So the column begins as a constant and is written; only then, in
-- the next file, does it get its expression, which would find every old row new.
alter table events {on_cluster}
  add column if not exists arrived_at DateTime64(3, 'UTC') materialized toDateTime64(0, 3, 'UTC')
    comment 'when the event arrived, milliseconds, UTC; 1970-01-01 of those that were here before the column'
    codec(Delta, ZSTD(1));
alter table events {on_cluster} materialize column arrived_at settings mutations_sync = 2;
