-- compatible-from: 0007
-- In a transaction of its own: it reads the whole table, under a lock that lets visits and changes through.
alter table slugs validate constraint slugs_key_check;
