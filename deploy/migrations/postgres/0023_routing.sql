-- compatible-from: 0007
-- Rules and variants of a smartlink of any type; null without any.
alter table smartlinks add column routing jsonb;

-- Like smartlinks_new_members.
create index smartlinks_routing on smartlinks (id) where routing is not null;
