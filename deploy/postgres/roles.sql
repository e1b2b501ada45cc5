-- Roles and rights in Postgres, for a dedicated or a shared server. Run it in the database with a login that may create
-- roles, before the migrations (it creates the roles) and after them (it grants the rights of each service). It can be
-- repeated.
--
--   smartlink_owner        the migrations: owns only the tables
--   smartlink_management   the API and the admin command: reads and writes rows
--   smartlink_redirect     the redirect service: reads links, domains and unpublished changes, and takes visits of limited links; no
--                          users, keys or webhooks
--
-- Passwords are session settings, so that they appear in no file and no argument; one that is not given is not
-- changed. With psql:
--
--   PGOPTIONS="-c smartlink.owner_password=… -c smartlink.management_password=… -c smartlink.redirect_password=…" \
--     psql --set ON_ERROR_STOP=1 --single-transaction --file roles.sql "$DATABASE_URL"
do $$
declare
  role_name text;
  password text;
begin
  foreach role_name in array array['smartlink_owner', 'smartlink_management', 'smartlink_redirect'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login', role_name);
    end if;
    password := current_setting('smartlink.' || substr(role_name, 11) || '_password', true);
    if password <> '' then
      execute format('alter role %I password %L', role_name, password);
    end if;
  end loop;
  -- Changing an owner requires membership in the new owner. A superuser does not need it; it does no harm.
  if not pg_has_role('smartlink_owner', 'member') then
    execute format('grant smartlink_owner to %I', current_user);
  end if;

  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to smartlink_owner, smartlink_management, smartlink_redirect',
    current_database());
  alter schema public owner to smartlink_owner;
  revoke all on schema public from public;
  -- Any login could fill the disk with large objects, which Smartlink does not use. These functions belong to the
  -- superuser: a revoke by another login would fail.
  if (select rolsuper from pg_roles where rolname = current_user) then
    revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public;
  else
    raise notice 'Only a superuser can keep the services from making large objects.';
  end if;
  grant usage on schema public to smartlink_management, smartlink_redirect;
end $$;

-- For the search of lists. The owner of the tables may not create extensions.
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'pg_trgm is not available, so a search finds what begins with its text: %', sqlerrm;
end $$;

-- Tables created by other logins before these roles existed.
do $$
declare
  object record;
begin
  for object in
    select case relkind when 'S' then 'sequence' else 'table' end as kind, oid::regclass as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
      and relowner <> 'smartlink_owner'::regrole
      -- The sequence of an identity column goes with its table.
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'i')
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  loop
    execute format('alter %s %s owner to smartlink_owner', object.kind, object.name);
  end loop;
end $$;

-- Management may use the tables of later migrations at once, so that an old release can run on a new schema.
alter default privileges for role smartlink_owner in schema public
  grant select, insert, update, delete on tables to smartlink_management;
alter default privileges for role smartlink_owner in schema public
  grant usage, select on sequences to smartlink_management;

do $$
begin
  if to_regclass('public.slugs') is null then
    raise notice 'There are no tables yet: run this again after the migrations.';
    return;
  end if;
  grant select, insert, update, delete on all tables in schema public to smartlink_management;
  grant usage, select on all sequences in schema public to smartlink_management;
  -- A slug never goes to another owner, and audit entries are kept.
  revoke delete on slugs from smartlink_management;
  revoke update, delete on audit_entries from smartlink_management;
  revoke insert, update, delete on schema_migration from smartlink_management;
  grant select on slugs, smartlinks, publish_outbox, link_changes, schema_migration, domains, domains_version to smartlink_redirect;
  -- It runs with the rights of its owner.
  if to_regprocedure('take_visits(uuid, integer)') is not null then
    if (select proowner from pg_proc where oid = 'take_visits(uuid, integer)'::regprocedure) <> 'smartlink_owner'::regrole then
      alter function take_visits(uuid, integer) owner to smartlink_owner;
    end if;
    revoke execute on function take_visits(uuid, integer) from public;
    grant execute on function take_visits(uuid, integer) to smartlink_redirect;
  end if;
end $$;
