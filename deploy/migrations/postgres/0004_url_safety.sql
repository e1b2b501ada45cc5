-- What a safety provider said of a smartlink's URLs.
alter table smartlinks
  -- When all of its URLs were last judged; null when a provider has not judged them (none was asked, or it was down).
  add column urls_checked_at timestamptz(3),
  -- When they are to be judged next.
  add column urls_check_due_at timestamptz(3) not null default now(),
  -- How often in a row they could not be judged, 7 at most; the wait doubles with it.
  add column url_check_failures smallint not null default 0,
  -- Why the service has paused it: {"code": "UNSAFE_URL", "details": [{"path", "message"}]}; null when its owner did.
  add column pause_reason jsonb;
-- The queue of those who are to be judged: links that visitors can reach.
create index smartlinks_urls_check_due on smartlinks (urls_check_due_at) where status = 'Active';
