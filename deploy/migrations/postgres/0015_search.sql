-- compatible-from: 0007
-- What a list finds smartlinks by, in lower case: name, addresses, destinations of a Url or an App, notes. In a table of its
-- own, because smartlinks change daily without a change of these.
create table smartlink_search (
  smartlink_id uuid primary key references smartlinks (id) on delete cascade,
  user_id uuid not null,
  text text not null
);
create index smartlink_search_user on smartlink_search (user_id);

create function write_smartlink_search(ids uuid[]) returns void language sql as $$
  insert into smartlink_search (smartlink_id, user_id, text)
  select id, user_id, lower(concat_ws(E'\n', name, slug,
    (select string_agg(slugs.slug, E'\n') from slugs where slugs.smartlink_id = smartlinks.id),
    array_to_string(imported_addresses, E'\n'),
    case type
      when 'Url' then content #>> '{Url,shortener,url}'
      when 'App' then (select string_agg(value, E'\n') from jsonb_each_text(content #> '{App,configuration}'))
    end,
    notes))
  from smartlinks where id = any(ids)
  on conflict (smartlink_id) do update set text = excluded.text
    where smartlink_search.text is distinct from excluded.text
$$;

create function note_new_smartlinks() returns trigger language plpgsql as $$
begin
  perform write_smartlink_search(array(select id from added));
  return null;
end
$$;
create trigger smartlink_search_add after insert on smartlinks
  referencing new table as added for each statement execute function note_new_smartlinks();

create function note_changed_smartlink() returns trigger language plpgsql as $$
begin
  perform write_smartlink_search(array[new.id]);
  return null;
end
$$;
create trigger smartlink_search_change
  after update of name, slug, type, content, imported_addresses, notes on smartlinks for each row
  when ((old.name, old.slug, old.type, old.imported_addresses, old.notes)
          is distinct from (new.name, new.slug, new.type, new.imported_addresses, new.notes)
        or new.type in ('Url', 'App') and old.content is distinct from new.content)
  execute function note_changed_smartlink();

-- An address that moves to another smartlink.
create function note_moved_slug() returns trigger language plpgsql as $$
begin
  perform write_smartlink_search(array[old.smartlink_id, new.smartlink_id]);
  return null;
end
$$;
create trigger smartlink_search_move after update of smartlink_id on slugs for each row
  when (old.smartlink_id is distinct from new.smartlink_id) execute function note_moved_slug();

-- Without the extension, a search finds what begins with its text (docs/operate.md).
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end
$$;
do $$
begin
  if exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) then
    create index smartlink_search_text on smartlink_search using gin (text gin_trgm_ops);
  end if;
end
$$;
