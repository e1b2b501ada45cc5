-- compatible-from: 0007
-- The look of a page; null: the default. Kept while the smartlink is of a type without it.
alter table smartlinks add column appearance jsonb;
