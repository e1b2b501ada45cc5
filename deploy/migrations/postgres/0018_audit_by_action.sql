-- compatible-from: 0007
-- The audit log of one account by action: a rare action would walk through all of its changes.
create index audit_entries_user_action on audit_entries (user_id, action, at desc);
