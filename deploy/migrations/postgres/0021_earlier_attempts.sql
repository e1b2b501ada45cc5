-- compatible-from: 0007
alter table webhook_deliveries
  -- Attempts before the delivery was last sent again, which starts its retries over.
  add column earlier_attempts integer not null default 0;
