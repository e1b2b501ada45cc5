alter table events {on_cluster}
  modify column arrived_at DateTime64(3, 'UTC') materialized now64(3, 'UTC');

-- What arrived a while ago is not read: all granules but those with new rows have an earlier latest arrival.
alter table events {on_cluster} add index if not exists arrived_at_minmax arrived_at type minmax granularity 1;
alter table events {on_cluster} materialize index arrived_at_minmax settings mutations_sync = 2;
