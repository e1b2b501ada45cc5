-- When an event arrives after its UTC day is over, the time of its arrival; the epoch for all others. Rolled-up days
-- that have such events are found by it, whoever has inserted them: the server's own clock decides, not the sender's.
--
-- Events that are here already count as on time: the first rollup takes them all. So the column begins as a constant
-- and is written; only then, in the next file, does it get its expression, which would find every old row late.
alter table events {on_cluster}
  add column if not exists late_at DateTime('UTC') materialized toDateTime(0, 'UTC')
    comment 'when the event arrived, if its UTC day was over by then; else 1970-01-01 00:00:00';
alter table events {on_cluster} materialize column late_at settings mutations_sync = 2;
