-- compatible-from: 0007
-- In a transaction of its own: it takes minutes per million smartlinks, and delays no change of one.
select write_smartlink_search(array_agg(id)) from smartlinks;
