-- Who is told of what happens to a user's smartlinks.
create table webhooks (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  url text not null,
  description text,
  -- smartlink.created, smartlink.updated, smartlink.deleted, smartlink.paused, smartlink.activated, smartlink.unsafe,
  -- visits.recorded
  event_types text[] not null check (cardinality(event_types) > 0),
  -- What signs: kept as it is, since the sender has to know it too.
  secret text not null,
  -- The one before, which signs too until then, so that receivers can change over.
  previous_secret text,
  previous_secret_until timestamptz(3),
  is_enabled boolean not null default true,
  -- Why the service has disabled it; null when its owner did.
  disabled_reason text,
  -- Since when nothing has been delivered; null while deliveries succeed.
  failing_since timestamptz(3),
  -- Up to where visits have been handed over; null when it takes none.
  visits_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index webhooks_user on webhooks (user_id, created_at desc, id desc);
create index webhooks_visits on webhooks (visits_until) where is_enabled and visits_until is not null;

-- What is to be delivered, and the log of what was. Written in the transaction of the change it speaks of.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  event_type text not null,
  occurred_at timestamptz(3) not null default now(),
  -- `data` of the message; never content, a key or a password.
  data jsonb not null,
  status text not null default 'Pending' check (status in ('Pending', 'Delivered', 'Failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3) default now(),
  last_attempt_at timestamptz(3),
  response_status integer,
  error text,
  duration_ms integer
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'Pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, occurred_at desc, id desc);
