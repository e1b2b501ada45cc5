-- compatible-from: 0007
-- The smartlinks that need the newest snapshot format, which are published again once no older redirect process runs.
create index smartlinks_new_members on smartlinks (id) where utm is not null;
create index slugs_exact on slugs (smartlink_id) where exact is not null;
