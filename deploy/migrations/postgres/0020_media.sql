-- compatible-from: 0007
alter table plans
  -- Of uploaded pictures; null: unlimited.
  add column media_bytes_max bigint check (media_bytes_max >= 0);
update plans set media_bytes_max = case name when 'Starter' then 50000000 else 500000000 end
where name in ('Starter', 'Professional');

-- Uploaded pictures. Their files are in the folder or bucket of pictures.
create table media (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Of the uploaded bytes: the same bytes twice are one picture of an account.
  sha256 bytea not null,
  -- In the names of the files. Not even the same bytes, uploaded again after a removal, get the same one.
  hash text not null unique check (hash ~ '^[0-9a-f]{32}$'),
  -- Of the largest file.
  width integer not null,
  height integer not null,
  -- Of the files for clients that take no WebP.
  extension text not null check (extension in ('jpg', 'png')),
  -- Of all files.
  bytes bigint not null,
  created_at timestamptz(3) not null default now(),
  -- Null: the files may be incomplete.
  stored_at timestamptz(3),
  -- When it was last looked for in the smartlinks, and since when none has it.
  use_checked_at timestamptz(3) not null default now(),
  unused_since timestamptz(3) default now(),
  unique (user_id, sha256)
);
create index media_list on media (user_id, created_at desc, id desc);
create index media_use_check on media (use_checked_at);

-- Pictures whose files are to be removed.
create table media_removals (
  hash text primary key,
  width integer not null,
  extension text not null,
  removed_at timestamptz(3) not null default now()
);

create function note_media_removal() returns trigger language plpgsql as $$
begin
  insert into media_removals (hash, width, extension) values (old.hash, old.width, old.extension);
  return old;
end $$;

-- Also when an account is deleted.
create trigger media_removed after delete on media for each row execute function note_media_removal();

-- Those that may show uploaded pictures, their own or of other accounts.
create index smartlinks_with_media on smartlinks (user_id)
  where status <> 'Deleted' and (content::text like '%/-/media/%' or open_graph::text like '%/-/media/%');
