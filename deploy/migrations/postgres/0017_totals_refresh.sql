-- compatible-from: 0007
-- One row at most: until when arrived visits are in smartlink_totals.
create table totals_refresh (
  id boolean primary key default true check (id),
  arrived_until timestamptz(3) not null
);
