-- compatible-from: 0007
-- Orders and filters of the list, for accounts with 100,000 smartlinks.
create index smartlinks_by_update on smartlinks (user_id, updated_at, id);
create index smartlinks_by_name on smartlinks (user_id, (lower(name) collate "C"), id);
create index smartlinks_by_id on smartlinks (user_id, id);
create index smartlinks_by_type on smartlinks (user_id, type, created_at desc, id desc);
create index smartlinks_archived on smartlinks (user_id, created_at desc, id desc) where archived_at is not null;
create index smartlinks_unsafe on smartlinks (user_id, created_at desc, id desc) where pause_reason is not null;

alter table smartlink_totals
  -- The owner of the smartlink.
  add column user_id uuid,
  -- Null: never visited.
  add column last_visit_at timestamptz(3);
update smartlink_totals set user_id = smartlinks.user_id
from smartlinks where smartlinks.id = smartlink_totals.smartlink_id;

-- Services of an older version insert rows without the owner.
create function set_owner_of_totals() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from smartlinks where id = new.smartlink_id);
  return new;
end
$$;
create trigger set_owner_of_totals before insert on smartlink_totals
  for each row when (new.user_id is null) execute function set_owner_of_totals();

create index smartlink_totals_by_visits on smartlink_totals (user_id, (clicks + scans), smartlink_id)
  where clicks + scans > 0;
create index smartlink_totals_by_last_visit on smartlink_totals (user_id, last_visit_at, smartlink_id)
  where last_visit_at is not null;
