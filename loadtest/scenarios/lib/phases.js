/** Returns the phase at a time of the load, of phases in order; the first one before all of them. */
export function phaseAt(phases, seconds) {
  let found = phases[0];
  for (const phase of phases) if (phase.fromSeconds <= seconds) found = phase;
  return found;
}

/**
 * Judges an answer to a slug that no smartlink has, which only Postgres can tell: 404 while it is there, 503 while it is
 * away, and either when a visit begins or ends while it goes or comes. `before` and `after` are the phases of both ends.
 */
export function judgeUnknownIn(before, after, status) {
  const isRight = statusesOf(before, after, 404).includes(status);
  const outcomes = { 404: 'unknown', 503: 'unavailable' };
  return { outcome: outcomes[status] ?? null, isRight };
}

/** Returns the statuses that are right of what needs Postgres and is `there` while it is there. */
export function statusesOf(before, after, there) {
  const statuses = new Set([before, after].flatMap(({ postgres }) => byPostgres(postgres, there)));
  return [...statuses];
}

function byPostgres(postgres, there) {
  if (postgres === 'here') return [there];
  return postgres === 'away' ? [503] : [there, 503];
}
