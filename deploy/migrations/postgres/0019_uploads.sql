-- compatible-from: 0007
-- Files that people upload: checked when they arrive, and stored in the background once the import is started.
alter table imports
  -- An upload is not looked up by its content.
  alter column file_sha256 drop not null,
  -- Null: an import of the admin command.
  add column state text check (state in ('receiving', 'checked', 'running', 'done', 'failed', 'removed')),
  add column rows_total bigint not null default 0,
  -- Of the rows, as many as could be stored when they were checked.
  add column ready_count bigint not null default 0,
  add column assign_slugs boolean not null default false,
  add column created_by uuid references people (id) on delete set null,
  add column run_started_at timestamptz(3),
  -- Until then a process has the import; then it is due.
  add column run_due_at timestamptz(3),
  -- Since the last batch that was stored.
  add column attempts integer not null default 0;
create index imports_running on imports (run_due_at) where state = 'running';
create index imports_uploaded on imports (state, started_at) where state is not null;

-- The checked rows of uploads. A row leaves in the transaction that stores its smartlink, or notes why it is refused.
create table import_rows (
  import_id uuid not null references imports (id) on delete cascade,
  row_number bigint not null,
  line bigint not null,
  slug text,
  -- Why it is refused; null: it can be stored if there is room and its address is free.
  reason text,
  -- The smartlink, with passwords hashed.
  candidate json,
  -- Of the candidate.
  bytes integer not null,
  primary key (import_id, row_number),
  check ((reason is null) <> (candidate is null))
);
