-- compatible-from: 0005
-- Values with their counts, from which the breakdowns of an account are answered. The largest thousand of each, and always
-- the empty text, which is no value.
alter table visits_daily_by_owner {on_cluster}
  add column if not exists breakdowns Tuple(
    country Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    device Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    browser Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    os Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    language Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    referrer Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    source Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    utmSource Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    utmMedium Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    utmCampaign Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    domain Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    rule Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32)),
    variant Array(Tuple(visits UInt32, value String, scans UInt32, fallbacks UInt32))
  ) comment 'counts by value of each dimension; empty in imported rows and in those of cells whose events were gone' after hours;

-- Rows that were written before are computed again.
insert into rollup_state
select * replace (toDate('2149-06-06') as owners_from, version + 1 as version) from rollup_state final where owners_from != toDate('2149-06-06');
