-- compatible-from: 0007
-- Who made an invitation, which holds while that person may invite. Null: the command did.
alter table one_time_links add column invited_by uuid references people (id) on delete cascade;
