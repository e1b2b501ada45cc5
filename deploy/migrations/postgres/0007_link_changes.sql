-- Every change of an address, kept for a day, for those who follow changes and may only read: a region that has a
-- Redis of its own (docs/regions.md). A row of the outbox is gone as soon as one Redis has taken it.
create table link_changes (
  id bigint generated always as identity primary key,
  slug_key text not null,
  version bigint not null,
  -- Rows are seen when their transaction commits, in any order of ids and versions. What a follower has not missed is told
  -- by the oldest transaction that was still running when it looked.
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz(3) not null default now()
);
create index link_changes_xid on link_changes (xid, id);
-- The job that removes what is older than a day, and a look at the last minute.
create index link_changes_created_at on link_changes (created_at);

-- Whatever writes to the outbox, services of an older version too, is followed.
create function note_link_changes() returns trigger language plpgsql as $$
begin
  insert into link_changes (slug_key, version) select slug_key, version from added;
  return null;
end
$$;
create trigger note_link_changes after insert on publish_outbox
  referencing new table as added for each statement execute function note_link_changes();
