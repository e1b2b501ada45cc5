-- compatible-from: 0005
-- Builds that do not know these columns insert rows without them, which are then empty.
alter table events {on_cluster}
  add column if not exists domain LowCardinality(String)
    comment 'host of the custom domain, empty for the own host of the instance' after slug,
  add column if not exists rule LowCardinality(String)
    comment 'id of the routing rule that decided, empty when none did' after utm_content,
  add column if not exists variant LowCardinality(String)
    comment 'id of the variant that was drawn, empty when none was' after rule,
  add column if not exists button LowCardinality(String)
    comment 'pressed button of a hosted page, empty for visits' after variant;
