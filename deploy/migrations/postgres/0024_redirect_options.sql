-- compatible-from: 0007
-- How visitors are redirected; null: as the instance is set. Kept while the smartlink is of a type that does not redirect.
alter table smartlinks add column redirect jsonb;
create index smartlinks_redirect on smartlinks (id) where redirect is not null;
