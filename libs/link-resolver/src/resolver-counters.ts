/** What a resolver has done since it was made. */
export type ResolverCounters = {
  redisHits: number;
  redisMisses: number;
  /** Values older than the visit already knew of. */
  redisOutdated: number;
  redisFailures: number;
  /** Visits that did not ask Redis, because it had failed. */
  redisSkipped: number;
  redisFillFailures: number;
  postgresHits: number;
  postgresMisses: number;
  postgresFailures: number;
  postgresQueries: number;
};

/** Returns counters that stand at nothing. */
export function noCounts(): ResolverCounters {
  return {
    redisHits: 0,
    redisMisses: 0,
    redisOutdated: 0,
    redisFailures: 0,
    redisSkipped: 0,
    redisFillFailures: 0,
    postgresHits: 0,
    postgresMisses: 0,
    postgresFailures: 0,
    postgresQueries: 0,
  };
}
