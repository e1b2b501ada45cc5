/**
 * Returns what anything thrown says, in its own words: for a log line that must not hold the rest of it, since errors of
 * Redis and Postgres also carry what was asked. Never empty: Node's failure to reach a name with several addresses has a
 * message for each of them and none itself.
 */
export function failureMessage(err: unknown): string {
  if (err instanceof AggregateError && err.message === '' && err.errors.length > 0) {
    return err.errors.map(failureMessage).join('; ');
  }
  if (!(err instanceof Error)) return String(err);
  if (err.message !== '') return err.message;
  return 'code' in err && typeof err.code === 'string' ? err.code : err.name;
}
