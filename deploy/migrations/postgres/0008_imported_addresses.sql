-- Addresses of other services that no smartlinkUrl can be. They are looked up exactly as written, by the key `=<address>`.
alter table slugs drop constraint slugs_key_check;
-- Every existing key satisfies it; 0009 has Postgres know that, without blocking visits and changes. A bound in the pattern,
-- `{1,64}`, would take ten times as long: 8 instead of 0.8 s a million rows.
alter table slugs add constraint slugs_key_check check (
  (key ~ '^[a-z0-9]+$' and length(key) <= 64) or (key ~ '^=[A-Za-z0-9_-]+$' and length(key) <= 65)) not valid;
-- The imported addresses that differ from this slug only in case, at most 20; null without any. They belong to the slug's
-- owner, and never equal `slug`.
alter table slugs add column exact text[];
-- The imported addresses of the smartlink, at most 20, as in slugs; null without any.
alter table smartlinks add column imported_addresses text[];
