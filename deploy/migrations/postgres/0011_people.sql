-- compatible-from: 0007
-- People sign in; a membership lets a person into an account, which is a row of `users`.
create table people (
  id uuid primary key,
  email text not null,
  -- argon2id; null until the person sets one.
  password_hash text,
  is_operator boolean not null default false,
  language text not null default 'en' check (language in ('en', 'az', 'ru', 'tr')),
  created_at timestamptz(3) not null default now(),
  disabled_at timestamptz(3)
);
create unique index people_email on people (lower(email));

create table memberships (
  user_id uuid not null references users (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('Viewer', 'Editor', 'Owner')),
  created_at timestamptz(3) not null default now(),
  primary key (user_id, person_id)
);
create index memberships_person on memberships (person_id);

create table sessions (
  id uuid primary key,
  -- The token itself is only in the browser's cookie.
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  person_id uuid not null references people (id) on delete cascade,
  -- The account in use; null: none of the person's accounts is left.
  user_id uuid references users (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- The last time the person entered the password or redeemed a link.
  confirmed_at timestamptz(3) not null default now(),
  idle_until timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- Browser and system, such as `Firefox on Linux`. No address is stored.
  device text not null,
  country text
);
create index sessions_person on sessions (person_id);
create index sessions_user on sessions (user_id);
create index sessions_idle_until on sessions (idle_until);

create table one_time_links (
  token_sha256 bytea primary key check (length(token_sha256) = 32),
  purpose text not null check (purpose in ('setup', 'sign-in', 'invite', 'reset')),
  -- Null for the invitation of an address that is no person yet.
  person_id uuid references people (id) on delete cascade,
  email text not null,
  -- Of an invitation.
  user_id uuid references users (id) on delete cascade,
  role text check (role in ('Viewer', 'Editor', 'Owner')),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  check ((purpose = 'invite') = (user_id is not null and role is not null))
);
create index one_time_links_person on one_time_links (person_id);
-- A new invitation of an address replaces the open one.
create unique index one_time_links_invitation on one_time_links (user_id, lower(email))
  where purpose = 'invite' and used_at is null;
create index one_time_links_expires_at on one_time_links (expires_at);

-- Display name; null: the e-mail address.
alter table users add column name text;

-- An account that exists gets its e-mail address as its Owner, without a password.
insert into people (id, email, created_at) select gen_random_uuid(), email, created_at from users;
insert into memberships (user_id, person_id, role)
select users.id, people.id, 'Owner' from users join people on lower(people.email) = lower(users.email);

alter table smartlinks add column created_by uuid references people (id) on delete set null;
create index smartlinks_created_by on smartlinks (created_by, created_at desc, id desc) where created_by is not null;

alter table api_keys
  add column created_by uuid references people (id) on delete set null,
  add column scopes text[] not null default '{*}',
  -- Null: any address.
  add column allowed_networks cidr[],
  -- The key before a rotation, and how long it still works.
  add column previous_sha256 bytea unique check (length(previous_sha256) = 32),
  add column previous_until timestamptz(3);
create index api_keys_created_by on api_keys (created_by) where created_by is not null;
