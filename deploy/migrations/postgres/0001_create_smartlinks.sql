-- Plans are data: an operator changes a number here, not in code. null means unlimited.
create table plans (
  name text primary key,
  smartlinks_max integer check (smartlinks_max >= 0),
  requests_per_minute integer not null check (requests_per_minute > 0),
  -- Days of analytics an account may look back; null means all that is kept.
  analytics_days_max integer check (analytics_days_max > 0),
  -- Hourly figures, CSV and bulk calls.
  advanced_allowed boolean not null
);
insert into plans (name, smartlinks_max, requests_per_minute, analytics_days_max, advanced_allowed) values
  ('Starter', 3, 60, 120, false),
  ('Professional', 10, 600, null, true),
  ('Enterprise', null, 3000, null, true);

create table users (
  id uuid primary key,
  email text not null,
  plan text not null references plans (name),
  created_at timestamptz(3) not null default now()
);
create unique index users_email on users (lower(email));

create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- SHA-256 of the whole key; the key itself is shown once and stored nowhere.
  key_sha256 bytea not null unique check (length(key_sha256) = 32),
  display_prefix text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_user on api_keys (user_id);
-- The admin command names a key by what people can see of it.
create index api_keys_display_prefix on api_keys (display_prefix);

-- Grows with every change of any smartlink, so that of two snapshots of one slug the newer one is known, even
-- after the slug has moved from one smartlink to another.
create sequence smartlink_version;

create table smartlinks (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  status text not null check (status in ('Active', 'Paused', 'Deleted')),
  type text not null check (type in ('App', 'Url', 'Landing', 'QRTag', 'DigiCard', 'TxtBin', 'QrMenu')),
  name text not null,
  -- The primary slug as typed; uniqueness is the table slugs' business.
  slug text not null,
  open_graph jsonb,
  -- Content by type, as the API names it: {"Url": {"shortener": {"url", "protected"}}}. Content of an earlier type
  -- stays and comes back with the type. Never a password.
  content jsonb not null,
  password_hash text,
  -- Moves with the password; bound into unlock cookies.
  password_version integer not null default 0,
  version bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3)
);
-- The list: newest first, by status.
create index smartlinks_list on smartlinks (user_id, status, created_at desc, id desc);

-- Every slug ever used. A row is never deleted and never changes its owner: a printed address must not lead to
-- somebody else one day. smartlink_id and user_id become null when their owner is erased; the slug then stays gone.
create table slugs (
  key text primary key check (key = lower(key) and key ~ '^[a-z0-9]{1,64}$'),
  slug text not null,
  user_id uuid references users (id) on delete set null,
  -- Checked at commit: a slug is claimed before the row's version is taken, so that a slug which moves from a
  -- deleted smartlink to a new one never carries an older version than the tombstone.
  smartlink_id uuid references smartlinks (id) on delete set null deferrable initially deferred,
  is_primary boolean not null,
  created_at timestamptz(3) not null default now()
);
create index slugs_smartlink on slugs (smartlink_id);
create index slugs_user on slugs (user_id);

-- Changes that are committed and perhaps not yet published to Redis. A row leaves when its slug has been published.
create table publish_outbox (
  id bigint generated always as identity primary key,
  slug_key text not null,
  version bigint not null,
  created_at timestamptz(3) not null default now()
);

-- The last known totals, for when ClickHouse cannot be asked.
create table smartlink_totals (
  smartlink_id uuid primary key references smartlinks (id) on delete cascade,
  clicks bigint not null,
  scans bigint not null,
  fallbacks bigint not null,
  updated_at timestamptz(3) not null default now()
);
