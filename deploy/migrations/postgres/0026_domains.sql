-- compatible-from: 0007
-- Custom hosts. The number is in the keys of a domain's slugs (`<number>.<slug>`) and is never used again, so that the next
-- owner of a host starts without links. A removed domain keeps its row: deleted smartlinks show its host.
create table domains (
  id uuid primary key,
  number integer generated always as identity unique,
  user_id uuid not null references users (id) on delete cascade,
  -- Lower case, A-labels, no final dot.
  host text not null check (host = lower(host) and length(host) <= 253),
  status text not null default 'Pending' check (status in ('Pending', 'Active', 'Failing', 'Suspended', 'Removed')),
  is_default boolean not null default false,
  -- Active without a proof: an operator vouches for it. No look changes its status.
  is_trusted boolean not null default false,
  root_url text,
  not_found_url text,
  expired_url text,
  -- JSON texts, served as they are.
  apple_app_site_association text,
  asset_links text,
  -- The value of the TXT record is `smartlink-verify=<token>`.
  token text not null,
  -- Whether its address records led here at the last look; null: not known.
  points_here boolean,
  problem text,
  checked_at timestamptz(3),
  check_due_at timestamptz(3) not null default now(),
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index domains_user_host on domains (user_id, host) where status <> 'Removed';
-- One account has a host once it is proven.
create unique index domains_host on domains (host) where status in ('Active', 'Failing', 'Suspended');
create unique index domains_default on domains (user_id) where is_default;
create index domains_list on domains (user_id, created_at desc, id desc) where status <> 'Removed';
create index domains_check_due on domains (check_due_at) where status <> 'Removed';

-- One row. Its version grows with each committed change of what visitors meet, so that redirect reads the domains again.
create table domains_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 0
);
insert into domains_version default values;
create function renew_domains_version() returns trigger language plpgsql as $$
begin
  update domains_version set version = version + 1;
  return null;
end $$;
create trigger domains_changed
  after insert or delete or update of status, root_url, not_found_url, expired_url, apple_app_site_association, asset_links
  on domains for each statement execute function renew_domains_version();

-- null: the own host of the instance.
alter table smartlinks add column domain_number integer;
create index smartlinks_domain on smartlinks (domain_number, status) where domain_number is not null;

alter table slugs drop constraint slugs_key_check;
alter table slugs add constraint slugs_key_check check (
  (key ~ '^([1-9][0-9]*\.)?[a-z0-9]+$' and length(key) - strpos(key, '.') <= 64)
  or (key ~ '^([1-9][0-9]*\.)?=[A-Za-z0-9_-]+$' and length(key) - strpos(key, '.') <= 65)) not valid;

-- So that visits go on while this release starts; roles.sql grants it too.
do $$
begin
  if exists (select from pg_roles where rolname = 'smartlink_redirect') then
    grant select on domains, domains_version to smartlink_redirect;
  end if;
end $$;
