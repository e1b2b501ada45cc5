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
  -- Up to where visits have been handed over: ClickHouse's time of arrival, and the last event of that very time; both
  -- null when it takes none.
  visits_until timestamptz(3),
  visits_after_id uuid,
  -- When they are looked at next.
  visits_due_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index webhooks_user on webhooks (user_id, created_at desc, id desc);
create index webhooks_visits_due on webhooks (visits_due_at) where is_enabled and visits_until is not null;

-- What is to be delivered, and the log of what was. Written in the transaction of the change it speaks of.
create table webhook_deliveries (
  -- Also the message's `webhook-id`, by which receivers tell repeats.
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  event_type text not null,
  occurred_at timestamptz(3) not null default now(),
  -- `data` of the message; never content, a key or a password.
  data jsonb not null,
  status text not null default 'Pending' check (status in ('Pending', 'Delivered', 'Failed')),
  -- Attempts that were begun. An attempt under way knows its number, so that one that was given up cannot write over a
  -- later one's outcome.
  attempts integer not null default 0,
  -- Of these attempts; retries end 24 hours after it.
  first_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  -- While an attempt is under way: when it is taken for lost. null unless the delivery is Pending.
  next_attempt_at timestamptz(3) default now(),
  -- The same while an attempt is under way; null, or over, while none is.
  leased_until timestamptz(3),
  response_status integer,
  error text,
  duration_ms integer
);
-- Whether anything is due.
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'Pending';
-- Which webhooks something waits for, what is due first for each, and how many wait.
create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_attempt_at) include (event_type)
  where status = 'Pending';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, occurred_at desc, id desc);
-- The job that removes what is older than the log goes back.
create index webhook_deliveries_ended on webhook_deliveries (occurred_at) where status <> 'Pending';
