-- The audit log is read newest first: all of it, by user (0002), by smartlink, by action. The time leads rather than
-- the id, so that a look at the last day never walks through older years.
create index audit_entries_at on audit_entries (at desc, id desc);
create index audit_entries_smartlink on audit_entries (smartlink_id, at desc) where smartlink_id is not null;
create index audit_entries_action on audit_entries (action, at desc);

-- The admin command takes the name of a plan in any case, so two must not differ by case alone.
create unique index plans_name on plans (lower(name));
