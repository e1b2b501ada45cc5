-- compatible-from: 0007
-- When a smartlink is live, and for how many visits; null: always.
alter table smartlinks add column availability jsonb;
create index smartlinks_availability on smartlinks (id) where availability is not null;

-- Visits used of smartlinks with maxVisits: the one counter, for all processes and regions.
create table link_allowances (
  smartlink_id uuid primary key references smartlinks (id) on delete cascade,
  used integer not null default 0 check (used >= 0),
  max integer not null check (max between 1 and 1000000000)
);

-- A changed limit keeps the visits used; a removed one is forgotten.
create function keep_allowance() returns trigger language plpgsql as $$
begin
  if new.availability ? 'maxVisits' then
    insert into link_allowances (smartlink_id, max) values (new.id, (new.availability ->> 'maxVisits')::integer)
      on conflict (smartlink_id) do update set max = excluded.max where link_allowances.max <> excluded.max;
  else
    delete from link_allowances where smartlink_id = new.id;
  end if;
  return null;
end $$;

create trigger smartlink_limited after insert on smartlinks for each row
  when (new.availability is not null) execute function keep_allowance();
create trigger smartlink_limit_changed after update of availability on smartlinks for each row
  when (old.availability is distinct from new.availability) execute function keep_allowance();

-- Takes up to `wanted` visits of a limited smartlink and returns the number granted: all while the smartlink has no limit any
-- more, none if it does not exist. The only write of the redirect service, so it runs with the rights of the owner. The row is
-- read under its lock.
create function take_visits(id uuid, wanted integer) returns integer
language sql security definer set search_path = pg_catalog, pg_temp
begin atomic
  with taken as (
    update public.link_allowances set used = link_allowances.used + before.granted
    from (
      select smartlink_id, greatest(0, least(wanted, max - used)) as granted
      from public.link_allowances where smartlink_id = take_visits.id for update
    ) as before
    where link_allowances.smartlink_id = before.smartlink_id
    returning before.granted
  )
  select coalesce(
    (select granted from taken),
    (select case when coalesce(availability ? 'maxVisits', false) then 0 else wanted end
     from public.smartlinks where smartlinks.id = take_visits.id),
    0);
end;
revoke execute on function take_visits(uuid, integer) from public;
