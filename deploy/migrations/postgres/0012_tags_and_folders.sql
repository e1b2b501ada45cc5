-- compatible-from: 0007
create table tags (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- As first spelled.
  name text not null,
  -- The name in NFC and lower case: two spellings are one tag.
  key text not null,
  color text,
  created_at timestamptz(3) not null default now(),
  unique (user_id, key)
);
create index tags_list on tags (user_id, created_at desc, id desc);

create table smartlink_tags (
  smartlink_id uuid not null references smartlinks (id) on delete cascade,
  tag_id uuid not null references tags (id) on delete cascade,
  primary key (smartlink_id, tag_id)
);
create index smartlink_tags_tag on smartlink_tags (tag_id, smartlink_id);

create table folders (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  key text not null,
  description text,
  created_at timestamptz(3) not null default now(),
  unique (user_id, key)
);
create index folders_list on folders (user_id, created_at desc, id desc);

create table utm_templates (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  key text not null,
  utm jsonb not null,
  created_at timestamptz(3) not null default now(),
  unique (user_id, key)
);
create index utm_templates_list on utm_templates (user_id, created_at desc, id desc);

alter table smartlinks
  add column folder_id uuid references folders (id) on delete set null,
  add column notes text,
  add column archived_at timestamptz(3),
  -- The owner's own id for it.
  add column external_id text,
  -- As the API has it: {"source", "medium", "campaign", "term", "content", "ref"}.
  add column utm jsonb;
create unique index smartlinks_external_id on smartlinks (user_id, external_id)
  where external_id is not null and status <> 'Deleted';
create index smartlinks_folder on smartlinks (folder_id, created_at desc, id desc) where folder_id is not null;
