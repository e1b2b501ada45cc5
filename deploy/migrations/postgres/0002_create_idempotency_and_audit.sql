-- The first answer to a create with an Idempotency-Key, kept for 24 hours (decisions.md, Idempotency).
create table idempotency_keys (
  user_id uuid not null references users (id) on delete cascade,
  key text not null,
  -- Tells the same request from another: a SHA-256, or an argon2 string of it where the request holds a password.
  fingerprint text not null,
  -- The answer; null only inside the transaction that makes it.
  answer_status integer,
  answer_headers jsonb,
  answer_body text,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
-- The job that removes what is older than 24 hours.
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Who changed what and when. Entries outlive what they speak of, so nothing here is a reference.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  -- `key <id>` of the API, or `admin` for the command.
  actor text not null,
  -- smartlink.create, smartlink.update, smartlink.delete, user.create, user.set-plan, user.delete, key.create, …
  action text not null,
  user_id uuid,
  smartlink_id uuid,
  -- Names of what changed; never content, a key or a password.
  details jsonb
);
create index audit_entries_user on audit_entries (user_id, at desc);

-- The list over every status: newest first.
create index smartlinks_list_all on smartlinks (user_id, created_at desc, id desc);
