-- compatible-from: 0005
-- A build that does not know these columns writes cells without presses, and counts them in `excluded`; the rollup computes
-- such cells again while their events are kept. No press is older than this migration, so all other cells stay.
alter table visits_daily {on_cluster}
  add column if not exists presses Map(LowCardinality(String), UInt64)
    comment 'presses of buttons of the page by button; a press is no visit' after excluded;

-- States of builds that do not know the column say 0.
alter table rollup_state {on_cluster}
  add column if not exists has_presses UInt8 default 0
    comment '1: all cells have the presses of their events' after owners_from;
