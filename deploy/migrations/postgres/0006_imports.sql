-- Files of smartlinks that were imported, and how far: an import that breaks off goes on where it was.
create table imports (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Of the whole file: another content is another import.
  file_sha256 bytea not null check (length(file_sha256) = 32),
  format text not null,
  -- Rows of the file that are done, refused ones among them.
  rows_done bigint not null default 0,
  created_count bigint not null default 0,
  refused_count bigint not null default 0,
  -- Among the created ones: those that have another address than they asked for.
  readdressed_count bigint not null default 0,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3)
);
-- One import of a file at a time; a finished one may be done again.
create unique index imports_unfinished on imports (user_id, file_sha256) where finished_at is null;
create index imports_user on imports (user_id, started_at desc);

-- Rows that were refused or got another address, for the report at the end, with which they leave.
create table import_remarks (
  import_id uuid not null references imports (id) on delete cascade,
  -- From 1, as the file counts them.
  row_number bigint not null,
  line bigint not null,
  -- The address that the row asks for; null when it names none.
  slug text,
  reason text not null,
  -- The address it has got; null: it was refused.
  created_as text,
  primary key (import_id, row_number)
);

-- Visits that smartlinks had where they came from, on their way into ClickHouse. A row leaves once it is there.
create table carried_totals (
  smartlink_id uuid primary key references smartlinks (id) on delete cascade,
  user_id uuid not null,
  -- The day, UTC, that they are shown at.
  date date not null,
  clicks bigint not null,
  scans bigint not null,
  fallbacks bigint not null
);
create index carried_totals_user on carried_totals (user_id);
